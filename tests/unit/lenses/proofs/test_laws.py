"""The laws of the specification: proved, and false without any one of their premises."""

from __future__ import annotations

import pytest
import z3  # type: ignore[import-untyped]

from basebound.lenses.proofs.laws import LAWS, Law, main, prove


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.name)
def test_a_law_follows_from_its_premises_and_from_no_fewer(law: Law) -> None:
    proof = prove(law)
    assert proof.holds
    assert proof.sane
    assert None not in proof.without.values()
    assert all(story for story in proof.without.values())


def test_a_false_law_is_not_proved_and_a_premise_for_nothing_is_noticed() -> None:
    a, b = z3.Ints("a b")
    false = Law("false", "more is more", {"a grows": b == a + 1}, b > a + 1, {"a": a})
    assert not prove(false).holds
    idle = Law("idle", "more is more", {"a grows": b == a + 1, "it rains": a > 7}, b > a, {"a": a})
    assert prove(idle).holds
    assert prove(idle).without["it rains"] is None
    assert not prove(idle).sound
    impossible = Law("impossible", "anything", {"one": a > b, "other": b > a}, a == 9)
    assert not prove(impossible).sane


def test_printing_the_laws_tells_each_and_what_goes_wrong_without_a_rule(capsys: pytest.CaptureFixture[str]) -> None:
    assert main() == 0
    printed = capsys.readouterr().out
    assert printed.count("proved  ") == len(LAWS)
    assert "without 'the gate: the net is above zero'" in printed
    assert "STILL FOLLOWS" not in printed
