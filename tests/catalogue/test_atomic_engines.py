"""Every faulty engine is caught by the requirement it names; no correct one is ever flagged."""

from __future__ import annotations

import pytest
from tiers import slow_unless

from basebound.lenses.schedules import survey
from basebound_catalogue.correct.atomic import ATOMIC_CORRECT
from basebound_catalogue.kinds import Correct, Fault
from basebound_catalogue.mutants.atomic import ATOMIC_FAULTS
from basebound_catalogue.signatures import representatives

HANG_S = 1.5
SEEDS = range(5)
DISCIPLINES = (
    "atomic-lock",
    "atomic-compare-and-set",
    "atomic-copy-on-write",
    "atomic-actor",
    "atomic-queue",
    "atomic-sqlite-conditional",
    "atomic-facade",
    "atomic-checked-again",
    "atomic-no-await",
    "atomic-task-lock",
    "atomic-shielded",
    "atomic-ledger-task-lock",
)
"""One of each way to keep others out: locks, comparisons, queues, transactions, tasks; with and without a ledger."""


def by_id(entry: Fault | Correct) -> str:
    return entry.id


@pytest.mark.parametrize("fault", slow_unless(representatives(), ATOMIC_FAULTS), ids=by_id)
def test_a_fault_is_caught_by_the_requirement_it_names(fault: Fault) -> None:
    found = survey(fault.make, "quick", until=fault.requirement, limit_s=HANG_S)
    if fault.requirement not in found.findings:
        found = survey(fault.make, "default", until=fault.requirement, limit_s=HANG_S)
    assert fault.requirement in found.findings
    assert not found.undecided


@pytest.mark.parametrize("correct", slow_unless(DISCIPLINES, ATOMIC_CORRECT, "id"), ids=by_id)
def test_a_correct_discipline_is_not_flagged(correct: Correct) -> None:
    found = survey(correct.make, "quick")
    assert {name: finding.run.schedule for name, finding in found.findings.items()} == {}
    assert not found.undecided
    assert found.reached >= {"apply-append", "apply-apply", "apply-read", "append-append", "append-read"}
    assert found.reached >= {"stale-beside", "rival-inside", "bad-last-hunk"}
    assert ("budget" in correct.make.profiles) == (found.reached >= {"apply-emit", "apply-end"})  # type: ignore[attr-defined]


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("fault", ATOMIC_FAULTS, ids=by_id)
def test_a_fault_is_caught_whatever_the_seed(fault: Fault, seed: int) -> None:
    assert fault.requirement in survey(fault.make, "default", seed, fault.requirement, HANG_S).findings


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("correct", ATOMIC_CORRECT, ids=by_id)
def test_a_correct_discipline_is_not_flagged_whatever_the_seed(correct: Correct, seed: int) -> None:
    found = survey(correct.make, "default", seed)
    assert not found.findings
    assert not found.undecided
