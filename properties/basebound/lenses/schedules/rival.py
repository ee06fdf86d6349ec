"""The suite's own meter starts a rival in the middle of an operation that asks it.

An engine that measures between its check and its commit without holding its lock lets the rival in. The
rival runs on its own thread (or as a task), and is waited for only until it ends, is seen asleep, or a short bound
has passed: a lock that is held shows as a wait, not as a hang. It finds at the first try, and the same way each time;
engines that never ask the meter, or ask it elsewhere, have nothing to find here.
"""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Callable, Generator, Sequence
from typing import Any, Final

from basebound.lenses.schedules.harness import (
    LIMIT_S,
    RIVAL,
    SUBJECT,
    ClientThread,
    ConcurrentHarness,
    Factory,
    Run,
    Trouble,
    is_async,
    stuck,
    traits_of,
    wait_for,
)
from basebound.lenses.schedules.loops import run_on_loop
from basebound.lenses.schedules.programs import BY_NAME, PROGRAMS, Program, fitting
from basebound.lenses.schedules.tracing import place_of
from basebound.model import utf8_bytes

BOUND_S = 0.05
MOST_CALLS = 40
HELD: Final = ("apply/append", "apply/apply", "apply/insert", "apply/emit", "apply/end-turn")
"""What is run with the subject held for longer than a rival may be willing to wait."""
_FOR_EVER = 1_000_000

GOT_IN = "rival-got-in"
WAITED = "rival-waited"


class RivalMeter:
    """Counts its calls while armed, and calls ``start`` at one of them."""

    def __init__(self, at: int) -> None:
        self.at = at
        self.calls = 0
        self.armed = False
        self.start: Callable[[], None] = lambda: None
        self.place = ""

    def __call__(self, line: str) -> int:
        if self.armed:
            self.calls += 1
            if self.calls == self.at:
                self.place = f"{SUBJECT} asking the meter in {place_of(sys._getframe(1))}"
                self.start()
        return utf8_bytes(line)


def runs(
    factory: Factory,
    bound_s: float = BOUND_S,
    limit_s: float = LIMIT_S,
    programs: Sequence[Program] = PROGRAMS,
    hold_s: float = 0.0,
) -> Generator[Run, None, None]:
    """Every program, with the rival started at each call of the meter in turn; then some of them again with the
    subject held for ``hold_s``, though the rival is asleep: it may be about to lose its patience.
    """
    traits = traits_of(factory)
    for program in fitting(programs, traits.limits):
        for at in range(1, MOST_CALLS):
            found = run(factory, program, at, bound_s, limit_s)
            if found is None:
                break
            yield found
        if hold_s and program.name in HELD:
            found = run(factory, program, 1, hold_s, limit_s, patient=True)
            if found is not None:
                yield found


def replay(factory: Factory, words: list[str]) -> Run | None:
    """``[program, n]`` or ``[program, n, seconds]``, from ``rival apply/append 1`` or ``rival apply/append 1 0.3``."""
    program, held = BY_NAME[words[0]].within(traits_of(factory).limits), [float(word) for word in words[2:]]
    return run(factory, program, int(words[1]), held[0] if held else BOUND_S, patient=bool(held))


def run(
    factory: Factory,
    program: Program,
    at: int,
    bound_s: float = BOUND_S,
    limit_s: float = LIMIT_S,
    patient: bool = False,
) -> Run | None:
    """One run; ``None`` if the subject asks the meter less than ``at`` times.

    ``patient``: the subject is held for ``bound_s`` even if its rival waits.
    """
    meter = RivalMeter(at)
    schedule = f"rival {program.name} {at}" + (f" {bound_s:g}" if patient else "")
    harness = ConcurrentHarness.of(factory, program, meter)
    harness.build()
    if is_async(harness.engine):
        return run_on_loop(
            _with_tasks(ConcurrentHarness.of(factory, program, meter), meter, program, schedule, bound_s, limit_s)
        )
    return _with_threads(harness, meter, program, schedule, bound_s, limit_s, _FOR_EVER if patient else 2)


def _with_threads(
    harness: ConcurrentHarness,
    meter: RivalMeter,
    program: Program,
    schedule: str,
    bound_s: float,
    limit_s: float,
    polls: int,
) -> Run | None:
    harness.begin()
    clients = [ClientThread(SUBJECT, harness, program.subject)]
    reached: set[str] = set()

    def start() -> None:
        rival = ClientThread(RIVAL, harness, program.rival)
        clients.append(rival)
        rival.start()
        reached.add(GOT_IN if wait_for(rival, bound_s, polls) else WAITED)

    meter.start, meter.armed = start, True
    clients[0].start()
    if not harness.ended(clients[:1], limit_s) or not harness.ended(clients, limit_s):
        return Run(schedule, harness.history(), trouble=Trouble.HANG, where=stuck(clients))
    meter.armed = False
    if reached and (where := harness.concluded(limit_s)) is not None:
        return Run(schedule, harness.history(), trouble=Trouble.HANG, where=where)
    harness.close()
    return _run(harness, schedule, meter, reached)


def _run(harness: ConcurrentHarness, schedule: str, meter: RivalMeter, reached: set[str]) -> Run | None:
    if not reached:
        return None
    return Run(schedule, harness.history(), where=meter.place, reached=frozenset(reached))


async def _with_tasks(
    harness: ConcurrentHarness, meter: RivalMeter, program: Program, schedule: str, bound_s: float, limit_s: float
) -> Run | None:
    """On an event loop the rival is a task. It gets in at the next await, or at once where a thread asks the meter."""
    loop, here = asyncio.get_running_loop(), threading.get_ident()
    tasks: list[asyncio.Task[Any]] = []
    reached: set[str] = set()

    def start() -> None:
        done = threading.Event()

        def begin() -> None:
            tasks.append(loop.create_task(harness.aperform_all(RIVAL, program.rival)))
            tasks[-1].add_done_callback(lambda task: done.set())

        if threading.get_ident() == here:
            begin()
            reached.add(WAITED)
        else:
            loop.call_soon_threadsafe(begin)
            reached.add(GOT_IN if done.wait(bound_s) else WAITED)

    harness.build()
    await harness.abegin()
    meter.start, meter.armed = start, True
    tasks.append(loop.create_task(harness.aperform_all(SUBJECT, program.subject)))
    if not await harness.aended(tasks[:1], limit_s) or not await harness.aended(tasks, limit_s):
        return Run(schedule, harness.history(), trouble=Trouble.HANG, where="a task waits for ever")
    meter.armed = False
    if reached and not await harness.aconcluded(limit_s):
        return Run(schedule, harness.history(), trouble=Trouble.HANG, where="a task waits for ever")
    await harness.aclose()
    return _run(harness, schedule, meter, reached)
