"""Faults around what the policy emits: its lines in the buffer, their locks, and the end of their turn."""

from __future__ import annotations

from collections.abc import Sequence

from basebound.model import Config, Reason, Rejected, Snapshot
from basebound_catalogue.budgeted import BudgetedPlain, Emission, Line, Measured, Plan, texts_of
from basebound_catalogue.plain import Shelf

shelf = Shelf()


# ------------------------------------------------------------------------------------ plan artifacts
# A plan that may edit its own record can prove anything; a lock on the wrong thing stops the innocent.


@shelf.fault(
    "artifacts-unlocked", "BUDGET-ARTIFACT-LOCKED", "incident 168", "What was emitted this turn can be edited."
)
class ArtifactsUnlocked(BudgetedPlain):
    def check_artifacts(self, plan: Plan) -> None:
        pass


@shelf.fault("first-line-locked", "BUDGET-ARTIFACT-LOCKED", "malice", "Only the first line of an emission is locked.")
class FirstLineLocked(BudgetedPlain):
    def lock(self, emission: Emission) -> None:
        self.artifacts.update(emission.lines[:1])


@shelf.fault("last-emission-locked", "BUDGET-ARTIFACT-LOCKED", "malice", "Only the last emission of a turn is locked.")
class LastEmissionLocked(BudgetedPlain):
    def lock(self, emission: Emission) -> None:
        self.artifacts = set(emission.lines)


@shelf.fault("measurement-unlocked", "BUDGET-ARTIFACT-LOCKED", "malice", "Measurements are not locked.")
class MeasurementUnlocked(BudgetedPlain):
    def lock(self, emission: Emission) -> None:
        if emission.kind != "measurement":
            super().lock(emission)


@shelf.fault("first-hunk-locked", "BUDGET-ARTIFACT-LOCKED", "malice", "Only the first hunk is checked for artifacts.")
class FirstHunkLocked(BudgetedPlain):
    def check_artifacts(self, plan: Plan) -> None:
        for hunk in plan.hunks[:1]:
            super().check_artifacts(plan._replace(removed=tuple(self.lines[hunk.start : hunk.end])))


@shelf.fault(
    "artifact-restated", "BUDGET-ARTIFACT-LOCKED", "malice", "An artifact may go if the patch inserts its text again."
)
class ArtifactRestated(BudgetedPlain):
    def check_artifacts(self, plan: Plan) -> None:
        inserted = {text for hunk in plan.hunks for text in hunk.insert}
        super().check_artifacts(plan._replace(removed=tuple(ln for ln in plan.removed if ln.text not in inserted)))


@shelf.fault("commit-unlocks", "BUDGET-ARTIFACT-LOCKED", "malice", "A commit unlocks the turn's artifacts.")
class CommitUnlocks(BudgetedPlain):
    def after_commit(self, plan: Plan) -> None:
        super().after_commit(plan)
        self.artifacts.clear()


@shelf.fault("refusal-unlocks", "BUDGET-ARTIFACT-LOCKED", "malice", "A refusal unlocks the turn's artifacts.")
class RefusalUnlocks(BudgetedPlain):
    def after_refusal(self, refusal: Rejected) -> None:
        self.artifacts.clear()


@shelf.fault("append-unlocks", "BUDGET-ARTIFACT-LOCKED", "malice", "A foreign append unlocks the turn's artifacts.")
class AppendUnlocks(BudgetedPlain):
    def append(self, lines: Sequence[str]) -> None:
        super().append(lines)
        self.artifacts.clear()


@shelf.fault(
    "locked-by-text", "BUDGET-ARTIFACT-LINES", "incident 52", "Every line with the text of an artifact is locked."
)
class LockedByText(BudgetedPlain):
    def check_artifacts(self, plan: Plan) -> None:
        locked = {line.text for line in self.artifacts}
        if any(line.text in locked for line in plan.removed):
            raise self.self_reference()


