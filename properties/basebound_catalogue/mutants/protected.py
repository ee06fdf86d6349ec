"""Guardrails that miss a protected line, or protect what nobody marked."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from basebound.model import Config, Hunk, Patch, Reason, Receipt, Rejected
from basebound_catalogue.kinds import Fault
from basebound_catalogue.plain import Hunks, PlainEngine, Shelf

shelf = Shelf()


# ------------------------------------------------------------- what counts as marked

# "Contains" is the one rule that needs no thought, and the one that is seldom written.


def marking(id: str, origin: str, about: str, holds: Callable[[str, str], bool]) -> None:
    """A fault that takes a line for protected if ``holds(line, marker)`` for some marker."""

    class Marking(PlainEngine):
        def is_protected(self, line: str) -> bool:
            return any(holds(line, marker) for marker in self.markers)

    shelf.fault(id, "PROTECTED-CONTAINMENT", origin, about)(Marking)


marking(
    "marker-is-the-whole-line",
    "incident 162",
    "A line is protected only if it is equal to a marker.",
    lambda line, marker: line == marker,
)
marking(
    "marker-at-the-start",
    "incident 162",
    "A line is protected only if it starts with a marker.",
    lambda line, marker: line.startswith(marker),
)
marking(
    "marker-in-any-case",
    "malice",
    "Markers are looked for without regard to case: lines that nobody marked are protected.",
    lambda line, marker: marker.casefold() in line.casefold(),
)
marking(
    "marker-as-a-word",
    "malice",
    "A marker counts only if no letter or digit stands next to it.",
    lambda line, marker: bool(re.search(rf"(?<!\w){re.escape(marker)}(?!\w)", line)),
)
marking(
    "marker-stripped",
    "malice",
    "White space around a marker is dropped: lines that hold only its inside are protected too.",
    lambda line, marker: (marker.strip() or marker) in line,
)
marking(
    "marker-in-the-first-row",
    "incident 83",
    "Of a line with line breaks inside, only the part before the first is looked at.",
    lambda line, marker: marker in line.split("\n")[0],
)
marking(
    "empty-marker-ignored",
    "malice",
    "The empty marker is falsy and ignored, though it stands in every line.",
    lambda line, marker: bool(marker) and marker in line,
)


@shelf.fault("first-marker-only", "PROTECTED-CONTAINMENT", "incident 163", "Only the first marker is looked for.")
class FirstMarkerOnly(PlainEngine):
    def is_protected(self, line: str) -> bool:
        return any(marker in line for marker in self.markers[:1])


@shelf.fault("all-markers-needed", "PROTECTED-CONTAINMENT", "malice", "A line must hold all markers to be protected.")
class AllMarkersNeeded(PlainEngine):
    def is_protected(self, line: str) -> bool:
        return bool(self.markers) and all(marker in line for marker in self.markers)


# ------------------------------------------------------------ which lines are looked at


def looking_at(id: str, requirement: str, origin: str, about: str, look: Callable[[PlainEngine, Hunks], Hunks]) -> None:
    """A fault that checks the ranges of ``look(engine, hunks)`` in place of the patch's."""

    class Looking(PlainEngine):
        def check_protected(self, hunks: Hunks) -> None:
            super().check_protected(look(self, hunks))

    shelf.fault(id, requirement, origin, about)(Looking)


def widened(hunk: Hunk, above: int, below: int) -> Hunk:
    return Hunk(max(0, hunk.start - above), hunk.end + below)


