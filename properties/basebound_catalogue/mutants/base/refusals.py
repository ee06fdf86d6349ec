"""Refusals in the wrong order, without a word, or with an effect."""

from __future__ import annotations

from collections.abc import Callable

from basebound.model import Config, Hunk, Patch, Reason, Receipt, Rejected
from basebound_catalogue.plain import Hunks, Lines, PlainEngine, Shelf, digest

shelf = Shelf()


@shelf.fault(
    "bad-hunk-before-stale",
    "BASE-STALE-FIRST",
    "malice",
    "The ranges are checked before the base: a stale patch that no longer fits is refused as bad-hunk.",
)
class BadHunkBeforeStale(PlainEngine):
    def apply(self, patch: Patch) -> Receipt:
        self.check_hunks(patch.hunks)
        return super().apply(patch)


@shelf.fault(
    "overlap-before-stale",
    "BASE-STALE-FIRST",
    "incident 20",
    "Overlaps are found while the patch is parsed, before the base is looked at.",
)
class OverlapBeforeStale(PlainEngine):
    def apply(self, patch: Patch) -> Receipt:
        self.check_overlaps(patch.hunks)
        return super().apply(patch)


def stale_message(id: str, origin: str, about: str, message: Callable[[PlainEngine, Patch], str]) -> None:
    class Speaking(PlainEngine):
        def stale_message(self, patch: Patch) -> str:
            return message(self, patch)

    shelf.fault(id, "BASE-STALE-MESSAGE", origin, about)(Speaking)


stale_message(
    "stale-without-a-word",
    "incident 59",
    "A refusal as stale says nothing but its reason.",
    lambda engine, patch: "",
)
stale_message(
    "stale-names-no-base",
    "incidents 59, 192",
    "A refusal as stale says that the buffer has changed, but neither since when nor what to do.",
    lambda engine, patch: "the buffer has been modified by another writer",
)
stale_message(
    "stale-names-one-base",
    "malice",
    "A refusal as stale names the live base only, and does not say what the patch was authored against.",
    lambda engine, patch: f"the live base is {engine.live_base()[:8]}: read again and re-author the patch",
)


# The path of a refusal is seldom run and seldom looked at again.


@shelf.fault(
    "refusal-appends-error-line",
    "BASE-REFUSAL-PURE",
    "incidents 192, 193",
    "A refusal is noted in the buffer itself, for the model to see.",
)
class AppendsErrorLine(PlainEngine):
    def refusal(self, reason: Reason, message: str) -> Rejected:
        self.commit((*self.lines, f"error: {reason}"))
        return super().refusal(reason, message)


@shelf.fault(
    "stale-patch-written-first",
    "BASE-REFUSAL-PURE",
    "incidents 60, 77",
    "The base is compared after the splice is committed: the refusal comes when the change is done.",
)
class WrittenFirst(PlainEngine):
    def is_stale(self, patch: Patch) -> bool:
        stale = super().is_stale(patch)
        if stale and all(0 <= hunk.start <= hunk.end <= len(self.lines) for hunk in patch.hunks):
            self.commit(self.splice(patch.hunks))
        return stale


@shelf.fault(
    "bad-hunk-empties",
    "BASE-REFUSAL-PURE",
    "incident 76",
    "A hunk that does not fit empties the buffer, while the refusal says that nothing was changed.",
)
class BadHunkEmpties(PlainEngine):
    def refusal(self, reason: Reason, message: str) -> Rejected:
        if reason is Reason.BAD_HUNK:
            self.commit(())
        return super().refusal(reason, message)


@shelf.fault(
    "rollback-too-far",
    "BASE-REFUSAL-PURE",
    "incidents 78, 80, 81",
    "A refused bad hunk rolls back to the last commit: what was appended since is lost.",
)
class RollbackTooFar(PlainEngine):
    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.checkpoint: Lines | None = None

    def apply(self, patch: Patch) -> Receipt:
        receipt = super().apply(patch)
        self.checkpoint = self.lines
        return receipt

    def refusal(self, reason: Reason, message: str) -> Rejected:
        if reason is Reason.BAD_HUNK and self.checkpoint is not None:
            self.commit(self.checkpoint)
        return super().refusal(reason, message)


