"""Engines for many threads that are right under one thread, and each wrong in one way under two."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from queue import SimpleQueue
from typing import Any

from basebound.model import Config, Patch, Receipt, Rejected, Snapshot
from basebound_catalogue.mutants.atomic.content import (
    Change,
    State,
    Unguarded,
    after,
    appended,
    check_base,
    checked,
    cost_of,
    patched,
    receipt_of,
    rewritten,
    snapshot_of,
    stale,
)
from basebound_catalogue.plain import Shelf, base_of

shelf = Shelf()
fault = shelf.fault


class Locked(Unguarded):
    """One lock around everything: correct. Each fault below changes one method of it, or its guard."""

    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.lock = threading.RLock()

    def guard(self) -> AbstractContextManager[Any]:
        return self.lock

    def snapshot(self) -> Snapshot:
        with self.guard():
            return self.read()

    def append(self, lines: Sequence[str]) -> None:
        with self.guard():
            self.add(lines)

    def apply(self, patch: Patch) -> Receipt:
        with self.guard():
            return self.change(patch)


@fault("atomic-check-outside", "ATOMIC-CHECK-COMMIT", "incident 27", "The base is compared before the lock is taken.")
class CheckOutside(Locked):
    def apply(self, patch: Patch) -> Receipt:
        check_base(patch, self.state.base)
        cost = cost_of(patch, self.count_tokens)
        with self.lock:
            return self.commit(patch, cost)


@fault("atomic-two-locks", "ATOMIC-CHECK-COMMIT", "incident 42", "Patches are guarded by one lock, appends by another.")
class TwoLocks(Locked):
    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.write_lock = threading.Lock()

    def append(self, lines: Sequence[str]) -> None:
        with self.write_lock:
            self.add(lines)


@fault("atomic-lock-per-call", "ATOMIC-CHECK-COMMIT", "malice", "Every call takes a lock of its own.")
class LockPerCall(Locked):
    def guard(self) -> AbstractContextManager[Any]:
        return threading.Lock()


@fault("atomic-lock-per-thread", "ATOMIC-CHECK-COMMIT", "malice", "The lock is kept in thread-local storage.")
class LockPerThread(Locked):
    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.own = threading.local()

    @contextmanager
    def guard(self) -> Iterator[None]:
        if not hasattr(self.own, "lock"):
            self.own.lock = threading.Lock()
        with self.own.lock:
            yield


@fault("atomic-released-between", "ATOMIC-CHECK-COMMIT", "malice", "The lock is released between check and commit.")
class ReleasedBetween(Locked):
    def apply(self, patch: Patch) -> Receipt:
        with self.lock:
            check_base(patch, self.state.base)
        cost = cost_of(patch, self.count_tokens)
        with self.lock:
            return self.commit(patch, cost)


@fault(
    "atomic-stale-local",
    "ATOMIC-CHECK-COMMIT",
    "incident 40",
    "Inside the lock the check is repeated, on an old local.",
)
class StaleLocal(Locked):
    def apply(self, patch: Patch) -> Receipt:
        before = self.state
        check_base(patch, before.base)
        changed = patched(before, patch)
        with self.lock:
            check_base(patch, before.base)
            self.state = changed
            return receipt_of(changed)


@fault("atomic-two-permits", "ATOMIC-CHECK-COMMIT", "malice", "A semaphore that lets two in stands for the lock.")
class TwoPermits(Locked):
    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.permits = threading.Semaphore(2)

    def guard(self) -> AbstractContextManager[Any]:
        return self.permits


@fault("atomic-rare-path", "ATOMIC-CHECK-COMMIT", "malice", "Patches of the last line take a way without the lock.")
class RarePath(Locked):
    def apply(self, patch: Patch) -> Receipt:
        if any(hunk.end == len(patch.base.lines) for hunk in patch.hunks):
            check_base(patch, self.state.base)
            return self.commit(patch)
        return super().apply(patch)


@fault(
    "atomic-fast-path", "ATOMIC-CHECK-COMMIT", "malice", "While an append waits for the lock, patches do without it."
)
class FastPath(Locked):
    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.waiting = 0

    def append(self, lines: Sequence[str]) -> None:
        self.waiting += 1
        super().append(lines)
        self.waiting -= 1

    def apply(self, patch: Patch) -> Receipt:
        if self.waiting:
            check_base(patch, self.state.base)
            return self.commit(patch)
        return super().apply(patch)


@fault(
    "atomic-bare-compare-and-set",
    "ATOMIC-CHECK-COMMIT",
    "malice",
    "Compare and set in one line of source, without a lock.",
)
class BareCompareAndSet(Locked):
    def append(self, lines: Sequence[str]) -> None:
        while not self.swap(before := self.state, appended(before, lines)):
            pass

    def apply(self, patch: Patch) -> Receipt:
        before = self.state
        check_base(patch, before.base)
        changed = patched(before, patch)
        if not self.swap(before, changed):
            raise stale(patch, self.state.base)
        return receipt_of(changed)

    def swap(self, old: State, new: State) -> bool:
        return self.state is old and (setattr(self, "state", new) or True)  # type: ignore[func-returns-value]


class ActorThread(Unguarded):
    """A thread owns the content and takes one letter at a time: correct."""

    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.letters: SimpleQueue[tuple[Change, Future[State]] | None] = SimpleQueue()
        self.thread = threading.Thread(target=self.work, daemon=True)
        self.thread.start()

    def work(self) -> None:
        while (letter := self.letters.get()) is not None:
            change, answer = letter
            try:
                self.state = change(self.state)
            except BaseException as error:
                answer.set_exception(error)
            else:
                answer.set_result(self.state)

    def send(self, change: Change) -> State:
        answer: Future[State] = Future()
        self.letters.put((change, answer))
        return answer.result()

    def snapshot(self) -> Snapshot:
        return snapshot_of(self.send(lambda state: state))

    def append(self, lines: Sequence[str]) -> None:
        given = tuple(lines)
        self.send(lambda state: appended(state, given))

    def apply(self, patch: Patch) -> Receipt:
        return receipt_of(self.send(partial(checked, patch, self.count_tokens)))

    def close(self) -> None:
        self.letters.put(None)
        self.thread.join(1)


@fault(
    "atomic-actor-checks-outside",
    "ATOMIC-CHECK-COMMIT",
    "malice",
    "A thread owns the content; the base is checked by callers.",
)
class ActorChecksOutside(ActorThread):
    def snapshot(self) -> Snapshot:
        return self.read()

    def apply(self, patch: Patch) -> Receipt:
        check_base(patch, self.state.base)
        return receipt_of(self.send(lambda state: patched(state, patch)))


class Pooled(Locked):
    """Patches run on a pool's threads, under the engine's lock: correct."""

    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.pool = ThreadPoolExecutor(2)

    def apply(self, patch: Patch) -> Receipt:
        return self.pool.submit(self.work, patch).result()

    def work(self, patch: Patch) -> Receipt:
        return super().apply(patch)

    def close(self) -> None:
        self.pool.shutdown(wait=False)


@fault(
    "atomic-pool-window",
    "ATOMIC-CHECK-COMMIT",
    "malice",
    "Check and commit are on a pool's thread, and not under the lock.",
)
class PoolWindow(Pooled):
    def work(self, patch: Patch) -> Receipt:
        return self.change(patch)


@fault(
    "atomic-appends-only",
    "ATOMIC-ONE-WINNER",
    "incident 34",
    "Inside the lock only appends are looked for, not patches.",
)
class AppendsOnly(Locked):
    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.appends = 0

    def append(self, lines: Sequence[str]) -> None:
        with self.lock:
            self.appends += 1
            self.add(lines)

    def apply(self, patch: Patch) -> Receipt:
        with self.lock:
            appends, base = self.appends, self.state.base
        check_base(patch, base)
        cost = cost_of(patch, self.count_tokens)
        with self.lock:
            if appends != self.appends:
                raise stale(patch, self.state.base)
            return self.commit(patch, cost)


@fault(
    "atomic-append-unlocked",
    "ATOMIC-WRITE-KEPT",
    "incident 25",
    "An append reads, adds and writes back without the lock.",
)
class AppendUnlocked(Locked):
    def append(self, lines: Sequence[str]) -> None:
        self.add(lines)


@fault("atomic-append-shared", "ATOMIC-WRITE-KEPT", "malice", "Appends take a reader's share of a reader-writer lock.")
class AppendShared(Locked):
    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.readers = 0
        self.turn = threading.Condition()

    @contextmanager
    def shared(self) -> Iterator[None]:
        with self.turn:
            self.readers += 1
        try:
            yield
        finally:
            with self.turn:
                self.readers -= 1
                self.turn.notify_all()

    def snapshot(self) -> Snapshot:
        with self.shared():
            return self.read()

    def append(self, lines: Sequence[str]) -> None:
        with self.shared():
            self.add(lines)

    def apply(self, patch: Patch) -> Receipt:
        with self.turn:
            self.turn.wait_for(lambda: not self.readers)
            check_base(patch, self.state.base)
            return self.commit(patch)


class Fields(Locked):
    """Keeps lines, base and revision apart: correct as long as all three are only touched under the lock."""

    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.lines, self.base, self.revision = self.state

    def snapshot(self) -> Snapshot:
        with self.lock:
            return Snapshot(self.lines, self.base, self.revision)

    def append(self, lines: Sequence[str]) -> None:
        with self.lock:
            self.put((*self.lines, *lines))

    def apply(self, patch: Patch) -> Receipt:
        with self.lock:
            check_base(patch, self.base)
            cost = cost_of(patch, self.count_tokens)
            self.put(rewritten(self.lines, patch))
            return Receipt(self.base, self.revision, cost)

    def put(self, lines: tuple[str, ...]) -> None:
        changed = lines != self.lines
        self.lines = lines
        self.base = base_of(lines)
        self.revision += changed


@fault("atomic-torn-snapshot", "ATOMIC-SNAPSHOT-WHOLE", "malice", "A snapshot reads its three fields without the lock.")
class TornSnapshot(Fields):
    def snapshot(self) -> Snapshot:
        return Snapshot(self.lines, self.base, self.revision)


@fault(
    "atomic-half-commit",
    "ATOMIC-SNAPSHOT-WHOLE",
    "incident 72",
    "A patch is carried out hunk by hunk, and readers take no lock.",
)
class HalfCommit(Locked):
    def snapshot(self) -> Snapshot:
        return self.read()

    def apply(self, patch: Patch) -> Receipt:
        with self.lock:
            check_base(patch, self.state.base)
            changed = patched(self.state, patch)
            self.state = after(
                self.state, self.state.lines[: min(h.start for h in patch.hunks) if patch.hunks else None]
            )
            self.state = State(changed.lines, changed.base, max(changed.revision, self.state.revision + 1))
            return receipt_of(self.state)


@fault("atomic-receipt-outside", "ATOMIC-RECEIPT-OWN", "malice", "The receipt is read after the lock is released.")
class ReceiptOutside(Locked):
    def apply(self, patch: Patch) -> Receipt:
        with self.lock:
            check_base(patch, self.state.base)
            self.state = patched(self.state, patch)
        return receipt_of(self.state)


@fault(
    "atomic-revision-outside",
    "ATOMIC-REVISION-RISES",
    "malice",
    "The revision is counted up after the lock is released.",
)
class RevisionOutside(Fields):
    def append(self, lines: Sequence[str]) -> None:
        revision = self.revision
        super().append(lines)
        self.revision = revision + bool(lines)


class Mutexed(Locked):
    """Under a lock that its own holder cannot take again."""

    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.mutex = threading.Lock()

    def guard(self) -> AbstractContextManager[Any]:
        return self.mutex


@fault(
    "atomic-busy-is-stale",
    "ATOMIC-REFUSAL-TRUE",
    "incident 28",
    "A patch that finds the lock taken is refused as stale.",
)
class BusyIsStale(Mutexed):
    def apply(self, patch: Patch) -> Receipt:
        if not self.mutex.acquire(blocking=False):
            raise stale(patch, self.state.base)
        try:
            check_base(patch, self.state.base)
            return self.commit(patch)
        finally:
            self.mutex.release()


@fault(
    "atomic-write-behind", "ATOMIC-LINEARIZABLE", "incident 53", "A thread's appends become visible with its next call."
)
class WriteBehind(Locked):
    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.own = threading.local()

    def flush(self) -> None:
        waiting = getattr(self.own, "lines", ())
        self.own.lines = ()
        super().append(waiting)

    def append(self, lines: Sequence[str]) -> None:
        self.flush()
        self.own.lines = tuple(lines)

    def snapshot(self) -> Snapshot:
        self.flush()
        return super().snapshot()

    def apply(self, patch: Patch) -> Receipt:
        self.flush()
        return super().apply(patch)


@fault("atomic-cached-read", "ATOMIC-LINEARIZABLE", "incident 53", "A thread reads its last snapshot until it writes.")
class CachedRead(Locked):
    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.own = threading.local()

    def snapshot(self) -> Snapshot:
        if getattr(self.own, "seen", None) is None:
            self.own.seen = super().snapshot()
        return self.own.seen  # type: ignore[no-any-return]

    def append(self, lines: Sequence[str]) -> None:
        self.own.seen = None
        super().append(lines)

    def apply(self, patch: Patch) -> Receipt:
        self.own.seen = None
        return super().apply(patch)


@fault("atomic-lock-kept", "ATOMIC-INTERRUPTED-USABLE", "malice", "A lock that is not released when the meter raises.")
class LockKept(Mutexed):
    def apply(self, patch: Patch) -> Receipt:
        self.mutex.acquire()
        try:
            check_base(patch, self.state.base)
            changed = patched(self.state, patch)
        except Rejected:
            self.mutex.release()
            raise
        cost = cost_of(patch, self.count_tokens)
        self.state = changed
        self.mutex.release()
        return receipt_of(changed, cost)


@fault(
    "atomic-half-state",
    "ATOMIC-INTERRUPTED-WHOLE",
    "incident 76",
    "The lines are set before the meter is asked, the base after.",
)
class HalfState(Fields):
    def apply(self, patch: Patch) -> Receipt:
        with self.lock:
            check_base(patch, self.base)
            before = self.lines
            self.lines = rewritten(before, patch)
            cost = cost_of(patch, self.count_tokens)
            self.base = base_of(self.lines)
            self.revision += self.lines != before
            return Receipt(self.base, self.revision, cost)


@fault("atomic-lock-order", "ATOMIC-PROGRESS", "malice", "Appends and patches take two locks in opposite orders.")
class LockOrder(Locked):
    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.ledger_lock = threading.Lock()

    def append(self, lines: Sequence[str]) -> None:
        with self.ledger_lock, self.lock:
            self.add(lines)

    def apply(self, patch: Patch) -> Receipt:
        with self.lock:
            check_base(patch, self.state.base)
            with self.ledger_lock:
                cost = cost_of(patch, self.count_tokens)
            return self.commit(patch, cost)


@fault(
    "atomic-reentrant-lock-kept",
    "ATOMIC-INTERRUPTED-USABLE",
    "malice",
    "A reentrant lock that a stale refusal does not release: its own thread never notices.",
)
class ReentrantLockKept(Locked):
    def apply(self, patch: Patch) -> Receipt:
        self.lock.acquire()
        check_base(patch, self.state.base)
        try:
            return self.commit(patch, cost_of(patch, self.count_tokens))
        finally:
            self.lock.release()


@fault(
    "atomic-insert-in-two-steps",
    "ATOMIC-SNAPSHOT-WHOLE",
    "malice",
    "An insertion is appended under the lock, and moved into place when the lock is taken again.",
)
class InsertInTwoSteps(Locked):
    def insert(self, at: int, lines: Sequence[str]) -> None:
        given = tuple(lines)
        with self.lock:
            self.add(given)
        with self.lock:
            there = self.state.lines
            self.state = after(self.state, (*there[:at], *given, *there[at : len(there) - len(given)]))


@fault(
    "atomic-refused-unsettles",
    "ATOMIC-REFUSAL-TRUE",
    "malice",
    "While a patch is being looked at, also one that is refused, the base that others are compared with is blank.",
)
class RefusedUnsettles(Locked):
    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.published = self.state.base

    def append(self, lines: Sequence[str]) -> None:
        with self.lock:
            super().append(lines)
            self.published = self.state.base

    def apply(self, patch: Patch) -> Receipt:
        check_base(patch, self.published)
        with self.lock:
            check_base(patch, self.state.base)
            self.published = ""
            try:
                self.state = patched(self.state, patch)
            finally:
                self.published = self.state.base
            return receipt_of(self.state)


@fault("atomic-impatient-append", "ATOMIC-WRITE-KEPT", "malice", "An append that has waited 50 ms goes on unlocked.")
class ImpatientAppend(Locked):
    def append(self, lines: Sequence[str]) -> None:
        locked = self.lock.acquire(timeout=0.05)
        try:
            self.add(lines)
        finally:
            if locked:
                self.lock.release()

    def apply(self, patch: Patch) -> Receipt:
        with self.lock:
            before = self.state
            check_base(patch, before.base)
            cost = cost_of(patch, self.count_tokens)
            self.state = patched(before, patch)
            return receipt_of(self.state, cost)
