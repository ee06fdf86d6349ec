"""A recorded history as ``trace/1``: each step with ``client``, ``t0``, ``t1`` and ``saw`` (RECORDING.md).

``saw`` is what the call came to:

- snapshot: ``{"lines": [...], "base": "...", "revision": 0}``
- apply: ``{"base": "...", "revision": 1, "cost": {...}}`` (``cost`` may be absent), or ``{"reason": "stale-base"}``
- append, insert, emit, end_turn: ``{}``
- any: ``{"raised": "ValueError: ..."}`` for an unexpected exception
- any: ``null`` where no answer came; then ``t1`` may be absent

``t0`` and ``t1`` are nanoseconds of one clock of all clients. A file of one client may leave out all three of
``client``, ``t0`` and ``t1``: its steps follow each other. A snapshot with ``"t0": null`` is a *witness*: a state some
patch was authored on, read before the recording began.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from basebound.core.trace import (
    Append,
    Apply,
    Emit,
    EndTurn,
    Insert,
    Read,
    Step,
    cost_row,
    loads,
    read_step,
    step_row,
)
from basebound.errors import TraceError
from basebound.history.operations import CallHistory, Operation
from basebound.model import Cost, Reason, Receipt, Snapshot
from basebound.results.outcome import Malformed, Outcome, Raised, Refused, Returned

_RECORDED = (Read, Append, Insert, Emit, Apply, EndTurn)
_TIMES = ("client", "t0", "t1")


def operation_row(operation: Operation) -> dict[str, Any]:
    """One operation as the object of its line."""
    times = {"client": operation.client, "t0": operation.t0, "t1": operation.t1}
    return step_row(operation.step) | times | {"saw": outcome_row(operation.outcome)}


def witness_row(name: str, snapshot: Snapshot) -> dict[str, Any]:
    """A state that was read at a time nobody recorded."""
    return step_row(Read(name)) | {"t0": None, "saw": outcome_row(Returned(snapshot))}


def outcome_row(outcome: Outcome | None) -> dict[str, Any] | None:
    match outcome:
        case None:
            return None
        case Returned(Snapshot(lines, base, revision)):
            return {"lines": list(lines), "base": base, "revision": revision}
        case Returned(Receipt(base, revision, cost)):
            return {"base": base, "revision": revision} | ({} if cost is None else {"cost": cost_row(cost)})
        case Returned():
            return {}
        case Refused(reason):
            return {"reason": reason.value}
        case Raised(kind, message):
            return {"raised": f"{kind}: {message}" if message else kind}
        case Malformed(what):
            return {"raised": what}


def load_history(path: Path) -> CallHistory:
    """Read a recorded history; a ``TraceError`` names the line that is wrong, why, and how to fix it."""
    try:
        with path.open(encoding="utf-8", newline="\n") as file:
            return parse_history(file, str(path))
    except (OSError, UnicodeDecodeError) as error:
        raise TraceError(
            "trace-unreadable", f"the trace {path} cannot be read: {error}", "name a UTF-8 file in the form of trace/1"
        ) from None


def parse_history(lines: Iterable[str], source: str = "trace") -> CallHistory:
    """Read a recorded history from its lines; ``source`` is named in errors."""
    numbered = ((n, line) for n, line in enumerate(lines, start=1) if line.strip())
    first = next(numbered, None)
    start = loads("" if first is None else first[1], source).lines
    reader = _Reader(source)
    return CallHistory.of(start, (operation for n, line in numbered for operation in reader.operations(n, line)))


class _Reader:
    """Keeps the names of snapshots, whether the file has times, and each text and content once."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.snapshots: dict[str, Snapshot] = {}
        self.lost: set[str] = set()
        self.timed: tuple[int, bool] | None = None
        self.clock = 0

    def operations(self, number: int, line: str) -> Iterator[Operation]:
        where = f"{self.source}, line {number}"
        row = _object(line, where)
        step = read_step(row, where)
        if not isinstance(step, _RECORDED):
            raise TraceError(
                "trace-not-a-call",
                f"{where}: {step.op} is no call of a client",
                "a recorded history holds calls and what they saw",
            )
        outcome = _outcome(step, row, where)
        authored = self._authored(step, where) if isinstance(step, Apply) else None
        if isinstance(step, Read):
            self._keep(step.name, outcome)
            if outcome is not None and "t0" in row and row["t0"] is None:
                return
        client, t0, t1 = self._times(number, row, outcome, where)
        yield Operation(client, t0, t1, step, outcome, authored)

    def _keep(self, name: str, outcome: Outcome | None) -> None:
        """Keeps what ``name`` showed, or that it showed nothing."""
        if isinstance(outcome, Returned) and isinstance(outcome.value, Snapshot):
            self.snapshots[name] = outcome.value
        else:
            self.lost.add(name)

    def _authored(self, step: Apply, where: str) -> Snapshot:
        if step.base in self.snapshots:
            return self.snapshots[step.base]
        if step.base in self.lost:
            raise TraceError(
                "trace-unanswered-snapshot",
                f"{where}: the snapshot {step.base!r} was never answered, so no patch can be authored on it",
                'name the snapshot whose "saw" the author had',
            )
        raise TraceError(
            "trace-unknown-snapshot",
            f"{where}: no snapshot is called {step.base!r} yet",
            f'put what the author saw before it: {{"op":"snapshot","as":"{step.base}","saw":{{...}}}}',
        )

    def _times(
        self, number: int, row: Mapping[str, Any], outcome: Outcome | None, where: str
    ) -> tuple[str, int, int | None]:
        timed = "t0" in row
        if self.timed is None:
            self.timed = (number, timed)
        if timed != self.timed[1]:
            other = f"line {self.timed[0]} has {'one' if self.timed[1] else 'none'}"
            raise TraceError(
                "trace-mixed-times",
                f"{where}: {'a' if timed else 'no'} t0, while {other}",
                'give every step of several clients "client", "t0" and "t1", or none for one client',
            )
        if not timed:
            self.clock += 2
            return "client", self.clock - 1, None if outcome is None else self.clock
        client = row.get("client")
        if not isinstance(client, str):
            raise TraceError("trace-wrong-type", f"{where}: client is missing or not a string", 'write "client":"..."')
        t0, t1 = _time(row, "t0", where), None if row.get("t1") is None else _time(row, "t1", where)
        if outcome is not None and (t1 is None or t1 < t0):
            raise TraceError(
                "trace-wrong-times",
                f"{where}: answered at {t1}, which is not after its call at {t0}",
                'give "t1" of the same clock as "t0", or "saw":null if no answer came',
            )
        return client, t0, t1


