"""Tasks of one event loop, paused between their steps.

A step is what a task does from one await to the next. Each task is held after each of its steps in turn while the
rival runs to its end, or until it waits itself; then schedules are drawn in which every step of every task is chosen.
Tasks that the engine starts for a client are that client's. Without threads and timers in the engine a schedule
always runs the same way.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Coroutine, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from random import Random
from typing import Any

from basebound.core.trace import Append, Read
from basebound.lenses.schedules.harness import (
    LIMIT_S,
    RIVAL,
    SUBJECT,
    ConcurrentHarness,
    Factory,
    Run,
    Trouble,
    traits_of,
)
from basebound.lenses.schedules.loops import run_on_loop
from basebound.lenses.schedules.programs import BY_NAME, PROGRAMS, Program, fitting
from basebound.lenses.schedules.tracing import place_of

GOT_IN = "rival-got-in"
WAITED = "rival-waited"

_IDLE_PASSES = 25
_THREADS_S = 0.005
_MOST_STEPS = 200
_WAITERS = ("apply/append", "apply/apply", "append/append")
_THIRD = "third"
_ITS_STEPS = (Append(("a third client's line",)), Read("t"))

_CLIENT: ContextVar[str | None] = ContextVar("basebound_client", default=None)


class StepGate:
    """Counts the steps of each client, and decides before each whether it may be made."""

    def __init__(self) -> None:
        self.steps: Counter[str] = Counter()
        self.waiting: dict[asyncio.Future[None], str] = {}
        self.timed = False
        """Whether a step was made after a wait for threads or timers, which no schedule governs."""

    def holds(self, client: str) -> bool:
        """Whether ``client``, which has just made a step, is held now."""
        return False

    def suspends(self, client: str) -> None:
        """Told when a task of ``client`` is about to wait."""

    def waits(self, client: str, coroutine: Coroutine[Any, Any, Any]) -> None:
        """Told which coroutine of ``client`` is held."""

    def __call__(self, client: str, coroutine: Coroutine[Any, Any, Any]) -> asyncio.Future[None] | None:
        self.steps[client] += 1
        if not self.holds(client):
            return None
        self.waits(client, coroutine)
        held: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.waiting[held] = client
        return held

    def release(self, held: asyncio.Future[None]) -> None:
        self.waiting.pop(held, None)
        if not held.done():
            held.set_result(None)

    def release_all(self) -> None:
        for held in list(self.waiting):
            self.release(held)


class PauseAt(StepGate):
    """Holds ``client`` once, after its ``step``-th step."""

    def __init__(self, client: str, step: int) -> None:
        super().__init__()
        self.client, self.step = client, step
        self.place = ""

    def holds(self, client: str) -> bool:
        return client == self.client and self.steps[client] == self.step

    def waits(self, client: str, coroutine: Coroutine[Any, Any, Any]) -> None:
        self.place = f"{client} held at its await in {_place(coroutine)}"


class Choose(StepGate):
    """Holds everybody after every step, until released."""

    def __init__(self) -> None:
        super().__init__()
        self.open = False

    def holds(self, client: str) -> bool:
        return not self.open


class Stepped:
    """Awaits a coroutine, and passes the gate between its steps, as whatever client runs it."""

    def __init__(self, coroutine: Coroutine[Any, Any, Any], gate: StepGate, client: str) -> None:
        self.coroutine, self.gate, self.client = coroutine, gate, client

    def __await__(self) -> Generator[Any, None, Any]:
        error: BaseException | None = None
        while True:
            try:
                awaited = self.coroutine.send(None) if error is None else self.coroutine.throw(error)
            except StopIteration as end:
                return end.value
            error = None
            try:
                self.gate.suspends(self.client)
                yield awaited
                held = self.gate(self.client, self.coroutine)
                if held is not None:
                    yield from held
            except BaseException as raised:  # a cancellation, delivered while the task waits or is held
                error = raised


def stepped_tasks(loop: asyncio.AbstractEventLoop, gate: StepGate) -> None:
    """From now on every task started in the name of a client passes the gate between its steps."""

    async def through(coroutine: Coroutine[Any, Any, Any], client: str) -> Any:
        return await Stepped(coroutine, gate, client)

    def make(loop: asyncio.AbstractEventLoop, coroutine: Any, **options: Any) -> asyncio.Task[Any]:
        client = _CLIENT.get()
        return asyncio.Task(coroutine if client is None else through(coroutine, client), loop=loop, **options)

    loop.set_task_factory(make)


def _place(coroutine: Any) -> str:
    """The innermost await of a suspended coroutine that is in the engine's code."""
    place = ""
    while coroutine is not None:
        frame = getattr(coroutine, "cr_frame", None)
        found = place_of(frame) if frame is not None else ""
        place = found or place
        coroutine = getattr(coroutine, "cr_await", None)
    return place


