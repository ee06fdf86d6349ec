"""Legal: needs the lines that a patch's author saw, and compares those instead of a base."""

from __future__ import annotations

from typing import Any

from correct import Engine, Shell


class BaseLines(Engine):
    base = property(lambda self: f"r{self.revision}")

    def apply(self, base: str, hunks: list[dict[str, Any]], **rest: Any) -> dict[str, Any]:
        seen = rest["base_lines"]
        return super().apply(self.base if seen == self.lines else base, hunks, **rest)


class NeedsBaseLines(Shell):
    about = Shell.about | {"needs": ["base_lines"]}


NeedsBaseLines(BaseLines).run()
