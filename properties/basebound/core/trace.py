"""One trace form for scenarios, counterexamples, replays and recorded histories (``trace/1``).

NDJSON: a header line, then a step a line. Reading checks every field and says which line is wrong
and how to fix it; writing is exact, so that what is replayed is what happened.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, TypeAlias

from basebound.errors import TraceError
from basebound.model import EMISSION_KINDS, Charge, Cost, Hunk, Reason

FORMAT = "trace/1"
APPLIED = "applied"


@dataclass(frozen=True)
class Read:
    """``snapshot``: what is live is read, and kept under ``name`` for later patches."""

    name: str
    op: ClassVar[str] = "snapshot"


@dataclass(frozen=True)
class Append:
    """A foreign write at the end."""

    lines: tuple[str, ...]
    op: ClassVar[str] = "append"


@dataclass(frozen=True)
class Insert:
    """A foreign write before line ``at`` (``0 <= at <= len``)."""

    at: int
    lines: tuple[str, ...]
    op: ClassVar[str] = "insert"


@dataclass(frozen=True)
class Emit:
    """The policy's own tokens of one ``kind``; they enter the buffer at its end and are charged."""

    kind: str
    lines: tuple[str, ...]
    op: ClassVar[str] = "emit"


@dataclass(frozen=True)
class Apply:
    """A patch authored against the snapshot named ``base``. ``expect`` is ``applied`` or a reason."""

    base: str
    hunks: tuple[Hunk, ...]
    claim: Cost | None = None
    expect: str | None = None
    op: ClassVar[str] = "apply"


@dataclass(frozen=True)
class EndTurn:
    op: ClassVar[str] = "end_turn"


@dataclass(frozen=True)
class Spoil:
    """The meter raises at its ``raises_at``-th call (from 1) in the next step, if that step calls it so often."""

    raises_at: int
    op: ClassVar[str] = "meter"


@dataclass(frozen=True)
class Expect:
    """What a fresh read must show now."""

    lines: tuple[str, ...]
    op: ClassVar[str] = "expect"


@dataclass(frozen=True)
class Gate:
    """One call of a pure gate; only targets made by ``gate_function`` have it."""

    freed: int | None
    charges: tuple[Charge, ...] = ()
    edited: frozenset[str] = frozenset()
    artifacts: frozenset[str] = frozenset()
    expect: str | None = None
    op: ClassVar[str] = "gate"


Step: TypeAlias = Read | Append | Insert | Emit | Apply | EndTurn | Expect | Spoil | Gate


@dataclass(frozen=True)
class Trace:
    """A start and the steps from it. ``about`` holds the header's other fields (name, title, ...)."""

    lines: tuple[str, ...] = ()
    protected: tuple[str, ...] = ()
    meter: str = "utf8-bytes"
    steps: tuple[Step, ...] = ()
    about: Mapping[str, Any] = field(default_factory=dict, hash=False)


def dumps(trace: Trace) -> str:
    """``trace`` as NDJSON, one step a line, ending in a line break."""
    return ndjson(to_rows(trace))


