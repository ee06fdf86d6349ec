"""One unit of work in this process: its histories, the first break of each requirement, the goals reached."""

from __future__ import annotations

import time
import weakref
from collections.abc import Callable, Iterable
from typing import Any

from basebound.core.trace import Trace
from basebound.lenses.box import families as box
from basebound.lenses.proofs import lens as proofs
from basebound.lenses.proofs.results import Result
from basebound.lenses.scenarios import scenarios
from basebound.lenses.schedules import lens as schedules
from basebound.lenses.search.machine import SearchPlan, search
from basebound.lenses.types import lens as types
from basebound.run.explain import localised
from basebound.run.messages import Described, Finished, Found, Progress, Shown
from basebound.run.units import AMOUNTS, Unit
from basebound.session.session import History, RunContext, run
from basebound.session.time_budget import TimeBudget
from basebound.targets.driver import Watch
from basebound.targets.functions import gate_function
from basebound.targets.loading import Target

Tell = Callable[[Found | Progress | Finished | Shown], None]
_PROGRESS_EVERY = 0.2
_SCENARIO_PATIENCE = 40
"""Scenarios are few and reach every goal, so that a slow target is given this many times longer for them.

So are the cases of the family ``large``: each is one of a kind.
"""


class Work:
    """Does units on one target. ``claims`` are the profiles the oracle holds the engine to."""

    def __init__(self, target: Target, watch: Watch, tell: Tell) -> None:
        self._target, self._watch, self._tell = target, watch, tell
        self.context = RunContext(target, target.profiles, watch=watch)
        self._abilities: frozenset[str] = frozenset()
        self._proved: tuple[Result, ...] = ()
        self._typed: dict[str, dict[str, Any]] = {}
        factory: Any = target.factory
        if target.piped:
            factory.tie()
            weakref.finalize(self, factory.close)

    def do(self, unit: Unit, enough: Callable[[Found], bool] = lambda found: False) -> bool:
        """Do ``unit`` to its end, or until ``enough`` has been found, and tell what it finds; says whether it was."""
        self.context = RunContext(self._target, self._target.profiles, self.context.loop, self._watch)
        seen: set[str] = set()
        told_at, stop = 0.0, False

        def ended(history: History) -> bool:
            nonlocal told_at, stop
            for found in self._news(unit, history, seen) if history.findings else ():
                self._tell(found)
                stop = stop or enough(found)
            now = time.monotonic()
            if now - told_at > _PROGRESS_EVERY:
                told_at = now
                self._tell(Progress(unit, self.context.runs, self.context.steps))
            return stop

        lenses = {
            "scenarios": self._scenarios,
            "box": self._box,
            "search": self._search,
            "schedules": self._schedules,
            "proofs": self._proofs,
            "types": self._types,
        }
        self._proved, self._typed = (), {}
        note = lenses[unit.lens](unit, ended)
        done = (self.context.runs, self.context.steps, frozenset(self.context.goals), note, self._able())
        self._tell(Finished(unit, *done, self._proved, self._typed))
        return stop

    def _news(self, unit: Unit, history: History, seen: set[str]) -> list[Found]:
        """The first break of each requirement in this unit."""
        steps = self.context.steps
        if all(finding.requirement in seen or (finding.ambiguous and seen) for finding in history.findings):
            return []
        news = []
        for finding, trace in localised(self.context, history):
            if finding.requirement not in seen:
                seen.add(finding.requirement)
                news.append(Found(unit, finding, trace, steps))
        return news

    def _scenarios(self, unit: Unit, ended: Callable[[History], bool]) -> str:
        seconds = _SCENARIO_PATIENCE * AMOUNTS[unit.effort].seconds
        return self._cases(scenarios.fitting(self._target, self.context.claims), seconds, ended)

    def _box(self, unit: Unit, ended: Callable[[History], bool]) -> str:
        gate = isinstance(self._target.factory, gate_function)
        families = box.families(box.WORLDS[unit.effort], self.context.claims, gate, self._target.piped)
        meters = self._target.meters
        traces = (t for t in families.get(unit.shard, ()) if meters is None or t.meter in meters)
        patience = _SCENARIO_PATIENCE if unit.shard == "large" else 1
        return self._cases(traces, patience * AMOUNTS[unit.effort].seconds, ended)

    def _cases(self, traces: Iterable[Trace], seconds: float, ended: Callable[[History], bool]) -> str:
        patience = TimeBudget(seconds)
        for number, trace in enumerate(traces):
            if patience.over:
                return _out_of_time(f"{number} cases", seconds)
            if ended(run(self.context, trace)):
                break
        return ""

    def _schedules(self, unit: Unit, ended: Callable[[History], bool]) -> str:
        """Clients meet; each break is told in full at once, since only its own schedule shows it again."""
        if "atomic" not in self.context.claims:
            return ""
        found = schedules.look(self._target, unit.effort, unit.seed)
        self.context.goals |= schedules.goals(found)
        self.context.runs += found.runs.total()
        self._abilities = schedules.abilities(found)
        for requirement, meeting in found.findings.items():
            shown = schedules.counterexample(requirement, meeting, self.context.runs)
            self._tell(Shown(unit, shown))
        undecided = len(found.undecided)
        return f"{undecided} histories could not be judged in the time allowed" if undecided else ""

    def _proofs(self, unit: Unit, ended: Callable[[History], bool]) -> str:
        """What is refuted is run as a history, and judged by the oracle like any other."""
        if self._target.piped:
            return ""
        self._tell(Progress(unit, 0, 0))
        report = proofs.look(self._target, unit.effort, unit.shard)
        self._proved = report.results
        for refuted in report.refuted:
            if ended(run(self.context, refuted.trace)):
                break
        return proofs.note(report)

    def _types(self, unit: Unit, ended: Callable[[History], bool]) -> str:
        if self._target.piped:
            return ""
        report = types.look(self._target)
        self._typed = types.evidence(report)
        return types.note(report)

    def _able(self) -> frozenset[str]:
        return self._abilities | ({"measures"} if self.context.measures else frozenset())

    def _search(self, unit: Unit, ended: Callable[[History], bool]) -> str:
        amount = AMOUNTS[unit.effort]
        plan = SearchPlan(amount.runs, amount.steps, amount.seconds, unit.backend)
        runs = search(self.context, plan, unit.seed, ended)
        return "" if runs >= amount.runs else _out_of_time(f"{runs} of {amount.runs} runs", amount.seconds)


def _out_of_time(done: str, seconds: float) -> str:
    """Where this stops is the clock's choice: the one part of a check that a seed does not fix."""
    return f"ran {done} in the {seconds:g} s it has (slow engine or busy machine); a higher --effort allows more"


def described(target: Target) -> Described:
    """What the parent process is told of a target."""
    limits = (target.inserts, target.max_hunks, target.asynchronous)
    return Described(target.name, target.profiles, *limits, target.pure, target.source)
