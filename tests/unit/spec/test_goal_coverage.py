"""The scenarios alone reach every goal, whatever an engine claims and however little it can do."""

from __future__ import annotations

from functools import cache

import pytest
from limited_engines import ALL, Limits
from playing import Played, missing, play

from basebound.targets.functions import apply_function, gate_function
from basebound.targets.loading import Target, describe, load
from basebound.targets.reference import reference_apply, reference_digest, reference_gate
from basebound_catalogue.catalogue import CORRECT


@cache
def played(limits: Limits) -> Played:
    return play(limits.target())


def check(target: Target, done: Played) -> None:
    assert done.findings == []
    assert [answer for answer in done.answers if answer.step.expect not in (None, answer.got)] == []
    assert missing(done) == set()


@pytest.mark.parametrize("limits", ALL, ids=lambda limits: limits.name)
def test_every_goal_within_reach_is_reached(limits: Limits) -> None:
    done = played(limits)
    assert missing(done) == set()


@pytest.mark.parametrize("limits", ALL, ids=lambda limits: limits.name)
def test_a_correct_engine_does_what_every_scenario_expects(limits: Limits) -> None:
    done = played(limits)
    assert done.findings == []
    assert [answer for answer in done.answers if answer.step.expect not in (None, answer.got)] == []


@pytest.mark.parametrize("limits", ALL, ids=lambda limits: limits.name)
def test_an_expected_outcome_is_the_only_one_the_contract_allows(limits: Limits) -> None:
    answers = played(limits).answers
    assert [a for a in answers if a.step.expect is not None and a.allowed != {a.step.expect}] == []


def test_an_apply_states_no_outcome_only_where_the_contract_allows_several() -> None:
    several = {a.scenario: a for limits in ALL for a in played(limits).answers if a.step.expect is None}
    assert set(several) == {"hunk-reversed-alone-frees-nothing", "return-to-what-was-read"}
    assert all(len(answer.allowed) > 1 for answer in several.values())


def test_the_bundled_reference_reaches_every_goal() -> None:
    target = load("reference")
    check(target, play(target))


def test_a_pure_apply_reaches_every_goal_it_decides() -> None:
    target = describe("apply", apply_function(reference_apply, reference_digest))
    check(target, play(target))


def test_a_pure_gate_reaches_every_goal_it_decides() -> None:
    target = describe("gate", gate_function(reference_gate))
    check(target, play(target))


@pytest.mark.slow
@pytest.mark.parametrize("name", [f"correct:{engine.id}" for engine in CORRECT])
def test_correct_engines_of_other_styles_reach_every_goal(name: str) -> None:
    target = load(name)
    check(target, play(target))