looking_at(
    "nothing-protected",
    "PROTECTED-REFUSED",
    "incidents 158, 159",
    "Markers are accepted at the start and never looked for.",
    lambda engine, hunks: (),
)
looking_at(
    "replacing-is-no-removing",
    "PROTECTED-REPLACED",
    "incident 161",
    "Only pure deletions are checked: a protected line may be replaced by anything.",
    lambda engine, hunks: [hunk for hunk in hunks if not hunk.insert],
)
looking_at(
    "deletions-not-checked",
    "PROTECTED-REFUSED",
    "incident 158",
    "Only replacements are checked: a protected line may be deleted.",
    lambda engine, hunks: [hunk for hunk in hunks if hunk.insert],
)
looking_at(
    "whole-deletion-not-checked",
    "PROTECTED-REFUSED",
    "incidents 164, 166",
    "A hunk over the whole buffer is a reset, and not checked.",
    lambda engine, hunks: [hunk for hunk in hunks if hunk.end - hunk.start < len(engine.lines)],
)
looking_at(
    "large-buffer-not-checked",
    "PROTECTED-REFUSED",
    "incidents 166, 168",
    "Above 12 lines the need for room wins, and protection is not checked.",
    lambda engine, hunks: hunks if len(engine.lines) <= 12 else (),
)
looking_at(
    "first-hunk-only",
    "PROTECTED-ANY-HUNK",
    "incident 163",
    "Only the first hunk is checked.",
    lambda engine, hunks: hunks[:1],
)
looking_at(
    "first-line-only",
    "PROTECTED-ANY-HUNK",
    "malice",
    "Only the first line of each range is checked.",
    lambda engine, hunks: [Hunk(hunk.start, min(hunk.start + 1, hunk.end)) for hunk in hunks],
)
looking_at(
    "last-line-missed",
    "PROTECTED-ANY-HUNK",
    "malice",
    "The last line of a range of several is not checked.",
    lambda engine, hunks: [Hunk(hunk.start, max(min(hunk.start + 1, hunk.end), hunk.end - 1)) for hunk in hunks],
)
looking_at(
    "middle-lines-missed",
    "PROTECTED-ANY-HUNK",
    "incidents 10, 11",
    "The first and the last line of each range are checked, those in between are not.",
    lambda engine, hunks: [
        end for h in hunks if h.start < h.end for end in (Hunk(h.start, h.start + 1), Hunk(h.end - 1, h.end))
    ],
)
looking_at(
    "insertion-above-refused",
    "PROTECTED-REST",
    "incident 92",
    "An insertion right before a protected line is refused, as it moves that line.",
    lambda engine, hunks: [widened(hunk, 0, hunk.start == hunk.end) for hunk in hunks],
)
looking_at(
    "insertion-below-refused",
    "PROTECTED-REST",
    "incident 92",
    "An insertion right after a protected line is refused.",
    lambda engine, hunks: [widened(hunk, hunk.start == hunk.end, 0) for hunk in hunks],
)
looking_at(
    "next-line-protected-too",
    "PROTECTED-REST",
    "incident 22",
    "Ranges are closed: the line after the last one removed is checked as well.",
    lambda engine, hunks: [widened(hunk, 0, hunk.start < hunk.end) for hunk in hunks],
)
looking_at(
    "previous-line-protected-too",
    "PROTECTED-REST",
    "incident 22",
    "Lines are counted from one: the line before the first one removed is checked as well.",
    lambda engine, hunks: [widened(hunk, hunk.start < hunk.end, 0) for hunk in hunks],
)
looking_at(
    "between-hunks-protected-too",
    "PROTECTED-REST",
    "malice",
    "A patch of several hunks is checked from its first to its last line: protected lines it leaves alone refuse it.",
    lambda engine, hunks: [Hunk(min(h.start for h in hunks), max(h.end for h in hunks))] if hunks else (),
)


# ----------------------------------------------------- removed, but put back in a way

# Every exception to "judge the ranges" is a way around them.


def pardoned(id: str, requirement: str, origin: str, about: str, pardon: Callable[[PlainEngine, Hunks], bool]) -> None:
    """A fault that does not check protection if ``pardon(engine, hunks)``."""

    class Pardoning(PlainEngine):
        def check_protected(self, hunks: Hunks) -> None:
            if not pardon(self, hunks):
                super().check_protected(hunks)

    shelf.fault(id, requirement, origin, about)(Pardoning)


def marked(engine: PlainEngine, lines: Sequence[str]) -> list[str]:
    return sorted(line for line in lines if engine.is_protected(line))


def inserted_lines(hunks: Hunks) -> list[str]:
    return [line for hunk in hunks for line in hunk.insert]


pardoned(
    "replaced-by-itself-allowed",
    "PROTECTED-REPLACED",
    "ruling",
    "A protected line may go if the same hunk inserts it again.",
    lambda engine, hunks: all(
        line in hunk.insert for hunk in hunks for line in marked(engine, engine.lines[hunk.start : hunk.end])
    ),
)
pardoned(
    "moved-allowed",
    "PROTECTED-REPLACED",
    "ruling",
    "A protected line may go if some hunk of the patch inserts it again.",
    lambda engine, hunks: all(line in inserted_lines(hunks) for line in marked(engine, engine.removed_lines(hunks))),
)
pardoned(
    "reworded-allowed",
    "PROTECTED-REPLACED",
    "incidents 161, 162",
    "A protected line may be reworded if the new lines hold a marker.",
    lambda engine, hunks: bool(marked(engine, inserted_lines(hunks))),
)
pardoned(
    "copy-is-enough",
    "PROTECTED-REFUSED",
    "incident 165",
    "A protected line may go if a copy of it stays somewhere in the buffer.",
    lambda engine, hunks: set(marked(engine, engine.lines)) <= set(engine.splice(hunks)),
)
pardoned(
    "count-is-enough",
    "PROTECTED-REPLACED",
    "incident 165",
    "Protected lines are counted before and after: one may be exchanged for any other that holds a marker.",
    lambda engine, hunks: len(marked(engine, engine.splice(hunks))) >= len(marked(engine, engine.lines)),
)


# ----------------------------------------------------- protection fixed at some moment

# The set of protected lines is worked out once; the buffer goes on.


@shelf.fault(
    "initial-positions-protected",
    "PROTECTED-LATE",
    "incident 162",
    "The positions of protected lines are worked out at the start, and stay where the lines no longer are.",
)
class InitialPositions(PlainEngine):
    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.positions = [at for at, line in enumerate(self.lines) if self.is_protected(line)]

    def check_protected(self, hunks: Hunks) -> None:
        super().check_protected(
            [Hunk(at, at + 1) for at in self.positions if any(h.start <= at < h.end for h in hunks)]
        )


