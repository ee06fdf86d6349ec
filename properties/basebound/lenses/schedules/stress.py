"""Short rounds on real threads that switch as often as they can; each round's history is judged.

Finds windows that no line of Python shows, and faults that need more than one switch. What it finds is real, but a
round does not run the same way twice: the history is the evidence.
"""

from __future__ import annotations

import asyncio
import sys
import threading
import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from random import Random

from basebound.core.trace import Append, Apply, Read, Step
from basebound.lenses.schedules.harness import (
    LIMIT_S,
    ClientThread,
    ConcurrentHarness,
    Factory,
    Run,
    Trouble,
    is_async,
    stuck,
)
from basebound.lenses.schedules.loops import run_on_loop
from basebound.lenses.schedules.programs import LINES, START
from basebound.model import Hunk

ROUNDS = 60
CLIENTS = 3

_SWITCH_S = 1e-6


def runs(
    factory: Factory,
    seed: int = 0,
    rounds: int = ROUNDS,
    seconds: float = 2.0,
    clients: int = CLIENTS,
    limit_s: float = LIMIT_S,
) -> Generator[Run, None, None]:
    """``rounds`` rounds, or as many as fit into ``seconds``. ``seed`` draws what the clients do."""
    rng = Random(seed)
    until = time.monotonic() + seconds
    for number in range(rounds):
        scripts = [script(rng, f"client {n}") for n in range(clients)]
        run = play(factory, scripts, f"stress {seed} {number}", limit_s)
        yield run
        if run.trouble or time.monotonic() > until:
            return


def replay(factory: Factory, words: list[str]) -> Run | None:
    """``[seed, round]``: the clients do the same again; how their threads mix is the machine's choice."""
    return next(
        (run for run in runs(factory, int(words[0]), int(words[1]) + 1) if run.schedule.split()[1:] == words), None
    )


def play(factory: Factory, scripts: Sequence[tuple[str, Sequence[Step]]], schedule: str, limit_s: float) -> Run:
    """One round: every client does its steps at once."""
    harness = ConcurrentHarness(factory, LINES, clock=time.monotonic_ns)
    harness.build()
    if is_async(harness.engine):
        return run_on_loop(
            _play_tasks(ConcurrentHarness(factory, LINES, clock=time.monotonic_ns), scripts, schedule, limit_s)
        )
    harness.begin()
    barrier = threading.Barrier(len(scripts))
    clients = [ClientThread(name, harness, steps, before=lambda: _wait(barrier)) for name, steps in scripts]
    with _switching():
        for client in clients:
            client.start()
        done = harness.ended(clients, limit_s)
    hangs = harness.concluded(limit_s) if done else stuck(clients)
    if hangs is not None:
        return Run(schedule, harness.history(), False, Trouble.HANG, hangs)
    harness.close()
    return Run(schedule, harness.history(), False)


async def _play_tasks(
    harness: ConcurrentHarness, scripts: Sequence[tuple[str, Sequence[Step]]], schedule: str, limit_s: float
) -> Run:
    harness.build()
    await harness.abegin()
    since = harness.clock()
    tasks = [asyncio.create_task(harness.aperform_all(name, steps, since)) for name, steps in scripts]
    if not await harness.aended(tasks, limit_s) or not await harness.aconcluded(limit_s):
        return Run(schedule, harness.history(), False, Trouble.HANG, "a task waits for ever")
    await harness.aclose()
    return Run(schedule, harness.history(), False)


def _wait(barrier: threading.Barrier) -> None:
    barrier.wait()


@contextmanager
def _switching() -> Iterator[None]:
    """Threads switch as often as the interpreter lets them."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(_SWITCH_S)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


def script(rng: Random, client: str) -> tuple[str, list[Step]]:
    """A few writes of one client, each followed by its read; patches are on what it read last."""
    steps: list[Step] = []
    known, size = START, len(LINES)
    for n in range(3):
        name = f"{client} {n}"
        if rng.random() < 0.4:
            steps.append(Append((f"a line of {name}, long enough that a summary of it frees tokens",)))
        else:
            at = rng.randrange(size)
            steps.append(Apply(known, (Hunk(at, at + 1, (f"patch of {name}",)),)))
        steps.append(Read(name))
        known = name
    return client, steps
