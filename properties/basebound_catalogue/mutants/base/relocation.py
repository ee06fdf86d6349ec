"""Engines that look for the target of a patch."""

from __future__ import annotations

from difflib import SequenceMatcher

from basebound.model import Hunk, Patch, Reason, Receipt
from basebound_catalogue.plain import Lines, PlainEngine, Shelf

shelf = Shelf()


# Patch tools find out where a change belongs from the text. On the base they were authored against
# these are all right; on any other content they guess.


def block(patch: Patch, hunk: Hunk, context: int) -> tuple[int, Lines]:
    """How many lines of context precede the hunk, and its old lines with their context."""
    top = max(0, hunk.start - context)
    return hunk.start - top, patch.base.lines[top : hunk.end + context]


def matches(lines: Lines, old: Lines) -> list[int]:
    """Where ``old`` stands in ``lines``; nowhere if it is empty."""
    return [at for at in range(len(lines) - len(old) + 1) if old and lines[at : at + len(old)] == old]


class Relocating(PlainEngine):
    """Moves every hunk of a stale patch to where it seems to belong, and applies it there."""

    def apply(self, patch: Patch) -> Receipt:
        if patch.hunks and self.is_stale(patch):
            patch = Patch(super().snapshot(), tuple(self.moved(patch, hunk) for hunk in patch.hunks), patch.claim)
        return super().apply(patch)

    def moved(self, patch: Patch, hunk: Hunk) -> Hunk:
        start = self.place(patch, hunk)
        if start is None or not 0 <= hunk.start <= hunk.end <= len(patch.base.lines):
            raise self.refusal(Reason.STALE_BASE, self.stale_message(patch))
        return Hunk(start, start + hunk.end - hunk.start, hunk.insert)

    def place(self, patch: Patch, hunk: Hunk) -> int | None:
        """Where the hunk is put in the live buffer; ``None`` if nowhere."""
        raise NotImplementedError


@shelf.fault(
    "nearest-match",
    "BASE-STALE-ABOVE",
    "incidents 5, 14; field: GNU patch, git apply",
    "A stale hunk is moved to the nearest place where its lines and one line of context around them match.",
)
class NearestMatch(Relocating):
    def place(self, patch: Patch, hunk: Hunk) -> int | None:
        above, old = block(patch, hunk, 1)
        places = [at + above for at in matches(self.lines, old)]
        return min(places, key=lambda at: abs(at - hunk.start), default=None)


@shelf.fault(
    "unique-match",
    "BASE-STALE-DUPLICATE",
    "field: unique-match editors",
    "A stale hunk is moved to the one place where its lines stand, also if that is a copy of the true target.",
)
class UniqueMatch(Relocating):
    def place(self, patch: Patch, hunk: Hunk) -> int | None:
        places = matches(self.lines, block(patch, hunk, 0)[1])
        return places[0] if len(places) == 1 else None


@shelf.fault(
    "first-match",
    "BASE-STALE-DUPLICATE",
    "incidents 1, 2, 3",
    "A stale hunk is moved to the first place where its lines stand.",
)
class FirstMatch(Relocating):
    def place(self, patch: Patch, hunk: Hunk) -> int | None:
        return next(iter(matches(self.lines, block(patch, hunk, 0)[1])), None)


@shelf.fault(
    "anchor-lines-match",
    "BASE-STALE-PATCH",
    "incidents 10, 11, 12",
    "A stale hunk of two lines or more is moved to a block with the same first and last line, whatever is in between.",
)
class AnchorLinesMatch(Relocating):
    def place(self, patch: Patch, hunk: Hunk) -> int | None:
        old = block(patch, hunk, 0)[1]
        starts = range(len(self.lines) - len(old) + 1) if len(old) >= 2 else ()
        ends = (old[:1], old[-1:])
        return next(
            (at for at in starts if (self.lines[at : at + 1], self.lines[at + len(old) - 1 :][:1]) == ends), None
        )


@shelf.fault(
    "similar-lines-match",
    "BASE-STALE-ABOVE",
    "incidents 8, 9; field: diff-match-patch",
    "A stale hunk is moved to the most similar block of its size, if two thirds of the characters are alike.",
)
class SimilarLinesMatch(Relocating):
    def place(self, patch: Patch, hunk: Hunk) -> int | None:
        old = block(patch, hunk, 0)[1]
        starts = range(len(self.lines) - len(old) + 1) if old else ()
        scored = [(self.similarity(old, self.lines[at : at + len(old)]), -at) for at in starts]
        score, at = max(scored, default=(0.0, 0))
        return -at if score >= 0.66 else None

    def similarity(self, old: Lines, live: Lines) -> float:
        return SequenceMatcher(None, "\n".join(old), "\n".join(live), autojunk=False).ratio()


@shelf.fault(
    "three-way-merge",
    "BASE-STALE-PATCH",
    "field: merge3, diff3, git apply --3way",
    "A stale patch is merged when its lines and those the others have changed are not the same ones.",
)
class ThreeWayMerge(Relocating):
    def place(self, patch: Patch, hunk: Hunk) -> int | None:
        matcher = SequenceMatcher(None, patch.base.lines, self.lines, autojunk=False)
        for before, after, size in matcher.get_matching_blocks():
            if before <= hunk.start and hunk.end <= before + size:
                return hunk.start - before + after
        return None
