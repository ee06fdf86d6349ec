"""Keeps what was appended in a list that all its engines share: it is still there after a reset."""

from __future__ import annotations

from typing import ClassVar

from correct import Engine, serve


class LeaksLines(Engine):
    appended: ClassVar[list[str]] = []

    def __init__(self, lines: list[str], protected: list[str]) -> None:
        super().__init__(lines + self.appended, protected)

    def append(self, lines: list[str]) -> None:
        self.appended.extend(lines)
        super().append(lines)


serve(LeaksLines)