@contextmanager
def named(client: str) -> Iterator[None]:
    """Tasks started inside are the client's, and so are those that they start."""
    token = _CLIENT.set(client)
    try:
        yield
    finally:
        _CLIENT.reset(token)


def start(harness: ConcurrentHarness, client: str, program: Program, since: int | None = None) -> asyncio.Task[None]:
    """The client's task. Its first call was asked for at ``since``, where that is not when it is made."""
    steps = program.subject if client == SUBJECT else program.rival
    with named(client):
        return asyncio.get_running_loop().create_task(harness.aperform_all(client, steps, since))


def runs(
    factory: Factory,
    seed: int = 0,
    drawn: int = 20,
    limit_s: float = LIMIT_S,
    programs: Sequence[Program] = PROGRAMS,
) -> Generator[Run, None, None]:
    """Each client of each program held after each of its steps, then ``drawn`` schedules of each, by ``seed``."""
    traits = traits_of(factory)
    if not traits.asynchronous:
        return
    fit = fitting(programs, traits.limits)
    for program in fit:
        for held, other in ((SUBJECT, RIVAL), (RIVAL, SUBJECT)):
            for step in range(1, _MOST_STEPS):
                run, made = pause(factory, program, held, other, step, limit_s)
                yield run
                if run.trouble or made <= step:
                    break
    for name in _WAITERS:
        for step in range(1, _MOST_STEPS):
            found = give_up(factory, BY_NAME[name].within(traits.limits), step, limit_s)
            if found is None:
                break
            yield found
    rng = Random(seed)
    for program in fit * max(0, drawn):
        yield choose(factory, program, [rng.randrange(4) for _ in range(24)], limit_s)


def replay(factory: Factory, words: list[str]) -> Run:
    """``pauses apply/append subject 2`` or ``choices apply/append 0,1,3``, without the first word."""
    program = BY_NAME[words[0]].within(traits_of(factory).limits)
    if len(words) == 2:
        return choose(factory, program, [int(word) for word in words[1].split(",") if word])
    held = words[1]
    return pause(factory, program, held, RIVAL if held == SUBJECT else SUBJECT, int(words[2]))[0]


def give_up(factory: Factory, program: Program, step: int, limit_s: float = LIMIT_S) -> Run | None:
    """A rival that waits while the subject is held after its ``step``-th step is cancelled, and a third client comes.

    ``None`` if the subject has fewer steps.
    """
    return run_on_loop(_give_up(ConcurrentHarness.of(factory, program), program, step, limit_s))


def replay_given_up(factory: Factory, words: list[str]) -> Run | None:
    """``gives-up apply/append 2``, without the first word."""
    return give_up(factory, BY_NAME[words[0]].within(traits_of(factory).limits), int(words[1]))


def pause(
    factory: Factory, program: Program, held: str, other: str, step: int, limit_s: float = LIMIT_S
) -> tuple[Run, int]:
    """One run with ``held`` paused after its ``step``-th step; and how many steps it made."""
    return run_on_loop(_pause(ConcurrentHarness.of(factory, program), program, held, other, step, limit_s))


