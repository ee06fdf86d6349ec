"""Every fault is caught by the requirement it names; no correct engine is reported; idlers pass nothing."""

from __future__ import annotations

import os

import pytest

from basebound.core.register import requirements
from basebound.core.trace import Trace
from basebound.lenses.proofs.results import Proved
from basebound.model import PROFILES
from basebound.oracle import Finding
from basebound.run.messages import Counterexample, Described
from basebound.run.verdict import Tally, judge
from basebound_catalogue import CORRECT, FAULTS, VACUOUS
from basebound_catalogue.bench import kills
from basebound_catalogue.bench.yardstick import walks
from basebound_catalogue.mutants.atomic import ATOMIC_CORRECT, ATOMIC_FAULTS

JOBS = os.cpu_count() or 1


ONE_CLIENT = [fault for fault in FAULTS if fault not in ATOMIC_FAULTS]
QUIET = [correct.id for correct in CORRECT if correct not in ATOMIC_CORRECT]
"""The catalogue but for the engines of profile atomic, which ``test_atomic_engines`` looks at one by one."""


def called_proved(kill: kills.Kill) -> list[str]:
    """What a check would call proved of the engine, had CrossHair found nothing and every goal been reached."""
    proof = Proved("fresh-1", tuple(row.id for row in requirements()), 1, 0.1)
    goals = {(row.id, goal.name) for row in requirements() for goal in row.goals}
    target = Described(f"fault:{kill.fault.id}", frozenset(PROFILES), True, None, False, None, None)
    broken = {
        name: Counterexample(name, Trace(), (), Finding(name, 0, "refused", "applied"), "search", 1)
        for name in kill.broken
    }
    judged = judge(target, target.profiles, {"proofs": Tally(proofs=[proof]), "search": Tally(1, 1, goals)}, broken)
    return [row.requirement.id for row in judged for entry in row.evidence if entry["kind"] == "proved"]


def test_every_fault_is_caught_by_the_requirement_it_names_and_nine_tenths_of_them_at_quick() -> None:
    found = kills.kills("quick", [0], JOBS, faults=ONE_CLIENT)
    assert len(found) == len(ONE_CLIENT) >= 60
    escaped = [kill.fault for kill in found if not kill.caught]
    assert len(escaped) <= 0.1 * len(found)
    hunted_on = kills.kills("default", [0], JOBS, faults=escaped)
    assert [(kill.fault.id, kill.broken) for kill in hunted_on if not kill.caught] == []
    caught = [kill for kill in (*found, *hunted_on) if kill.caught]
    assert [kill.fault.id for kill in caught if kill.fault.requirement in called_proved(kill)] == []


def test_no_correct_engine_is_reported() -> None:
    found = kills.false_positive_controls("quick", [0], JOBS, QUIET)
    assert len(found) == len(QUIET) >= 12
    assert [(one.id, one.accused) for one in found if one.accused] == []


def test_engines_that_do_no_work_pass_nothing() -> None:
    found = kills.vacuous_engines("quick", JOBS)
    assert len(found) == len(VACUOUS) >= 5
    assert [(idle.id, idle.passed) for idle in found if idle.passed] == []


@pytest.mark.slow
def test_three_seeds_catch_every_fault_and_report_no_correct_engine() -> None:
    seeds = [0, 1, 2]
    assert [(kill.fault.id, kill.seed) for kill in kills.kills("default", seeds, JOBS) if not kill.caught] == []
    control = kills.false_positive_controls("default", seeds, JOBS)
    assert [(one.id, one.seed, one.accused, one.open) for one in control if one.accused or one.open] == []


def test_the_naive_machine_notices_a_missing_guard_but_not_what_takes_a_near_collision() -> None:
    known = {fault.id: fault for fault in FAULTS}
    chosen = [known[name] for name in ("no-guard", "same-lines-reordered")]
    found = {walk.fault.id: walk for walk in walks(30, 20, JOBS, chosen)}
    assert found["no-guard"].found
    assert found["no-guard"].steps
    assert not found["same-lines-reordered"].found
