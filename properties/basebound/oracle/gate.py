"""What is expected of one call of a pure gate, from the amounts it is given."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from basebound.core.trace import Gate
from basebound.model import Charge, Reason

_CHARGE_RULE = {
    "insert": "BUDGET-CHARGE-INSERT",
    "rationale": "BUDGET-CHARGE-RATIONALE",
    "tool-call": "BUDGET-CHARGE-TOOL-CALL",
    "measurement": "BUDGET-CHARGE-MEASUREMENT",
    "error": "BUDGET-CHARGE-ERROR",
}


@dataclass
class ExpectedOfGate:
    """``reasons`` as in ``Expected``; ``net`` is None where an amount is not attributed."""

    net: int | None
    reasons: dict[Reason, list[str]] = field(default_factory=dict)
    goals: set[tuple[str, str]] = field(default_factory=set)


def expected_of_gate(step: Gate) -> ExpectedOfGate:
    """The reasons that apply to ``step``, the sentences broken if it is let through, and the goals it reaches."""
    expected = ExpectedOfGate(_net(step.freed, step.charges))
    _unproven(step, expected)
    if step.edited & step.artifacts:
        expected.reasons[Reason.SELF_REFERENCE] = ["BUDGET-ARTIFACT-LOCKED"]
        expected.goals.add(("BUDGET-ARTIFACT-LOCKED", "tried"))
    if expected.net is not None and expected.net <= 0:
        _not_freed(step, expected, expected.net)
    if not expected.reasons and expected.net == 1:
        expected.goals.add(("BUDGET-NET-ONE", "tried"))
    return expected


def _net(freed: int | None, charges: Iterable[Charge]) -> int | None:
    amounts = [charge.tokens for charge in charges]
    if freed is None or None in amounts:
        return None
    return freed - sum(amount for amount in amounts if amount is not None)


def _unproven(step: Gate, expected: ExpectedOfGate) -> None:
    amounts = [("freed", step.freed), *((charge.kind, charge.tokens) for charge in step.charges)]
    broken = []
    if missing := [kind for kind, tokens in amounts if tokens is None]:
        broken.append("BUDGET-UNPROVEN")
        named = {"freed": "freed", "measurement": "measurement"}
        expected.goals.update(("BUDGET-UNPROVEN", named.get(kind, "rewrite")) for kind in missing)
    if any(tokens is not None and tokens < 0 for _, tokens in amounts):
        broken.append("BUDGET-NEGATIVE")
        expected.goals.add(("BUDGET-NEGATIVE", "tried"))
    if broken:
        expected.reasons[Reason.UNPROVEN] = broken


def _not_freed(step: Gate, expected: ExpectedOfGate, net: int) -> None:
    broken = ["BUDGET-NET-ZERO" if net == 0 else "BUDGET-NET-NEGATIVE"]
    expected.goals.add((broken[0], "tried"))
    if not step.charges and step.freed == 0:
        expected.goals.add(("BUDGET-NET-ZERO", "nothing"))
    of_kind = {kind: sum(c.tokens or 0 for c in step.charges if c.kind == kind) for kind in _CHARGE_RULE}
    left_out = [kind for kind, tokens in of_kind.items() if net + tokens > 0]
    if len(left_out) == 1:
        rule = _CHARGE_RULE[left_out[0]]
        broken.append(rule)
        expected.goals.add((rule, "tried"))
    expected.reasons[Reason.NOT_FREED] = broken
