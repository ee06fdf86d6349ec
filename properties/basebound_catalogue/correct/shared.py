"""Engines that several threads or tasks may use at once: retry, a lock, a worker, a loop."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import weakref
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from queue import SimpleQueue
from typing import Any

from basebound.model import Config, Hunk, Patch, Receipt, Snapshot
from basebound_catalogue.correct.rules import (
    address,
    fresh,
    known_kind,
    not_own,
    ordered,
    place,
    proven,
    removed,
    settled,
    spliced,
    unprotected,
)


@dataclass(frozen=True, eq=False)
class _Page:
    """One immutable state. ``ours``: for each line, whether the open turn emitted it."""

    lines: tuple[str, ...]
    ours: tuple[bool, ...]
    revision: int = 0
    rewrite: int = 0
    measurement: int = 0

    def shown(self) -> Snapshot:
        return Snapshot(self.lines, address(self.lines), self.revision)


class Optimistic:
    """Works out the next state without a lock and puts it in place only if the last one still is; else once more."""

    profiles = frozenset({"base", "protected", "budget", "atomic"})

    def __init__(self, config: Config) -> None:
        self._markers, self._meter = config.protected, config.count_tokens
        self._page = _Page(tuple(config.lines), (False,) * len(config.lines))
        self._swap = threading.Lock()

    def snapshot(self) -> Snapshot:
        return self._page.shown()

    def append(self, lines: Sequence[str]) -> None:
        new = tuple(lines)
        self._turn_page(lambda page: self._inserted(page, len(page.lines), new, False))

    def insert(self, at: int, lines: Sequence[str]) -> None:
        new = tuple(lines)
        self._turn_page(lambda page: self._inserted(page, place(at, len(page.lines)), new, False))

    def emit(self, kind: str, lines: Sequence[str]) -> None:
        new, amount = tuple(lines), self._size(lines)
        measured = known_kind(kind) == "measurement"

        def emitted(page: _Page) -> _Page:
            after = self._inserted(page, len(page.lines), new, True)
            if measured:
                return replace(after, measurement=page.measurement + amount)
            return replace(after, rewrite=page.rewrite + amount)

        self._turn_page(emitted)

    def end_turn(self) -> None:
        self._turn_page(lambda page: _Page(page.lines, (False,) * len(page.lines), page.revision))

    def apply(self, patch: Patch) -> Receipt:
        while True:
            page = self._page
            fresh(patch, page.shown())
            hunks = ordered(patch.hunks, len(page.lines))
            unprotected(removed(page.lines, hunks), self._markers)
            not_own(removed(page.ours, hunks))
            proven(patch.claim)
            rewrite = self._size([line for hunk in hunks for line in hunk.insert]) + page.rewrite
            cost = settled(self._size(removed(page.lines, hunks)), rewrite, page.measurement)
            lines = tuple(spliced(page.lines, hunks, str))
            after = _Page(lines, tuple(spliced(page.ours, hunks, lambda _: False)), page.revision + 1)
            if self._replace(page, after):
                shown = after.shown()
                return Receipt(shown.base, shown.revision, cost)

    def _inserted(self, page: _Page, at: int, new: tuple[str, ...], ours: bool) -> _Page:
        hunk = [Hunk(at, at, new)]
        lines, flags = spliced(page.lines, hunk, str), spliced(page.ours, hunk, lambda _: ours)
        return replace(page, lines=tuple(lines), ours=tuple(flags), revision=page.revision + bool(new))

    def _turn_page(self, change: Callable[[_Page], _Page]) -> None:
        page = self._page
        while not self._replace(page, change(page)):
            page = self._page

    def _replace(self, expected: _Page, page: _Page) -> bool:
        with self._swap:
            if self._page is not expected:
                return False
            self._page = page
            return True

    def _size(self, lines: Sequence[str]) -> int:
        return sum(map(self._meter, lines))


class Monitor:
    """One lock around everything, and a base that covers the revision: content that returns gets another base."""

    profiles = frozenset({"base", "protected", "atomic"})

    def __init__(self, config: Config) -> None:
        self._lines, self._markers = list(config.lines), config.protected
        self._writes = 0
        self._lock = threading.RLock()

    def snapshot(self) -> Snapshot:
        with self._lock:
            return Snapshot(tuple(self._lines), address([str(self._writes), *self._lines]), self._writes)

    def append(self, lines: Sequence[str]) -> None:
        with self._lock:
            self._lines.extend(lines)
            self._writes += 1  # an empty append is a write as well

    def insert(self, at: int, lines: Sequence[str]) -> None:
        with self._lock:
            self._lines[place(at, len(self._lines)) : at] = lines
            self._writes += bool(lines)

    def apply(self, patch: Patch) -> Receipt:
        with self._lock:
            fresh(patch, self.snapshot())
            hunks = ordered(patch.hunks, len(self._lines))
            unprotected(removed(self._lines, hunks), self._markers)
            self._lines = spliced(self._lines, hunks, str)
            self._writes += 1
            after = self.snapshot()
            return Receipt(after.base, after.revision)


class _Content:
    """What the actor's thread alone may touch."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.rows = [(line, 0) for line in config.lines]
        self.turn, self.revision = 1, 0
        self.unpaid: list[tuple[str, int]] = []

    def size(self, lines: Sequence[str]) -> int:
        return sum(map(self.config.count_tokens, lines))

    def snapshot(self) -> Snapshot:
        lines = tuple(line for line, _ in self.rows)
        return Snapshot(lines, address(lines), self.revision)

    def put(self, at: int, lines: tuple[str, ...], turn: int = 0) -> None:
        self.rows[at:at] = [(line, turn) for line in lines]
        self.revision += len(lines)

    def append(self, lines: tuple[str, ...]) -> None:
        self.put(len(self.rows), lines)

    def insert(self, at: int, lines: tuple[str, ...]) -> None:
        self.put(place(at, len(self.rows)), lines)

    def emit(self, kind: str, lines: tuple[str, ...]) -> None:
        self.unpaid.append((known_kind(kind), self.size(lines)))
        self.put(len(self.rows), lines, self.turn)

    def end_turn(self) -> None:
        self.turn += 1
        self.unpaid = []

    def apply(self, patch: Patch) -> Receipt:
        fresh(patch, self.snapshot())
        hunks = ordered(patch.hunks, len(self.rows))
        gone = removed(self.rows, hunks)
        proven(patch.claim)
        unprotected((line for line, _ in gone), self.config.protected)
        not_own(turn == self.turn for _, turn in gone)
        rewrite = sum(tokens for kind, tokens in self.unpaid if kind != "measurement")
        rewrite += sum(self.size(hunk.insert) for hunk in hunks)
        measurement = sum(tokens for kind, tokens in self.unpaid if kind == "measurement")
        cost = settled(self.size([line for line, _ in gone]), rewrite, measurement)
        self.rows = spliced(self.rows, hunks, lambda line: (line, 0))
        self.revision += 1
        self.unpaid = []
        after = self.snapshot()
        return Receipt(after.base, after.revision, cost)


