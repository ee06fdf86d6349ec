"""A counterexample told to a reader: who wrote what, what was allowed, what was seen, and the buffer then.

Plain data of short lines, which the reports colour or wrap as they like.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from basebound.lenses.session import Told, outcome_text
from basebound.model import Cost, Hunk, Receipt, Snapshot
from basebound.oracle import Outcome, Returned
from basebound.register import requirement
from basebound.report.difference import codes
from basebound.run.events import Counterexample
from basebound.trace import Append, Apply, Emit, EndTurn, Expect, Gate, Insert, Read, Spoil, Step, Trace
from basebound.verdict import Judged

_LONG = 60
_MANY = 24


@dataclass(frozen=True)
class Row:
    """One line of two buffers: ``sign`` is ``+`` (only in the second), ``-`` (only in the first) or space (in both)."""

    sign: str
    number: int
    text: str
    remark: str = ""


@dataclass(frozen=True)
class Scene:
    """One step, numbered from 1: who does what, what came of it, and whether it breaks the sentence."""

    number: int
    who: str
    what: str
    outcome: str
    breaks: bool


@dataclass(frozen=True)
class Story:
    """All a reader needs of one counterexample, in order."""

    id: str
    level: str
    profile: str
    sentence: str
    start: tuple[str, ...]
    protected: tuple[str, ...]
    meter: str
    scenes: tuple[Scene, ...]
    allowed: str
    seen: str
    title: str
    rows: tuple[Row, ...]
    mend: str
    notes: tuple[str, ...]
    drawing: tuple[str, ...] = ()


def story(found: Counterexample) -> Story:
    """``found`` as a reader is told it."""
    row = requirement(found.requirement)
    told = found.told or tuple(Told(step, Returned(), ()) for step in found.trace.steps)
    title, rows = _buffer(found, told)
    start = found.trace
    return Story(
        row.id,
        row.level,
        row.profile,
        row.sentence,
        start.lines,
        start.protected,
        start.meter,
        tuple(scenes(found.trace, told, {found.finding.step})),
        found.finding.allowed,
        found.finding.seen,
        title,
        tuple(rows),
        row.mend,
        _notes(found),
        tuple(found.met.drawing.splitlines()) if found.met is not None else (),
    )


def by_history(rows: Iterable[Judged]) -> list[list[Judged]]:
    """Requirements broken at one step of one history, to be told together; rows that are not broken are left out."""
    groups: dict[object, list[Judged]] = {}
    for row in rows:
        if row.counterexample is not None:
            found = row.counterexample
            drawing = found.met.drawing if found.met is not None else ""
            groups.setdefault((found.trace, found.finding.step, drawing), []).append(row)
    return list(groups.values())


def scenes(trace: Trace, told: tuple[Told, ...], breaking: set[int]) -> Iterator[Scene]:
    """The steps of a history; ``breaking`` are the numbers, from 0, of those that break something."""
    for n, entry in enumerate(told):
        yield Scene(n + 1, *_told(entry.step, entry.outcome, told[:n], trace), n in breaking)


def text(found: Counterexample, replay: str = "") -> str:
    """The story as plain text, as the JSON report and a test failure hold it."""
    return "\n".join(plain_lines(story(found), replay)) + "\n"


def plain_lines(told: Story, replay: str = "") -> Iterator[str]:
    yield f"{told.id} ({told.level}, {told.profile}) is broken: {told.sentence}"
    yield ""
    yield f"  start: {_lines(told.start)}" + (f", protected {list(told.protected)}" if told.protected else "")
    if told.meter != "utf8-bytes":
        yield f"  meter: {told.meter}"
    for scene in told.scenes:
        mark = ">" if scene.breaks else " "
        yield f"{mark} {scene.number:2} {scene.who} {scene.what}"
        if scene.outcome:
            yield f"      {scene.outcome}"
    yield f"  allowed: {told.allowed}"
    yield f"  seen:    {told.seen}"
    if told.drawing:
        yield ""
        yield from (f"  {line}".rstrip() for line in told.drawing)
    if told.rows:
        yield ""
        yield f"  {told.title}"
        yield from (
            f"  {row.sign} {row.number:3} | {shown(row.text)}" + (f"   <- {row.remark}" if row.remark else "")
            for row in told.rows
        )
    yield ""
    yield from (f"  note: {note}" for note in told.notes)
    if replay:
        yield f"  replay: {replay}"
    yield f"  mend: {told.mend}"


def shown(line: str) -> str:
    """A buffer's line on one line of a report: quoted where it is not plain, shortened where it is long."""
    plain = line.isprintable() and line == line.strip() and line != ""
    quoted = line if plain else repr(line)
    return quoted if len(quoted) <= _LONG else f"{quoted[: _LONG - 20]}... ({len(line)} characters)"


