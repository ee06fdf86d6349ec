"""A counterexample told to a reader: who wrote what, what was allowed, what was seen, and the buffer then.

Plain data of short lines, which the reports colour or wrap as they like.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from basebound.core.hunks import in_order
from basebound.core.register import requirement
from basebound.core.trace import Append, Apply, Emit, EndTurn, Expect, Gate, Insert, Read, Spoil, Step, Trace
from basebound.model import Cost, Hunk, Receipt, Snapshot
from basebound.oracle import Outcome, Returned
from basebound.report.difference import codes, effect
from basebound.run.messages import Counterexample
from basebound.run.verdict import Judged
from basebound.session.session import ExecutedStep, outcome_text

_LONG, _CUT = 60, 40
"""Characters of a line that are shown, and those that are left of a longer one."""
_MANY = 24
_START = 8
"""Lines of the start that are shown."""
_UNANSWERED = "BASE-ANSWER-BOUNDED"
"""Broken by a call that never answers: what its step would have come to is not known."""


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
class Line:
    """One line of a report. ``part`` says what it is, for its colour.

    Wrapped, it goes on at the column ``hang``; None: it is a command to copy, and never wrapped.
    """

    text: str
    part: str = ""
    hang: int | None = 2


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
    fix: str
    notes: tuple[str, ...]
    drawing: tuple[str, ...] = ()


def story(found: Counterexample) -> Story:
    """``found`` as a reader is told it."""
    row = requirement(found.requirement)
    told = found.steps or tuple(ExecutedStep(step, Returned(), ()) for step in found.trace.steps)
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
        scenes_of(found),
        found.finding.allowed,
        found.finding.seen,
        title,
        tuple(rows),
        row.fix,
        _notes(found),
        tuple(found.concurrent.drawing.splitlines()) if found.concurrent is not None else (),
    )


def by_history(rows: Iterable[Judged]) -> list[list[Judged]]:
    """Requirements broken at one step of one history, to be told together; rows that are not broken are left out."""
    groups: dict[object, list[Judged]] = {}
    for row in rows:
        if row.counterexample is not None:
            found = row.counterexample
            drawing = found.concurrent.drawing if found.concurrent is not None else ""
            groups.setdefault((found.trace, found.finding.step, drawing), []).append(row)
    return list(groups.values())


def scenes(trace: Trace, told: tuple[ExecutedStep, ...], breaking: set[int]) -> Iterator[Scene]:
    """The steps of a history; ``breaking`` are the numbers, from 0, of those that break something."""
    for n, entry in enumerate(told):
        yield Scene(n + 1, *_told(entry.step, entry.outcome, told[:n], trace), n in breaking)


def scenes_of(found: Counterexample) -> tuple[Scene, ...]:
    """The steps of ``found``; nothing is said of what one came to where it is not known."""
    told = found.steps or tuple(ExecutedStep(step, Returned(), ()) for step in found.trace.steps)
    shown = scenes(found.trace, told, {found.finding.step})
    return tuple(replace(scene, outcome=_known(found, scene)) for scene in shown)


def _known(found: Counterexample, scene: Scene) -> str:
    if not scene.breaks:
        return scene.outcome if found.steps else ""
    if found.repeats == "once" and found.steps:
        return f"{found.finding.seen}, when it was found"
    return scene.outcome if found.steps and found.requirement != _UNANSWERED else found.finding.seen


def text(found: Counterexample, replay: str = "") -> str:
    """The story as plain text, as the JSON report and a test failure hold it."""
    return "\n".join(plain_lines(story(found), replay)) + "\n"


def plain_lines(told: Story, replay: str = "") -> Iterator[str]:
    """The lines of a story without colours, none of them wrapped."""
    for line in lines(told, replay):
        yield line.text


def lines(told: Story, replay: str = "", also: tuple[str, ...] = (), *, headed: bool = True) -> Iterator[Line]:
    """A story as every report in plain text shows it; ``also`` are others that the same history breaks.

    Not ``headed``, the sentence and how to fix it are left out, as they have been said.
    """
    if headed:
        yield Line(f"{told.id} ({told.level}, {told.profile}) is broken", "title")
        yield Line(f"  {told.sentence}", "sentence")
        if also:
            yield Line(f"  The same history also breaks {', '.join(also)}.")
        yield Line("")
    yield from _start(told)
    for scene in told.scenes:
        yield from scene_lines(scene)
    yield Line(f"  allowed: {told.allowed}", "allowed", 11)
    yield Line(f"  seen:    {told.seen}", "seen", 11)
    if told.drawing:
        yield Line("")
        yield from (Line(f"  {line}".rstrip(), hang=9) for line in told.drawing)
    if told.rows:
        yield Line("")
        yield Line(f"  {told.title}:")
        yield from (_row(row) for row in told.rows)
    last = [Line(f"  note:   {note}", hang=10) for note in told.notes]
    last += [Line(f"  replay: {replay}", hang=None)] if replay else []
    last += [Line(f"  fix:    {told.fix}", hang=10)] if headed else []
    yield from [Line(""), *last] if last else ()


def scene_lines(scene: Scene) -> Iterator[Line]:
    """What somebody did, and under it what came of it."""
    mark, part = (">", "breaks") if scene.breaks else (" ", "")
    yield Line(f"{mark} {scene.number:>3}  {scene.who} {scene.what}", part, 7)
    if scene.outcome:
        yield Line(f"       {scene.outcome}", "seen" if scene.breaks else "aside", 7)


def _start(told: Story) -> Iterator[Line]:
    """Where the history starts; a drawing of what clients did at once says so itself."""
    if told.drawing:
        return
    protected = f", protected: {', '.join(map(repr, told.protected))}" if told.protected else ""
    meter = f", meter: {told.meter}" if told.meter != "utf8-bytes" else ""
    yield Line(f"    0  the engine starts with {_count(told.start)}{protected}{meter}", hang=7)
    for number, line in enumerate(told.start[:_START]):
        yield Line(f"         {number:>3} | {shown(line)}", "aside", 15)
    if len(told.start) > _START:
        yield Line(f"         ... {len(told.start) - _START} more", "aside", 9)


def _row(row: Row) -> Line:
    part = {"+": "new", "-": "aside"}.get(row.sign, "")
    remark = f"   <- {row.remark}" if row.remark else ""
    return Line(f"  {row.sign} {row.number:>3} | {shown(row.text)}{remark}", part, 10)


def shown(line: str) -> str:
    """A buffer's line on one line of a report: quoted where it is not plain, shortened where it is long."""
    if not line.isprintable() or line != line.strip() or line == "":
        return _quoted(line)
    return line if len(line) <= _LONG else f"{line[:_CUT]}... ({len(line)} characters)"


