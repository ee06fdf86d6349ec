"""Legal: ends its messages with a carriage return and a line feed; to JSON the first of them is white space."""

from __future__ import annotations

from typing import Any

from correct import Shell


class CrlfFraming(Shell):
    def encode(self, message: dict[str, Any]) -> str:
        return super().encode(message).replace("\n", "\r\n")


CrlfFraming().run()
