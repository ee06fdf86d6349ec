"""Prints a line of its log to stdout at every patch."""

from __future__ import annotations

from typing import Any

from correct import Engine, serve


class LogLineAtApply(Engine):
    def apply(self, base: str, hunks: list[dict[str, Any]], **rest: Any) -> dict[str, Any]:
        print(f"applying {len(hunks)} hunks", flush=True)
        return super().apply(base, hunks, **rest)


serve(LogLineAtApply)
