"""One engine in use by several clients, and everything they saw."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from basebound.core.trace import Append, Apply, Emit, EndTurn, Insert, Read, Step
from basebound.history.operations import CallHistory, Operation
from basebound.lenses.schedules.loops import run_on_loop
from basebound.lenses.schedules.programs import AFTER, START, Limits, Program
from basebound.lenses.schedules.tracing import Where, code_of, place_of
from basebound.model import Config, Meter, Patch, Receipt, Rejected, Snapshot, utf8_bytes
from basebound.results.outcome import Malformed, Outcome, Raised, Refused, Returned

Factory = Callable[[Config], Any]

MAIN = "main"
SUBJECT = "subject"
RIVAL = "rival"
LIMIT_S = 5.0
"""If no call ends for so many seconds, with nothing in their way, those that are open are taken to hang."""

_LOOK_S = 0.05


class Trouble(StrEnum):
    """What kept a run from its end."""

    HANG = "hang"
    LOST = "lost"
    """The engine's process ended, or no longer keeps to the protocol."""


@dataclass(frozen=True)
class Run:
    """One run under one schedule.

    ``schedule`` is the text that :func:`basebound.lenses.schedules.replay` runs again; ``exact`` says that it then goes
    the same way, which a schedule of real threads does only as far as nothing had to be waited for. ``interrupted``:
    the operation that was made to fail. ``where``: the places in the engine's code where somebody was held, or, in a
    run that hangs, waits. ``reached``: what the run has tried, beside what its history shows.
    """

    schedule: str
    history: CallHistory
    exact: bool = True
    trouble: Trouble | None = None
    where: str = ""
    interrupted: Operation | None = None
    reached: frozenset[str] = frozenset()


class Ticks:
    """A logical clock: every reading is later than the one before, in whatever thread."""

    def __init__(self) -> None:
        self._now = 0
        self._lock = threading.Lock()

    def __call__(self) -> int:
        with self._lock:
            self._now += 1
            return self._now


