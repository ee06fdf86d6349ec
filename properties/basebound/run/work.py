"""One unit of work in this process: its histories, the first break of each requirement, the goals reached."""

from __future__ import annotations

import time
import weakref
from collections.abc import Callable
from typing import Any

from basebound.lenses.declaration import UnitRun
from basebound.lenses.registry import LENSES, lens
from basebound.results.claims import Described
from basebound.results.counterexample import Counterexample
from basebound.results.steps import History
from basebound.results.unit import Finished, Unit
from basebound.run.explain import localised
from basebound.run.messages import Found, Progress
from basebound.session.session import RunContext
from basebound.targets.driver import Watch
from basebound.targets.loading import Target

Tell = Callable[[Found | Progress | Finished], None]
_PROGRESS_EVERY = 0.2


class Work:
    """Does units on one target. ``claims`` are the profiles the oracle holds the engine to."""

    def __init__(self, target: Target, watch: Watch, tell: Tell) -> None:
        self._target, self._watch, self._tell = target, watch, tell
        self._lenses = {name: lens(name) for name in LENSES}
        """All from the start: Hypothesis draws constants of loaded modules, no unit may load what another has not."""
        self.context = RunContext(target, target.profiles, watch=watch)
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

        work = UnitRun(
            unit,
            self._target,
            self.context,
            ended,
            lambda counterexample: self._tell(Found(unit, counterexample)),
            lambda: self._tell(Progress(unit, self.context.runs, self.context.steps)),
        )
        note = self._lenses[unit.lens].run(work)
        able = frozenset(work.abilities | ({"measures"} if self.context.measures else set()))
        done = (self.context.runs, self.context.steps, frozenset(self.context.goals), note, able)
        self._tell(Finished(unit, *done, tuple(work.vouched)))
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
                news.append(Found(unit, Counterexample(finding.requirement, trace, (), finding, unit.lens, steps)))
        return news


def described(target: Target) -> Described:
    """What the parent process is told of a target."""
    limits = (target.inserts, target.max_hunks, target.asynchronous)
    return Described(target.name, target.profiles, *limits, target.pure, target.source)
