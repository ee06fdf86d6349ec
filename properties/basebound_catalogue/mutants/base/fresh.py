"""Guards that stop a fresh patch."""

from __future__ import annotations

from collections.abc import Sequence

from basebound.model import Config, Patch, Reason, Receipt, Snapshot
from basebound_catalogue.mutants.base.relocation import matches
from basebound_catalogue.plain import Hunks, Lines, PlainEngine, Shelf

shelf = Shelf()


# A guard that is too careful is switched off by its users.


@shelf.fault(
    "rebuilt-snapshot-refused",
    "BASE-FRESH-ACCEPTED",
    "incident 63",
    "A patch is fresh only with the very snapshot object that was handed out: an equal one is refused.",
)
class RebuiltSnapshotRefused(PlainEngine):
    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.handed_out: list[Snapshot] = []

    def snapshot(self) -> Snapshot:
        self.handed_out.append(super().snapshot())
        return self.handed_out[-1]

    def is_stale(self, patch: Patch) -> bool:
        return super().is_stale(patch) or not any(patch.base is snapshot for snapshot in self.handed_out)


@shelf.fault(
    "returned-content-refused",
    "BASE-FRESH-ACCEPTED",
    "incident 62",
    "When the content returns its base returns as well, but a patch authored on it before is refused for its revision.",
)
class ReturnedContentRefused(PlainEngine):
    def is_stale(self, patch: Patch) -> bool:
        return super().is_stale(patch) or patch.base.revision != self.revision


@shelf.fault(
    "touch-makes-stale",
    "BASE-FRESH-ACCEPTED",
    "incidents 61, 62, 64",
    "An append of nothing moves a hidden time stamp: base and revision stay, but every patch is refused.",
)
class TouchMakesStale(PlainEngine):
    touched = False

    def append(self, lines: Sequence[str]) -> None:
        super().append(lines)
        self.touched = not lines

    def is_stale(self, patch: Patch) -> bool:
        return super().is_stale(patch) or self.touched


@shelf.fault(
    "own-commit-makes-stale",
    "BASE-FRESH-ACCEPTED",
    "incident 59",
    "A patch on the content that the last patch left is refused: the engine takes its own write for a foreign one.",
)
class OwnCommitMakesStale(PlainEngine):
    own: str | None = None

    def is_stale(self, patch: Patch) -> bool:
        return super().is_stale(patch) or patch.base.base == self.own

    def apply(self, patch: Patch) -> Receipt:
        receipt = super().apply(patch)
        self.own = receipt.base
        return receipt


@shelf.fault(
    "no-change-refused",
    "BASE-FRESH-ACCEPTED",
    "malice",
    "A patch that changes nothing is refused as stale, as it seems to have been applied already.",
)
class NoChangeRefused(PlainEngine):
    def splice(self, hunks: Hunks) -> Lines:
        lines = super().splice(hunks)
        if lines == self.lines:
            raise self.refusal(Reason.STALE_BASE, "the patch has been applied already: read again and re-author")
        return lines


@shelf.fault(
    "repeated-target-refused",
    "BASE-FRESH-ACCEPTED",
    "field: unique-match editors",
    "A fresh patch is refused as ambiguous when the lines it replaces stand elsewhere too.",
)
class RepeatedTargetRefused(PlainEngine):
    def check_hunks(self, hunks: Hunks) -> None:
        super().check_hunks(hunks)
        for hunk in hunks:
            if len(matches(self.lines, self.lines[hunk.start : hunk.end])) > 1:
                raise self.refusal(Reason.BAD_HUNK, "the replaced lines are not unique")


@shelf.fault(
    "emptying-refused",
    "BASE-FRESH-ACCEPTED",
    "malice",
    "A patch that would leave no line is refused.",
)
class EmptyingRefused(PlainEngine):
    def splice(self, hunks: Hunks) -> Lines:
        lines = super().splice(hunks)
        if self.lines and not lines:
            raise self.refusal(Reason.BAD_HUNK, "the patch would leave nothing")
        return lines


@shelf.fault(
    "joined-check-refuses",
    "BASE-FRESH-ACCEPTED",
    "published sample code",
    "The result is verified by a join and a split: an emptied buffer, or a break inside a line, looks corrupt.",
)
class JoinedCheckRefuses(PlainEngine):
    def splice(self, hunks: Hunks) -> Lines:
        lines = super().splice(hunks)
        if tuple("\n".join(lines).split("\n")) != lines:
            raise self.refusal(Reason.BAD_HUNK, "the result would be corrupt")
        return lines


@shelf.fault(
    "insertion-at-end-refused",
    "BASE-FRESH-ACCEPTED",
    "incidents 22, 24",
    "A hunk must start at a line that exists: an insertion after the last line is refused.",
)
class InsertionAtEndRefused(PlainEngine):
    def check_ranges(self, hunks: Hunks) -> None:
        super().check_ranges(hunks)
        if any(hunk.start >= len(self.lines) for hunk in hunks):
            raise self.refusal(Reason.BAD_HUNK, "the hunk starts after the last line")


@shelf.fault(
    "many-hunks-refused",
    "BASE-FRESH-ACCEPTED",
    "malice",
    "A patch of more than 16 hunks is refused, and no limit is declared.",
)
class ManyHunksRefused(PlainEngine):
    def check_hunks(self, hunks: Hunks) -> None:
        super().check_hunks(hunks)
        if len(hunks) > 16:
            raise self.refusal(Reason.BAD_HUNK, "too many hunks")


@shelf.fault(
    "cool-down-after-refusal",
    "BASE-REFUSAL-FORGOTTEN",
    "incident 60",
    "Right after a refusal as stale, the next patch is refused as well, fresh or not.",
)
class CoolDown(PlainEngine):
    cooling = False

    def is_stale(self, patch: Patch) -> bool:
        really = super().is_stale(patch)
        stale = really or self.cooling
        self.cooling = really
        return stale