def _object(text: str, where: str) -> dict[str, Any]:
    try:
        row = json.loads(text)
    except ValueError as error:
        raise TraceError(
            "trace-not-json", f"{where} is not JSON: {error}", "a trace is one JSON object a line"
        ) from None
    if not isinstance(row, dict):
        raise TraceError("trace-not-json", f"{where} is not a JSON object", "a trace is one JSON object a line")
    return row


def _time(row: Mapping[str, Any], key: str, where: str) -> int:
    value = row.get(key)
    if isinstance(value, bool) or not isinstance(value, int):
        raise TraceError(
            "trace-wrong-type",
            f"{where}: {key} is not a whole number",
            f'write "{key}":0 (nanoseconds of one clock of all clients)',
        )
    return value


def _outcome(step: Step, row: Mapping[str, Any], where: str) -> Outcome | None:
    if "saw" not in row:
        raise TraceError(
            "trace-missing-answer",
            f"{where}: {step.op} does not say what was seen",
            'write "saw":{...}, or "saw":null if no answer came',
        )
    saw = row["saw"]
    if saw is None:
        return None
    if not isinstance(saw, dict):
        raise TraceError(
            "trace-wrong-type", f"{where}: saw is not an object", 'write "saw":{...}, or "saw":null if no answer came'
        )
    if "raised" in saw:
        kind, _, message = str(saw["raised"]).partition(": ")
        return Raised(kind, message)
    if isinstance(step, Read):
        return Returned(Snapshot(_lines(saw, where), *_identity(saw, where)))
    if isinstance(step, Apply):
        return _apply_outcome(saw, where)
    if saw:
        raise TraceError(
            "trace-needless-answer",
            f"{where}: {step.op} answers nothing, yet saw has {', '.join(saw)}",
            'write "saw":{}',
        )
    return Returned()


def _apply_outcome(saw: Mapping[str, Any], where: str) -> Outcome:
    if "reason" not in saw:
        return Returned(Receipt(*_identity(saw, where), _cost(saw.get("cost"), where)))
    try:
        return Refused(Reason(saw["reason"]))
    except ValueError:
        known = ", ".join(reason.value for reason in Reason)
        raise TraceError(
            "trace-unknown-value", f"{where}: {saw['reason']!r} is not a reason", f"the reasons are {known}"
        ) from None


def _lines(saw: Mapping[str, Any], where: str) -> tuple[str, ...]:
    lines = saw.get("lines")
    if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
        raise TraceError(
            "trace-wrong-type", f"{where}: saw.lines is not a list of strings", 'write "lines":["...", "..."]'
        )
    return tuple(lines)


def _identity(saw: Mapping[str, Any], where: str) -> tuple[str, int]:
    base, revision = saw.get("base"), saw.get("revision")
    if not isinstance(base, str):
        raise TraceError("trace-wrong-type", f"{where}: saw.base is missing or not a string", 'write "base":"..."')
    if isinstance(revision, bool) or not isinstance(revision, int):
        raise TraceError("trace-wrong-type", f"{where}: saw.revision is not a whole number", 'write "revision":0')
    return base, revision


def _cost(cost: object, where: str) -> Cost | None:
    if cost is None:
        return None
    keys = ("freed", "rewrite", "measurement")
    amounts: Sequence[Any] = [cost.get(key) for key in keys] if isinstance(cost, dict) else ["none"]
    if any(amount is not None and (isinstance(amount, bool) or not isinstance(amount, int)) for amount in amounts):
        raise TraceError(
            "trace-wrong-type",
            f"{where}: saw.cost is not an object of whole numbers",
            'write "cost":{"freed":1,"rewrite":0,"measurement":0} or leave it out',
        )
    return Cost(*amounts)
