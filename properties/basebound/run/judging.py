"""From events to one verdict, with evidence for every requirement.

A pass names the lenses that ran and how much; what was not exercised is ``inconclusive``, never ``pass``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from basebound.core.register import Requirement, requirements
from basebound.lenses.registry import LENSES, lens
from basebound.results.claims import Described, why_not_claimed
from basebound.results.counterexample import Counterexample
from basebound.results.unit import Finished
from basebound.results.verdict import FAIL, INCONCLUSIVE, NOT_CLAIMED, PASS, Judged, Tally


def tally(finished: Iterable[Finished]) -> dict[str, Tally]:
    """Runs, steps and goals by lens, in the order of the registry."""
    tallies: dict[str, Tally] = {}
    for unit in finished:
        done = tallies.setdefault(unit.unit.lens, Tally())
        done.runs += unit.runs
        done.steps += unit.steps
        done.goals |= unit.goals
        done.abilities |= unit.abilities
        done.vouched += unit.vouched
        if unit.note:
            done.notes.append(f"{unit.unit.lens} {unit.unit.shard}: {unit.note}")
    return {name: tallies[name] for name in LENSES if name in tallies}


def judge(
    target: Described,
    profiles: frozenset[str],
    tallies: dict[str, Tally],
    broken: dict[str, Counterexample],
) -> tuple[Judged, ...]:
    """A verdict for each requirement of the register; ``profiles`` are those the check was asked to judge.

    What a lens vouches for, as a proof, stands in it only where nothing is broken: a proof of one sentence may lean on
    another.
    """
    judged = tuple(_judge(row, target, profiles, tallies, broken.get(row.id)) for row in requirements())
    vouchings = [vouches for name in tallies if (vouches := lens(name).vouches) is not None]
    if any(row.verdict == FAIL and row.requirement.level == "MUST" for row in judged):
        return tuple(_without(row, {vouches.kind for vouches in vouchings}) for row in judged)
    bounded = {vouches.kind for vouches in vouchings if vouches.beside_a_pass}
    return tuple(row if row.verdict == PASS else _without(row, bounded) for row in judged)


def _without(row: Judged, kinds: set[str]) -> Judged:
    return replace(row, evidence=tuple(entry for entry in row.evidence if entry["kind"] not in kinds))


def _judge(
    row: Requirement,
    target: Described,
    profiles: frozenset[str],
    tallies: dict[str, Tally],
    counterexample: Counterexample | None,
) -> Judged:
    note = why_not_claimed(row, target, profiles)
    if note:
        return Judged(row, NOT_CLAIMED, note=note)
    evidence = tuple(_evidence(row, tallies))
    if counterexample is not None:
        return Judged(row, FAIL, evidence, counterexample)
    reached = {goal for done in tallies.values() for goal in done.goals}
    abilities = target.profiles.union(*(done.abilities for done in tallies.values()))
    if not any(goal.within(target.inserts, target.max_hunks, abilities) for goal in row.goals):
        return Judged(row, NOT_CLAIMED, note="the engine never called the meter during a call")
    owed = tuple(
        goal
        for goal in row.goals
        if goal.within(target.inserts, target.max_hunks, abilities) and (row.id, goal.name) not in reached
    )
    return Judged(row, INCONCLUSIVE if owed else PASS, evidence, unreached=owed)


def _evidence(row: Requirement, tallies: dict[str, Tally]) -> Iterable[dict[str, Any]]:
    for name, done in tallies.items():
        declared = lens(name)
        vouched = declared.vouches.rows(done.vouched).get(row.id) if declared.vouches else None
        if declared.vouches and vouched:
            yield {"kind": declared.vouches.kind, "lens": name, **vouched}
        goals = sorted(goal for requirement, goal in done.goals if requirement == row.id)
        if goals:
            yield {"kind": declared.goals, "lens": name, "runs": done.runs, "steps": done.steps, "goals": goals}