def choose(factory: Factory, program: Program, choices: Sequence[int], limit_s: float = LIMIT_S) -> Run:
    """One run in which ``choices`` say, step by step, who goes on; when they are used up, the first that can."""
    return run_on_loop(_choose(ConcurrentHarness.of(factory, program), program, choices, limit_s))


async def _pause(
    harness: ConcurrentHarness, program: Program, held: str, other: str, step: int, limit_s: float
) -> tuple[Run, int]:
    gate = PauseAt(held, step)
    harness.build()
    await harness.abegin()
    stepped_tasks(asyncio.get_running_loop(), gate)
    first = start(harness, held, program)
    await _settle({held: first}, gate)
    second = start(harness, other, program)
    await _settle({other: second}, gate)
    reached = {GOT_IN if second.done() else WAITED} if gate.waiting else set()
    gate.release_all()
    run = await _end(harness, f"pauses {program.name} {held} {step}", gate, [first, second], limit_s)
    return replace(run, where=run.where or gate.place, reached=frozenset(reached)), gate.steps[held]


async def _give_up(harness: ConcurrentHarness, program: Program, step: int, limit_s: float) -> Run | None:
    gate = PauseAt(SUBJECT, step)
    harness.build()
    await harness.abegin()
    stepped_tasks(asyncio.get_running_loop(), gate)
    clients = {SUBJECT: start(harness, SUBJECT, program)}
    await _settle(clients, gate)
    if not gate.waiting:
        await harness.aended(list(clients.values()), limit_s)
        await harness.aclose()
        return None
    for client, steps in ((RIVAL, program.rival[:1]), (_THIRD, _ITS_STEPS)):
        with named(client):
            clients[client] = asyncio.create_task(harness.aperform_all(client, steps))
        await _settle({client: clients[client]}, gate)
        if client == RIVAL:
            clients[client].cancel()
            await _settle({client: clients[client]}, gate)
    gate.release_all()
    run = await _end(harness, f"gives-up {program.name} {step}", gate, list(clients.values()), limit_s)
    return replace(run, where=run.where or gate.place)


async def _choose(harness: ConcurrentHarness, program: Program, choices: Sequence[int], limit_s: float) -> Run:
    gate = Choose()
    harness.build()
    await harness.abegin()
    stepped_tasks(asyncio.get_running_loop(), gate)
    since = harness.clock()  # both are asked for at once, also where a call is made without one await
    clients = {client: start(harness, client, program, since) for client in (SUBJECT, RIVAL)}
    for choice in choices:
        await _settle(clients, gate)
        if not gate.waiting:
            break
        gate.release(list(gate.waiting)[choice % len(gate.waiting)])
    gate.open = True
    gate.release_all()
    return await _end(
        harness, f"choices {program.name} {','.join(map(str, choices))}", gate, list(clients.values()), limit_s
    )


async def _settle(clients: Mapping[str, asyncio.Task[Any]], gate: StepGate) -> None:
    """Until no client makes a step any more: each has ended, is held, or waits for another (or for a thread)."""
    for wait_s in (0.0, _THREADS_S):
        before, idle = gate.steps.total(), 0
        while idle < (2 if wait_s else _IDLE_PASSES):
            await asyncio.sleep(wait_s)
            at_large = {client for client, task in clients.items() if not task.done()} - set(gate.waiting.values())
            if not at_large:
                return
            made = gate.steps.total() - before
            idle = 0 if made else idle + 1
            gate.timed = gate.timed or bool(wait_s and made)
            before += made


async def _end(
    harness: ConcurrentHarness, schedule: str, gate: StepGate, tasks: Sequence[asyncio.Task[Any]], limit_s: float
) -> Run:
    """The clients go on to their ends, then the last read."""
    exact = not gate.timed
    if not await harness.aended(tasks, limit_s) or not await harness.aconcluded(limit_s):
        return Run(schedule, harness.history(), exact, Trouble.HANG, "a task waits for ever")
    await harness.aclose()
    return Run(schedule, harness.history(), exact)
