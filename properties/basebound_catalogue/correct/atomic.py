"""Correct disciplines of many kinds: whatever a schedule says against one of them is a false alarm."""

from __future__ import annotations

import asyncio
import copy
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from threading import Lock
from typing import Any, TypeVar

from basebound.model import Config, Patch, Receipt, Snapshot
from basebound_catalogue.budgeted import BudgetedPlain
from basebound_catalogue.kinds import Correct
from basebound_catalogue.mutants.atomic.content import (
    Change,
    State,
    Unguarded,
    appended,
    check_base,
    checked,
    cost_of,
    patched,
    receipt_of,
    snapshot_of,
)
from basebound_catalogue.mutants.atomic.ledgers import AwaitingLedger, LockedLedger
from basebound_catalogue.mutants.atomic.stores import Facade, SqliteImmediate
from basebound_catalogue.mutants.atomic.tasks import Awaiting, AwaitingFields, ThreadShielded
from basebound_catalogue.mutants.atomic.threaded import ActorThread, Fields, Locked, Pooled

_MODULE_LOCK = Lock()

T = TypeVar("T")


class Reentrant(Locked):
    """An RLock, taken again by the methods that others call."""

    def append(self, lines: Sequence[str]) -> None:
        with self.lock:
            self.put(appended(State(*self.fields(self.snapshot())), lines))

    def apply(self, patch: Patch) -> Receipt:
        with self.lock:
            check_base(patch, self.snapshot().base)
            cost = cost_of(patch, self.count_tokens)
            self.put(patched(self.state, patch))
            return receipt_of(self.state, cost)

    def put(self, state: State) -> None:
        with self.lock:
            self.state = state

    def fields(self, seen: Snapshot) -> tuple[tuple[str, ...], str, int]:
        return seen.lines, seen.base, seen.revision


class ImportTimeLock(Locked):
    """All engines share one lock that was made when the module was imported."""

    def guard(self) -> AbstractContextManager[Any]:
        return _MODULE_LOCK


class CompareAndSet(Locked):
    """Works on what it read, then commits under a lock if that is still live; else once more."""

    def append(self, lines: Sequence[str]) -> None:
        while not self.swap(before := self.state, appended(before, lines)):
            pass

    def apply(self, patch: Patch) -> Receipt:
        cost = cost_of(patch, self.count_tokens)
        while True:
            before = self.state
            check_base(patch, before.base)
            changed = patched(before, patch)
            if self.swap(before, changed):
                return receipt_of(changed, cost)

    def swap(self, old: State, new: State) -> bool:
        with self.lock:
            if self.state is not old:
                return False
            self.state = new
            return True


class CopyOnWrite(Locked):
    """Writers lock; readers take the one reference there is and need no lock."""

    def snapshot(self) -> Snapshot:
        return self.read()


class EarlyCheck(Locked):
    """Refuses early without the lock, asks the meter without it, and checks again inside."""

    def apply(self, patch: Patch) -> Receipt:
        check_base(patch, self.state.base)
        cost = cost_of(patch, self.count_tokens)
        with self.lock:
            check_base(patch, self.state.base)
            return self.commit(patch, cost)


class Spinning(Locked):
    """A spin lock: the one token of a deque."""

    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.tokens = deque([None])

    @contextmanager
    def guard(self) -> Iterator[None]:
        while True:
            try:
                self.tokens.pop()
                break
            except IndexError:
                time.sleep(0)
        try:
            yield
        finally:
            self.tokens.append(None)


class ReadersAndWriters(Locked):
    """Many readers or one writer, on a condition."""

    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.turn = threading.Condition()
        self.readers = 0

    def snapshot(self) -> Snapshot:
        with self.turn:
            self.readers += 1
        try:
            return self.read()
        finally:
            with self.turn:
                self.readers -= 1
                self.turn.notify_all()

    @contextmanager
    def guard(self) -> Iterator[None]:
        with self.turn:
            self.turn.wait_for(lambda: not self.readers)
            yield


