"""Hunks against a sequence: which are bad, what they remove, and what they leave (SPEC.md, sections 2 and 10.2)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TypeVar

from basebound.model import Hunk

T = TypeVar("T")


def in_order(hunks: Sequence[Hunk]) -> list[int]:
    """Indices of ``hunks`` in the order their effects stand: by (start, end), then as given."""
    return sorted(range(len(hunks)), key=lambda i: (hunks[i].start, hunks[i].end))


def defects(hunks: Sequence[Hunk], length: int) -> set[str]:
    """What is wrong with ``hunks`` on ``length`` lines: ``negative``, ``reversed``, ``range``, ``overlap``."""
    found: set[str] = set()
    for hunk in hunks:
        if hunk.start < 0 or hunk.end < 0:
            found.add("negative")
        if hunk.start > hunk.end:
            found.add("reversed")
        if hunk.start > length or hunk.end > length:
            found.add("range")
    if len(hunks) > 1 and _overlap(hunks):
        found.add("overlap")
    return found


def _overlap(hunks: Sequence[Hunk]) -> bool:
    spans = [(h.start, h.end) for h in hunks if h.start < h.end]
    points = [h.start for h in hunks if h.start == h.end]
    spans.sort()
    if any(later[0] < earlier[1] for earlier, later in pairwise(spans)):
        return True
    return any(start < point < end for point in points for start, end in spans)


def removed(hunks: Sequence[Hunk], length: int) -> list[int]:
    """Indices the hunks remove, clipped to the base, each once, ascending."""
    if len(hunks) == 1:
        return list(range(max(0, hunks[0].start), min(length, hunks[0].end)))
    gone: set[int] = set()
    for hunk in hunks:
        gone.update(range(max(0, hunk.start), min(length, hunk.end)))
    return sorted(gone)


def splice(base: Sequence[T], parts: Sequence[tuple[int, int, Sequence[T]]]) -> tuple[T, ...]:
    """``base`` with each ``[start, end)`` replaced by its part; ``parts`` are good and in order."""
    out: list[T] = []
    at = 0
    for start, end, insert in parts:
        out += base[at:start]
        out += insert
        at = end
    out += base[at:]
    return tuple(out)


def one_after_the_other(base: Sequence[str], hunks: Sequence[Hunk]) -> tuple[str, ...]:
    """What an engine leaves that forgets the common frame: each hunk on the result of the one before."""
    out = list(base)
    for hunk in hunks:
        out[hunk.start : hunk.end] = hunk.insert
    return tuple(out)


def with_running_offset(base: Sequence[str], hunks: Sequence[Hunk]) -> tuple[str, ...]:
    """What an engine leaves that moves each hunk by what the hunks given before it added, wherever they stand."""
    out, offset = list(base), 0
    for hunk in hunks:
        out[max(0, hunk.start + offset) : max(0, hunk.end + offset)] = hunk.insert
        offset += len(hunk.insert) - (hunk.end - hunk.start)
    return tuple(out)