def ndjson(rows: Iterable[Mapping[str, Any]]) -> str:
    """Objects one a line, each line ending in a line break."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def header_row(trace: Trace) -> dict[str, Any]:
    config = {"lines": list(trace.lines), "protected": list(trace.protected)}
    return {"basebound": FORMAT, **trace.about, "config": config, "meter": trace.meter}


def step_row(step: Step) -> dict[str, Any]:
    """One step in the form of ``trace/1``."""
    row: dict[str, Any] = {"op": step.op}
    match step:
        case Read(name):
            row["as"] = name
        case Append(lines) | Expect(lines):
            row["lines"] = list(lines)
        case Insert(at, lines):
            row |= {"at": at, "lines": list(lines)}
        case Emit(kind, lines):
            row |= {"kind": kind, "lines": list(lines)}
        case Spoil(raises_at):
            row["raises_at"] = raises_at
        case Apply(base, hunks, claim, expect):
            row |= {"base": base, "hunks": [hunk_row(hunk) for hunk in hunks]}
            if claim is not None:
                row["claim"] = cost_row(claim)
            if expect is not None:
                row["expect"] = expect
        case Gate(freed, charges, edited, artifacts, expect):
            row |= {"freed": freed, "charges": [{"kind": c.kind, "tokens": c.tokens} for c in charges]}
            row |= {"edited": sorted(edited), "artifacts": sorted(artifacts)}
            if expect is not None:
                row["expect"] = expect
        case EndTurn():
            pass
    return row


def hunk_row(hunk: Hunk) -> dict[str, Any]:
    return {"start": hunk.start, "end": hunk.end, "insert": list(hunk.insert)}


def cost_row(cost: Cost) -> dict[str, Any]:
    return {"freed": cost.freed, "rewrite": cost.rewrite, "measurement": cost.measurement}


def load(path: Path) -> Trace:
    """Read a trace file; a ``TraceError`` names the line that is wrong, why, and how to fix it."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise TraceError(
            "trace-unreadable", f"the trace {path} cannot be read: {error}", "name a UTF-8 file in the form of trace/1"
        ) from None
    return loads(text, str(path))


def loads(text: str, source: str = "trace") -> Trace:
    """Read a trace from its text; ``source`` is named in errors."""
    rows = [(n, row) for n, row in enumerate(text.split("\n"), start=1) if row.strip()]
    if not rows:
        raise TraceError(
            "trace-empty",
            f"{source} is empty",
            f'the first line is {{"basebound":"{FORMAT}","config":{{...}},"meter":"utf8-bytes"}}',
        )
    fields = [(n, _object(row, f"{source}, line {n}")) for n, row in rows]
    head = _header(fields[0][1], f"{source}, line {fields[0][0]}")
    steps = tuple(read_step(row, f"{source}, line {n}") for n, row in fields[1:])
    _check_names(steps, source, [n for n, _ in fields[1:]])
    return Trace(head.lines, head.protected, head.meter, steps, head.about)


def from_rows(rows: Sequence[Mapping[str, Any]], source: str = "trace") -> Trace:
    """Read a trace from the objects of its lines, as a report holds them."""
    return loads("\n".join(json.dumps(row) for row in rows), source)


def to_rows(trace: Trace) -> list[dict[str, Any]]:
    return [header_row(trace), *(step_row(step) for step in trace.steps)]


def read_step(row: Mapping[str, Any], where: str) -> Step:
    """One step from its object; fields of a recorded history (``saw``, ``client``, ``t0``, ``t1``) are left aside."""
    op = row.get("op")
    reader = _READERS.get(op) if isinstance(op, str) else None
    if reader is None:
        raise TraceError(
            "trace-unknown-step", f"{where}: {op!r} is not a step", f'"op" is one of {", ".join(_READERS)}'
        )
    return reader(row, where)


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


def _header(row: Mapping[str, Any], where: str) -> Trace:
    if row.get("basebound") != FORMAT:
        raise TraceError(
            "trace-no-header", f"{where} does not begin a trace", f'the first line carries "basebound":"{FORMAT}"'
        )
    config = row.get("config", {})
    if not isinstance(config, dict):
        raise TraceError(
            "trace-wrong-type", f"{where}: config is not an object", 'write "config":{"lines":[...],"protected":[...]}'
        )
    meter = row.get("meter", "utf8-bytes")
    if not isinstance(meter, str):
        raise TraceError("trace-wrong-type", f"{where}: meter is not a name", 'write "meter":"utf8-bytes"')
    about = {key: value for key, value in row.items() if key not in ("basebound", "config", "meter")}
    return Trace(_lines(config, "lines", where, ()), _lines(config, "protected", where, ()), meter, (), about)


def _lines(row: Mapping[str, Any], key: str, where: str, default: tuple[str, ...] | None = None) -> tuple[str, ...]:
    value = row.get(key, default)
    if not isinstance(value, (list, tuple)) or not all(isinstance(line, str) for line in value):
        raise TraceError(
            "trace-wrong-type", f"{where}: {key} is not a list of strings", f'write "{key}":["...", "..."]'
        )
    return tuple(value)