@shelf.fault(
    "lock-ignores-insert", "BUDGET-ARTIFACT-LINES", "incident 19", "Locks stay in their places when lines are inserted."
)
class LockIgnoresInsert(BudgetedPlain):
    def insert(self, at: int, lines: Sequence[str]) -> None:
        places = locked_places(self)
        super().insert(at, lines)
        self.artifacts = {self.lines[place] for place in places}


@shelf.fault(
    "lock-ignores-commit",
    "BUDGET-ARTIFACT-LINES",
    "incident 19",
    "Locks stay in their places when a patch moves lines.",
)
class LockIgnoresCommit(BudgetedPlain):
    def commit(self, plan: Plan) -> None:
        places = locked_places(self)
        super().commit(plan)
        self.artifacts = {self.lines[place] for place in places if place < len(self.lines)}


@shelf.fault(
    "locked-between", "BUDGET-ARTIFACT-LINES", "malice", "All lines between the first and the last artifact are locked."
)
class LockedBetween(BudgetedPlain):
    def check_artifacts(self, plan: Plan) -> None:
        if places := locked_places(self):
            between = set(self.lines[min(places) : max(places) + 1])
            if between.intersection(plan.removed):
                raise self.self_reference()


@shelf.fault("split-refused", "BUDGET-ARTIFACT-LINES", "malice", "An insertion between two artifact lines is refused.")
class SplitRefused(BudgetedPlain):
    def check_net(self, plan: Plan, measured: Measured) -> None:
        super().check_net(plan, measured)
        for hunk in plan.hunks:
            around = self.lines[max(hunk.start - 1, 0) : hunk.end + 1]
            if hunk.start == hunk.end and len(around) == 2 and self.artifacts.issuperset(around):
                raise self.self_reference()


@shelf.fault(
    "never-unlocked", "BUDGET-ARTIFACT-RELEASED", "incident 175", "What was once emitted stays locked for ever."
)
class NeverUnlocked(BudgetedPlain):
    def end_turn(self) -> None:
        self.unpaid.clear()


@shelf.fault(
    "unlocked-a-turn-late", "BUDGET-ARTIFACT-RELEASED", "malice", "Artifacts are unlocked when the next turn ends."
)
class UnlockedATurnLate(BudgetedPlain):
    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.late: set[Line] = set()

    def end_turn(self) -> None:
        fresh = self.artifacts - self.late
        super().end_turn()
        self.artifacts, self.late = fresh, set(fresh)


@shelf.fault(
    "unpaid-stays-locked", "BUDGET-ARTIFACT-RELEASED", "malice", "Only what a commit paid for is unlocked at the end."
)
class UnpaidStaysLocked(BudgetedPlain):
    def end_turn(self) -> None:
        unpaid = {line for emission in self.unpaid for line in emission.lines}
        super().end_turn()
        self.artifacts = unpaid


@shelf.fault(
    "rollback-unlocks", "BUDGET-ARTIFACT-LOCKED", "malice", "A not-freed patch is undone from texts; locks are lost."
)
class RollbackUnlocks(BudgetedPlain):
    def after_refusal(self, refusal: Rejected) -> None:
        if refusal.reason is Reason.NOT_FREED:
            self.lines = [Line(line.text) for line in self.lines]


# --------------------------------------------------------------------- emissions in the live buffer
# What the policy says is context too: it takes room, it is read later, and it moves the base.


@shelf.fault(
    "emission-keeps-base",
    "BUDGET-OWN-STALE",
    "malice",
    "A patch authored before the last emission is still fresh.",
)
class EmissionKeepsBase(BudgetedPlain):
    kept: Snapshot | None = None

    def emit(self, kind: str, lines: Sequence[str]) -> None:
        before = self.snapshot()
        super().emit(kind, lines)
        self.kept = before

    def write(self, at: int, lines: Sequence[Line]) -> None:
        super().write(at, lines)
        self.kept = None

    def commit(self, plan: Plan) -> None:
        super().commit(plan)
        self.kept = None

    def check_base(self, authored: Snapshot) -> None:
        if self.kept is None or authored.base != self.kept.base:
            super().check_base(authored)


