"""Goes on protecting, after a reset, what was protected before it."""

from __future__ import annotations

from typing import ClassVar

from correct import Engine, serve


class LeaksMarkers(Engine):
    known: ClassVar[list[str]] = []

    def __init__(self, lines: list[str], protected: list[str]) -> None:
        self.known.extend(protected)
        super().__init__(lines, self.known)


serve(LeaksMarkers)
