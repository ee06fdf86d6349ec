"""The catalogue of pure functions: what it claims of itself, and the table of what the proofs make of it."""

from __future__ import annotations

import random

import pytest

from basebound.core.register import by_id, requirements
from basebound.lenses.proofs.battery import battery
from basebound.lenses.proofs.cases import Contents, Gating, Rewrite
from basebound.lenses.proofs.contracts import broken
from basebound.lenses.proofs.proving import check
from basebound.lenses.proofs.rerun import answer_to
from basebound.lenses.proofs.shapes import Depth
from basebound.lenses.proofs.subject import Kind, kind_of
from basebound.model import Charge, Hunk
from basebound.run.replay import replay
from basebound.session.session import RunContext
from basebound.targets import loading
from basebound_catalogue.mutants.pure import PURE_CORRECT, PURE_FAULTS, PureCorrect, PureFault

HIDDEN = [fault for fault in PURE_FAULTS if fault.hidden]
WORDS = ("", "a", "b", "A", "alpha", "beta ", "!", "note!", "# head", "line\nbreak", "0", "naïve", "x" * 40)


def test_ids_are_unique_and_name_requirements_of_the_register() -> None:
    known = {row.id for row in requirements()}
    ids = [entry.id for entry in (*PURE_FAULTS, *PURE_CORRECT)]
    assert len(set(ids)) == len(ids)
    assert all(fault.requirement in known and fault.origin and fault.about for fault in PURE_FAULTS)


@pytest.mark.parametrize("fault", PURE_FAULTS, ids=lambda fault: fault.id)
def test_a_fault_breaks_what_a_check_asks_of_such_a_function(fault: PureFault) -> None:
    assert by_id()[fault.requirement].is_decided_by(loading.load(fault.target).pure)


@pytest.mark.parametrize("entry", [*PURE_FAULTS, *PURE_CORRECT], ids=lambda entry: entry.id)
def test_an_import_string_names_a_target_of_its_kind(entry: PureFault | PureCorrect) -> None:
    assert kind_of(loading.load(entry.target)) == entry.kind


def drawn(kind: str, dice: random.Random) -> Rewrite | Contents | Gating:
    def lines(most: int) -> tuple[str, ...]:
        return tuple(dice.choice(WORDS) for _ in range(dice.randint(0, most)))

    if kind == "gate":
        kinds = ("insert", "rationale", "tool-call", "measurement", "error")
        charges = tuple(Charge(dice.choice(kinds), dice.choice([None, -1, *range(12), 900])) for _ in range(3))
        ids = [frozenset(dice.sample("pqrst", dice.randint(0, 2))) for _ in range(2)]
        return Gating(dice.choice([None, -1, *range(30), 5_000]), charges, ids[0], ids[1])
    if dice.random() < 0.3:
        return Contents(lines(3), lines(3))
    live = lines(3)
    seen = live if dice.random() < 0.7 else lines(3)
    hunks = tuple(Hunk(dice.randint(-1, 4), dice.randint(-1, 4), lines(2)) for _ in range(dice.randint(1, 2)))
    return Rewrite(live, seen, hunks, dice.choice([(), ("!",), ("#", "!")]))


@pytest.mark.parametrize("fault", HIDDEN, ids=lambda fault: fault.id)
def test_a_hidden_fault_is_not_found_by_chance(fault: PureFault) -> None:
    called, dice = loading.load(fault.target).factory, random.Random(2)
    for _ in range(3_000):
        case = drawn(fault.kind, dice)
        assert broken(case, answer_to(called, case)) == ()


@pytest.mark.parametrize("entry", PURE_CORRECT, ids=lambda entry: entry.id)
def test_a_correct_function_answers_as_allowed(entry: PureCorrect) -> None:
    called, dice = loading.load(entry.target).factory, random.Random(3)
    for _ in range(2_000):
        case = drawn(entry.kind, dice)
        assert broken(case, answer_to(called, case)) == (), case


def test_most_faults_that_are_not_hidden_are_found_by_chance() -> None:
    found = 0
    plain = [fault for fault in PURE_FAULTS if not fault.hidden]
    for fault in plain:
        called, dice = loading.load(fault.target).factory, random.Random(4)
        cases = (drawn(fault.kind, dice) for _ in range(3_000))
        found += any(fault.requirement in broken(case, answer_to(called, case)) for case in cases)
    assert found >= len(plain) * 3 // 4


FEW = ("from-the-end", "magic-distance", "at-zero", "tilde-unlocked")
"""Of each family a fault: half of them hidden."""


def refuted(fault: PureFault, effort: str) -> None:
    """The fault's own requirement is refuted, by values that break it outside CrossHair; nothing is proved."""
    report = check(fault.target, effort, seconds=900.0, until=frozenset([fault.requirement]))
    assert report.unavailable is None
    assert report.requirements_proved() == {}
    found = next(one for one in report.refuted if fault.requirement in one.requirements)
    target = loading.load(fault.target)
    again = replay(RunContext(target, target.profiles), found.trace)
    assert fault.requirement in {finding.requirement for finding in again.findings}


@pytest.mark.parametrize("fault", [one for one in PURE_FAULTS if one.id in FEW], ids=lambda fault: fault.id)
def test_a_fault_is_refuted_at_default_effort_and_nothing_of_it_is_proved(fault: PureFault) -> None:
    refuted(fault, "default")


@pytest.mark.parametrize("name", ["gate-counting-down"])
def test_a_correct_function_is_proved_on_the_whole_battery(name: str) -> None:
    proved(next(entry for entry in PURE_CORRECT if entry.id == name))


def proved(entry: PureCorrect) -> None:
    report = check(entry.target, "default", seconds=400.0)
    assert report.refuted == ()
    assert report.requirements_undecided() == {}
    assert set(report.requirements_proved()) == {
        name for shape in battery(Kind(entry.kind), Depth.DEFAULT) for name in shape.covers
    }


@pytest.mark.slow
@pytest.mark.parametrize("fault", PURE_FAULTS, ids=lambda fault: fault.id)
@pytest.mark.parametrize("effort", ["default", "thorough"])
def test_every_fault_is_refuted_and_nothing_of_it_is_proved(fault: PureFault, effort: str) -> None:
    refuted(fault, effort)


@pytest.mark.slow
@pytest.mark.parametrize("fault", PURE_FAULTS, ids=lambda fault: fault.id)
def test_at_quick_effort_no_fault_is_proved(fault: PureFault) -> None:
    report = check(fault.target, "quick")
    assert report.unavailable is None
    assert report.requirements_proved() == {}


@pytest.mark.slow
@pytest.mark.parametrize("entry", PURE_CORRECT, ids=lambda entry: entry.id)
def test_every_correct_function_is_proved_on_the_whole_battery(entry: PureCorrect) -> None:
    proved(entry)