def _quoted(line: str) -> str:
    whole = repr(line)
    if len(whole) <= _LONG:
        return whole
    head = line[:_CUT]
    while len(repr(head)) > _CUT + 2:
        head = head[:-1]
    return f"{repr(head)[:-1]}...{repr(head)[-1]} ({len(line)} characters)"


def _count(content: tuple[str, ...]) -> str:
    return f"{len(content) or 'no'} line{'s' if len(content) != 1 else ''}"


def _named(content: tuple[str, ...]) -> str:
    """The first lines of ``content``, after a colon."""
    some = ", ".join(_quoted(line) for line in content[:6])
    return (f": {some}" if some else "") + (", ..." if len(content) > 6 else "")


def _lines(content: tuple[str, ...]) -> str:
    return f"{_count(content)}{_named(content)}"


def _told(step: Step, outcome: Outcome, before: tuple[ExecutedStep, ...], trace: Trace) -> tuple[str, str, str]:
    """Who, what and the outcome of a step."""
    match step:
        case Read(name):
            return "an author", f"reads {name}", _read(outcome)
        case Expect():
            return "a reader", "reads", _read(outcome)
        case Append(lines):
            return "a tool", f"appends {_lines(lines)}", _unusual(outcome)
        case Insert(at, lines):
            return "a tool", f"inserts {_count(lines)} before line {at}{_named(lines)}", _unusual(outcome)
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
        return f"insert {_count(hunk.insert)} at {hunk.start}{_named(hunk.insert)}"
    gone = f"{span} ({_lines(old)})" if old else span
    return f"delete {gone}" if not hunk.insert else f"replace {gone} by {_lines(hunk.insert)}"


