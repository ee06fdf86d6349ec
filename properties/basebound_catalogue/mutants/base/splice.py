"""Splices that are not quite the patch."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import groupby

from basebound.model import Hunk, Patch, Receipt, Rejected
from basebound_catalogue.plain import Hunks, Lines, PlainEngine, Shelf, in_order, without_trailing_empty

shelf = Shelf()


# Positions are given, but it is the text that is looked up; or the new content is rebuilt by way of
# a form that does not hold every content.


def after_splice(id: str, origin: str, about: str, change: Callable[[Lines], Iterable[str]]) -> None:
    """A fault that puts ``change(lines)`` in place of the spliced content."""

    class Rebuilding(PlainEngine):
        def splice(self, hunks: Hunks) -> Lines:
            return tuple(change(super().splice(hunks)))

    shelf.fault(id, "BASE-SPLICE-EXACT", origin, about)(Rebuilding)


def blank_runs_collapsed(lines: Lines) -> list[str]:
    return [line for at, line in enumerate(lines) if line or at == 0 or lines[at - 1]]


after_splice(
    "splice-removes-duplicates",
    "incident 33",
    "A commit drops every line that stands further up already.",
    dict.fromkeys,
)
after_splice(
    "splice-joins-and-splits",
    "published sample code",
    "A commit joins the new content with newlines and splits it again: untouched lines with a break fall apart.",
    lambda lines: "\n".join(lines).split("\n") if lines else (),
)
after_splice(
    "splice-collapses-blank-runs",
    "incident 85",
    "A commit leaves only one of several empty lines in a row.",
    blank_runs_collapsed,
)
after_splice(
    "splice-ends-without-blank",
    "incident 85",
    "A commit drops the empty lines at the end of the buffer.",
    without_trailing_empty,
)


@shelf.fault(
    "removes-first-equal-line",
    "BASE-SPLICE-EXACT",
    "incidents 1, 3; field: list.remove",
    "Deletions remove the first line with the same text, which may be another than the one addressed.",
)
class RemovesFirstEqualLine(PlainEngine):
    def splice(self, hunks: Hunks) -> Lines:
        lines = list(self.lines)
        if any(hunk.insert for hunk in hunks):
            return super().splice(hunks)
        for line in self.removed_lines(hunks):
            lines.remove(line)
        return tuple(lines)


@shelf.fault(
    "replaces-first-equal-block",
    "BASE-SPLICE-EXACT",
    "incidents 2, 5",
    "A replacement is put where the first of its old lines stands first, found by list.index.",
)
class ReplacesFirstEqualBlock(PlainEngine):
    def splice(self, hunks: Hunks) -> Lines:
        if len(hunks) != 1 or hunks[0].start == hunks[0].end:
            return super().splice(hunks)
        start = self.lines.index(self.lines[hunks[0].start])
        return super().splice([Hunk(start, start + hunks[0].end - hunks[0].start, hunks[0].insert)])


@shelf.fault(
    "removes-every-copy",
    "BASE-SPLICE-EXACT",
    "incident 4",
    "A deletion deletes all lines with the texts it names.",
)
class RemovesEveryCopy(PlainEngine):
    def splice(self, hunks: Hunks) -> Lines:
        if any(hunk.insert for hunk in hunks):
            return super().splice(hunks)
        gone = self.removed_lines(hunks)
        return tuple(line for line in self.lines if line not in gone)


@shelf.fault(
    "last-line-kept",
    "BASE-SPLICE-EXACT",
    "incidents 17, 22",
    "A range that reaches the end of the buffer leaves the last line standing.",
)
class LastLineKept(PlainEngine):
    def splice(self, hunks: Hunks) -> Lines:
        end = len(self.lines)
        return super().splice([Hunk(h.start, end - 1, h.insert) if h.start < h.end == end else h for h in hunks])


@shelf.fault(
    "leading-blank-shifts-range",
    "BASE-SPLICE-EXACT",
    "incident 15",
    "When the first replaced line is blank, it is skipped and the range moves down by one line.",
)
class LeadingBlankShifts(PlainEngine):
    def splice(self, hunks: Hunks) -> Lines:
        if len(hunks) != 1 or not self.shifts(hunks[0]):
            return super().splice(hunks)
        return super().splice([Hunk(hunks[0].start + 1, hunks[0].end + 1, hunks[0].insert)])

    def shifts(self, hunk: Hunk) -> bool:
        return hunk.start < hunk.end < len(self.lines) and not self.lines[hunk.start].strip()


@shelf.fault(
    "blank-after-replacement",
    "BASE-SPLICE-EXACT",
    "incident 85",
    "A replacement of several lines gets an empty line after it.",
)
class BlankAfterReplacement(PlainEngine):
    def inserted(self, hunk: Hunk) -> Lines:
        return (*hunk.insert, "") if hunk.insert and hunk.end - hunk.start > 1 else hunk.insert


@shelf.fault(
    "deletion-is-nothing",
    "BASE-SPLICE-EXACT",
    "malice",
    "A hunk that inserts nothing is falsy and skipped, but for the patch it counts as applied.",
)
class DeletionIsNothing(PlainEngine):
    def splice(self, hunks: Hunks) -> Lines:
        return super().splice([hunk for hunk in hunks if hunk.insert])


@shelf.fault(
    "replaced-by-itself-vanishes",
    "BASE-SPLICE-EXACT",
    "incident 4",
    "Inserted lines that are equal to a replaced one are taken for context, and not written.",
)
class ReplacedByItselfVanishes(PlainEngine):
    def inserted(self, hunk: Hunk) -> Lines:
        old = self.lines[hunk.start : hunk.end]
        return tuple(line for line in hunk.insert if line not in old)


# Every engine that loops over hunks has to decide in which coordinates, in which order, and what
# happens when one of them fails.


@shelf.fault(
    "hunks-one-after-another",
    "BASE-SPLICE-FRAME",
    "incidents 20, 21",
    "Hunks are applied in the patch's order, each to what the one before has left.",
)
class OneAfterAnother(PlainEngine):
    def splice(self, hunks: Hunks) -> Lines:
        lines = list(self.lines)
        for hunk in hunks:
            lines[hunk.start : hunk.end] = hunk.insert
        return tuple(lines)


@shelf.fault(
    "running-offset-unsorted",
    "BASE-SPLICE-FRAME",
    "incidents 19, 21",
    "A running offset corrects for earlier hunks, but takes for granted that the patch lists them from top to bottom.",
)
class RunningOffsetUnsorted(PlainEngine):
    def splice(self, hunks: Hunks) -> Lines:
        lines = list(self.lines)
        offset = 0
        for hunk in hunks:
            lines[hunk.start + offset : hunk.end + offset] = hunk.insert
            offset += len(hunk.insert) - (hunk.end - hunk.start)
        return tuple(lines)


@shelf.fault(
    "offset-misses-deletions",
    "BASE-SPLICE-FRAME",
    "incident 19",
    "The running offset leaves out hunks that insert nothing: after a pure deletion the next hunk lands too low.",
)
class OffsetMissesDeletions(PlainEngine):
    def splice(self, hunks: Hunks) -> Lines:
        lines = list(self.lines)
        offset = 0
        for hunk in in_order(hunks):
            lines[hunk.start + offset : hunk.end + offset] = hunk.insert
            offset += len(hunk.insert) - (hunk.end - hunk.start) if hunk.insert else 0
        return tuple(lines)


def grouped(hunks: Hunks, arrange: Callable[[list[Hunk]], Iterable[Hunk]]) -> list[Hunk]:
    """One hunk for all that share a start; their inserted lines stand in the order of ``arrange``."""
    groups = [list(group) for _, group in groupby(in_order(hunks), key=lambda hunk: hunk.start)]
    return [
        Hunk(group[0].start, group[-1].end, tuple(line for hunk in arrange(group) for line in hunk.insert))
        for group in groups
    ]


def arranging(id: str, origin: str, about: str, arrange: Callable[[list[Hunk]], Iterable[Hunk]]) -> None:
    class Arranging(PlainEngine):
        def splice(self, hunks: Hunks) -> Lines:
            return super().splice(grouped(hunks, arrange))

    shelf.fault(id, "BASE-SPLICE-ORDER", origin, about)(Arranging)


arranging(
    "same-point-reversed",
    "incident 21",
    "Hunks are spliced from the last to the first: insertions at one point come out in reverse.",
    lambda group: sorted(group, key=lambda hunk: -hunk.end)[::-1],
)
arranging(
    "insertion-after-replacement",
    "incident 24",
    "An insertion at the start of a replaced range stands after the replacement.",
    lambda group: sorted(group, key=lambda hunk: -hunk.end),
)
arranging(
    "same-point-sorted-by-text",
    "malice",
    "Hunks are sorted as tuples: insertions at one point are ordered by their text.",
    lambda group: sorted(group, key=lambda hunk: (hunk.end, hunk.insert)),
)


@shelf.fault(
    "equal-hunks-once",
    "BASE-SPLICE-ALL",
    "incident 6",
    "Equal hunks are collapsed: the same line inserted twice at one point stands once.",
)
class EqualHunksOnce(PlainEngine):
    def splice(self, hunks: Hunks) -> Lines:
        return super().splice(list(dict.fromkeys(hunks)))


@shelf.fault(
    "third-hunk-lost",
    "BASE-SPLICE-ALL",
    "incident 73",
    "Only the first two hunks of a patch are applied, and the receipt does not say so.",
)
class ThirdHunkLost(PlainEngine):
    def splice(self, hunks: Hunks) -> Lines:
        return super().splice(hunks[:2])


@shelf.fault(
    "good-hunks-stay",
    "BASE-SPLICE-ALL",
    "incidents 72, 73, 74, 75",
    "Hunks are checked and committed one by one: those before a bad one stay.",
)
class GoodHunksStay(PlainEngine):
    def check_hunks(self, hunks: Hunks) -> None:
        for number in range(len(hunks)):
            try:
                super().check_hunks(hunks[: number + 1])
            except Rejected:
                self.commit(self.splice(hunks[:number]))
                raise


@shelf.fault(
    "bad-hunks-skipped",
    "BASE-HUNK-RANGE",
    "incident 28; field: diff-match-patch",
    "A hunk out of range is left out and the others are committed, with a receipt.",
)
class BadHunksSkipped(PlainEngine):
    def apply(self, patch: Patch) -> Receipt:
        good = tuple(hunk for hunk in patch.hunks if 0 <= hunk.start <= hunk.end <= len(self.lines))
        return super().apply(Patch(patch.base, good or patch.hunks, patch.claim))
