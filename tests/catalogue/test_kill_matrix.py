"""Every fault is caught by the requirement it names; no correct engine is reported; vacuous engines pass nothing."""

from __future__ import annotations

import os

import pytest
from tiers import slow_unless

from basebound.core.register import requirements
from basebound.core.trace import Trace
from basebound.lenses.proofs.results import Proved
from basebound.lenses.registry import LENSES
from basebound.model import PROFILES
from basebound.results.claims import Described
from basebound.results.counterexample import Counterexample
from basebound.results.finding import Finding
from basebound.results.verdict import Tally
from basebound.run.judging import judge
from basebound_catalogue import CORRECT, FAULTS, VACUOUS, Fault
from basebound_catalogue.bench import kills
from basebound_catalogue.bench.yardstick import walks
from basebound_catalogue.correct.atomic import ATOMIC_CORRECT
from basebound_catalogue.mutants.atomic import ATOMIC_FAULTS
from basebound_catalogue.signatures import Signature, recorded, representatives

JOBS = 1 if "PYTEST_XDIST_WORKER" in os.environ else os.cpu_count() or 1
"""Under pytest-xdist the cores are taken."""
ONE_CLIENT = [fault for fault in FAULTS if fault not in ATOMIC_FAULTS]
QUIET = [correct.id for correct in CORRECT if correct not in ATOMIC_CORRECT]
"""The catalogue but for the engines of profile atomic, which ``test_atomic_engines`` looks at one by one."""
STYLES = ("budgeted-plain", "async-worker")
"""With a budget and without, plain and ``async``."""
PARTS = 4
"""The slow hunts are cut into this many, so that the cores share them."""
FEW = [fault for fault in representatives() if fault in ONE_CLIENT]


def called_proved(kill: kills.Kill) -> list[str]:
    """What a check would call proved of the engine, had CrossHair found nothing and every goal been reached."""
    proof = Proved("fresh-1", tuple(row.id for row in requirements()), 1, 0.1)
    goals = {(row.id, goal.name) for row in requirements() for goal in row.goals}
    target = Described(f"fault:{kill.fault.id}", frozenset(PROFILES), True, None, False, None, None)
    broken = {
        name: Counterexample(name, Trace(), (), Finding(name, 0, "refused", "applied"), "search", 1)
        for name in kill.broken
    }
    judged = judge(target, target.profiles, {"proofs": Tally(vouched=[proof]), "search": Tally(1, 1, goals)}, broken)
    return [row.requirement.id for row in judged for entry in row.evidence if entry["kind"] == "proved"]


def hunted(faults: list[Fault], lenses: tuple[str, ...] = ()) -> tuple[list[kills.Kill], list[kills.Kill]]:
    """The kills at ``quick``, and those at ``default`` of what escaped there."""
    quick = kills.kills("quick", [0], JOBS, faults=faults, lenses=lenses)
    escaped = [kill.fault for kill in quick if not kill.caught]
    return [kill for kill in quick if kill.caught], kills.kills("default", [0], JOBS, faults=escaped, lenses=lenses)


@pytest.mark.parametrize("lens", sorted({recorded()[fault.id].signature.lens for fault in FEW}))
def test_of_each_signature_one_fault_is_caught_by_the_requirement_and_the_lens_on_record(lens: str) -> None:
    chosen = [fault for fault in FEW if recorded()[fault.id].signature.lens == lens]
    quick, default = hunted(chosen, (lens,) if lens in LENSES else ())
    found = {kill.fault.id: Signature(kill.fault.requirement, kill.lens or "none") for kill in (*quick, *default)}
    assert found == {fault.id: recorded()[fault.id].signature for fault in chosen}
    assert [kill.fault.id for kill in (*quick, *default) if kill.fault.requirement in called_proved(kill)] == []


@pytest.mark.slow
def test_every_fault_is_caught_by_the_requirement_it_names_and_nine_tenths_of_them_at_quick() -> None:
    quick, default = hunted(ONE_CLIENT)
    assert len(quick) >= 0.9 * len(ONE_CLIENT)
    assert [(kill.fault.id, kill.broken) for kill in default if not kill.caught] == []
    assert [kill.fault.id for kill in (*quick, *default) if kill.fault.requirement in called_proved(kill)] == []


def test_no_correct_engine_is_reported_by_the_scenarios_or_the_schedules() -> None:
    found = kills.false_positive_controls("quick", [0], JOBS, QUIET, ("scenarios", "schedules"))
    assert sorted(one.id for one in found) == sorted(QUIET)
    assert [(one.id, one.accused) for one in found if one.accused] == []


@pytest.mark.parametrize("correct", slow_unless(STYLES, [correct.id for correct in CORRECT]))
def test_a_correct_engine_is_not_reported_by_any_lens(correct: str) -> None:
    (one,) = kills.false_positive_controls("quick", [0], JOBS, [correct])
    assert one.accused == ()


@pytest.mark.parametrize("lenses", [("scenarios", "box"), pytest.param((), marks=pytest.mark.slow)])
def test_engines_that_do_no_work_pass_nothing(lenses: tuple[str, ...]) -> None:
    found = kills.vacuous_engines("quick", JOBS, lenses)
    assert sorted(one.id for one in found) == sorted(engine.id for engine in VACUOUS)
    assert [(one.id, one.passed) for one in found if one.passed] == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("part", range(PARTS))
def test_every_fault_is_caught_at_default_effort(seed: int, part: int) -> None:
    found = kills.kills("default", [seed], JOBS, faults=FAULTS[part::PARTS])
    assert [kill.fault.id for kill in found if not kill.caught] == []


@pytest.mark.slow
@pytest.mark.parametrize("correct", QUIET)
def test_a_correct_engine_is_not_reported_at_default_effort_and_leaves_nothing_open(correct: str) -> None:
    (one,) = kills.false_positive_controls("default", [0], JOBS, [correct])
    assert (one.accused, one.open) == ((), ())


def test_the_naive_machine_notices_a_missing_guard_but_not_what_takes_a_near_collision() -> None:
    known = {fault.id: fault for fault in FAULTS}
    chosen = [known[name] for name in ("no-guard", "same-lines-reordered")]
    found = {walk.fault.id: walk for walk in walks(30, 20, JOBS, chosen)}
    assert found["no-guard"].found
    assert found["no-guard"].steps
    assert not found["same-lines-reordered"].found
