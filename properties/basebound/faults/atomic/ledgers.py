"""Engines with a budget for many clients: their contents are right, and what is owed or locked goes wrong."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence

from basebound.faults.budgeted import BudgetedPlain, Emission, Line, Plan
from basebound.faults.plain import Shelf
from basebound.model import Config, Patch, Reason, Receipt, Rejected, Snapshot

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

    def measured_emission(self, kind: str, lines: Sequence[str]) -> Emission:
        return Emission(kind, tuple(Line(text) for text in lines), self.size(lines))


@fault("atomic-charge-after-lock", KEPT, "malice", "An emission is charged when the lock has been given back.")
class ChargeAfterLock(LockedLedger):
    def emit(self, kind: str, lines: Sequence[str]) -> None:
        emission = self.measured_emission(kind, lines)
        with self.guard:
            self.write(len(self.lines), emission.lines)
            self.lock(emission)
        self.charge(emission)


@fault("atomic-locked-after-lock", KEPT, "malice", "An emission is editable until the lock has been given back.")
class LockedAfterLock(LockedLedger):
    def emit(self, kind: str, lines: Sequence[str]) -> None:
        emission = self.measured_emission(kind, lines)
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


@fault(
    "atomic-turn-in-two-steps", KEPT, "malice", "The end of a turn takes the lock twice: for the artifacts, the debt."
)
class TurnInTwoSteps(LockedLedger):
    def end_turn(self) -> None:
        with self.guard:
            self.artifacts.clear()
        with self.guard:
            self.unpaid.clear()


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