@dataclass
class ConcurrentHarness:
    """Builds an engine and performs steps on it in the name of clients; keeps the operations."""

    factory: Factory
    lines: tuple[str, ...]
    meter: Meter = utf8_bytes
    clock: Callable[[], int] = field(default_factory=Ticks)
    before: tuple[Step, ...] = ()
    after: tuple[Step, ...] = AFTER
    operations: list[Operation] = field(default_factory=list)
    engine: Any = None
    known: dict[str, Snapshot] = field(default_factory=dict)
    open: dict[tuple[str, int], Operation] = field(default_factory=dict)
    _main: ClientThread | None = None
    _go: threading.Event = field(default_factory=threading.Event)
    _closed: bool = False

    @classmethod
    def of(cls, factory: Factory, program: Program, meter: Meter = utf8_bytes) -> ConcurrentHarness:
        return cls(factory, program.lines, meter, before=program.before, after=program.after)

    def build(self) -> None:
        self.engine = self.factory(Config(self.lines, (), self.meter))

    def history(self) -> CallHistory:
        """What has happened; calls that are still open have no answer."""
        return CallHistory.of(self.lines, [*self.operations, *self.open.values()])

    # -- plain engines

    def perform(self, client: str, step: Step) -> None:
        """One step of a plain engine. Never raises for what the engine does; nothing where a read before it failed."""
        call = self._call(step)
        if call is None:
            return
        t0 = self._begin(client, step, self.clock())
        try:
            outcome = _outcome(step, call())
        except Exception as error:
            outcome = _raised(step, error)
        self._keep(client, t0, step, outcome)

    def begin(self) -> None:
        """The read that the clients' patches are authored on. Its thread lives on for the last one: what an engine
        keeps for a thread shows, and no client's thread is taken for one that is gone.
        """
        begun = threading.Event()

        def script() -> None:
            for step in (*self.before, Read(START)):
                self.perform(MAIN, step)
            begun.set()
            self._go.wait()
            for step in () if self._closed else self.after:
                self.perform(MAIN, step)

        self._main = ClientThread(MAIN, self, (), before=script)
        self._main.start()
        begun.wait()

    def concluded(self, limit_s: float) -> str | None:
        """The steps that prove what happened; where they wait, if they do not end."""
        assert self._main is not None
        self._go.set()
        return None if self.ended([self._main], limit_s) else stuck([self._main])

    def close(self) -> None:
        self._closed = True
        self._go.set()
        close = getattr(self.engine, "close", None)
        if close is not None:
            with contextlib.suppress(Exception):
                close()

    def ended(self, clients: Sequence[threading.Thread], limit_s: float) -> bool:
        """Waits until all have ended; ``False`` if meanwhile no call ended for ``limit_s``."""
        until, made = time.monotonic() + limit_s, len(self.operations)
        for client in clients:
            while client.is_alive() and time.monotonic() < until:
                client.join(_LOOK_S)
                if len(self.operations) != made:
                    until, made = time.monotonic() + limit_s, len(self.operations)
        return not any(client.is_alive() for client in clients)

    # -- engines with coroutines

    async def aperform(self, client: str, step: Step, since: int | None = None) -> None:
        """One step of any engine, awaited. A cancellation is kept as a call without an answer, and goes on.

        ``since``: when the call was asked for, where that is earlier.
        """
        call = self._call(step)
        if call is None:
            return
        t0 = self._begin(client, step, self.clock() if since is None else since)
        try:
            value = call()
            outcome = _outcome(step, await value if inspect.isawaitable(value) else value)
        except asyncio.CancelledError:
            self._keep(client, t0, step, None)
            raise
        except Exception as error:
            outcome = _raised(step, error)
        self._keep(client, t0, step, outcome)

    async def aperform_all(self, client: str, steps: Sequence[Step], since: int | None = None) -> None:
        for step in steps:
            await self.aperform(client, step, since)
            since = None

    async def aended(self, tasks: Sequence[asyncio.Task[Any]], limit_s: float) -> bool:
        """The same for tasks; none is cancelled."""
        until, made = time.monotonic() + limit_s, len(self.operations)
        pending = set(tasks)
        while pending and time.monotonic() < until:
            _, pending = await asyncio.wait(pending, timeout=_LOOK_S)
            if len(self.operations) != made:
                until, made = time.monotonic() + limit_s, len(self.operations)
        return not pending

    async def aconcluded(self, limit_s: float) -> bool:
        """The same as a task."""
        return await self.aended([asyncio.create_task(self.aperform_all(MAIN, self.after))], limit_s)

    async def abegin(self) -> None:
        await self.aperform_all(MAIN, (*self.before, Read(START)))

    async def aclose(self) -> None:
        close = getattr(self.engine, "close", None)
        if close is not None:
            with contextlib.suppress(Exception):
                value = close()
                if inspect.isawaitable(value):
                    await value

    # -- both

    def _call(self, step: Step) -> Callable[[], Any] | None:
        """The call; ``None`` for a patch of what could not be read."""
        engine = self.engine
        match step:
            case Read():
                return lambda: engine.snapshot()
            case Append(lines):
                return lambda: engine.append(list(lines))
            case Insert(at, lines):
                return lambda: engine.insert(at, list(lines))
            case Emit(kind, lines):
                return lambda: engine.emit(kind, list(lines))
            case EndTurn():
                return lambda: engine.end_turn()
            case Apply(base) if base not in self.known:
                return None
            case Apply(base, hunks, claim):
                patch = Patch(self.known[base], hunks, claim)
                return lambda: engine.apply(patch)
        raise ValueError(f"a client cannot perform {step.op!r}")

    def _begin(self, client: str, step: Step, t0: int) -> int:
        authored = self.known[step.base] if isinstance(step, Apply) else None
        self.open[client, t0] = Operation(client, t0, None, step, None, authored)
        return t0

    def _keep(self, client: str, t0: int, step: Step, outcome: Outcome | None) -> None:
        t1 = self.clock()
        if isinstance(step, Read) and isinstance(outcome, Returned) and isinstance(outcome.value, Snapshot):
            self.known[step.name] = outcome.value
        authored = self.known[step.base] if isinstance(step, Apply) else None
        self.operations.append(Operation(client, t0, t1, step, outcome, authored))
        del self.open[client, t0]