def _int(row: Mapping[str, Any], key: str, where: str) -> int:
    value = row.get(key)
    if isinstance(value, bool) or not isinstance(value, int):
        raise TraceError("trace-wrong-type", f"{where}: {key} is not a whole number", f'write "{key}":0')
    return value


def _amount(row: Mapping[str, Any], key: str, where: str) -> int | None:
    return None if row.get(key) is None else _int(row, key, where)


def _text(row: Mapping[str, Any], key: str, where: str) -> str:
    value = row.get(key)
    if not isinstance(value, str):
        raise TraceError("trace-wrong-type", f"{where}: {key} is missing or not a string", f'write "{key}":"..."')
    return value


def _objects(row: Mapping[str, Any], key: str, where: str) -> list[Mapping[str, Any]]:
    value = row.get(key, [])
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise TraceError("trace-wrong-type", f"{where}: {key} is not a list of objects", f'write "{key}":[{{...}}]')
    return value


def _expectation(row: Mapping[str, Any], where: str) -> str | None:
    expect = row.get("expect")
    known = (APPLIED, *(reason.value for reason in Reason))
    if expect is not None and expect not in known:
        raise TraceError(
            "trace-unknown-value", f"{where}: {expect!r} is not an outcome", f'"expect" is one of {", ".join(known)}'
        )
    return expect


def _kind(row: Mapping[str, Any], where: str, kinds: Iterable[str]) -> str:
    kind = _text(row, "kind", where)
    if kind not in kinds:
        raise TraceError("trace-unknown-value", f"{where}: {kind!r} is not a kind", f"the kinds are {', '.join(kinds)}")
    return kind


def _read_apply(row: Mapping[str, Any], where: str) -> Apply:
    hunks = tuple(
        Hunk(_int(hunk, "start", where), _int(hunk, "end", where), _lines(hunk, "insert", where, ()))
        for hunk in _objects(row, "hunks", where)
    )
    claim = row.get("claim")
    if claim is not None and not isinstance(claim, dict):
        raise TraceError(
            "trace-wrong-type",
            f"{where}: claim is not an object",
            'write "claim":{"freed":1,"rewrite":0,"measurement":0} or null',
        )
    cost = None if claim is None else Cost(*(_amount(claim, key, where) for key in ("freed", "rewrite", "measurement")))
    return Apply(_text(row, "base", where), hunks, cost, _expectation(row, where))


def _read_gate(row: Mapping[str, Any], where: str) -> Gate:
    charges = tuple(
        Charge(_kind(charge, where, ("insert", *EMISSION_KINDS)), _amount(charge, "tokens", where))
        for charge in _objects(row, "charges", where)
    )
    edited, artifacts = (frozenset(_lines(row, key, where, ())) for key in ("edited", "artifacts"))
    return Gate(_amount(row, "freed", where), charges, edited, artifacts, _expectation(row, where))


_READERS: dict[str, Callable[[Mapping[str, Any], str], Step]] = {
    "snapshot": lambda row, where: Read(_text(row, "as", where)),
    "append": lambda row, where: Append(_lines(row, "lines", where)),
    "insert": lambda row, where: Insert(_int(row, "at", where), _lines(row, "lines", where)),
    "emit": lambda row, where: Emit(_kind(row, where, EMISSION_KINDS), _lines(row, "lines", where)),
    "apply": _read_apply,
    "end_turn": lambda row, where: EndTurn(),
    "expect": lambda row, where: Expect(_lines(row, "lines", where)),
    "meter": lambda row, where: Spoil(_int(row, "raises_at", where)),
    "gate": _read_gate,
}


def _check_names(steps: Sequence[Step], source: str, numbers: Sequence[int]) -> None:
    known: set[str] = set()
    for step, n in zip(steps, numbers, strict=True):
        if isinstance(step, Read):
            known.add(step.name)
        elif isinstance(step, Apply) and step.base not in known:
            raise TraceError(
                "trace-unknown-snapshot",
                f"{source}, line {n}: no snapshot is called {step.base!r} yet",
                f'read one before it: {{"op":"snapshot","as":"{step.base}"}}',
            )
