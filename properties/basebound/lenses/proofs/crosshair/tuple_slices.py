"""Slices of a tuple at open places, in an analysis.

An engine that reads ``lines[hunk.start : hunk.end]`` before it looks at the range asks for a slice at any place at all.
CrossHair would try the places one by one, without end. All that matters of a place is which lines it stands between,
and beyond either end it is as good as that end.

This module imports CrossHair; only a child process does that.
"""

from __future__ import annotations

import sys
from typing import Any

from basebound.lenses.proofs.crosshair.api import before_slice, before_subscript
from basebound.lenses.proofs.crosshair.copies import is_open


def install() -> None:
    """Register with CrossHair; acts only inside an analysis of this process."""
    before_subscript(_subscripted)
    if sys.version_info >= (3, 12):
        before_slice(_sliced)


def _subscripted(container: Any, key: Any) -> _Tuple | None:
    return _sliced(container, key.start, key.stop) if type(key) is slice else None


def _sliced(container: Any, start: Any, stop: Any) -> _Tuple | None:
    return _Tuple(container) if type(container) is tuple and is_open((start, stop)) else None


class _Tuple:
    """A tuple that is sliced once."""

    def __init__(self, items: tuple[Any, ...]) -> None:
        self.items = items

    def __getitem__(self, key: slice) -> tuple[Any, ...]:
        if key.step not in (None, 1):
            return self.items[key]
        size = len(self.items)
        start = 0 if key.start is None else _place(key.start, size)
        stop = size if key.stop is None else _place(key.stop, size)
        return self.items[start:stop]


def _place(at: Any, size: int) -> int:
    """Which of ``0`` to ``size`` the place ``at`` comes to; the solver is asked, and each answer is followed."""
    if at < 0:
        at = at + size
    if at <= 0:
        return 0
    for place in range(1, size):
        if at == place:
            return place
    return size