_Letter = tuple[Callable[..., Any], tuple[Any, ...], "Future[Any]"]


def _work(inbox: SimpleQueue[_Letter | None]) -> None:
    while (letter := inbox.get()) is not None:
        method, values, answer = letter
        try:
            answer.set_result(method(*values))
        except BaseException as problem:  # the caller's exception: it waits for it
            answer.set_exception(problem)
        del letter, method, values, answer


class Actor:
    """A daemon thread owns the state and takes one letter at a time; callers wait for their answer."""

    profiles = frozenset({"base", "protected", "budget", "atomic"})

    def __init__(self, config: Config) -> None:
        self._content = _Content(config)
        self._inbox: SimpleQueue[_Letter | None] = SimpleQueue()
        self._thread = threading.Thread(target=_work, args=(self._inbox,), daemon=True)
        self._thread.start()
        # An engine that is dropped without close() must not leave its thread behind.
        self._stop = weakref.finalize(self, self._inbox.put, None)

    def _ask(self, method: Callable[..., Any], *values: Any) -> Any:
        if not self._stop.alive:
            raise RuntimeError("the engine is closed; make another one")
        answer: Future[Any] = Future()
        self._inbox.put((method, values, answer))
        return answer.result()

    def snapshot(self) -> Snapshot:
        shown: Snapshot = self._ask(self._content.snapshot)
        return shown

    def append(self, lines: Sequence[str]) -> None:
        self._ask(self._content.append, tuple(lines))

    def insert(self, at: int, lines: Sequence[str]) -> None:
        self._ask(self._content.insert, at, tuple(lines))

    def emit(self, kind: str, lines: Sequence[str]) -> None:
        self._ask(self._content.emit, kind, tuple(lines))

    def end_turn(self) -> None:
        self._ask(self._content.end_turn)

    def apply(self, patch: Patch) -> Receipt:
        receipt: Receipt = self._ask(self._content.apply, patch)
        return receipt

    def close(self) -> None:
        self._stop()
        self._thread.join()


