"""One client, and an operation that is made to fail in the middle: what is left, and does the engine go on?

The meter raises at its k-th call, or a patch is refused: nothing may have changed. A task is cancelled at
its k-th await: the state is the one before, or the one after, now or when the engine gets to it. In each case every
later operation ends, and is right.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator, Iterator
from dataclasses import replace

from basebound.history.check import judge
from basebound.history.operations import History
from basebound.history.verdict import Legal
from basebound.model import Cost, Hunk, utf8_bytes
from basebound.oracle.outcome import Raised
from basebound.schedules.loops import run_on_loop
from basebound.schedules.pauses import Gate, named, stepped_tasks
from basebound.schedules.programs import LINES, START, within
from basebound.schedules.stage import (
    LIMIT_S,
    MAIN,
    SUBJECT,
    Client,
    Factory,
    Run,
    Stage,
    Trouble,
    is_async,
    look,
    stuck,
)
from basebound.trace import Append, Apply, Read, Step

RAISED = "meter-raised"
CANCELLED = "cancelled"
REFUSED = "bad-last-hunk"

_MOST = 60

_Way = Callable[[Factory, str, int, float], Run | None]

OPERATIONS: dict[str, Step] = {
    "apply": Apply(START, (Hunk(1, 2, ("second, in short",)),)),
    "apply-two": Apply(START, (Hunk(0, 1, ("first, in short",)), Hunk(2, 3, ("third, in short",)))),
    "append": Append(("subject's line",)),
    "read": Read("s"),
}
"""What is interrupted."""

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
    traits = look(factory)
    awaits, max_hunks = traits.asynchronous, traits.limits.max_hunks
    for reason in REFUSALS:
        yield refused(factory, reason, limit_s)
    for name, step in OPERATIONS.items():
        if within((step,), max_hunks) != (step,):
            continue
        if not sound_alone(factory, name, limit_s):
            continue  # what is wrong without an interruption is not blamed on one
        for way in (raised, cancelled) if awaits else (raised,):
            yield from _each(way, factory, name, limit_s)


def _each(way: _Way, factory: Factory, name: str, limit_s: float) -> Iterator[Run]:
    for at in range(1, _MOST):
        run = way(factory, name, at, limit_s)
        if run is None:
            return
        yield run
        if run.trouble:
            return


def replay(factory: Factory, words: list[str]) -> Run | None:
    """``[way, operation, n]``, from ``faults raised apply 1`` or ``faults cancelled append 2``; ``[refused, why]``."""
    if words[0] == "refused":
        return refused(factory, words[1])
    way = raised if words[0] == "raised" else cancelled
    return way(factory, words[1], int(words[2]), LIMIT_S)


def raised(factory: Factory, name: str, at: int, limit_s: float = LIMIT_S) -> Run | None:
    """The meter raises at its ``at``-th call; ``None`` if the operation does not ask it so often."""
    meter = RaisingMeter(at)
    run = _alone(factory, meter, OPERATIONS[name], f"faults raised {name} {at}", RAISED, limit_s)
    return run if meter.calls >= at else None


def refused(factory: Factory, reason: str, limit_s: float = LIMIT_S) -> Run:
    """A patch that is refused."""
    step, what = refused_patch(reason, look(factory).limits.max_hunks), REFUSED if reason == BAD_HUNK else ""
    return _alone(factory, RaisingMeter(0), step, f"faults refused {reason}", what, limit_s, before(reason))


def refused_patch(reason: str, max_hunks: int | None) -> Apply:
    """The patch of that name; of a bad one, where an engine takes one hunk only, the last."""
    step = REFUSALS[reason]
    return step if max_hunks is None or len(step.hunks) <= max_hunks else replace(step, hunks=step.hunks[-max_hunks:])


def before(reason: str) -> tuple[Step, ...]:
    """What another client does first."""
    return (Append(("a line that came meanwhile",)),) if reason == "stale" else ()


def sound_alone(factory: Factory, name: str, limit_s: float = LIMIT_S) -> bool:
    """Whether the operation, not interrupted, and what follows are right."""
    run = _alone(factory, RaisingMeter(0), OPERATIONS[name], "", "", limit_s)
    return run.trouble is None and isinstance(judge(run.history), Legal)


def _alone(
    factory: Factory,
    meter: RaisingMeter,
    step: Step,
    schedule: str,
    what: str,
    limit_s: float,
    earlier: tuple[Step, ...] = (),
) -> Run:
    """One client's step with the meter armed; what comes after is another thread's: a lock that its owner may take
    again is left behind all the same.
    """
    stage = Stage(factory, LINES, meter)
    stage.build()
    if is_async(stage.engine):
        return run_on_loop(_alone_task(Stage(factory, LINES, meter), meter, step, schedule, what, limit_s, earlier))

    def script() -> None:
        stage.begin()
        for one in earlier:
            stage.perform(MAIN, one)
        meter.armed = True
        stage.perform(SUBJECT, step)
        meter.armed = False

        clients.append(Client(SUBJECT, stage, AFTERWARDS))
        clients[1].start()
        clients[1].join()  # this thread lives on meanwhile: the next one could be taken for it

    clients = [Client(SUBJECT, stage, (), before=script)]
    clients[0].start()
    if not stage.ended(clients[:1], limit_s):
        return _told(stage, schedule, what, stuck(clients))
    stage.close()
    return _told(stage, schedule, what)


async def _alone_task(
    stage: Stage,
    meter: RaisingMeter,
    step: Step,
    schedule: str,
    what: str,
    limit_s: float,
    earlier: tuple[Step, ...],
) -> Run:
    async def script() -> None:
        await stage.abegin()
        await stage.aperform_all(MAIN, earlier)
        meter.armed = True
        await stage.aperform(SUBJECT, step)
        meter.armed = False
        await stage.aperform_all(SUBJECT, AFTERWARDS)

    stage.build()
    if not await stage.aended([asyncio.create_task(script())], limit_s):
        return _told(stage, schedule, what, "a task waits for ever")
    await stage.aclose()
    return _told(stage, schedule, what)


def cancelled(factory: Factory, name: str, at: int, limit_s: float = LIMIT_S) -> Run | None:
    """The operation is cancelled at its ``at``-th await; ``None`` if it has fewer."""
    return run_on_loop(_cancelled(Stage(factory, LINES), f"faults cancelled {name} {at}", name, at, limit_s))


class CancelAt(Gate):
    """Asks to cancel the task when it suspends for the ``at``-th time."""

    def __init__(self, at: int) -> None:
        super().__init__()
        self.at, self.count = at, 0
        self.task: asyncio.Task[None] | None = None

    def suspends(self, client: str) -> None:
        self.count += 1
        if self.count == self.at and self.task is not None:
            asyncio.get_running_loop().call_soon(self.task.cancel)


async def _cancelled(stage: Stage, schedule: str, name: str, at: int, limit_s: float) -> Run | None:
    gate = CancelAt(at)
    stage.build()
    await stage.abegin()
    stepped_tasks(asyncio.get_running_loop(), gate)
    with named(SUBJECT):
        gate.task = asyncio.create_task(stage.aperform_all(SUBJECT, (OPERATIONS[name],)))
    done = await stage.aended([gate.task], limit_s)
    if gate.count < at and done:
        return None
    if not done or not await stage.aended([asyncio.create_task(stage.aperform_all(SUBJECT, AFTERWARDS))], limit_s):
        return _told(stage, schedule, CANCELLED, "a task waits for ever")
    await stage.aclose()
    return _told(stage, schedule, CANCELLED)


def _told(stage: Stage, schedule: str, what: str, hangs: str | None = None) -> Run:
    trouble = None if hangs is None else Trouble.HANG
    run = Run(schedule, stage.history(), True, trouble, hangs or "", reached=frozenset(filter(None, [what])))
    return as_interrupted(run, what)


def as_interrupted(run: Run, what: str) -> Run:
    """The run as one of an interruption; what the meter made to fail had no effect, so the history is without it."""
    operations = list(run.history.operations)
    interrupted = next((op for op in operations if op.client == SUBJECT), operations[0] if operations else None)
    if interrupted is not None and what == RAISED and isinstance(interrupted.outcome, Raised):
        operations.remove(interrupted)
    return replace(run, history=History.of(run.history.lines, operations), interrupted=interrupted)
