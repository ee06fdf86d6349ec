"""Gives the lines of a snapshot as one string."""

from __future__ import annotations

from typing import Any

from correct import Engine, serve


class LinesAString(Engine):
    def snapshot(self) -> dict[str, Any]:
        return super().snapshot() | {"lines": "\n".join(self.lines)}


serve(LinesAString)
