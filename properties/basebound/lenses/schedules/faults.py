"""One client, and an operation that is made to fail in the middle: what is left, and does the engine go on?

The meter raises at its k-th call, or a patch is refused: nothing may have changed. A task is cancelled at
its k-th await: the state is the one before, or the one after, now or when the engine gets to it. In each case every
later operation ends, and is right.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, replace

from basebound.core.trace import Append, Apply, Emit, EndTurn, Insert, Read, Step
from basebound.history.operations import CallHistory
from basebound.history.order_verdict import Legal
from basebound.lenses.schedules.findings import ruling
from basebound.lenses.schedules.harness import (
    LIMIT_S,
    MAIN,
    SUBJECT,
    ClientThread,
    ConcurrentHarness,
    Factory,
    Run,
    Trouble,
    is_async,
    stuck,
    traits_of,
)
from basebound.lenses.schedules.loops import run_on_loop
from basebound.lenses.schedules.pauses import StepGate, named, stepped_tasks
from basebound.lenses.schedules.programs import LINES, MEASURED, START, Limits, either, within
from basebound.model import Cost, Hunk, utf8_bytes
from basebound.results.outcome import Raised

RAISED = "meter-raised"
CANCELLED = "cancelled"
REFUSED = "bad-last-hunk"

_MOST = 60
_START_S = 0.005
"""What a thread that the task now waits for gets to begin; tasks make no step meanwhile."""
_HELD_S = 0.1
_MEANWHILE = 3
"""So many of the later steps are asked for while a thread is still at work for a task that was cancelled."""

_Way = Callable[[Factory, str, int, Limits, float], Run | None]

OPERATIONS: dict[str, Step] = {
    "apply": Apply(START, (Hunk(1, 2, ("second, in short",)),)),
    "apply-two": Apply(START, (Hunk(0, 1, ("first, in short",)), Hunk(2, 3, ("third, in short",)))),
    "append": Append(("subject's line",)),
    "insert": Insert(1, ("subject's line",)),
    "read": Read("s"),
    "emit": Emit("rationale", ("subject's reasons",)),
    "end-turn": EndTurn(),
}
"""What is interrupted; the last two only in an engine with a budget."""

BAD_HUNK = "bad-hunk"
_GOOD = Hunk(0, 1, ("first, in short",))
_BAD = Hunk(2, len(LINES) + 1, ())

REFUSALS: dict[str, Apply] = {
    BAD_HUNK: Apply(START, (_GOOD, _BAD)),
    "stale": Apply(START, (_GOOD,)),
    "unproven": Apply(START, (_GOOD,), Cost(None, 0, 0)),
    "not-freed": Apply(START, (Hunk(0, 1, LINES),)),
}
"""What an engine refuses, by why; the last two only one with a budget."""

AFTERWARDS: tuple[Step, ...] = (
    Read("left"),
    Append(("a later line",)),
    Read("later"),
    Apply("later", (Hunk(0, 1, ("a later patch",)),)),
    Read("end"),
)
"""What must go on as if the operation had not been, or had been whole."""


@dataclass(frozen=True)
class Calls:
    """One client's step, what another does before it, and what comes after it. ``goal``: what is tried by it alone."""

    before: tuple[Step, ...]
    step: Step
    after: tuple[Step, ...]
    goal: str = ""


def operations(limits: Limits) -> Iterator[str]:
    """The names of those that an engine of these limits can be asked for."""
    for name, step in OPERATIONS.items():
        inserts, budget = isinstance(step, Insert), isinstance(step, (Emit, EndTurn))
        able = (limits.inserts or not inserts) and (limits.budget or not budget)
        if able and within((step,), limits.max_hunks) == (step,):
            yield name


def operation(name: str, limits: Limits) -> Calls:
    """The operation of that name, to be interrupted; then, of an emission or a turn, the proof of what is owed."""
    step = OPERATIONS[name]
    before = MEASURED if isinstance(step, EndTurn) else ()
    if isinstance(step, (Emit, EndTurn)):
        return Calls(before, step, (*either("left"), EndTurn(), *AFTERWARDS))
    return Calls(before, step, _afterwards(limits))


