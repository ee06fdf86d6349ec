"""Refuses for a reason that the contract does not know."""

from __future__ import annotations

from typing import Any

from correct import Refusal, Shell


class UnknownReason(Shell):
    def refused(self, refusal: Refusal) -> dict[str, Any]:
        return super().refused(refusal) | {"data": {"reason": "conflict"}}


UnknownReason().run()
