"""Choices for a move, out of a few bytes that Hypothesis drew: one draw a rule keeps the search fast."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class ChoiceSource:
    """Reads ``source`` byte by byte and begins again, shifted, when it is used up."""

    def __init__(self, source: bytes) -> None:
        self._source, self._at = source or b"\0", 0

    def below(self, n: int) -> int:
        """A number in ``[0, n)``; ``n >= 1``."""
        rounds, place = divmod(self._at, len(self._source))
        self._at += 1
        value = (self._source[place] + 101 * rounds) % 256
        if n > 256:
            return (value * 256 + self.below(256)) % n
        return value % n

    def between(self, low: int, high: int) -> int:
        """A number in ``[low, high]``."""
        return low + self.below(high - low + 1)

    def chance(self, percent: int) -> bool:
        return self.below(100) < percent

    def pick(self, options: Sequence[T]) -> T:
        return options[self.below(len(options))]