@shelf.fault("emission-joined", "BUDGET-EMIT-EXACT", "malice", "The lines of an emission are joined to one.")
class EmissionJoined(BudgetedPlain):
    def emit(self, kind: str, lines: Sequence[str]) -> None:
        super().emit(kind, ["\n".join(lines)] if lines else [])


@shelf.fault("emission-without-blanks", "BUDGET-EMIT-EXACT", "malice", "Blank lines of an emission are left out.")
class EmissionWithoutBlanks(BudgetedPlain):
    def emit(self, kind: str, lines: Sequence[str]) -> None:
        super().emit(kind, [line for line in lines if line.strip()])


@shelf.fault(
    "emission-repeat-dropped", "BUDGET-EMIT-EXACT", "malice", "An emission equal to the last lines is dropped."
)
class EmissionRepeatDropped(BudgetedPlain):
    def emit(self, kind: str, lines: Sequence[str]) -> None:
        if not lines or texts_of(self.lines[-len(lines) :]) != list(lines):
            super().emit(kind, lines)


@shelf.fault("emission-above-results", "BUDGET-EMIT-EXACT", "incident 154", "A tool call is put above the last line.")
class EmissionAboveResults(BudgetedPlain):
    def emit(self, kind: str, lines: Sequence[str]) -> None:
        last = self.lines.pop() if kind == "tool-call" and self.lines else None
        super().emit(kind, lines)
        if last is not None:
            self.lines.append(last)


@shelf.fault(
    "protected-emission-dropped", "BUDGET-EMIT-EXACT", "malice", "Emitted lines that hold a marker are dropped."
)
class ProtectedEmissionDropped(BudgetedPlain):
    def emit(self, kind: str, lines: Sequence[str]) -> None:
        super().emit(kind, [line for line in lines if not any(marker in line for marker in self.markers)])


@shelf.fault(
    "emission-unprotected", "PROTECTED-REFUSED", "incident 163", "What the policy once emitted is not protected later."
)
class EmissionUnprotected(BudgetedPlain):
    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.emissions: set[Line] = set()

    def lock(self, emission: Emission) -> None:
        super().lock(emission)
        self.emissions.update(emission.lines)

    def check_protected(self, plan: Plan) -> None:
        super().check_protected(plan._replace(removed=tuple(ln for ln in plan.removed if ln not in self.emissions)))


# -------------------------------------------------------------------------------- the end of a turn
# It closes the books and nothing else; housekeeping done here changes what the next author has read.


@shelf.fault("end-turn-counts", "BUDGET-TURN-STILL", "malice", "The end of a turn raises the revision.")
class EndTurnCounts(BudgetedPlain):
    def end_turn(self) -> None:
        super().end_turn()
        self.revision += 1


@shelf.fault("end-turn-moves-base", "BUDGET-TURN-STILL", "incident 62", "The base covers the number of the turn.")
class EndTurnMovesBase(BudgetedPlain):
    turns = 0

    def base(self) -> str:
        return f"{self.turns}-{super().base()}"

    def end_turn(self) -> None:
        super().end_turn()
        self.turns += 1


@shelf.fault(
    "end-turn-sweeps", "BUDGET-TURN-STILL", "incident 168", "Measurements unpaid at the end of a turn leave the buffer."
)
class EndTurnSweeps(BudgetedPlain):
    def end_turn(self) -> None:
        swept = {line for unpaid in self.unpaid if unpaid.kind == "measurement" for line in unpaid.lines}
        self.lines = [line for line in self.lines if line not in swept]
        self.revision += bool(swept)
        super().end_turn()


def locked_places(engine: BudgetedPlain) -> list[int]:
    """Where the artifacts of the turn stand now."""
    return [place for place, line in enumerate(engine.lines) if line in engine.artifacts]
