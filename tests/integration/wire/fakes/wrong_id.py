"""Numbers its answers itself instead of giving back the id of the request."""

from __future__ import annotations

from itertools import count
from typing import Any

from correct import Shell


class WrongId(Shell):
    own = count(1000)

    def answer(self, message: dict[str, Any]) -> dict[str, Any]:
        return super().answer(message) | {"id": next(self.own)}


WrongId().run()
