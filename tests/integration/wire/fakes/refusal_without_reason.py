"""Refuses with the right code and a message, but without the reason."""

from __future__ import annotations

from typing import Any

from correct import Refusal, Shell


class RefusalWithoutReason(Shell):
    def refused(self, refusal: Refusal) -> dict[str, Any]:
        return {"code": -32001, "message": refusal.message}


RefusalWithoutReason().run()
