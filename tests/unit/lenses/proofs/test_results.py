"""What a report says is proved: only where nothing was refuted, left open or not looked into at all."""

from __future__ import annotations

import pytest

from basebound.core.trace import Trace
from basebound.lenses.proofs.results import LeftOpen, ProofReport, Proved, Refuted, Result, Unavailable

PROVED = Proved("fresh-0", ("BASE-SPLICE-EXACT", "BASE-HUNK-RANGE"), 3, 0.1)


def test_what_every_shape_proves_is_proved() -> None:
    other = Proved("fresh-1", ("BASE-SPLICE-EXACT",), 3, 0.1)
    assert ProofReport((PROVED, other)).requirements_proved() == {
        "BASE-HUNK-RANGE": (PROVED,),
        "BASE-SPLICE-EXACT": (PROVED, other),
    }


def test_what_one_shape_leaves_open_is_not_proved() -> None:
    left = LeftOpen("fresh-1", ("BASE-SPLICE-EXACT",), "no time", 3, 0.1)
    assert ProofReport((PROVED, left)).requirements_proved() == {"BASE-HUNK-RANGE": (PROVED,)}


@pytest.mark.parametrize(
    "other",
    [
        Refuted("amounts-one", ("BUDGET-NET-ZERO",), Trace(), 0.1),
        Unavailable("CrossHair does not work here", "install another release"),
    ],
)
def test_nothing_is_proved_beside_a_counterexample_or_where_a_part_of_the_battery_was_unavailable(
    other: Result,
) -> None:
    assert ProofReport((PROVED, other)).requirements_proved() == {}
