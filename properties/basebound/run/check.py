"""A whole check: units out, events in, one verdict."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from types import MappingProxyType

from basebound.core.register import Role, spec_version, with_role
from basebound.core.trace import Trace
from basebound.errors import UsageError
from basebound.gate.waivers import waive
from basebound.lenses.efforts import EFFORTS
from basebound.lenses.registry import lens, units
from basebound.model import PROFILES
from basebound.results.claims import Described, claimed
from basebound.results.counterexample import Counterexample
from basebound.results.finding import Finding
from basebound.results.unit import Finished, Unit
from basebound.results.verdict import Verdict
from basebound.results.waiver import Waiver
from basebound.run.judging import judge, tally
from basebound.run.known import rerun
from basebound.run.messages import Event, Explained, Found, Progress
from basebound.run.pool import Died, Pool

_DEATHS_BORNE = 3
_LOADING = Unit("load", "", "", 0)
"""What a worker that has no unit is doing."""


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


def check(
    target: str,
    options: Options,
    show: Callable[[Status], None] = lambda status: None,
    *,
    waivers: Sequence[Waiver] = (),
    known: Mapping[str, Trace] = MappingProxyType({}),
) -> Verdict:
    """Judge ``target``; raises ``TargetError`` or ``UsageError`` for what cannot be judged.

    ``known`` are histories that broke a requirement before, by its id: they are run again. So is the history kept with
    a waiver, where the run did not find it broken: what a search finds depends on how far it came.
    """
    began = time.monotonic()
    if options.effort not in EFFORTS:
        raise UsageError(
            "unknown-effort", f"there is no effort {options.effort!r}", f"the efforts are {', '.join(EFFORTS)}"
        )
    with Pool(target, max(1, options.jobs), options.seconds) as pool:
        described = pool.describe()
        profiles = _profiles(described, options.profiles)
        work = units(options.effort, options.seed, options.lenses, options.backend)
        asked = frozenset(row.id for row in claimed(described, profiles))
        collector = _Collector(work if asked else [], show)
        pool.run(collector.units, collector.hear)
        broken = _explained(pool, collector.first(), asked)
        notes = tuple(_notes(pool, collector)) if collector.units else (_nothing_to_judge(profiles),)
    still = rerun(target, [(name, trace) for name, trace in known.items() if name in asked], options.seconds)
    unseen = asked - broken.keys() - still.keys()
    kept = [(one.id, one.trace) for one in waivers if one.trace is not None and one.id in unseen]
    broken = {**rerun(target, kept, options.seconds), **still, **broken}
    tallies = tally(collector.finished)
    judged = judge(described, profiles, tallies, broken)
    elapsed = time.monotonic() - began
    given = (described, options.effort, options.seed, profiles)
    return waive(Verdict(*given, judged, tallies, elapsed, notes, options.lenses), waivers, date.today())


def _profiles(target: Described, asked: tuple[str, ...]) -> frozenset[str]:
    for profile in asked:
        if profile not in PROFILES:
            raise UsageError(
                "unknown-profile", f"there is no profile {profile!r}", f"the profiles are {', '.join(PROFILES)}"
            )
        if profile not in target.profiles:
            claims = ", ".join(sorted(target.profiles))
            fix = f"ask for one it claims ({claims}), or let its `profiles` claim {profile}"
            raise UsageError("profile-not-claimed", f"{target.name} does not claim the profile {profile}", fix)
    return frozenset(asked) or target.profiles


class _Collector:
    """Collects what the units tell; the order of the units, not of the answers, decides what is reported."""

    def __init__(self, work: list[Unit], show: Callable[[Status], None]) -> None:
        self.units, self._show = work, show
        self.finished: list[Finished] = []
        self._found: dict[str, dict[int, Found]] = {}
        self.deaths: list[Died] = []
        self._running: dict[Unit, Progress] = {}

    def hear(self, event: Event | Died) -> bool:
        match event:
            case Found():
                self._add(event)
            case Progress(unit):
                self._running[unit] = event
            case Finished(unit):
                self.finished.append(event)
                self._running.pop(unit, None)
            case Died(order):
                self.deaths.append(event)
                unit = order if isinstance(order, Unit) else _LOADING
                self._running.pop(unit, None)
                self._add(Found(unit, _fatal(event), fatal=True))
        self._show(self.status())
        return len(self.deaths) >= _DEATHS_BORNE

    def _add(self, found: Found) -> None:
        number = self.units.index(found.unit) if found.unit in self.units else len(self.units)
        self._found.setdefault(found.counterexample.requirement, {}).setdefault(number, found)

    def status(self) -> Status:
        parts: list[Finished | Progress] = [*self.finished, *self._running.values()]
        doing = ", ".join(sorted({unit.lens for unit in self._running}))
        runs, steps = sum(part.runs for part in parts), sum(part.steps for part in parts)
        done = len(self.finished) + len(self.deaths)
        return Status(done, len(self.units), runs, steps, len(self._found), doing)

    def first(self) -> list[Found]:
        """For each broken requirement the shortest of what the units found; of equals the earliest unit's."""
        return [min(by_unit.items(), key=_length)[1] for by_unit in self._found.values()]


def _length(numbered: tuple[int, Found]) -> tuple[bool, int, int, int]:
    number, found = numbered
    trace = found.counterexample.trace
    unknown = found.fatal and not trace.steps
    return unknown, len(trace.steps), len(trace.lines), number


def _explained(pool: Pool, found: list[Found], asked: frozenset[str]) -> dict[str, Counterexample]:
    """Counterexamples of what is broken and ``asked``, reduced. What is fatal may turn out to break something asked."""
    told: dict[str, Counterexample] = {}

    def tell(one: Counterexample) -> None:
        known = told.get(one.requirement)
        if known is None or len(one.trace.steps) < len(known.trace.steps):
            told[one.requirement] = one

    lost: list[Died] = []

    def hear(event: Event | Died) -> bool:
        if isinstance(event, Explained):
            for one in event.counterexamples:
                tell(one)
        elif isinstance(event, Died):
            lost.append(event)
        return False

    orders = [one for one in found if one.fatal or one.counterexample.requirement in asked]
    for one in orders:
        if one.counterexample.concurrent is not None:
            tell(one.counterexample)
    pool.run([one for one in orders if one.counterexample.concurrent is None], hear)
    for left in map(_without_reduction, lost):
        told.setdefault(left.requirement, left)
    return dict(sorted(told.items()))


def _without_reduction(died: Died) -> Counterexample:
    """What is known of an order during which the target ended its process."""
    if not isinstance(died.order, Found):
        return _fatal(died)
    found = died.order.counterexample
    return found if died.order.fatal else replace(found, repeats="once")


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
    notes = [note for done in tallies.values() for note in done.notes]
    declared = [lens(name) for name in tallies]
    if not any(one.plays for one in declared):
        notes += [note for one in declared if one.vouches for note in one.vouches.alone(tallies[one.name].vouched)]
    if collector.deaths:
        left = len(collector.units) - len(collector.finished)
        notes.append(
            f"{left} of {len(collector.units)} units of work did not finish: the target ended or hung its process"
        )
    size, text = pool.printed()
    if size:
        notes.append(f"the target printed {size} bytes; the last of them: {text[-80:]!r}")
    return notes
