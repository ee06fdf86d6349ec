"""A whole check: units out, events in, one verdict."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from basebound.core.register import Role, by_id, spec_version, with_role
from basebound.core.trace import Trace
from basebound.errors import UsageError
from basebound.lenses.proofs import lens as proofs
from basebound.model import PROFILES
from basebound.oracle import Finding
from basebound.run.messages import Counterexample, Described, Event, Explained, Finished, Found, Progress, Shown
from basebound.run.pool import Died, Order, Pool
from basebound.run.units import EFFORTS, LENSES, RUNNING, Unit, units
from basebound.run.verdict import Verdict, claimed, judge, tally

_DEATHS_BORNE = 3


@dataclass(frozen=True)
class Options:
    """What a check is asked. ``profiles`` and ``lenses`` empty mean all; ``seconds`` bounds one call of the target."""

    effort: str = "default"
    seed: int = 0
    profiles: tuple[str, ...] = ()
    lenses: tuple[str, ...] = ()
    jobs: int = field(default_factory=lambda: os.cpu_count() or 1)
    seconds: float = 10.0
    backend: str = "hypothesis"


@dataclass(frozen=True)
class Status:
    """Where a check is: units done of all, runs and steps so far, and the requirements found broken."""

    done: int
    units: int
    runs: int
    steps: int
    broken: int
    doing: str


def check(target: str, options: Options, show: Callable[[Status], None] = lambda status: None) -> Verdict:
    """Judge ``target``; raises ``TargetError`` or ``UsageError`` for what cannot be judged."""
    began = time.monotonic()
    if options.effort not in EFFORTS:
        raise UsageError(f"there is no effort {options.effort!r}", f"the efforts are {', '.join(EFFORTS)}")
    with Pool(target, max(1, options.jobs), options.seconds) as pool:
        described = pool.describe()
        profiles = _profiles(described, options.profiles)
        work = units(options.effort, options.seed, options.lenses or LENSES, options.backend)
        collector = _Collector(work if claimed(described, profiles) else [], show)
        pool.run(collector.units, collector.hear)
        broken = _explained(pool, collector, described, profiles)
        notes = tuple(_notes(pool, collector)) if collector.units else (_nothing_to_judge(profiles),)
    tallies = tally(collector.finished)
    judged = judge(described, profiles, tallies, broken)
    elapsed = time.monotonic() - began
    return Verdict(described, options.effort, options.seed, profiles, judged, tallies, elapsed, notes)


def _profiles(target: Described, asked: tuple[str, ...]) -> frozenset[str]:
    for profile in asked:
        if profile not in PROFILES:
            raise UsageError(f"there is no profile {profile!r}", f"the profiles are {', '.join(PROFILES)}")
        if profile not in target.profiles:
            claims = ", ".join(sorted(target.profiles))
            fix = f"ask for one it claims ({claims}), or let its `profiles` claim {profile}"
            raise UsageError(f"{target.name} does not claim the profile {profile}", fix)
    return frozenset(asked) or target.profiles


class _Collector:
    """Collects what the units tell; the order of the units, not of the answers, decides what is reported."""

    def __init__(self, work: list[Unit], show: Callable[[Status], None]) -> None:
        self.units, self._show = work, show
        self.finished: list[Finished] = []
        self.found: dict[str, dict[int, Found]] = {}
        self.shown: dict[str, Counterexample] = {}
        self.deaths: list[Died] = []
        self._running: dict[Unit, Progress] = {}

    def hear(self, event: Event | Died) -> bool:
        match event:
            case Found(unit, finding):
                self.found.setdefault(finding.requirement, {})[self.units.index(unit)] = event
            case Shown(_, counterexample):
                self.shown.setdefault(counterexample.requirement, counterexample)
            case Progress(unit):
                self._running[unit] = event
            case Finished(unit):
                self.finished.append(event)
                self._running.pop(unit, None)
            case Died(order):
                self.deaths.append(event)
                if isinstance(order, Unit):
                    self._running.pop(order, None)
        self._show(self.status())
        return len(self.deaths) >= _DEATHS_BORNE

    def status(self) -> Status:
        parts: list[Finished | Progress] = [*self.finished, *self._running.values()]
        doing = ", ".join(sorted({unit.lens for unit in self._running}))
        runs, steps = sum(part.runs for part in parts), sum(part.steps for part in parts)
        broken = len({*self.found, *self.shown}) + bool(self.deaths)
        return Status(len(self.finished) + len(self.deaths), len(self.units), runs, steps, broken, doing)

    def first(self) -> dict[str, Found]:
        """For each broken requirement the shortest of what the units found; of equals the earliest unit's."""
        return {name: min(by_unit.items(), key=_length)[1] for name, by_unit in self.found.items()}


