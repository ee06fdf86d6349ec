"""From events to one verdict, with evidence for every requirement.

A pass names the lenses that ran and how much; what was not exercised is ``inconclusive``, never ``pass``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from basebound.core.register import Goal, Requirement, requirements
from basebound.lenses.proofs import lens as proofs
from basebound.lenses.proofs.results import Result
from basebound.run.messages import Counterexample, Described, Finished

if TYPE_CHECKING:
    from basebound.gate.waivers import Waiver
    from basebound.targets.claims import Claims

_MAY_TURN_OUT = frozenset({"async", "asks-meter", "measures"})
"""Abilities that a target shows only while it is judged."""
PASS, FAIL, INCONCLUSIVE, NOT_CLAIMED, WAIVED = "pass", "fail", "inconclusive", "not-claimed", "waived"


@dataclass(frozen=True)
class Judged:
    """One requirement's verdict. ``unreached`` are the goals still owed; ``note`` says why it is not claimed.

    A waived one keeps its counterexample, and ``note`` says by whom, until when and why.
    """

    requirement: Requirement
    verdict: str
    evidence: tuple[dict[str, Any], ...] = ()
    counterexample: Counterexample | None = None
    unreached: tuple[Goal, ...] = ()
    note: str = ""
    waiver: Waiver | None = None


@dataclass
class Tally:
    """What a lens has done, and the goals it has reached."""

    runs: int = 0
    steps: int = 0
    goals: set[tuple[str, str]] = field(default_factory=set)
    abilities: set[str] = field(default_factory=set)
    notes: list[str] = field(default_factory=list)
    proofs: list[Result] = field(default_factory=list)
    typed: dict[str, dict[str, Any]] = field(default_factory=dict)


@dataclass(frozen=True)
class Verdict:
    """The whole of a check."""

    target: Described
    effort: str
    seed: int
    profiles: frozenset[str]
    judged: tuple[Judged, ...]
    tallies: dict[str, Tally]
    elapsed: float
    notes: tuple[str, ...] = ()
    lenses: tuple[str, ...] = ()
    """The lenses asked for; empty means all."""
    complaints: tuple[str, ...] = ()
    """What is wrong with the waivers this run was given: stale or expired ones."""

    @property
    def name(self) -> str:
        """``conformant``, ``violations`` or ``inconclusive``: MUST requirements decide, and the waivers of them."""
        binding = {row.verdict for row in self.judged if row.requirement.level == "MUST"}
        if FAIL in binding or self.complaints:
            return "violations"
        return "inconclusive" if INCONCLUSIVE in binding or not binding & {PASS, WAIVED} else "conformant"

    @property
    def waived(self) -> tuple[Judged, ...]:
        return tuple(row for row in self.judged if row.verdict == WAIVED)

    @property
    def exit_code(self) -> int:
        return {"conformant": 0, "violations": 1, "inconclusive": 3}[self.name]


def tally(finished: Iterable[Finished]) -> dict[str, Tally]:
    """Runs, steps and goals by lens."""
    tallies: dict[str, Tally] = {}
    for unit in finished:
        lens = tallies.setdefault(unit.unit.lens, Tally())
        lens.runs += unit.runs
        lens.steps += unit.steps
        lens.goals |= unit.goals
        lens.abilities |= unit.abilities
        lens.proofs += unit.proofs
        lens.typed |= unit.typed
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


def claimed(target: Described | Claims, profiles: frozenset[str]) -> tuple[Requirement, ...]:
    """The requirements that ``target`` will be judged by when ``profiles`` are asked for."""
    return tuple(row for row in requirements() if not _not_claimed(row, target, profiles))


def _judge(
    row: Requirement,
    target: Described,
    profiles: frozenset[str],
    tallies: dict[str, Tally],
    counterexample: Counterexample | None,
) -> Judged:
    note = _not_claimed(row, target, profiles)
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


def _not_claimed(row: Requirement, target: Described | Claims, profiles: frozenset[str]) -> str:
    if row.profile not in target.profiles:
        return f"the target does not claim {row.profile}"
    if row.profile not in profiles:
        return f"--profile leaves {row.profile} out"
    if not row.is_decided_by(target.pure):
        return "it does not apply to a pure function"
    if not any(goal.within(target.inserts, target.max_hunks, _MAY_TURN_OUT | target.profiles) for goal in row.goals):
        needs = next(goal.needs for goal in row.goals)
        if needs == "budget":
            return "the target does not claim budget"
        return (
            "the target has no insert"
            if needs == "insert"
            else f"the target takes at most {target.max_hunks} hunk per patch"
        )
    return ""


def _evidence(row: Requirement, tallies: dict[str, Tally]) -> Iterable[dict[str, Any]]:
    for lens, done in tallies.items():
        vouched = done.typed.get(row.id) or proofs.evidence(done.proofs).get(row.id)
        if vouched:
            yield vouched
        goals = sorted(name for requirement, name in done.goals if requirement == row.id)
        if not goals:
            continue
        kind = {"scenarios": "scenario", "schedules": "schedules"}.get(lens, "searched")
        yield {"kind": kind, "lens": lens, "runs": done.runs, "steps": done.steps, "goals": goals}
