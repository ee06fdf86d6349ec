"""Reducing a history that the process does not survive: each candidate runs in a fork of its own."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import replace

from basebound.core.trace import Trace
from basebound.results.claims import claimed
from basebound.results.counterexample import Counterexample
from basebound.results.finding import Finding
from basebound.results.outcome import Malformed, Raised
from basebound.results.steps import ExecutedStep
from basebound.run.work import described
from basebound.session.reduce import reduce
from basebound.session.session import RunContext, Session
from basebound.targets.driver import Unwatched

_SECONDS = 10.0
_CAME_BACK = 113
"""How a candidate that ends nothing leaves; a status that no target is likely to choose."""
_PATIENCE = 0.5
"""How long a candidate may take: short, since the bound itself is long and most candidates come back at once."""


def reduce_death(context: RunContext, found: Counterexample) -> tuple[Counterexample, ...]:
    """The smallest history found that still ends, or hangs, the process; the last step told is the fatal one.

    It breaks what ``found`` says. Where the target does not claim that, as a pure gate does not claim ``base``, it
    breaks what the fatal step was due to come to, as an exception in its place would.
    """

    def keeps(candidate: Trace) -> Trace | None:
        return candidate if _dies(context, candidate) else None

    repeated = keeps(found.trace) is not None
    judged = found.requirement in {row.id for row in claimed(described(context.target), context.claims)}
    if judged and not repeated:
        return (replace(found, repeats="once"),)
    trace = reduce(found.trace, keeps, _SECONDS, most=150) if repeated else found.trace
    if not trace.steps:
        return (replace(found, trace=trace),)
    told, expected = _told(context, trace, found.finding.seen)
    findings = [replace(found.finding, step=len(trace.steps) - 1)] if judged else expected
    repeats = "always" if repeated else "once"
    return tuple(
        replace(found, requirement=finding.requirement, trace=trace, steps=told, finding=finding, repeats=repeats)
        for finding in findings
    )


def _dies(context: RunContext, trace: Trace) -> bool:
    child = os.fork()
    if child == 0:
        _run_and_leave(context, trace)
    deadline = time.monotonic() + _PATIENCE
    while time.monotonic() < deadline:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status) != _CAME_BACK
        time.sleep(0.002)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return True


def _run_and_leave(context: RunContext, trace: Trace) -> None:
    """In the child: nothing may be sent or written on behalf of the parent.

    What a session does not catch, such as a ``KeyboardInterrupt`` of the target's, ends the process.
    """
    status = 1
    try:
        session = Session(replace(context, watch=Unwatched()), trace)
        for step in trace.steps:
            session.do(step)
        status = _CAME_BACK
    except Exception:  # ours, and no end of the process
        status = _CAME_BACK
    finally:
        os._exit(status)


def _told(context: RunContext, trace: Trace, said: str) -> tuple[tuple[ExecutedStep, ...], list[Finding]]:
    """What each step comes to, the fatal last one as it was ``said``, and what that one breaks."""
    session = Session(replace(context, watch=Unwatched()), trace, detailed=True)
    for step in trace.steps[:-1]:
        session.do(step)
    fatal, lines = trace.steps[-1], session.lines
    expected = session.oracle.judge(fatal, Raised(said))
    session.close()
    return (*session.history.steps, ExecutedStep(fatal, Malformed(said), lines)), expected