def _length(numbered: tuple[int, Found]) -> tuple[int, int, int]:
    number, found = numbered
    return len(found.trace.steps), len(found.trace.lines), number


def _explained(
    pool: Pool, collector: _Collector, target: Described, profiles: frozenset[str]
) -> dict[str, Counterexample]:
    """Reduced counterexamples of what is claimed, asked for and broken."""
    orders: list[Order] = [
        found
        for name, found in collector.first().items()
        if by_id()[name].profile in profiles & target.profiles and by_id()[name].is_decided_by(target.pure)
    ]
    told = {
        name: shown for name, shown in collector.shown.items() if by_id()[name].profile in profiles & target.profiles
    }
    lost: list[Died] = []
    if collector.deaths:
        orders.append(_fatal(collector.deaths[0]))

    def hear(event: Event | Died) -> bool:
        if isinstance(event, Explained):
            for one in event.counterexamples:
                known = told.get(one.requirement)
                if known is None or len(one.trace.steps) < len(known.trace.steps):
                    told[one.requirement] = one
        elif isinstance(event, Died):
            lost.append(event)
        return False

    pool.run(orders, hear)
    for died in lost:
        for one in _without_reduction(died):
            told.setdefault(one.requirement, one)
    return dict(sorted(told.items()))


def _without_reduction(died: Died) -> list[Counterexample]:
    """What is known of an order during which the target ended its process."""
    if isinstance(died.order, Found):
        found = died.order
        finding, lens = found.finding, found.unit.lens
        return [Counterexample(finding.requirement, found.trace, (), finding, lens, found.steps, repeats="once")]
    return [died.order] if isinstance(died.order, Counterexample) else [_fatal(died)]


def _fatal(died: Died) -> Counterexample:
    trace = died.trace or Trace()
    allowed = "an answer within the time bound, from a process that is still there"
    unanswered = with_role(Role.UNANSWERED)
    finding = Finding(unanswered, len(trace.steps) - 1, allowed, died.said)
    lens = died.order.lens if isinstance(died.order, Unit) else ""
    notes: tuple[str, ...] = (f"its last output: {died.printed[-300:]!r}",) if died.printed else ()
    if died.ending.late:
        notes += ("if the call is slow and not stuck, allow it more time with --timeout SECONDS",)
    return Counterexample(unanswered, trace, (), finding, lens, 0, notes=notes)


def _nothing_to_judge(profiles: frozenset[str]) -> str:
    return f"spec {spec_version()} has no requirement of {', '.join(sorted(profiles))} yet: there is nothing to judge"


def _notes(pool: Pool, collector: _Collector) -> list[str]:
    tallies = tally(collector.finished)
    notes = [note for lens in tallies.values() for note in lens.notes]
    if "proofs" in tallies and not set(RUNNING) & set(tallies):
        notes += proofs.alone(tallies["proofs"].proofs)
    if collector.deaths:
        left = len(collector.units) - len(collector.finished)
        notes.append(
            f"{left} of {len(collector.units)} units of work did not finish: the target ended or hung its process"
        )
    size, text = pool.printed()
    if size:
        notes.append(f"the target printed {size} bytes; the last of them: {text[-80:]!r}")
    return notes
