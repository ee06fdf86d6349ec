"""Lens ``schedules``: clients of one engine meet, and what each saw must have an order.

From cheap to deep: faults injected in the middle of an operation, a rival started by the meter, tasks paused at each
of their steps, threads paused at each of their lines, real threads under stress.
"""

from __future__ import annotations

from typing import Final, cast

from basebound.core.register import requirements
from basebound.core.trace import Trace
from basebound.history import operation_row
from basebound.history.order_verdict import Illegal
from basebound.lenses.declaration import Lens, UnitRun
from basebound.lenses.efforts import Effort
from basebound.lenses.schedules import faults
from basebound.lenses.schedules.findings import ConcurrentFinding
from basebound.lenses.schedules.survey import Survey, survey
from basebound.results.counterexample import ConcurrentHistory, Counterexample
from basebound.results.finding import Finding
from basebound.results.unit import Unit

ALLOWED = "answers that some order of the calls explains, one at a time and in real time"
ASKS_METER = "asks-meter"


def _units(effort: str, seed: int, backend: str) -> list[Unit]:
    return [Unit("schedules", "all", effort, seed)]


def _run(work: UnitRun) -> str:
    """Each break is told in full at once, since only its own schedule shows it again."""
    if "atomic" not in work.context.claims:
        return ""
    found = survey(work.target.factory, cast(Effort, work.unit.effort), work.unit.seed)
    work.context.goals |= goals(found)
    work.context.runs += found.runs.total()
    work.abilities |= abilities(found)
    for requirement, meeting in found.findings.items():
        work.show(counterexample(requirement, meeting, work.context.runs))
    undecided = len(found.undecided)
    return f"{undecided} histories could not be judged in the time allowed" if undecided else ""


def goals(found: Survey) -> set[tuple[str, str]]:
    """The goals of the profile that the survey has reached."""
    rows = [row for row in requirements() if row.profile == "atomic"]
    return {(row.id, goal.name) for row in rows for goal in row.goals if goal.name in found.reached}


def abilities(found: Survey) -> frozenset[str]:
    """What the engine turned out to do: ask the meter in the middle of an operation, or wait at an await."""
    seen = {ASKS_METER: faults.RAISED, "async": faults.CANCELLED}
    return frozenset(ability for ability, goal in seen.items() if goal in found.reached)


def counterexample(requirement: str, found: ConcurrentFinding, steps: int) -> Counterexample:
    """The meeting that breaks ``requirement``, drawn as lanes, with the schedule that replays it."""
    run = found.run
    blame = next(one for one in found.broken if one.requirement == requirement)
    verdict = found.verdict
    rows = tuple(operation_row(operation) for operation in run.history.operations)
    culprits: tuple[int, ...] = ()
    if isinstance(verdict, Illegal):
        ids = {id(operation) for operation in verdict.culprits}
        culprits = tuple(n for n, operation in enumerate(run.history.operations) if id(operation) in ids)
    met = ConcurrentHistory(rows, found.drawn(), run.schedule, culprits)
    trace = Trace(run.history.lines, about={"schedule": run.schedule})
    finding = Finding(requirement, -1, ALLOWED, blame.sentence)
    repeats = "always" if run.exact else "sometimes"
    return Counterexample(requirement, trace, (), finding, "schedules", steps, repeats=repeats, concurrent=met)


LENS: Final = Lens("schedules", _units, _run, goals="schedules")