def refusal(reason: str, limits: Limits) -> Calls:
    """The patch that is refused for ``reason``; of a bad one, where an engine takes one hunk only, the last."""
    step, most = REFUSALS[reason], limits.max_hunks
    if most is not None and len(step.hunks) > most:
        step = replace(step, hunks=step.hunks[-most:])
    before = (Append(("a line that came meanwhile",)),) if reason == "stale" else ()
    return Calls(before, step, _afterwards(limits), REFUSED if reason == BAD_HUNK else "")


def _afterwards(limits: Limits) -> tuple[Step, ...]:
    return (*AFTERWARDS, EndTurn()) if limits.budget else AFTERWARDS


class MeterFault(Exception):
    """What the suite's meter raises."""


class RaisingMeter:
    """Raises at one of its calls, while armed."""

    def __init__(self, at: int) -> None:
        self.at = at
        self.calls = 0
        self.armed = False

    def __call__(self, line: str) -> int:
        if self.armed:
            self.calls += 1
            if self.calls == self.at:
                raise MeterFault(f"the meter fails at its call number {self.at}")
        return utf8_bytes(line)


def runs(factory: Factory, limit_s: float = LIMIT_S) -> Generator[Run, None, None]:
    """Every operation with the meter raising at each of its calls, and cancelled at each of its awaits."""
    traits = traits_of(factory)
    for reason in REFUSALS:
        yield refused(factory, reason, traits.limits, limit_s)
    for name in operations(traits.limits):
        if not sound_alone(factory, name, traits.limits, limit_s):
            continue  # what is wrong without an interruption is not blamed on one
        for way in (raised, cancelled) if traits.asynchronous else (raised,):
            yield from _each(way, factory, name, traits.limits, limit_s)


def _each(way: _Way, factory: Factory, name: str, limits: Limits, limit_s: float) -> Iterator[Run]:
    for at in range(1, _MOST):
        run = way(factory, name, at, limits, limit_s)
        if run is None:
            return
        yield run
        if run.trouble:
            return


def replay(factory: Factory, words: list[str]) -> Run | None:
    """``[way, operation, n]``, from ``faults raised apply 1`` or ``faults cancelled append 2``; ``[refused, why]``."""
    limits = traits_of(factory).limits
    if words[0] == "refused":
        return refused(factory, words[1], limits)
    way = raised if words[0] == "raised" else cancelled
    return way(factory, words[1], int(words[2]), limits, LIMIT_S)


def raised(factory: Factory, name: str, at: int, limits: Limits, limit_s: float = LIMIT_S) -> Run | None:
    """The meter raises at its ``at``-th call; ``None`` if the operation does not ask it so often."""
    meter = RaisingMeter(at)
    run = _alone(factory, meter, operation(name, limits), f"faults raised {name} {at}", RAISED, limit_s)
    return run if meter.calls >= at else None


def refused(factory: Factory, reason: str, limits: Limits, limit_s: float = LIMIT_S) -> Run:
    """A patch that is refused."""
    calls = refusal(reason, limits)
    return _alone(factory, RaisingMeter(0), calls, f"faults refused {reason}", calls.goal, limit_s)


def sound_alone(factory: Factory, name: str, limits: Limits, limit_s: float = LIMIT_S) -> bool:
    """Whether the operation, not interrupted, and what follows are right."""
    run = _alone(factory, RaisingMeter(0), operation(name, limits), "", "", limit_s)
    return run.trouble is None and isinstance(ruling(run.history)[0], Legal)


def _alone(factory: Factory, meter: RaisingMeter, calls: Calls, schedule: str, what: str, limit_s: float) -> Run:
    """One client's step with the meter armed; what comes after is another thread's: a lock that its owner may take
    again is left behind all the same.
    """
    harness = ConcurrentHarness(factory, LINES, meter)
    harness.build()
    if is_async(harness.engine):
        return run_on_loop(_alone_task(ConcurrentHarness(factory, LINES, meter), meter, calls, schedule, what, limit_s))

    def script() -> None:
        harness.begin()
        for step in calls.before:
            harness.perform(MAIN, step)
        meter.armed = True
        harness.perform(SUBJECT, calls.step)
        meter.armed = False

        clients.append(ClientThread(SUBJECT, harness, calls.after))
        clients[1].start()
        clients[1].join()  # this thread lives on meanwhile: the next one could be taken for it

    clients = [ClientThread(SUBJECT, harness, (), before=script)]
    clients[0].start()
    if not harness.ended(clients[:1], limit_s):
        return _told(harness, schedule, what, stuck(clients))
    harness.close()
    return _told(harness, schedule, what)


