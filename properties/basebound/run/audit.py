"""Judging a history somebody recorded, without the engine it was recorded from."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from basebound.core.meters import meter
from basebound.core.trace import Emit, EndTurn, Trace, loads
from basebound.history import Illegal, OrderVerdict, judge, load_history
from basebound.history.operations import CallHistory, Operation
from basebound.oracle import Oracle
from basebound.results.finding import Finding


@dataclass(frozen=True)
class Audit:
    """What a record shows: whether its calls have an order, and, of one client's calls, what each came to breaks."""

    history: CallHistory
    verdict: OrderVerdict
    findings: tuple[tuple[Finding, Operation], ...]
    claims: frozenset[str]

    @property
    def broken(self) -> bool:
        return isinstance(self.verdict, Illegal) or bool(self.findings)


def audit(path: Path, budget: int) -> Audit:
    """Judge the record in ``path``; ``budget`` bounds the search for an order, in placements.

    A record of one client is judged by the oracle as well, with the profiles its header names or, without, those its
    steps show. Raises ``TraceError`` for a file that is no record.
    """
    history = load_history(path)
    with path.open(encoding="utf-8") as file:
        start = loads(next(line for line in file if line.strip()), str(path))
    verdict = judge(history, budget)
    claims = _claims(start, history)
    findings = tuple(_one_client(start, history, claims)) if _in_turn(history) else ()
    return Audit(history, verdict, findings, claims)


def _claims(start: Trace, history: CallHistory) -> frozenset[str]:
    named = start.about.get("profiles")
    if isinstance(named, list):
        return frozenset(map(str, named))
    budgeted = any(isinstance(operation.step, (Emit, EndTurn)) for operation in history.operations)
    return frozenset({"base"} | ({"protected"} if start.protected else set()) | ({"budget"} if budgeted else set()))


def _in_turn(history: CallHistory) -> bool:
    """Whether all calls are of one client, answered, and one after the other."""
    operations = history.operations
    if len({operation.client for operation in operations}) != 1:
        return False
    answered = all(operation.outcome is not None for operation in operations)
    return answered and all((one.t1 or 0) <= other.t0 for one, other in pairwise(operations))


def _one_client(start: Trace, history: CallHistory, claims: frozenset[str]) -> list[tuple[Finding, Operation]]:
    oracle = Oracle(start, meter(start.meter).count, claims)
    found = []
    for operation in history.operations:
        assert operation.outcome is not None
        found += [(finding, operation) for finding in oracle.judge(operation.step, operation.outcome)]
    return found