@shelf.fault(
    "refusal-raises-revision",
    "BASE-REVISION-STILL",
    "incident 29",
    "The revision counts attempts: it rises with every refusal.",
)
class RefusalRaisesRevision(PlainEngine):
    def refusal(self, reason: Reason, message: str) -> Rejected:
        self.revision += 1
        return super().refusal(reason, message)


@shelf.fault(
    "rollback-raises-revision",
    "BASE-REVISION-STILL",
    "incident 75",
    "A bad hunk is found while writing and the lines are put back: two changes for the revision.",
)
class RollbackRaisesRevision(PlainEngine):
    def refusal(self, reason: Reason, message: str) -> Rejected:
        if reason is Reason.BAD_HUNK:
            self.revision += 2
        return super().refusal(reason, message)


@shelf.fault(
    "refusal-moves-base",
    "BASE-REFUSAL-PURE",
    "incident 29",
    "The base covers a count of refusals: after one refusal every other author is stale.",
)
class RefusalMovesBase(PlainEngine):
    refusals = 0

    def base_of(self, lines: Lines) -> str:
        return digest(f"{self.refusals} {super().base_of(lines)}")

    def refusal(self, reason: Reason, message: str) -> Rejected:
        self.refusals += 1
        return super().refusal(reason, message)


@shelf.fault(
    "refused-hunks-stay-pending",
    "BASE-REFUSAL-FORGOTTEN",
    "incident 74",
    "Hunks are queued before all are checked, and only a commit empties the queue: refused ones come with the next.",
)
class StayPending(PlainEngine):
    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.pending: list[Hunk] = []

    def check_ranges(self, hunks: Hunks) -> None:
        for hunk in hunks:
            super().check_ranges([hunk])
            self.pending.append(hunk)

    def splice(self, hunks: Hunks) -> Lines:
        lines = super().splice(hunks)
        for hunk in self.pending[: len(self.pending) - len(hunks)]:
            lines = (*lines[: hunk.start], *hunk.insert, *lines[hunk.end :])
        self.pending.clear()
        return lines


@shelf.fault(
    "busy-after-bad-hunk",
    "BASE-REFUSAL-FORGOTTEN",
    "incidents 182, 183",
    "A flag set at the start of a commit is not cleared by a bad hunk: patches are refused until somebody writes.",
)
class BusyAfterBadHunk(PlainEngine):
    busy = False

    def check_ranges(self, hunks: Hunks) -> None:
        if self.busy:
            raise self.refusal(Reason.BAD_HUNK, "another patch is being applied")
        self.busy = True
        super().check_ranges(hunks)

    def commit(self, lines: Lines) -> None:
        super().commit(lines)
        self.busy = False


@shelf.fault(
    "locked-out-after-three-refusals",
    "BASE-REFUSAL-FORGOTTEN",
    "incident 193",
    "After three refusals the engine takes no patch any more.",
)
class LockedOut(PlainEngine):
    refusals = 0

    def refusal(self, reason: Reason, message: str) -> Rejected:
        self.refusals += 1
        return super().refusal(reason, message)

    def is_stale(self, patch: Patch) -> bool:
        return super().is_stale(patch) or self.refusals >= 3


@shelf.fault(
    "append-lost-after-refusal",
    "BASE-REFUSAL-FORGOTTEN",
    "incident 48",
    "The first append after a refusal is lost: it is taken for the refused author's retry.",
)
class AppendLost(PlainEngine):
    deaf = False

    def refusal(self, reason: Reason, message: str) -> Rejected:
        self.deaf = True
        return super().refusal(reason, message)

    def appended(self, lines: Lines) -> Lines:
        deaf, self.deaf = self.deaf, False
        return () if deaf else lines


@shelf.fault(
    "second-refusal-writes",
    "BASE-REFUSAL-PURE",
    "malice",
    "Every second refusal as stale repairs the buffer: it drops the last line if that is a copy of another.",
)
class SecondRefusalWrites(PlainEngine):
    refusals = 0

    def refusal(self, reason: Reason, message: str) -> Rejected:
        self.refusals += reason is Reason.STALE_BASE
        if (
            reason is Reason.STALE_BASE
            and self.refusals % 2 == 0
            and self.lines[-1:] in [(x,) for x in self.lines[:-1]]
        ):
            self.commit(self.lines[:-1])
        return super().refusal(reason, message)
