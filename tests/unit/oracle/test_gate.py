"""What is due for a call of a pure gate."""

from __future__ import annotations

import pytest

from basebound.core.trace import Gate
from basebound.model import Charge, Reason
from basebound.oracle.gate import expected_of_gate


@pytest.mark.parametrize(
    ("step", "reasons"),
    [
        (Gate(1), set()),
        (Gate(0), {Reason.NOT_FREED}),
        (Gate(3, (Charge("insert", 2),)), set()),
        (Gate(3, (Charge("insert", 2), Charge("measurement", 1))), {Reason.NOT_FREED}),
        (Gate(None), {Reason.UNPROVEN}),
        (Gate(9, (Charge("error", None),)), {Reason.UNPROVEN}),
        (Gate(9, (Charge("error", -1),)), {Reason.UNPROVEN}),
        (Gate(-1), {Reason.UNPROVEN, Reason.NOT_FREED}),
        (Gate(9, (), frozenset("p"), frozenset("p")), {Reason.SELF_REFERENCE}),
        (Gate(9, (), frozenset("q"), frozenset("p")), set()),
    ],
)
def test_the_reasons_that_apply_to_a_gate_call(step: Gate, reasons: set[Reason]) -> None:
    assert set(expected_of_gate(step).reasons) == reasons


def test_the_charge_that_was_left_out_is_named_only_where_one_explains_the_gain() -> None:
    one = expected_of_gate(Gate(3, (Charge("rationale", 1), Charge("error", 3))))
    assert one.reasons[Reason.NOT_FREED] == ["BUDGET-NET-NEGATIVE", "BUDGET-CHARGE-ERROR"]
    either = expected_of_gate(Gate(3, (Charge("rationale", 3), Charge("error", 3))))
    assert either.reasons[Reason.NOT_FREED] == ["BUDGET-NET-NEGATIVE"]
