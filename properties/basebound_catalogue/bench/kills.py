"""The kill matrix: every faulty engine of the catalogue against the requirement it names.

Beside it: no correct engine may be reported, and no engine that does no work may pass a MUST that has
content. A check that cannot fail, or that cries wolf, shows here.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from basebound.core.register import Goal, Requirement, Role, by_id, requirements, with_role
from basebound.lenses.registry import playing, units
from basebound.results.counterexample import Counterexample
from basebound.run.messages import Event, Explained, Found, Hunt, Hunted
from basebound.run.pool import Died, Order, Pool
from basebound_catalogue import CORRECT, FAULTS, VACUOUS, Fault

_SECONDS = 5.0
UNANSWERED, REMEMBERED = with_role(Role.UNANSWERED), with_role(Role.REMEMBERED_REFUSAL)


@dataclass(frozen=True)
class Kill:
    """One fault under one seed. ``steps`` is None where a hang or an exit cut the count short."""

    fault: Fault
    seed: int
    lens: str | None
    steps: int | None
    broken: tuple[str, ...]

    @property
    def caught(self) -> bool:
        return self.lens is not None


@dataclass(frozen=True)
class ControlRun:
    """One correct engine under one seed: the MUST requirements reported against it, and those left open."""

    id: str
    seed: int
    steps: int
    accused: tuple[str, ...]
    open: tuple[str, ...]


@dataclass(frozen=True)
class VacuousRun:
    """One engine that does no work, and the MUST requirements it passes all the same."""

    id: str
    passed: tuple[str, ...]


def kills(
    effort: str,
    seeds: Iterable[int],
    jobs: int,
    heard: Callable[[Kill], None] = lambda kill: None,
    faults: Iterable[Fault] = FAULTS,
    lenses: tuple[str, ...] = (),
) -> list[Kill]:
    """Hunt each fault with each seed, until the requirement it names is found broken."""
    by_name = {f"fault:{fault.id}": fault for fault in faults}
    found: list[Kill] = []

    def hear(hunt: Hunt, ended: Hunted | Died) -> None:
        fault = by_name[hunt.target]
        if isinstance(ended, Died):
            lens = "search" if fault.requirement == UNANSWERED else None
            kill = Kill(fault, hunt.seed, lens, None, (UNANSWERED,))
        else:
            kill = Kill(fault, hunt.seed, ended.lens, ended.steps, ended.broken)
        found.append(kill)
        heard(kill)

    hunts = [Hunt(name, fault.requirement, effort, seed, lenses) for seed in seeds for name, fault in by_name.items()]
    hunt_each(hunts, jobs, hear)
    return found


def false_positive_controls(
    effort: str,
    seeds: Iterable[int],
    jobs: int,
    ids: Iterable[str] | None = None,
    lenses: tuple[str, ...] = (),
) -> list[ControlRun]:
    """Look at each correct engine with the whole of an effort, through ``lenses``, or all that run histories."""
    found: list[ControlRun] = []

    def hear(hunt: Hunt, ended: Hunted | Died) -> None:
        name = hunt.target.partition(":")[2]
        if isinstance(ended, Died):
            found.append(ControlRun(name, hunt.seed, 0, (UNANSWERED,), ()))
            return
        accused = [
            r for r in ended.broken if by_id()[r].level == "MUST" and by_id()[r].profile in ended.target.profiles
        ]
        found.append(ControlRun(name, hunt.seed, ended.steps, tuple(accused), _open(ended)))

    chosen = [correct.id for correct in CORRECT if ids is None or correct.id in ids]
    hunt_each([Hunt(f"correct:{name}", None, effort, seed, lenses) for seed in seeds for name in chosen], jobs, hear)
    return found


def vacuous_engines(effort: str, jobs: int, lenses: tuple[str, ...] = ()) -> list[VacuousRun]:
    """What each engine that does no work passes, through ``lenses``, or all that run histories."""
    found: list[VacuousRun] = []

    def hear(hunt: Hunt, ended: Hunted | Died) -> None:
        name = hunt.target.partition(":")[2]
        if isinstance(ended, Died):
            found.append(VacuousRun(name, ()))
            return
        owed = {*_open(ended), *ended.broken}
        found.append(VacuousRun(name, tuple(row.id for row, _ in _asked(ended) if row.id not in owed)))

    hunt_each([Hunt(f"free-pass:{engine.id}", None, effort, 0, lenses) for engine in VACUOUS], jobs, hear)
    return found


def _open(ended: Hunted) -> tuple[str, ...]:
    return tuple(
        row.id for row, goals in _asked(ended) if any((row.id, goal.name) not in ended.goals for goal in goals)
    )


def _asked(ended: Hunted) -> Iterator[tuple[Requirement, list[Goal]]]:
    """The MUST requirements that the target was judged by, each with its goals within the target's limits."""
    target = ended.target
    for row in requirements():
        goals = [
            goal
            for goal in row.goals
            if goal.within(target.inserts, target.max_hunks, ended.abilities | target.profiles)
        ]
        if row.level == "MUST" and row.profile in target.profiles and goals:
            yield row, goals


def hunt_each(hunts: list[Hunt], jobs: int, hear: Callable[[Hunt, Hunted | Died], None]) -> None:
    def listen(event: Event | Died) -> bool:
        if isinstance(event, Hunted):
            hear(event.hunt, event)
        elif isinstance(event, Died) and isinstance(event.order, Hunt):
            hear(event.order, event)
        return False

    with Pool("reference", jobs, _SECONDS) as pool:
        pool.describe()
        pool.run(hunts, listen)


def first_kill(fault: Fault, effort: str = "default") -> Counterexample | None:
    """The reduced counterexample of a fault's requirement, as a check of it would report."""
    orders: list[Order] = []
    explained: list[Counterexample] = []

    def hear(event: Event | Died) -> bool:
        if isinstance(event, Found) and (
            event.counterexample.requirement == fault.requirement or fault.requirement == REMEMBERED
        ):
            orders.append(event)
        elif isinstance(event, Explained):
            explained.extend(one for one in event.counterexamples if one.requirement == fault.requirement)
        return bool(orders)

    with Pool(f"fault:{fault.id}", 1, _SECONDS) as pool:
        pool.describe()
        for unit in units(effort, 0, playing()):
            pool.run([unit], hear)
            pool.run(orders, hear)
            if explained:
                return explained[0]
            orders.clear()
    return None


def summary(found: list[Kill]) -> dict[str, Any]:
    """The matrix as plain data: a row a fault, and the figures over all of them."""
    rows: list[dict[str, Any]] = []
    for fault in dict.fromkeys(kill.fault for kill in found):
        mine = [kill for kill in found if kill.fault == fault]
        steps = [kill.steps for kill in mine if kill.caught and kill.steps is not None]
        rows.append(
            {
                "fault": fault.id,
                "requirement": fault.requirement,
                "caught": sum(kill.caught for kill in mine),
                "seeds": len(mine),
                "lens": sorted({kill.lens for kill in mine if kill.lens}),
                "steps": round(statistics.median(steps)) if steps else None,
                "also": sorted({other for kill in mine for other in kill.broken if other != fault.requirement}),
            }
        )
    medians = [row["steps"] for row in rows if isinstance(row["steps"], int)]
    return {
        "faults": rows,
        "caught": sum(row["caught"] == row["seeds"] for row in rows),
        "of": len(rows),
        "median_steps": statistics.median(medians) if medians else None,
        "worst_steps": max(medians, default=None),
    }