def _lines(lines: tuple[str, ...]) -> str:
    if not lines:
        return "no lines"
    some = ", ".join(
        repr(shown(line)) if line.isprintable() and line == line.strip() and line else shown(line) for line in lines[:6]
    )
    count = f"{len(lines)} line{'s' if len(lines) > 1 else ''}"
    return f"{count}: {some}" + (", ..." if len(lines) > 6 else "")


def _told(step: Step, outcome: Outcome, before: tuple[Told, ...], trace: Trace) -> tuple[str, str, str]:
    """Who, what and the outcome of a step."""
    match step:
        case Read(name):
            return "an author", f"reads {name}", _read(outcome)
        case Expect():
            return "a reader", "reads", _read(outcome)
        case Append(lines):
            return "a tool", f"appends {_lines(lines)}", _unusual(outcome)
        case Insert(at, lines):
            return "a tool", f"inserts before line {at} {_lines(lines)}", _unusual(outcome)
        case Emit(kind, lines):
            return "the policy", f"emits its {kind}, {_lines(lines)}", _unusual(outcome)
        case EndTurn():
            return "the turn", "ends", _unusual(outcome)
        case Apply(base, hunks, claim):
            authored = authored_lines(base, before)
            changes = "; ".join(_hunk(hunk, authored) for hunk in hunks) or "no hunks"
            claimed = f", claiming {_cost(claim)}" if claim is not None else ""
            return f"the author of {base}", f"submits a patch{claimed}: {changes}", _applied(outcome)
        case Spoil(raises_at):
            return "the meter", f"will raise at its call {raises_at} in the next step", ""
        case Gate():
            return "the gate", _gate(step), _applied(outcome)


def _gate(step: Gate) -> str:
    charges = ", ".join(f"{charge.kind} {charge.tokens}" for charge in step.charges) or "none"
    edited = f", edits {sorted(step.edited)}" if step.edited else ""
    artifacts = f" while {sorted(step.artifacts)} are artifacts" if step.artifacts else ""
    return f"is asked: freed {step.freed}, charges {charges}{edited}{artifacts}"


def _hunk(hunk: Hunk, authored: tuple[str, ...]) -> str:
    old = authored[hunk.start : hunk.end] if 0 <= hunk.start <= hunk.end <= len(authored) else ()
    span = f"[{hunk.start}, {hunk.end})"
    if hunk.start == hunk.end:
        return f"insert at {hunk.start} {_lines(hunk.insert)}"
    gone = f"{span} ({_lines(old)})" if old else span
    return f"delete {gone}" if not hunk.insert else f"replace {gone} by {_lines(hunk.insert)}"


def authored_lines(name: str, before: tuple[Told, ...]) -> tuple[str, ...]:
    for entry in reversed(before):
        if isinstance(entry.step, Read) and entry.step.name == name and isinstance(entry.outcome, Returned):
            return entry.outcome.value.lines if isinstance(entry.outcome.value, Snapshot) else ()
    return ()


def _read(outcome: Outcome) -> str:
    if isinstance(outcome, Returned) and isinstance(outcome.value, Snapshot):
        value = outcome.value
        base = value.base if len(value.base) <= 12 else f"{value.base[:12]}..."
        return f"revision {value.revision}, base {base}: {_lines(value.lines)}"
    return outcome_text(outcome)


