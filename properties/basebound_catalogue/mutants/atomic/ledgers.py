"""Engines with a budget for many clients: their contents are right, and what is owed or locked goes wrong."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence

from basebound.model import Config, Hunk, Patch, Reason, Receipt, Rejected, Snapshot
from basebound_catalogue.budgeted import BudgetedPlain, Emission, Line, Plan
from basebound_catalogue.plain import Shelf

shelf = Shelf()
fault = shelf.fault

KEPT = "ATOMIC-LEDGER-KEPT"


class LockedLedger(BudgetedPlain):
    """One lock around everything: correct. Each fault below changes one method of it."""

    profiles = BudgetedPlain.profiles | {"atomic"}

    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.guard = threading.RLock()

    def snapshot(self) -> Snapshot:
        with self.guard:
            return super().snapshot()

    def append(self, lines: Sequence[str]) -> None:
        with self.guard:
            super().append(lines)

    def insert(self, at: int, lines: Sequence[str]) -> None:
        with self.guard:
            super().insert(at, lines)

    def emit(self, kind: str, lines: Sequence[str]) -> None:
        with self.guard:
            super().emit(kind, lines)

    def end_turn(self) -> None:
        with self.guard:
            super().end_turn()

    def apply(self, patch: Patch) -> Receipt:
        with self.guard:
            return super().apply(patch)


@fault("atomic-charge-after-lock", KEPT, "malice", "An emission is charged when the lock has been given back.")
class ChargeAfterLock(LockedLedger):
    def emit(self, kind: str, lines: Sequence[str]) -> None:
        emission = self.measured(kind, lines)
        with self.guard:
            self.write(len(self.lines), emission.lines)
            self.lock(emission)
        self.charge(emission)


@fault("atomic-locked-after-lock", KEPT, "malice", "An emission is editable until the lock has been given back.")
class LockedAfterLock(LockedLedger):
    def emit(self, kind: str, lines: Sequence[str]) -> None:
        emission = self.measured(kind, lines)
        with self.guard:
            self.write(len(self.lines), emission.lines)
            self.charge(emission)
        self.lock(emission)


@fault("atomic-paid-after-lock", KEPT, "malice", "A commit clears what is owed when the lock has been given back.")
class PaidAfterLock(LockedLedger):
    def apply(self, patch: Patch) -> Receipt:
        receipt = super().apply(patch)
        self.unpaid.clear()
        return receipt

    def after_commit(self, plan: Plan) -> None:
        """Later."""


@fault("atomic-debt-per-thread", KEPT, "malice", "What is owed is kept in thread-local storage.")
class DebtPerThread(LockedLedger):
    def __init__(self, config: Config) -> None:
        self.own = threading.local()
        super().__init__(config)

    @property
    def unpaid(self) -> list[Emission]:
        if not hasattr(self.own, "unpaid"):
            self.own.unpaid = []
        unpaid: list[Emission] = self.own.unpaid
        return unpaid

    @unpaid.setter
    def unpaid(self, unpaid: list[Emission]) -> None:
        self.own.unpaid = unpaid


@fault(
    "atomic-turn-in-two-steps", KEPT, "malice", "The end of a turn takes the lock twice: for the artifacts, the debt."
)
class TurnInTwoSteps(LockedLedger):
    def end_turn(self) -> None:
        with self.guard:
            self.artifacts.clear()
        with self.guard:
            self.unpaid.clear()


@fault("atomic-shift-after-lock", KEPT, "malice", "An insertion moves the locked lines' places in a second step.")
class ShiftAfterLock(LockedLedger):
    """Locks places where the others lock lines."""

    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.places: set[int] = set()

    def lock(self, emission: Emission) -> None:
        end = len(self.lines)
        self.places.update(range(end - len(emission.lines), end))

    def insert(self, at: int, lines: Sequence[str]) -> None:
        super().insert(at, lines)
        with self.guard:
            self.places = {place + len(lines) * (place >= at) for place in self.places}

    def end_turn(self) -> None:
        with self.guard:
            super().end_turn()
            self.places.clear()

    def locked(self) -> list[Line]:
        return [line for place, line in enumerate(self.lines) if place in self.places]

    def check_artifacts(self, plan: Plan) -> None:
        if any(line in plan.removed for line in self.locked()):
            raise self.self_reference()

    def commit(self, plan: Plan) -> None:
        locked = self.locked()
        super().commit(plan)
        self.places = {self.lines.index(line) for line in locked if line in self.lines}


@fault(
    "atomic-refusal-remembered",
    KEPT,
    "malice",
    "What was refused is noted after the lock, and refused again in a turn that owes nothing.",
)
class RefusalRemembered(LockedLedger):
    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.refused: set[tuple[str, int, tuple[Hunk, ...]]] = set()

    def end_turn(self) -> None:
        with self.guard:
            super().end_turn()
            self.refused.clear()

    def emit(self, kind: str, lines: Sequence[str]) -> None:
        with self.guard:
            super().emit(kind, lines)
            self.refused.clear()

    def apply(self, patch: Patch) -> Receipt:
        asked = (patch.base.base, patch.base.revision, patch.hunks)
        with self.guard:
            if asked in self.refused and patch.base.base == self.base() and patch.base.revision == self.revision:
                raise Rejected(Reason.NOT_FREED, "it did not free enough before; free more than the rewrite costs")
        try:
            return super().apply(patch)
        except Rejected as refusal:
            if refusal.reason is Reason.NOT_FREED:
                self.refused.add(asked)
            raise


@fault("atomic-turn-gives-up", KEPT, "malice", "The end of a turn that has waited 50 ms for the lock ends nothing.")
class TurnGivesUp(LockedLedger):
    def end_turn(self) -> None:
        if self.guard.acquire(timeout=0.05):
            try:
                super().end_turn()
            finally:
                self.guard.release()


@fault(
    "atomic-in-flight-for-ever",
    "ATOMIC-INTERRUPTED-USABLE",
    "malice",
    "The end of a turn waits for emissions under way; one whose measuring failed is under way for ever.",
)
class InFlightForEver(LockedLedger):
    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.changed = threading.Condition()
        self.under_way = 0

    def emit(self, kind: str, lines: Sequence[str]) -> None:
        with self.changed:
            self.under_way += 1
        super().emit(kind, lines)
        with self.changed:
            self.under_way -= 1
            self.changed.notify_all()

    def end_turn(self) -> None:
        with self.changed:
            self.changed.wait_for(lambda: not self.under_way)
        super().end_turn()


class AwaitingLedger(BudgetedPlain):
    """An ``asyncio.Lock`` around everything, and an await inside it: correct."""

    profiles = BudgetedPlain.profiles | {"atomic"}

    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.guard = asyncio.Lock()

    async def snapshot(self) -> Snapshot:  # type: ignore[override]
        async with self.guard:
            return super().snapshot()

    async def append(self, lines: Sequence[str]) -> None:  # type: ignore[override]
        async with self.guard:
            await asyncio.sleep(0)
            super().append(lines)

    async def insert(self, at: int, lines: Sequence[str]) -> None:  # type: ignore[override]
        async with self.guard:
            await asyncio.sleep(0)
            super().insert(at, lines)

    async def emit(self, kind: str, lines: Sequence[str]) -> None:  # type: ignore[override]
        async with self.guard:
            await asyncio.sleep(0)
            super().emit(kind, lines)

    async def end_turn(self) -> None:  # type: ignore[override]
        async with self.guard:
            await asyncio.sleep(0)
            super().end_turn()

    async def apply(self, patch: Patch) -> Receipt:  # type: ignore[override]
        async with self.guard:
            await asyncio.sleep(0)
            return super().apply(patch)


@fault("atomic-debt-written-back", KEPT, "malice", "After an await outside the lock a refusal restores an old debt.")
class DebtWrittenBack(AwaitingLedger):
    async def apply(self, patch: Patch) -> Receipt:  # type: ignore[override]
        owed = list(self.unpaid)
        try:
            return await super().apply(patch)
        except Rejected as refusal:
            if refusal.reason is Reason.NOT_FREED:
                await asyncio.sleep(0)
                self.unpaid = owed
            raise


@fault("atomic-turn-undone", KEPT, "malice", "A commit puts back what was locked before it waited for its lock.")
class TurnUndone(AwaitingLedger):
    async def apply(self, patch: Patch) -> Receipt:  # type: ignore[override]
        locked = set(self.artifacts)
        receipt = await super().apply(patch)
        self.artifacts = locked | self.artifacts
        return receipt


@fault(
    "atomic-emission-half-cancelled",
    "ATOMIC-INTERRUPTED-WHOLE",
    "malice",
    "An emission that is cancelled after it was written is neither charged nor locked.",
)
class EmissionHalfCancelled(AwaitingLedger):
    async def emit(self, kind: str, lines: Sequence[str]) -> None:  # type: ignore[override]
        emission = self.measured(kind, lines)
        async with self.guard:
            self.write(len(self.lines), emission.lines)
            await asyncio.sleep(0)
            self.charge(emission)
            self.lock(emission)
