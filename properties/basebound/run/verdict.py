"""From events to one verdict, with evidence for every requirement.

A pass names the lenses that ran and how much; what was not exercised is ``inconclusive``, never ``pass``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from basebound.core.register import Requirement, requirements
from basebound.lenses.proofs import lens as proofs
from basebound.lenses.types import lens as types
from basebound.results.claims import Described, why_not_claimed
from basebound.results.counterexample import Counterexample
from basebound.results.unit import Finished
from basebound.results.verdict import FAIL, INCONCLUSIVE, NOT_CLAIMED, PASS, Judged, Tally

_VOUCHED = {"proofs": proofs.evidence, "types": types.evidence}


def tally(finished: Iterable[Finished]) -> dict[str, Tally]:
    """Runs, steps and goals by lens."""
    tallies: dict[str, Tally] = {}
    for unit in finished:
        lens = tallies.setdefault(unit.unit.lens, Tally())
        lens.runs += unit.runs
        lens.steps += unit.steps
        lens.goals |= unit.goals
        lens.abilities |= unit.abilities
        lens.vouched += unit.vouched
        if unit.note:
            lens.notes.append(f"{unit.unit.lens} {unit.unit.shard}: {unit.note}")
    return tallies


def judge(
    target: Described,
    profiles: frozenset[str],
    tallies: dict[str, Tally],
    broken: dict[str, Counterexample],
) -> tuple[Judged, ...]:
    """A verdict for each requirement of the register; ``profiles`` are those the check was asked to judge.

    What is proved and what is typed stands in it only where nothing is broken: a proof of one sentence may lean on
    another. A proof also stands only beside the histories of a pass, which go on where its bounds end.
    """
    judged = tuple(_judge(row, target, profiles, tallies, broken.get(row.id)) for row in requirements())
    if any(row.verdict == FAIL and row.requirement.level == "MUST" for row in judged):
        return tuple(_without(row, "proved", "typed") for row in judged)
    return tuple(row if row.verdict == PASS else _without(row, "proved") for row in judged)


def _without(row: Judged, *kinds: str) -> Judged:
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
    reached = {goal for lens in tallies.values() for goal in lens.goals}
    abilities = target.profiles.union(*(lens.abilities for lens in tallies.values()))
    if not any(goal.within(target.inserts, target.max_hunks, abilities) for goal in row.goals):
        return Judged(row, NOT_CLAIMED, note="the engine never called the meter during a call")
    owed = tuple(
        goal
        for goal in row.goals
        if goal.within(target.inserts, target.max_hunks, abilities) and (row.id, goal.name) not in reached
    )
    return Judged(row, INCONCLUSIVE if owed else PASS, evidence, unreached=owed)


def _evidence(row: Requirement, tallies: dict[str, Tally]) -> Iterable[dict[str, Any]]:
    for lens, done in tallies.items():
        vouched = _VOUCHED[lens](done.vouched) if lens in _VOUCHED else {}
        if row.id in vouched:
            yield vouched[row.id]
        goals = sorted(name for requirement, name in done.goals if requirement == row.id)
        if not goals:
            continue
        kind = {"scenarios": "scenario", "schedules": "schedules"}.get(lens, "searched")
        yield {"kind": kind, "lens": lens, "runs": done.runs, "steps": done.steps, "goals": goals}
