"""Leaves the base out of its receipts."""

from __future__ import annotations

from typing import Any

from correct import Engine, serve


class MissingBase(Engine):
    def apply(self, base: str, hunks: list[dict[str, Any]], **rest: Any) -> dict[str, Any]:
        receipt = super().apply(base, hunks, **rest)
        del receipt["base"]
        return receipt


serve(MissingBase)
