"""Engines for the tasks of one event loop that are right for one task, and each wrong in one way for two."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from basebound.model import Config, Patch, Receipt, Rejected, Snapshot
from basebound_catalogue.mutants.atomic.content import (
    Unguarded,
    appended,
    check_base,
    cost_of,
    patched,
    receipt_of,
    rewritten,
)
from basebound_catalogue.plain import Shelf, base_of

shelf = Shelf()
fault = shelf.fault


class Awaiting(Unguarded):
    """An ``asyncio.Lock`` around everything, and awaits inside it: correct. Each fault changes one method."""

    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.lock = asyncio.Lock()

    async def snapshot(self) -> Snapshot:
        async with self.lock:
            await asyncio.sleep(0)
            return self.read()

    async def append(self, lines: Sequence[str]) -> None:
        given = tuple(lines)
        async with self.lock:
            await asyncio.sleep(0)
            self.add(given)

    async def apply(self, patch: Patch) -> Receipt:
        async with self.lock:
            check_base(patch, self.state.base)
            await asyncio.sleep(0)
            return self.commit(patch, cost_of(patch, self.count_tokens))


class AppendsAtOnce(Awaiting):
    """An append awaits nothing, and so needs no lock; for that the patches of the faults below have one too few."""

    async def append(self, lines: Sequence[str]) -> None:
        self.add(lines)


@fault("atomic-check-await-commit", "ATOMIC-CHECK-COMMIT", "incident 44", "An await lies between check and commit.")
class CheckAwaitCommit(AppendsAtOnce):
    async def apply(self, patch: Patch) -> Receipt:
        check_base(patch, self.state.base)
        cost = cost_of(patch, self.count_tokens)
        await asyncio.sleep(0)
        return self.commit(patch, cost)


@fault("atomic-to-thread-gap", "ATOMIC-CHECK-COMMIT", "malice", "The meter runs in a thread, between check and commit.")
class ToThreadGap(AppendsAtOnce):
    async def apply(self, patch: Patch) -> Receipt:
        check_base(patch, self.state.base)
        return self.commit(patch, await asyncio.to_thread(cost_of, patch, self.count_tokens))


@fault("atomic-task-lock-per-call", "ATOMIC-CHECK-COMMIT", "malice", "Every call awaits a lock of its own.")
class TaskLockPerCall(Awaiting):
    async def append(self, lines: Sequence[str]) -> None:
        self.lock = asyncio.Lock()
        await super().append(lines)

    async def apply(self, patch: Patch) -> Receipt:
        self.lock = asyncio.Lock()
        return await super().apply(patch)


@fault(
    "atomic-unlocked-await",
    "ATOMIC-CHECK-COMMIT",
    "malice",
    "The lock is given up for an await in the middle of apply.",
)
class UnlockedAwait(Awaiting):
    async def apply(self, patch: Patch) -> Receipt:
        async with self.lock:
            check_base(patch, self.state.base)
        await asyncio.sleep(0)
        async with self.lock:
            return self.commit(patch, cost_of(patch, self.count_tokens))


@fault(
    "atomic-read-await-append",
    "ATOMIC-WRITE-KEPT",
    "incident 25",
    "An append reads, awaits and writes back without the lock.",
)
class ReadAwaitAppend(Awaiting):
    async def append(self, lines: Sequence[str]) -> None:
        before, given = self.state, tuple(lines)
        await asyncio.sleep(0)
        self.state = appended(before, given)


@fault(
    "atomic-torn-await",
    "ATOMIC-SNAPSHOT-WHOLE",
    "malice",
    "A snapshot reads the lines, awaits, and reads base and revision.",
)
class TornAwait(Awaiting):
    async def snapshot(self) -> Snapshot:
        lines = self.state.lines
        await asyncio.sleep(0)
        return Snapshot(lines, self.state.base, self.state.revision)


@fault("atomic-receipt-await", "ATOMIC-RECEIPT-OWN", "malice", "The receipt is read after an await outside the lock.")
class ReceiptAwait(Awaiting):
    async def apply(self, patch: Patch) -> Receipt:
        await super().apply(patch)
        await asyncio.sleep(0)
        return receipt_of(self.state)


class AwaitingFields(Awaiting):
    """Keeps lines, base and revision apart, under the lock."""

    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.lines, self.base, self.revision = self.state

    async def snapshot(self) -> Snapshot:
        async with self.lock:
            return Snapshot(self.lines, self.base, self.revision)

    async def append(self, lines: Sequence[str]) -> None:
        given = tuple(lines)
        async with self.lock:
            await self.put((*self.lines, *given))

    async def apply(self, patch: Patch) -> Receipt:
        async with self.lock:
            check_base(patch, self.base)
            await self.put(rewritten(self.lines, patch))
            return Receipt(self.base, self.revision)

    async def put(self, lines: tuple[str, ...]) -> None:
        await asyncio.sleep(0)
        self.revision += lines != self.lines
        self.lines, self.base = lines, base_of(lines)


@fault(
    "atomic-half-cancelled",
    "ATOMIC-INTERRUPTED-WHOLE",
    "incident 185",
    "A task cancelled in the middle leaves new lines and an old base.",
)
class HalfCancelled(AwaitingFields):
    async def put(self, lines: tuple[str, ...]) -> None:
        changed = lines != self.lines
        self.lines = lines
        await asyncio.sleep(0)
        self.base, self.revision = base_of(lines), self.revision + changed


@fault(
    "atomic-kept-when-cancelled",
    "ATOMIC-INTERRUPTED-USABLE",
    "incident 28",
    "A lock that a cancelled task does not release.",
)
class KeptWhenCancelled(Awaiting):
    async def apply(self, patch: Patch) -> Receipt:
        await self.lock.acquire()
        try:
            check_base(patch, self.state.base)
            changed = patched(self.state, patch)
        except Rejected:
            self.lock.release()
            raise
        await asyncio.sleep(0)
        self.state = changed
        self.lock.release()
        return receipt_of(changed)


@fault("atomic-gate-order", "ATOMIC-PROGRESS", "malice", "Appends and patches await two locks in opposite orders.")
class GateOrder(Awaiting):
    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.gate = asyncio.Lock()

    async def append(self, lines: Sequence[str]) -> None:
        given = tuple(lines)
        async with self.gate:
            await asyncio.sleep(0)
            async with self.lock:
                self.add(given)

    async def apply(self, patch: Patch) -> Receipt:
        async with self.lock:
            check_base(patch, self.state.base)
            await asyncio.sleep(0)
            async with self.gate:
                return self.commit(patch)


@fault(
    "atomic-many-hunks-unlocked",
    "ATOMIC-CHECK-COMMIT",
    "malice",
    "A patch of three hunks or more gives way between check and commit; smaller ones are atomic.",
)
class ManyHunksUnlocked(AppendsAtOnce):
    async def apply(self, patch: Patch) -> Receipt:
        check_base(patch, self.state.base)
        cost = cost_of(patch, self.count_tokens)
        if len(patch.hunks) > 2:
            await asyncio.sleep(0)
        return self.commit(patch, cost)


@fault(
    "atomic-waiter-frees",
    "ATOMIC-CHECK-COMMIT",
    "malice",
    "A task that is cancelled while it waits for the lock releases it all the same, and another gets in.",
)
class WaiterFrees(Awaiting):
    @asynccontextmanager
    async def guard(self) -> AsyncIterator[None]:
        try:
            await self.lock.acquire()
            yield
        finally:
            if self.lock.locked():
                self.lock.release()

    async def append(self, lines: Sequence[str]) -> None:
        given = tuple(lines)
        async with self.guard():
            self.add(given)

    async def apply(self, patch: Patch) -> Receipt:
        async with self.guard():
            check_base(patch, self.state.base)
            await asyncio.sleep(0)
            return self.commit(patch)


class ThreadShielded(Awaiting):
    """Applies in a thread, and a cancelled task keeps the lock until the thread is done: correct."""

    async def apply(self, patch: Patch) -> Receipt:
        async with self.lock:
            work = asyncio.ensure_future(asyncio.to_thread(self.change, patch))
            try:
                return await asyncio.shield(work)
            except asyncio.CancelledError:
                await asyncio.wait([work])
                raise


@fault(
    "atomic-thread-outlives-lock",
    "ATOMIC-INTERRUPTED-WHOLE",
    "malice",
    "A patch is applied in a thread; a cancellation gives the lock back while the thread works on.",
)
class ThreadOutlivesLock(ThreadShielded):
    async def apply(self, patch: Patch) -> Receipt:
        async with self.lock:
            return await asyncio.to_thread(self.change, patch)