def _applied(outcome: Outcome) -> str:
    if isinstance(outcome, Returned):
        receipt = outcome.value
        cost = f", cost {_cost(receipt.cost)}" if isinstance(receipt, Receipt) and receipt.cost is not None else ""
        revision = f" at revision {receipt.revision}" if isinstance(receipt, Receipt) else ""
        return f"applied{revision}{cost}"
    return outcome_text(outcome)


def _unusual(outcome: Outcome) -> str:
    return "" if isinstance(outcome, Returned) else outcome_text(outcome)


def _cost(cost: Cost) -> str:
    return f"freed {cost.freed}, rewrite {cost.rewrite}, measurement {cost.measurement}"


def _buffer(found: Counterexample, told: tuple[Told, ...]) -> tuple[str, list[Row]]:
    """The buffer at the break: what the author saw beside what was live, or what should be beside what is."""
    at = found.finding.step
    if not 0 <= at < len(told) or not found.told:
        return "", []
    entry = told[at]
    live = told[at - 1].lines if at else found.trace.lines
    if isinstance(entry.step, Apply) and found.requirement.startswith(("BASE-STALE", "BASE-REPLAY", "BUDGET-OWN")):
        authored = authored_lines(entry.step.base, told[:at])
        return f"what the author of {entry.step.base} saw (-), what was live (+)", _unseen(authored, live, entry)
    if isinstance(entry.step, (Read, Expect)) and isinstance(entry.outcome, Returned):
        value = entry.outcome.value
        shows = value.lines if isinstance(value, Snapshot) else ()
        if shows != _expected(told, at, found.trace):
            return "what should be live (-), what the read shows (+)", _diff(_expected(told, at, found.trace), shows)
        return "", []
    after = found.aftermath
    if after is not None and isinstance(entry.step, Apply) and after != live:
        return "live before (-), live after (+)", _diff(live, after)
    return ("what was live", _diff(live, live)) if isinstance(entry.step, Apply) else ("", [])


def _expected(told: tuple[Told, ...], at: int, trace: Trace) -> tuple[str, ...]:
    return told[at - 1].lines if at else trace.lines


def _unseen(authored: tuple[str, ...], live: tuple[str, ...], entry: Told) -> list[Row]:
    step = entry.step
    assert isinstance(step, Apply)
    hit = {at for hunk in step.hunks for at in range(max(0, hunk.start), max(0, hunk.end))}
    applied = isinstance(entry.outcome, Returned)
    rows = []
    for row in _diff(authored, live):
        remarks = (
            ["the author never saw this line"] if row.sign == "+" else ["no longer there"] if row.sign == "-" else []
        )
        if row.sign != "-" and row.number in hit and applied:
            remarks.append("the patch hits it")
        rows.append(Row(row.sign, row.number, row.text, "; ".join(remarks)))
    return rows


def _diff(old: tuple[str, ...], new: tuple[str, ...]) -> list[Row]:
    """Both contents line by line; long stretches that are equal are left out."""
    rows: list[Row] = []
    for tag, i, j, k, m in codes(old, new):
        if tag == "equal":
            rows += _shortened([Row(" ", n, new[n]) for n in range(k, m)])
        else:
            rows += _shortened([Row("-", n, old[n]) for n in range(i, j)])
            rows += _shortened([Row("+", n, new[n]) for n in range(k, m)])
    return rows


def _shortened(rows: list[Row]) -> list[Row]:
    if len(rows) <= _MANY:
        return rows
    left = len(rows) - 8
    return [*rows[:4], Row(rows[0].sign, rows[4].number, f"... {left} more lines ..."), *rows[-4:]]


def _notes(found: Counterexample) -> tuple[str, ...]:
    notes = list(found.notes)
    if found.repeats == "sometimes":
        notes.append("it is not broken every time this history is run")
    if found.repeats == "once":
        notes.append("it was seen once and could not be repeated")
    return tuple(notes)