class SqliteConditional(SqliteImmediate):
    """No transaction: an update that names the revision it expects, and looks whether it met a row."""

    def swap(self, old: State, new: State) -> bool:
        cursor = self.database.connection().execute(
            "update buffer set lines = ?, base = ?, revision = ? where revision = ? and base = ?",
            (*self.database.row(new), old.revision, old.base),
        )
        return cursor.rowcount == 1

    def append(self, lines: Sequence[str]) -> None:
        while not self.swap(before := self.database.read(), appended(before, lines)):
            pass

    def apply(self, patch: Patch) -> Receipt:
        cost = cost_of(patch, self.count_tokens)
        while True:
            before = self.database.read()
            check_base(patch, before.base)
            changed = patched(before, patch)
            if self.swap(before, changed):
                return receipt_of(changed, cost)


class NoAwait(Unguarded):
    """Tasks of one loop, and no await between check and commit: atomic without a lock."""

    async def snapshot(self) -> Snapshot:
        await asyncio.sleep(0)
        return self.read()

    async def append(self, lines: Sequence[str]) -> None:
        given = tuple(lines)
        await asyncio.sleep(0)
        self.add(given)

    async def apply(self, patch: Patch) -> Receipt:
        cost = cost_of(patch, self.count_tokens)
        await asyncio.sleep(0)
        check_base(patch, self.state.base)
        receipt = self.commit(patch, cost)
        await asyncio.sleep(0)
        return receipt


class CheckedAgain(NoAwait):
    """Checks, awaits the meter in a thread, and checks again before it commits."""

    async def apply(self, patch: Patch) -> Receipt:
        check_base(patch, self.state.base)
        cost = await asyncio.to_thread(cost_of, patch, self.count_tokens)
        check_base(patch, self.state.base)
        return self.commit(patch, cost)


class OptimisticTask(NoAwait):
    """Works on what it read while it awaits, and commits if that is still live; else once more."""

    async def append(self, lines: Sequence[str]) -> None:
        given = tuple(lines)
        while True:
            before = self.state
            changed = appended(before, given)
            await asyncio.sleep(0)
            if self.state is before:
                self.state = changed
                return

    async def apply(self, patch: Patch) -> Receipt:
        while True:
            before = self.state
            check_base(patch, before.base)
            changed = patched(before, patch)
            await asyncio.sleep(0)
            if self.state is before:
                self.state = changed
                return receipt_of(changed)


class QueueTask(Unguarded):
    """A task owns the content; callers queue for it. A cancelled caller's change may still happen."""

    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.letters: asyncio.Queue[tuple[Change, asyncio.Future[State]]] = asyncio.Queue()
        self.task: asyncio.Task[None] | None = None

    async def work(self) -> None:
        while True:
            change, answer = await self.letters.get()
            try:
                self.state = change(self.state)
            except Exception as error:
                if not answer.done():
                    answer.set_exception(error)
            else:
                if not answer.done():
                    answer.set_result(self.state)

    async def send(self, change: Change) -> State:
        if self.task is None:
            self.task = asyncio.create_task(self.work())
        answer: asyncio.Future[State] = asyncio.get_running_loop().create_future()
        await self.letters.put((change, answer))
        return await answer

    async def snapshot(self) -> Snapshot:
        return snapshot_of(await self.send(lambda state: state))

    async def append(self, lines: Sequence[str]) -> None:
        given = tuple(lines)
        await self.send(lambda state: appended(state, given))

    async def apply(self, patch: Patch) -> Receipt:
        return receipt_of(await self.send(partial(checked, patch, self.count_tokens)))

    async def close(self) -> None:
        if self.task is not None:
            self.task.cancel()


class Shielded(Awaiting):
    """A commit that has begun is carried through when its caller is cancelled."""

    async def apply(self, patch: Patch) -> Receipt:
        return await asyncio.shield(super().apply(patch))


