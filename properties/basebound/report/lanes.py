"""A concurrent history that has no legal order, as lanes: what a counterexample of a JSON report holds under ``lanes``.

``[{"client": ..., "ops": [{"t0": ..., "t1": ... or null, "label": ..., "culprit": ...}]}]``; ``t1`` is null where no
answer came.
"""

from __future__ import annotations

from math import inf
from typing import Any

from basebound.history.operations import Operation, told, told_outcome
from basebound.history.verdict import Illegal

MOST = 40
"""Operations that are drawn beside the culprits: those nearest to them."""


def lanes(verdict: Illegal, most: int = MOST) -> list[dict[str, Any]]:
    """One lane a client, in the order in which they first appear; the culprits, and up to ``most`` of the others."""
    culprits = {id(operation) for operation in verdict.culprits}
    drawn = sorted([*verdict.culprits, *_nearest(verdict, culprits, most)], key=lambda operation: operation.t0)
    clients = dict.fromkeys(operation.client for operation in drawn)
    return [
        {"client": client, "ops": [_op(one, id(one) in culprits) for one in drawn if one.client == client]}
        for client in clients
    ]


def _nearest(verdict: Illegal, culprits: set[int], most: int) -> list[Operation]:
    begin = min(operation.t0 for operation in verdict.culprits)
    end = max(operation.t0 for operation in verdict.culprits)
    others = [operation for operation in verdict.within.operations if id(operation) not in culprits]
    return sorted(others, key=lambda operation: max(0, begin - _end(operation), operation.t0 - end))[:most]


def _op(operation: Operation, culprit: bool) -> dict[str, Any]:
    label = f"{told(operation.step)} → {told_outcome(operation)}"
    end = operation.t1 if _end(operation) < inf else None
    return {"t0": operation.t0, "t1": end, "label": label, "culprit": culprit}


def _end(operation: Operation) -> float:
    return inf if operation.t1 is None or operation.outcome is None else operation.t1
