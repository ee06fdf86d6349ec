"""Reducing a history that the process does not survive: each candidate runs in a fork of its own."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import replace

from basebound.lenses.reduce import reduce
from basebound.lenses.session import Desk, Session, Told
from basebound.oracle import Returned
from basebound.run.events import Counterexample
from basebound.targets.driver import Unwatched
from basebound.trace import Trace

_SECONDS = 10.0
_PATIENCE = 0.5
"""How long a candidate may take: short, since the bound itself is long and most candidates come back at once."""


def reduce_death(desk: Desk, found: Counterexample) -> Counterexample:
    """The smallest history found that still ends, or hangs, the process; the last step told is the fatal one."""

    def keeps(candidate: Trace) -> Trace | None:
        return candidate if _dies(desk, candidate) else None

    if keeps(found.trace) is None:
        return replace(found, repeats="once")
    trace = reduce(found.trace, keeps, _SECONDS, most=150)
    told = _told(desk, trace)
    return replace(found, trace=trace, told=told, finding=replace(found.finding, step=len(trace.steps) - 1))


def _dies(desk: Desk, trace: Trace) -> bool:
    child = os.fork()
    if child == 0:
        _run_and_leave(desk, trace)
    deadline = time.monotonic() + _PATIENCE
    while time.monotonic() < deadline:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return status != 0
        time.sleep(0.002)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return True


def _run_and_leave(desk: Desk, trace: Trace) -> None:
    """In the child: nothing may be sent or written on behalf of the parent."""
    try:
        session = Session(replace(desk, watch=Unwatched()), trace)
        for step in trace.steps:
            session.do(step)
    finally:
        os._exit(0)


def _told(desk: Desk, trace: Trace) -> tuple[Told, ...]:
    """What each step but the fatal last one comes to."""
    session = Session(replace(desk, watch=Unwatched()), replace(trace, steps=trace.steps[:-1]), detailed=True)
    for step in trace.steps[:-1]:
        session.do(step)
    lines = session.lines
    session.close()
    return (*session.history.told, *(Told(step, Returned(), lines) for step in trace.steps[-1:]))