@dataclass(frozen=True)
class Traits:
    """What a schedule must know of an engine before it begins."""

    asynchronous: bool
    limits: Limits
    code: Where


def traits_of(factory: Factory) -> Traits:
    """Builds one engine, and asks nothing of it."""

    async def build() -> Traits:
        harness = ConcurrentHarness(factory, ())
        harness.build()
        traits = Traits(is_async(harness.engine), limits_of(harness.engine), code_of(factory, harness.engine))
        await harness.aclose()
        return traits

    return run_on_loop(build())


def limits_of(engine: Any) -> Limits:
    inserts = callable(getattr(engine, "insert", None))
    return Limits(getattr(engine, "max_hunks", None), inserts, "budget" in (getattr(engine, "profiles", None) or ()))


def is_async(engine: Any) -> bool:
    """Whether any call of the engine is a coroutine function, or its snapshot comes to be awaited all the same."""
    names = ("snapshot", "append", "apply", "insert", "emit", "end_turn")
    if any(inspect.iscoroutinefunction(getattr(engine, name, None)) for name in names):
        return True
    try:
        shown = engine.snapshot()
    except Exception:  # what it breaks is seen where it is judged
        return False
    if inspect.iscoroutine(shown):
        shown.close()
    return inspect.isawaitable(shown)


def _outcome(step: Step, value: Any) -> Outcome:
    try:
        if isinstance(step, Read):
            return Returned(Snapshot(tuple(value.lines), value.base, value.revision))
        if isinstance(step, Apply):
            return Returned(Receipt(value.base, value.revision, getattr(value, "cost", None)))
    except (AttributeError, TypeError):
        return Malformed(f"{step.op} returned {type(value).__name__}")
    return Returned()


def _raised(step: Step, error: Exception) -> Outcome:
    if isinstance(error, Rejected) and isinstance(step, Apply):
        return Refused(error.reason, error.message)
    return Raised(type(error).__name__, str(error))


class ClientThread(threading.Thread):
    """A client's steps on a thread of its own. ``native`` is known once it runs."""

    def __init__(
        self, name: str, harness: ConcurrentHarness, steps: Sequence[Step], before: Callable[[], None] | None = None
    ) -> None:
        super().__init__(name=f"basebound-{name}", daemon=True)
        self.client, self.harness, self.steps, self.before = name, harness, steps, before
        self.native: int | None = None

    def run(self) -> None:
        self.native = threading.get_native_id()
        if self.before is not None:
            self.before()
        for step in self.steps:
            self.harness.perform(self.client, step)


def asleep(native: int | None) -> bool | None:
    """Whether the kernel shows a thread asleep: it waits for something. ``None`` where that cannot be seen."""
    if native is None:
        return None
    try:
        with open(f"/proc/self/task/{native}/stat") as stat:
            return stat.read().rsplit(")", 1)[1].split()[0] == "S"
    except OSError:
        return None


def wait_for(client: ClientThread, bound_s: float, polls: int = 2) -> bool:
    """Waits until ``client`` has ended; gives up when it is seen waiting itself, or after ``bound_s``.

    ``True`` if it has ended.
    """
    until = time.monotonic() + bound_s
    seen_asleep = 0
    while client.is_alive() and time.monotonic() < until and seen_asleep < polls:
        client.join(0.001)
        seen_asleep = seen_asleep + 1 if asleep(client.native) else 0
    return not client.is_alive()


def stuck(clients: Sequence[ClientThread]) -> str:
    """Where the clients that did not end are in the engine's code."""
    frames = sys._current_frames()
    waiting = {client.client: place_of(frames.get(client.ident or 0)) for client in clients if client.is_alive()}
    return "; ".join(f"{client} in {place}" for client, place in waiting.items() if place)