async def _alone_task(
    harness: ConcurrentHarness, meter: RaisingMeter, calls: Calls, schedule: str, what: str, limit_s: float
) -> Run:
    async def script() -> None:
        await harness.abegin()
        await harness.aperform_all(MAIN, calls.before)
        meter.armed = True
        await harness.aperform(SUBJECT, calls.step)
        meter.armed = False
        await harness.aperform_all(SUBJECT, calls.after)

    harness.build()
    if not await harness.aended([asyncio.create_task(script())], limit_s):
        return _told(harness, schedule, what, "a task waits for ever")
    await harness.aclose()
    return _told(harness, schedule, what)


def cancelled(factory: Factory, name: str, at: int, limits: Limits, limit_s: float = LIMIT_S) -> Run | None:
    """The operation is cancelled at its ``at``-th await; ``None`` if it has fewer."""
    meter = HeldMeter()
    harness = ConcurrentHarness(factory, LINES, meter)
    return run_on_loop(
        _cancelled(harness, meter, operation(name, limits), f"faults cancelled {name} {at}", at, limit_s)
    )


class HeldMeter:
    """Keeps a thread that counts for a task waiting, while armed, until it is told to let go, or for a short time.

    A task that is cancelled leaves its thread at work; what it guards must stay guarded until the thread is done.
    """

    def __init__(self) -> None:
        self.home = threading.get_ident()
        self.armed = False
        self.held = False
        self.let_go = threading.Event()

    def __call__(self, line: str) -> int:
        if self.armed and threading.get_ident() != self.home:
            self.held = True
            self.let_go.wait(_HELD_S)
        return utf8_bytes(line)


class CancelAt(StepGate):
    """Asks to cancel the task when it suspends for the ``at``-th time."""

    def __init__(self, at: int) -> None:
        super().__init__()
        self.at, self.count = at, 0
        self.task: asyncio.Task[None] | None = None

    def suspends(self, client: str) -> None:
        self.count += 1
        if self.count == self.at and self.task is not None:
            time.sleep(_START_S)
            asyncio.get_running_loop().call_soon(self.task.cancel)


async def _cancelled(
    harness: ConcurrentHarness, meter: HeldMeter, calls: Calls, schedule: str, at: int, limit_s: float
) -> Run | None:
    gate = CancelAt(at)
    harness.build()
    await harness.abegin()
    await harness.aperform_all(MAIN, calls.before)
    meter.armed = True
    stepped_tasks(asyncio.get_running_loop(), gate)
    with named(SUBJECT):
        gate.task = asyncio.create_task(harness.aperform_all(SUBJECT, (calls.step,)))
    done = await harness.aended([gate.task], limit_s)
    if gate.count < at and done:
        await harness.aclose()
        return None

    async def script() -> None:
        await harness.aperform_all(SUBJECT, calls.after[:_MEANWHILE])
        meter.let_go.set()
        await asyncio.sleep(_HELD_S / 5 if meter.held else 0)  # for what the thread still does
        await harness.aperform_all(SUBJECT, calls.after[_MEANWHILE:])

    if not done or not await harness.aended([asyncio.create_task(script())], limit_s):
        return _told(harness, schedule, CANCELLED, "a task waits for ever")
    await harness.aclose()
    return _told(harness, schedule, CANCELLED)


def _told(harness: ConcurrentHarness, schedule: str, what: str, hangs: str | None = None) -> Run:
    trouble = None if hangs is None else Trouble.HANG
    run = Run(schedule, harness.history(), True, trouble, hangs or "", reached=frozenset(filter(None, [what])))
    return as_interrupted(run, what)


def as_interrupted(run: Run, what: str) -> Run:
    """The run as one of an interruption; what the meter made to fail had no effect, so the history is without it."""
    operations = list(run.history.operations)
    interrupted = next((op for op in operations if op.client == SUBJECT), operations[0] if operations else None)
    if interrupted is not None and what == RAISED and isinstance(interrupted.outcome, Raised):
        operations.remove(interrupted)
    return replace(run, history=CallHistory.of(run.history.lines, operations), interrupted=interrupted)