class AsyncLock:
    """Every method is a coroutine that gives way while it holds an ``asyncio.Lock``."""

    profiles = frozenset({"base", "protected", "budget", "atomic"})

    def __init__(self, config: Config) -> None:
        self._config = config
        self._lines = list(config.lines)
        self._owners = [0] * len(self._lines)
        self._turn, self._revision = 1, 0
        self._unpaid = {"rationale": 0, "tool-call": 0, "measurement": 0, "error": 0}
        self._lock = asyncio.Lock()

    async def snapshot(self) -> Snapshot:
        async with self._lock:
            return self._shown()

    def _shown(self) -> Snapshot:
        return Snapshot(tuple(self._lines), address(self._lines), self._revision)

    async def append(self, lines: Sequence[str]) -> None:
        new = tuple(lines)
        async with self._lock:
            await asyncio.sleep(0)
            self._put(len(self._lines), new, 0)

    async def insert(self, at: int, lines: Sequence[str]) -> None:
        new = tuple(lines)
        async with self._lock:
            await asyncio.sleep(0)
            self._put(place(at, len(self._lines)), new, 0)

    async def emit(self, kind: str, lines: Sequence[str]) -> None:
        new, tokens = tuple(lines), self._size(lines)
        async with self._lock:
            await asyncio.sleep(0)
            self._unpaid[known_kind(kind)] += tokens
            self._put(len(self._lines), new, self._turn)

    def _put(self, at: int, lines: Sequence[str], owner: int) -> None:
        self._lines[at:at] = lines
        self._owners[at:at] = [owner] * len(lines)
        self._revision += bool(lines)

    async def end_turn(self) -> None:
        async with self._lock:
            self._turn += 1
            self._unpaid = dict.fromkeys(self._unpaid, 0)

    async def apply(self, patch: Patch) -> Receipt:
        async with self._lock:
            fresh(patch, self._shown())
            await asyncio.sleep(0)
            hunks = ordered(patch.hunks, len(self._lines))
            unprotected(removed(self._lines, hunks), self._config.protected)
            not_own(owner == self._turn for owner in removed(self._owners, hunks))
            proven(patch.claim)
            measurement = self._unpaid["measurement"]
            rewrite = sum(self._unpaid.values()) - measurement
            rewrite += self._size([line for hunk in hunks for line in hunk.insert])
            cost = settled(self._size(removed(self._lines, hunks)), rewrite, measurement)
            await asyncio.sleep(0)
            self._lines = spliced(self._lines, hunks, str)
            self._owners = spliced(self._owners, hunks, lambda _: 0)
            self._revision += 1
            self._unpaid = dict.fromkeys(self._unpaid, 0)
            after = self._shown()
            return Receipt(after.base, after.revision, cost)

    def _size(self, lines: Sequence[str]) -> int:
        return sum(map(self._config.count_tokens, lines))


