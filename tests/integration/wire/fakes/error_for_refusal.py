"""Refuses with a code of its own: an error, and no refusal."""

from __future__ import annotations

from typing import Any

from correct import Refusal, Shell


class ErrorForRefusal(Shell):
    def refused(self, refusal: Refusal) -> dict[str, Any]:
        return super().refused(refusal) | {"code": -32000}


ErrorForRefusal().run()