@shelf.fault(
    "initial-lines-protected",
    "PROTECTED-LATE",
    "incidents 162, 166",
    "The texts of the protected lines are collected at the start: a line that arrives later is not protected.",
)
class InitialLines(PlainEngine):
    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.initial = {line for line in self.lines if super(InitialLines, self).is_protected(line)}

    def is_protected(self, line: str) -> bool:
        return line in self.initial


@shelf.fault(
    "patched-in-not-protected",
    "PROTECTED-LATE",
    "incident 163",
    "Lines are checked for markers when they are appended or inserted; one that a patch brings in is not protected.",
)
class PatchedInNotProtected(PlainEngine):
    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.seen = set(self.lines)

    def append(self, lines: Sequence[str]) -> None:
        super().append(lines)
        self.seen.update(lines)

    def insert(self, at: int, lines: Sequence[str]) -> None:
        super().insert(at, lines)
        self.seen.update(lines)

    def is_protected(self, line: str) -> bool:
        return line in self.seen and super().is_protected(line)


@shelf.fault(
    "protection-expires",
    "PROTECTED-REFUSED",
    "incident 163",
    "Pins are dropped after the fifth commit.",
)
class ProtectionExpires(PlainEngine):
    commits = 0

    def apply(self, patch: Patch) -> Receipt:
        receipt = super().apply(patch)
        self.commits += 1
        return receipt

    def is_protected(self, line: str) -> bool:
        return self.commits < 5 and super().is_protected(line)


@shelf.fault(
    "first-copy-protected",
    "PROTECTED-REFUSED",
    "incidents 2, 3",
    "Protected lines are found with list.index: of several equal ones only the first is protected.",
)
class FirstCopyProtected(PlainEngine):
    def check_protected(self, hunks: Hunks) -> None:
        first = {self.lines.index(line) for line in self.lines}
        super().check_protected([Hunk(at, at + 1) for h in hunks for at in range(h.start, h.end) if at in first])


# --------------------------------------------------------------- how it is answered


@shelf.fault(
    "protected-before-stale",
    "BASE-STALE-FIRST",
    "malice",
    "Protection is checked before the base: a stale patch is judged by lines its author never saw.",
)
class ProtectedBeforeStale(PlainEngine):
    def apply(self, patch: Patch) -> Receipt:
        if all(0 <= hunk.start <= hunk.end <= len(self.lines) for hunk in patch.hunks):
            self.check_protected(patch.hunks)
        return super().apply(patch)


@shelf.fault(
    "protected-hunks-skipped",
    "PROTECTED-REFUSED",
    "incident 28",
    "Hunks that would remove a protected line are left out, and the patch is committed with a receipt.",
)
class ProtectedHunksSkipped(PlainEngine):
    def apply(self, patch: Patch) -> Receipt:
        if not self.is_stale(patch):
            self.check_hunks(patch.hunks)
            kept = tuple(hunk for hunk in patch.hunks if not marked(self, self.lines[hunk.start : hunk.end]))
            patch = Patch(patch.base, kept, patch.claim)
        return super().apply(patch)


@shelf.fault(
    "protected-called-bad-hunk",
    "PROTECTED-REFUSED",
    "malice",
    "The removal of a protected line is refused as bad-hunk: its author looks for a mistake in the numbers.",
)
class ProtectedCalledBadHunk(PlainEngine):
    def refusal(self, reason: Reason, message: str) -> Rejected:
        return super().refusal(Reason.BAD_HUNK if reason is Reason.PROTECTED else reason, message)


@shelf.fault(
    "second-attempt-removes",
    "PROTECTED-REFUSED",
    "incidents 162, 193",
    "A removal refused once as protected is taken for confirmed when the next patch asks for it again.",
)
class SecondAttemptRemoves(PlainEngine):
    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.asked: list[str] = []

    def check_protected(self, hunks: Hunks) -> None:
        wanted = marked(self, self.removed_lines(hunks))
        asked, self.asked = self.asked, wanted
        if wanted != asked:
            super().check_protected(hunks)


@shelf.fault(
    "unprotected-hunks-stay",
    "BASE-REFUSAL-PURE",
    "incidents 72, 73",
    "Protection is checked hunk by hunk while they are committed: those before the protected one stay.",
)
class UnprotectedHunksStay(PlainEngine):
    def check_protected(self, hunks: Hunks) -> None:
        for number, hunk in enumerate(hunks):
            try:
                super().check_protected([hunk])
            except Rejected:
                self.commit(self.splice(hunks[:number]))
                raise


@shelf.fault(
    "marked-insert-refused",
    "PROTECTED-REST",
    "malice",
    "A patch that inserts a line with a marker is refused: protected lines may not be touched, nor made.",
)
class MarkedInsertRefused(PlainEngine):
    def check_protected(self, hunks: Hunks) -> None:
        super().check_protected(hunks)
        if marked(self, inserted_lines(hunks)):
            raise self.refusal(Reason.PROTECTED, "the patch inserts a protected line")


PROTECTED_FAULTS: Final[tuple[Fault, ...]] = tuple(shelf.faults)