class AsyncWorker:
    """A task owns the content. It is created with the engine where a loop runs, else at the first call."""

    profiles = frozenset({"base", "protected", "atomic"})

    def __init__(self, config: Config) -> None:
        self._shown = Snapshot(tuple(config.lines), address(config.lines), 0)
        self._markers = config.protected
        self._inbox: asyncio.Queue[tuple[Callable[[], Any], asyncio.Future[Any]]] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None
        with contextlib.suppress(RuntimeError):  # no loop runs yet
            self._task = asyncio.get_running_loop().create_task(self._serve())

    async def _serve(self) -> None:
        while True:
            change, answer = await self._inbox.get()
            if answer.cancelled():
                continue
            try:
                answer.set_result(change())
            except Exception as problem:
                answer.set_exception(problem)

    def _ask(self, change: Callable[[], Any]) -> Awaitable[Any]:
        loop = asyncio.get_running_loop()
        if self._task is None:
            self._task = loop.create_task(self._serve())
        answer = loop.create_future()
        self._inbox.put_nowait((change, answer))
        return answer

    async def snapshot(self) -> Snapshot:
        shown: Snapshot = await self._ask(lambda: self._shown)
        return shown

    async def append(self, lines: Sequence[str]) -> None:
        new = tuple(lines)
        await self._ask(lambda: self._show((*self._shown.lines, *new)))

    async def insert(self, at: int, lines: Sequence[str]) -> None:
        hunk = Hunk(at, at, tuple(lines))

        def inserted() -> None:
            place(at, len(self._shown.lines))
            self._show(tuple(spliced(self._shown.lines, [hunk], str)))

        await self._ask(inserted)

    async def apply(self, patch: Patch) -> Receipt:
        receipt: Receipt = await self._ask(lambda: self._rewrite(patch))
        return receipt

    def _rewrite(self, patch: Patch) -> Receipt:
        live = self._shown
        fresh(patch, live)
        hunks = ordered(patch.hunks, len(live.lines))
        unprotected(removed(live.lines, hunks), self._markers)
        self._show(tuple(spliced(live.lines, hunks, str)))
        return Receipt(self._shown.base, self._shown.revision)

    def _show(self, lines: tuple[str, ...]) -> None:
        if lines != self._shown.lines:
            self._shown = Snapshot(lines, address(lines), self._shown.revision + 1)

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)


class Mixed:
    """Reads and appends are plain methods, the other two are coroutines; nothing waits between check and commit."""

    profiles = frozenset({"base", "protected"})

    def __init__(self, config: Config) -> None:
        self._lines, self._markers, self._revision = tuple(config.lines), config.protected, 0

    def snapshot(self) -> Snapshot:
        return Snapshot(self._lines, address(self._lines), self._revision)

    def append(self, lines: Sequence[str]) -> None:
        self._become((*self._lines, *lines))

    async def insert(self, at: int, lines: Sequence[str]) -> None:
        new = tuple(lines)
        await asyncio.sleep(0)
        place(at, len(self._lines))
        self._become((*self._lines[:at], *new, *self._lines[at:]))

    async def apply(self, patch: Patch) -> Receipt:
        await asyncio.sleep(0)
        fresh(patch, self.snapshot())
        hunks = ordered(patch.hunks, len(self._lines))
        unprotected(removed(self._lines, hunks), self._markers)
        self._become(tuple(spliced(self._lines, hunks, str)))
        return Receipt(address(self._lines), self._revision)

    def _become(self, lines: tuple[str, ...]) -> None:
        self._revision += lines != self._lines
        self._lines = lines