def authored_lines(name: str, before: tuple[ExecutedStep, ...]) -> tuple[str, ...]:
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


def _buffer(found: Counterexample, told: tuple[ExecutedStep, ...]) -> tuple[str, list[Row]]:
    """The buffer at the break: what the author saw beside what was live, or what should be beside what is."""
    at = found.finding.step
    if not 0 <= at < len(told) or not found.steps:
        return "", []
    entry = told[at]
    live = told[at - 1].lines if at else found.trace.lines
    if isinstance(entry.step, Apply) and found.requirement.startswith(("BASE-STALE", "BASE-REPLAY", "BUDGET-OWN")):
        authored = authored_lines(entry.step.base, told[:at])
        gone = _gone(entry.step, live, _after(found, told, at))
        return f"what the author of {entry.step.base} saw (-), what was live (+)", _unseen(authored, live, gone)
    if isinstance(entry.step, (Read, Expect)) and isinstance(entry.outcome, Returned):
        value = entry.outcome.value
        shows = value.lines if isinstance(value, Snapshot) else ()
        return ("what should be live (-), what the read shows (+)", _diff(live, shows)) if shows != live else ("", [])
    after = _after(found, told, at)
    if after is not None and isinstance(entry.step, Apply) and after != live:
        return "live before (-), live after (+)", _diff(live, after)
    return ("what was live", _diff(live, live)) if isinstance(entry.step, Apply) else ("", [])


def _after(found: Counterexample, told: tuple[ExecutedStep, ...], at: int) -> tuple[str, ...] | None:
    """What a read right after step ``at`` showed, where one was taken."""
    if at == len(told) - 1:
        return found.aftermath
    outcome = told[at + 1].outcome
    return outcome.value.lines if isinstance(outcome, Returned) and isinstance(outcome.value, Snapshot) else None


def _gone(step: Apply, live: tuple[str, ...], after: tuple[str, ...] | None) -> set[int]:
    """The lines that a patch took away, wherever its hunks pointed."""
    if after is None or after == live:
        return set()
    hunks = [step.hunks[number] for number in in_order(step.hunks)]
    return {line for tag, i, j, _, _ in effect(live, after, hunks) if tag != "equal" for line in range(i, j)}


def _unseen(authored: tuple[str, ...], live: tuple[str, ...], gone: set[int]) -> list[Row]:
    rows = []
    for row in _diff(authored, live):
        remarks = {"+": ["the author never saw this line"], "-": ["no longer there"]}.get(row.sign, [])
        if row.sign != "-" and row.number in gone:
            remarks = [*remarks, "the patch took it away"]
        rows.append(Row(row.sign, row.number, row.text, "; ".join(remarks)))
    return rows


def _diff(old: tuple[str, ...], new: tuple[str, ...]) -> list[Row]:
    """Both contents line by line; long stretches that are equal are left out."""
    rows: list[Row] = []
    for tag, i, j, k, m in codes(old, new):
        if tag == "equal":
            rows += _ends([Row(" ", n, new[n]) for n in range(k, m)])
        else:
            rows += _ends([Row("-", n, old[n]) for n in range(i, j)])
            rows += _ends([Row("+", n, new[n]) for n in range(k, m)])
    return rows


def _ends(rows: list[Row]) -> list[Row]:
    if len(rows) <= _MANY:
        return rows
    left = len(rows) - 8
    return [*rows[:4], Row(rows[0].sign, rows[4].number, f"... {left} more lines ..."), *rows[-4:]]


def _notes(found: Counterexample) -> tuple[str, ...]:
    again = {
        "sometimes": "a re-run may differ: not every run of this history breaks it, so replay it several times",
        "once": "a re-run may differ: the break was seen once, and the other steps are told as they went later; replay "
        "it several times, or check again with --seed random",
    }
    return (*found.notes, *([again[found.repeats]] if found.repeats in again else []))
