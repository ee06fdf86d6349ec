"""Bad hunks let in, good ones kept out, and either called by another name."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from basebound.model import Hunk, Patch, Reason, Receipt, Rejected
from basebound_catalogue.plain import Hunks, PlainEngine, Shelf, in_order

shelf = Shelf()


# Sequences of most languages mean something by every pair of indices; a patch does not.


def fixing(id: str, requirement: str, origin: str, about: str, fix: Callable[[Hunk, int], Hunk]) -> None:
    """A fault that turns each hunk into ``fix(hunk, number of lines)`` once the patch is known to be fresh."""

    class Fixing(PlainEngine):
        def apply(self, patch: Patch) -> Receipt:
            if not self.is_stale(patch):
                hunks = tuple(fix(hunk, len(self.lines)) for hunk in patch.hunks)
                patch = Patch(patch.base, hunks, patch.claim)
            return super().apply(patch)

    shelf.fault(id, requirement, origin, about)(Fixing)


fixing(
    "range-clipped",
    "BASE-HUNK-RANGE",
    "incident 22",
    "A range that reaches beyond the end is clipped to it.",
    lambda hunk, length: Hunk(min(hunk.start, length), min(hunk.end, length), hunk.insert),
)
fixing(
    "one-past-the-end",
    "BASE-HUNK-RANGE",
    "incident 22",
    "A range may end one line after the last, as if the buffer ended with an empty line.",
    lambda hunk, length: Hunk(hunk.start, length, hunk.insert) if hunk.end == length + 1 > hunk.start else hunk,
)
fixing(
    "insertion-beyond-appended",
    "BASE-HUNK-RANGE",
    "incident 13",
    "An insertion beyond the end is appended.",
    lambda hunk, length: Hunk(length, length, hunk.insert) if hunk.start == hunk.end > length else hunk,
)
fixing(
    "negative-from-the-end",
    "BASE-HUNK-NEGATIVE",
    "malice",
    "A negative bound counts from the end, as in a slice.",
    lambda hunk, length: Hunk(hunk.start + length * (hunk.start < 0), hunk.end + length * (hunk.end < 0), hunk.insert),
)
fixing(
    "negative-clipped",
    "BASE-HUNK-NEGATIVE",
    "incident 22",
    "A negative bound is taken for 0.",
    lambda hunk, length: Hunk(max(0, hunk.start), max(0, hunk.end), hunk.insert),
)
fixing(
    "minus-one-is-the-end",
    "BASE-HUNK-NEGATIVE",
    "malice",
    "The bound -1 stands for the end of the buffer.",
    lambda hunk, length: Hunk(
        length if hunk.start == -1 else hunk.start, length if hunk.end == -1 else hunk.end, hunk.insert
    ),
)
fixing(
    "reversed-range-swapped",
    "BASE-HUNK-REVERSED",
    "malice",
    "The bounds of a reversed range are swapped.",
    lambda hunk, length: Hunk(min(hunk.start, hunk.end), max(hunk.start, hunk.end), hunk.insert),
)
fixing(
    "reversed-range-inserts",
    "BASE-HUNK-REVERSED",
    "malice",
    "A reversed range is empty, as in a slice, and the hunk inserts at its start.",
    lambda hunk, length: Hunk(hunk.start, hunk.start, hunk.insert) if hunk.start > hunk.end else hunk,
)


@shelf.fault(
    "overlaps-applied",
    "BASE-HUNK-OVERLAP",
    "incident 20",
    "Overlaps are not checked: what comes out depends on the loop.",
)
class OverlapsApplied(PlainEngine):
    def check_overlaps(self, hunks: Hunks) -> None:
        pass


@shelf.fault(
    "overlaps-merged",
    "BASE-HUNK-OVERLAP",
    "incidents 6, 20",
    "Overlapping hunks are merged into one that inserts what both insert.",
)
class OverlapsMerged(PlainEngine):
    def apply(self, patch: Patch) -> Receipt:
        return super().apply(Patch(patch.base, tuple(self.merged(patch.hunks)), patch.claim))

    def merged(self, hunks: Hunks) -> list[Hunk]:
        done: list[Hunk] = []
        for hunk in in_order(hunks) if all(0 <= h.start <= h.end <= len(self.lines) for h in hunks) else hunks:
            if done and hunk.start < done[-1].end and hunk.start <= hunk.end:
                last = done.pop()
                hunk = Hunk(last.start, max(last.end, hunk.end), last.insert + hunk.insert)
            done.append(hunk)
        return done


@shelf.fault(
    "insertion-inside-range-lost",
    "BASE-HUNK-OVERLAP",
    "incident 20",
    "An insertion inside another hunk's range is dropped with the range.",
)
class InsertionInsideRangeLost(PlainEngine):
    def apply(self, patch: Patch) -> Receipt:
        kept = tuple(hunk for hunk in patch.hunks if not self.inside(hunk, patch.hunks))
        return super().apply(Patch(patch.base, kept, patch.claim))

    def inside(self, hunk: Hunk, others: Hunks) -> bool:
        return hunk.start == hunk.end and any(other.start < hunk.start < other.end for other in others)


@shelf.fault(
    "overlap-checked-with-neighbour",
    "BASE-HUNK-OVERLAP",
    "malice",
    "Each hunk is compared only with the next one of the patch: the first and the third may overlap.",
)
class OverlapCheckedWithNeighbour(PlainEngine):
    def check_overlaps(self, hunks: Hunks) -> None:
        for pair in pairwise(hunks):
            super().check_overlaps(pair)


@shelf.fault(
    "same-range-twice",
    "BASE-HUNK-OVERLAP",
    "incident 20",
    "Two hunks for the very same range are no overlap: the later one wins.",
)
class SameRangeTwice(PlainEngine):
    def apply(self, patch: Patch) -> Receipt:
        replaced = {(hunk.start, hunk.end): hunk for hunk in patch.hunks if hunk.start < hunk.end}
        kept = tuple(h for h in patch.hunks if h.start >= h.end or h is replaced[h.start, h.end])
        return super().apply(Patch(patch.base, kept, patch.claim))


def refusing(id: str, requirement: str, origin: str, about: str, touches: Callable[[Hunk, Hunk], bool]) -> None:
    """A fault that refuses a patch if ``touches(one, next)`` for two hunks in order."""

    class Refusing(PlainEngine):
        def check_overlaps(self, hunks: Hunks) -> None:
            super().check_overlaps(hunks)
            if any(touches(one, other) for one, other in pairwise(in_order(hunks))):
                raise self.refusal(Reason.BAD_HUNK, "the hunks overlap")

    shelf.fault(id, requirement, origin, about)(Refusing)


refusing(
    "adjacent-refused",
    "BASE-HUNK-ADJACENT",
    "incident 20",
    "A range that starts where another ends is refused as overlapping.",
    lambda one, other: one.start < one.end == other.start < other.end,
)
refusing(
    "insertion-at-range-start-refused",
    "BASE-SPLICE-ORDER",
    "malice",
    "An insertion at the start of a replaced range is refused as overlapping.",
    lambda one, other: one.start == one.end == other.start < other.end,
)
refusing(
    "insertion-at-range-end-refused",
    "BASE-HUNK-ADJACENT",
    "malice",
    "An insertion where a replaced range ends is refused as overlapping.",
    lambda one, other: one.start < one.end == other.start == other.end,
)
refusing(
    "same-point-refused",
    "BASE-SPLICE-ORDER",
    "malice",
    "Two insertions at one point are refused as overlapping.",
    lambda one, other: one.start == one.end == other.start == other.end,
)


def bad_hunk_as(id: str, requirement: str, origin: str, about: str, exception: Callable[[], Exception]) -> None:
    """A fault that answers a hunk out of range with ``exception()``."""

    class Misnaming(PlainEngine):
        def check_ranges(self, hunks: Hunks) -> None:
            try:
                super().check_ranges(hunks)
            except Rejected:
                raise exception() from None

    shelf.fault(id, requirement, origin, about)(Misnaming)


bad_hunk_as(
    "bad-hunk-called-stale",
    "BASE-HUNK-RANGE",
    "incident 28",
    "A hunk out of range on a fresh base is refused as stale: its author reads and authors the same again.",
    lambda: Rejected(Reason.STALE_BASE, "the hunk does not fit the live base: read again and re-author the patch"),
)
bad_hunk_as(
    "bad-hunk-called-protected",
    "BASE-HUNK-RANGE",
    "malice",
    "A hunk out of range is refused as protected, whatever the markers.",
    lambda: Rejected(Reason.PROTECTED, "these lines may not be changed"),
)
bad_hunk_as(
    "bad-hunk-raises-index-error",
    "BASE-ANSWER-TYPED",
    "incident 117",
    "A hunk out of range raises IndexError.",
    lambda: IndexError("list index out of range"),
)
bad_hunk_as(
    "bad-hunk-raises-value-error",
    "BASE-ANSWER-TYPED",
    "incident 28",
    "A hunk out of range raises ValueError.",
    lambda: ValueError("invalid hunk"),
)
