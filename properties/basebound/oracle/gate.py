"""What is due for one call of a pure gate, from the amounts it is given."""

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
class GateDue:
    """``reasons`` as in ``Due``; ``net`` is None where an amount is not attributed."""

    net: int | None
    reasons: dict[Reason, list[str]] = field(default_factory=dict)
    goals: set[tuple[str, str]] = field(default_factory=set)


def due_of_gate(step: Gate) -> GateDue:
    """The reasons that apply to ``step``, the sentences broken if it is let through, and the goals it reaches."""
    due = GateDue(_net(step.freed, step.charges))
    _unproven(step, due)
    if step.edited & step.artifacts:
        due.reasons[Reason.SELF_REFERENCE] = ["BUDGET-ARTIFACT-LOCKED"]
        due.goals.add(("BUDGET-ARTIFACT-LOCKED", "tried"))
    if due.net is not None and due.net <= 0:
        _not_freed(step, due, due.net)
    if not due.reasons and due.net == 1:
        due.goals.add(("BUDGET-NET-ONE", "tried"))
    return due


def _net(freed: int | None, charges: Iterable[Charge]) -> int | None:
    amounts = [charge.tokens for charge in charges]
    if freed is None or None in amounts:
        return None
    return freed - sum(amount for amount in amounts if amount is not None)


def _unproven(step: Gate, due: GateDue) -> None:
    amounts = [("freed", step.freed), *((charge.kind, charge.tokens) for charge in step.charges)]
    broken = []
    if missing := [kind for kind, tokens in amounts if tokens is None]:
        broken.append("BUDGET-UNPROVEN")
        named = {"freed": "freed", "measurement": "measurement"}
        due.goals.update(("BUDGET-UNPROVEN", named.get(kind, "rewrite")) for kind in missing)
    if any(tokens is not None and tokens < 0 for _, tokens in amounts):
        broken.append("BUDGET-NEGATIVE")
        due.goals.add(("BUDGET-NEGATIVE", "tried"))
    if broken:
        due.reasons[Reason.UNPROVEN] = broken


def _not_freed(step: Gate, due: GateDue, net: int) -> None:
    broken = ["BUDGET-NET-ZERO" if net == 0 else "BUDGET-NET-NEGATIVE"]
    due.goals.add((broken[0], "tried"))
    if not step.charges and step.freed == 0:
        due.goals.add(("BUDGET-NET-ZERO", "nothing"))
    of_kind = {kind: sum(c.tokens or 0 for c in step.charges if c.kind == kind) for kind in _CHARGE_RULE}
    left_out = [kind for kind, tokens in of_kind.items() if net + tokens > 0]
    if len(left_out) == 1:
        rule = _CHARGE_RULE[left_out[0]]
        broken.append(rule)
        due.goals.add((rule, "tried"))
    due.reasons[Reason.NOT_FREED] = broken
