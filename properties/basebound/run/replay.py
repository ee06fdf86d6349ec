"""Running one trace again: what each step comes to, what breaks, and which of its own expectations are not met."""

from __future__ import annotations

from collections.abc import Callable

from basebound.core.meters import meter
from basebound.core.trace import APPLIED, Apply, Expect, Gate, Trace
from basebound.errors import UsageError
from basebound.lenses import schedules
from basebound.lenses.schedules.lens import ALLOWED
from basebound.model import Snapshot
from basebound.results.finding import Finding
from basebound.results.outcome import Refused, Returned, outcome_text
from basebound.results.steps import ExecutedStep
from basebound.run.messages import Event, Replay, Replayed
from basebound.run.pool import Died, Pool
from basebound.session.session import RunContext, Session


def replay(context: RunContext, trace: Trace) -> Replayed:
    """Run ``trace`` on a new engine of the desk's target; one that names a schedule is run by it."""
    schedule = trace.about.get("schedule")
    if isinstance(schedule, str):
        return _met(context, schedule)
    session = Session(context, trace, detailed=True)
    for step in trace.steps:
        session.do(step)
    history = session.close()
    unmet = [(n, text) for n, entry in enumerate(history.steps) if (text := _unmet(entry))]
    return Replayed(tuple(history.steps), tuple(history.findings), tuple(unmet))


def _met(context: RunContext, schedule: str) -> Replayed:
    run = schedules.replay(context.target.factory, schedule)
    if run is None:
        raise UsageError(
            "schedule-outdated",
            f"the engine has no such place any more: {schedule}",
            "check it again for a new schedule",
        )
    found = schedules.finding(run)
    if not isinstance(found, schedules.ConcurrentFinding):
        return Replayed((), ())
    findings = tuple(Finding(one.requirement, -1, ALLOWED, one.sentence) for one in found.broken)
    return Replayed((), findings, drawing=found.drawn())


def _unmet(entry: ExecutedStep) -> str:
    step, outcome = entry.step, entry.outcome
    if isinstance(step, (Apply, Gate)) and step.expect is not None:
        seen = APPLIED if isinstance(outcome, Returned) else str(outcome.reason) if isinstance(outcome, Refused) else ""
        return "" if seen == step.expect else f"expected {step.expect}, seen {seen or outcome_text(outcome)}"
    if isinstance(step, Expect) and isinstance(outcome, Returned) and isinstance(outcome.value, Snapshot):
        lines = outcome.value.lines
        return "" if lines == step.lines else f"expected the lines {list(step.lines)}, seen {list(lines)}"
    return ""


def replay_on(target: str, trace: Trace, seconds: float, note: Callable[[str], None]) -> Replayed | Died:
    """Run ``trace`` on the target of that name in a process of its own."""
    meter(trace.meter)
    if any(isinstance(step, Gate) for step in trace.steps) and target == "reference":
        raise UsageError(
            "trace-needs-gate", "the trace calls a pure gate", "replay it on a target made by gate_function"
        )
    ended: list[Replayed | Died] = []

    def hear(event: Event | Died) -> bool:
        if isinstance(event, (Replayed, Died)):
            ended.append(event)
        return False

    with Pool(target, 1, seconds) as pool:
        described = pool.describe()
        note(f"{described.name} claims {', '.join(sorted(described.profiles))}")
        pool.run([Replay(trace)], hear)
    return ended[0]
