"""A counterexample told to a reader: who wrote what, what was allowed, what was seen, and the buffer then.

Plain data of short lines, which the reports colour or wrap as they like.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from basebound.core.register import Role, by_id, requirement, with_role
from basebound.core.trace import Append, Apply, Emit, EndTurn, Expect, Gate, Insert, Read, Spoil, Trace
from basebound.model import Cost, Hunk, Receipt
from basebound.report.difference import Code, codes
from basebound.report.replayer import Frame, effect, frames, left_by
from basebound.results.counterexample import Counterexample
from basebound.results.outcome import Outcome, Returned, outcome_text
from basebound.results.steps import ExecutedStep

_LONG, _CUT = 60, 40
"""Characters of a line that are shown, and those that are left of a longer one."""
_MANY = 24
_START = 8
"""Lines of the start that are shown."""
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
    title, rows = _buffer(found)
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


def scenes(start: Trace, steps: Iterable[ExecutedStep], breaking: set[int]) -> Iterator[Scene]:
    """The steps of a history; ``breaking`` are the numbers, from 0, of those that break something."""
    for frame in frames(start, steps):
        yield Scene(frame.at + 1, *_said(frame), frame.at in breaking)


def scenes_of(found: Counterexample) -> tuple[Scene, ...]:
    """The steps of ``found``; nothing is said of what one came to where it is not known."""
    steps = found.steps or tuple(ExecutedStep(step, Returned(), ()) for step in found.trace.steps)
    shown = scenes(found.trace, steps, {found.finding.step})
    return tuple(replace(scene, outcome=_known(found, scene)) for scene in shown)


def _known(found: Counterexample, scene: Scene) -> str:
    if not scene.breaks:
        return scene.outcome if found.steps else ""
    if found.repeats == "once" and found.steps:
        return f"{found.finding.seen}, when it was found"
    return scene.outcome if found.steps and found.requirement != with_role(Role.UNANSWERED) else found.finding.seen


def text(found: Counterexample, replay: str = "") -> str:
    """The story as plain text, as the JSON report and a test failure hold it."""
    return "\n".join(plain_lines(story(found), replay)) + "\n"


def plain_lines(story: Story, replay: str = "") -> Iterator[str]:
    """The lines of a story without colours, none of them wrapped."""
    for line in lines(story, replay):
        yield line.text


def lines(story: Story, replay: str = "", also: tuple[str, ...] = (), *, headed: bool = True) -> Iterator[Line]:
    """A story as every report in plain text shows it; ``also`` are others that the same history breaks.

    Not ``headed``, the sentence and how to fix it are left out, as they have been said.
    """
    if headed:
        yield Line(f"{story.id} ({story.level}, {story.profile}) is broken", "title")
        yield Line(f"  {story.sentence}", "sentence")
        if also:
            yield Line(f"  The same history also breaks {', '.join(also)}.")
        yield Line("")
    yield from _start(story)
    for scene in story.scenes:
        yield from scene_lines(scene)
    yield Line(f"  allowed: {story.allowed}", "allowed", 11)
    yield Line(f"  seen:    {story.seen}", "seen", 11)
    if story.drawing:
        yield Line("")
        yield from (Line(f"  {line}".rstrip(), hang=9) for line in story.drawing)
    if story.rows:
        yield Line("")
        yield Line(f"  {story.title}:")
        yield from (_row(row) for row in story.rows)
    last = [Line(f"  note:   {note}", hang=10) for note in story.notes]
    last += [Line(f"  replay: {replay}", hang=None)] if replay else []
    last += [Line(f"  fix:    {story.fix}", hang=10)] if headed else []
    yield from [Line(""), *last] if last else ()


def scene_lines(scene: Scene) -> Iterator[Line]:
    """What somebody did, and under it what came of it."""
    mark, part = (">", "breaks") if scene.breaks else (" ", "")
    yield Line(f"{mark} {scene.number:>3}  {scene.who} {scene.what}", part, 7)
    if scene.outcome:
        yield Line(f"       {scene.outcome}", "seen" if scene.breaks else "aside", 7)


def _start(story: Story) -> Iterator[Line]:
    """Where the history starts; a drawing of what clients did at once says so itself."""
    if story.drawing:
        return
    protected = f", protected: {', '.join(map(repr, story.protected))}" if story.protected else ""
    meter = f", meter: {story.meter}" if story.meter != "utf8-bytes" else ""
    yield Line(f"    0  the engine starts with {_count(story.start)}{protected}{meter}", hang=7)
    for number, line in enumerate(story.start[:_START]):
        yield Line(f"         {number:>3} | {shown(line)}", "aside", 15)
    if len(story.start) > _START:
        yield Line(f"         ... {len(story.start) - _START} more", "aside", 9)


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


def _said(frame: Frame) -> tuple[str, str, str]:
    """Who, what and the outcome of a step."""
    outcome = frame.outcome
    match frame.step:
        case Read(name):
            return "an author", f"reads {name}", _read(frame)
        case Expect():
            return "a reader", "reads", _read(frame)
        case Append(lines):
            return "a tool", f"appends {_lines(lines)}", _unusual(outcome)
        case Insert(at, lines):
            return "a tool", f"inserts {_count(lines)} before line {at}{_named(lines)}", _unusual(outcome)
        case Emit(kind, lines):
            return "the policy", f"emits its {kind}, {_lines(lines)}", _unusual(outcome)
        case EndTurn():
            return "the turn", "ends", _unusual(outcome)
        case Apply(base, hunks, claim):
            changes = "; ".join(_hunk(hunk, frame.authored.lines) for hunk in hunks) or "no hunks"
            claimed = f", claiming {_cost(claim)}" if claim is not None else ""
            return f"the author of {base}", f"submits a patch{claimed}: {changes}", _applied(outcome)
        case Spoil(raises_at):
            return "the meter", f"will raise at its call {raises_at} in the next step", ""
        case Gate() as call:
            return "the gate", _gate(call), _applied(outcome)


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


def _read(frame: Frame) -> str:
    value = frame.snapshot
    if value is None:
        return outcome_text(frame.outcome)
    base = value.base if len(value.base) <= 12 else f"{value.base[:12]}..."
    return f"revision {value.revision}, base {base}: {_lines(value.lines)}"


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


def _buffer(found: Counterexample) -> tuple[str, list[Row]]:
    """The buffer at the break: what the author saw beside what was live, or what should be beside what is."""
    at = found.finding.step
    if not 0 <= at < len(found.steps):
        return "", []
    history = list(frames(found.trace, found.steps))
    frame, after = history[at], left_by(history, at, found.aftermath)
    live = frame.before.lines
    if isinstance(frame.step, Apply) and by_id()[found.requirement].stale:
        return f"what the author of {frame.step.base} saw (-), what was live (+)", _unseen(frame, after)
    if isinstance(frame.step, (Read, Expect)) and isinstance(frame.outcome, Returned):
        shows = frame.snapshot.lines if frame.snapshot is not None else ()
        return ("what should be live (-), what the read shows (+)", _diff(live, shows)) if shows != live else ("", [])
    if after is not None and isinstance(frame.step, Apply) and after != live:
        return "live before (-), live after (+)", _diff(live, after)
    return ("what was live", _diff(live, live)) if isinstance(frame.step, Apply) else ("", [])


def _unseen(frame: Frame, after: tuple[str, ...] | None) -> list[Row]:
    """What the author of a patch saw beside what was live; ``after`` is the content the patch left, if it is known."""
    gone = _gone(frame, after)
    rows = []
    for row in _rows(frame.authored.lines, frame.before.lines, frame.unseen()):
        remarks = {"+": ["the author never saw this line"], "-": ["no longer there"]}.get(row.sign, [])
        if row.sign != "-" and row.number in gone:
            remarks = [*remarks, "the patch took it away"]
        rows.append(Row(row.sign, row.number, row.text, "; ".join(remarks)))
    return rows


def _gone(frame: Frame, after: tuple[str, ...] | None) -> set[int]:
    """The lines that a patch took away, wherever its hunks pointed."""
    live = frame.before.lines
    if after is None or after == live or not isinstance(frame.step, Apply):
        return set()
    return {line for tag, i, j, _, _ in effect(live, after, frame.step.hunks) if tag != "equal" for line in range(i, j)}


def _diff(old: tuple[str, ...], new: tuple[str, ...]) -> list[Row]:
    return _rows(old, new, codes(old, new))


def _rows(old: tuple[str, ...], new: tuple[str, ...], differences: list[Code]) -> list[Row]:
    """Both contents line by line; long stretches that are equal are left out."""
    rows: list[Row] = []
    for tag, i, j, k, m in differences:
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
        "once": "a re-run may differ: the break was seen once, and the other steps are as they went later; replay it "
        "several times, or check again with --seed random",
    }
    return (*found.notes, *([again[found.repeats]] if found.repeats in again else []))