class PublishedLedger:
    """Content and books are one value: each call works on a copy, and publishes it if nobody was faster."""

    profiles = LockedLedger.profiles

    def __init__(self, config: Config) -> None:
        self.live = BudgetedPlain(config)
        self.publishing = threading.Lock()

    def snapshot(self) -> Snapshot:
        return self.live.snapshot()

    def append(self, lines: Sequence[str]) -> None:
        self.change(lambda engine: engine.append(lines))

    def insert(self, at: int, lines: Sequence[str]) -> None:
        self.change(lambda engine: engine.insert(at, lines))

    def emit(self, kind: str, lines: Sequence[str]) -> None:
        self.change(lambda engine: engine.emit(kind, lines))

    def end_turn(self) -> None:
        self.change(lambda engine: engine.end_turn())

    def apply(self, patch: Patch) -> Receipt:
        return self.change(lambda engine: engine.apply(patch))

    def change(self, work: Callable[[BudgetedPlain], T]) -> T:
        while True:
            before = self.live
            engine = copy.copy(before)
            engine.lines, engine.unpaid = list(before.lines), list(before.unpaid)
            engine.artifacts = set(before.artifacts)
            result = work(engine)
            with self.publishing:
                if self.live is before:
                    self.live = engine
                    return result


ATOMIC_CORRECT: tuple[Correct, ...] = (
    Correct("atomic-lock", "One lock around everything.", Locked),
    Correct("atomic-fields", "Three fields, touched under the lock only.", Fields),
    Correct("atomic-reentrant", "A re-entrant lock, taken again by inner calls.", Reentrant),
    Correct("atomic-import-lock", "A lock made at import, shared by all engines.", ImportTimeLock),
    Correct("atomic-compare-and-set", "Optimistic, with compare and set under a lock.", CompareAndSet),
    Correct("atomic-copy-on-write", "Readers take the one reference without a lock.", CopyOnWrite),
    Correct("atomic-early-check", "Checked outside the lock, and again inside.", EarlyCheck),
    Correct("atomic-spin", "A spin lock.", Spinning),
    Correct("atomic-readers-writers", "Many readers or one writer.", ReadersAndWriters),
    Correct("atomic-actor", "A thread owns the content.", ActorThread),
    Correct("atomic-pool", "Patches on a pool's threads, under the lock.", Pooled),
    Correct("atomic-sqlite-immediate", "A database transaction that locks at its beginning.", SqliteImmediate),
    Correct("atomic-sqlite-conditional", "A database update that names what it expects.", SqliteConditional),
    Correct("atomic-facade", "Plain methods over a background loop with a lock.", Facade),
    Correct("atomic-no-await", "Tasks, and no await between check and commit.", NoAwait),
    Correct("atomic-task-lock", "An asyncio.Lock around awaits.", Awaiting),
    Correct("atomic-task-fields", "Three fields under an asyncio.Lock, set without an await between.", AwaitingFields),
    Correct("atomic-checked-again", "Checked before a thread's await, and again after it.", CheckedAgain),
    Correct(
        "atomic-task-optimistic",
        "Awaits between check and commit, and commits if nothing happened meanwhile; else once more.",
        OptimisticTask,
    ),
    Correct("atomic-queue", "A task owns the content; callers queue.", QueueTask),
    Correct("atomic-thread-shielded", "A thread applies; a cancelled task waits for it.", ThreadShielded),
    Correct("atomic-ledger-lock", "Content and books under one lock.", LockedLedger),
    Correct("atomic-ledger-published", "Content and books in one value, compared and set.", PublishedLedger),
    Correct("atomic-ledger-task-lock", "Content and books under one asyncio.Lock.", AwaitingLedger),
    Correct("atomic-shielded", "A commit outlives its caller's cancellation.", Shielded),
)
