"""What the page shows beside a step: buffers as panes of lines, each new, gone, never seen by an author, and so on."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from basebound.core.trace import APPLIED, Apply, Emit, Expect, Gate, Insert, Read
from basebound.model import Hunk
from basebound.report.difference import Code, codes
from basebound.report.replayer import Frame, change_between, effect, ordered
from basebound.results.outcome import Returned


@dataclass(frozen=True)
class Stretch:
    """Lines of one kind that follow each other.

    ``at`` is the number of the first; None: they stand in no buffer. ``remark`` is said beside the first. ``hit``: a
    patch points at them.
    """

    lines: tuple[str, ...]
    at: int | None = None
    kind: str = ""
    remark: str = ""
    hit: bool = False


@dataclass(frozen=True)
class Pane:
    """One buffer with a title and a gloss; without ``rows`` nothing is known of its lines."""

    title: str
    gloss: str
    rows: tuple[Stretch, ...] | None
    bad: bool = False


def panes(history: Sequence[Frame], at: int, breaks: bool, left: tuple[str, ...] | None) -> list[Pane]:
    """The panes of step ``at``; ``left`` is what a read right after it showed, where one was taken."""
    frame = history[at]
    match frame.step:
        case Apply() as patch:
            return _patch(patch, frame, breaks, left)
        case Gate() as call:
            return [Pane("What the gate is given", "tokens", tuple(_gate(call)))]
        case Read() | Expect():
            return _read(history, at, breaks)
    after = frame.after.lines
    return [Pane("What is live now", plural(len(after), "line"), _joined(_written(frame)))]


def plural(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _written(frame: Frame) -> Iterator[Stretch]:
    """The content after a write, the lines of the write marked."""
    step, after = frame.step, frame.after.lines
    change = change_between(frame.before.lines, after)
    if change is None:
        yield Stretch(after, 0)
        return
    by = f"the policy's own {step.kind}: locked until the turn ends" if isinstance(step, Emit) else "arrived now"
    start = step.at if isinstance(step, Insert) else change.at
    end = start + len(change.inserted)
    yield Stretch(after[:start], 0)
    yield Stretch(after[start:end], start, "new", by)
    yield Stretch(after[end:], end)


def _read(history: Sequence[Frame], at: int, breaks: bool) -> list[Pane]:
    frame = history[at]
    before, read = frame.before.lines, frame.snapshot
    shown = frame.after.lines if read is None else read.lines
    by = f"The author of {frame.step.name} sees this" if isinstance(frame.step, Read) else "A reader sees this"
    gloss = plural(len(shown), "line") if read is None else f"revision {read.revision}, base {read.base}"
    if not breaks or before == frame.after.lines or _lost_track(history, at):
        return [Pane(by, gloss, _joined([Stretch(shown, 0)]))]
    rows = _changed(before, shown, codes(before, shown), ("ghost", "should be here"), ("wrong", "should not be here"))
    due = Pane("What should be live", plural(len(before), "line"), _joined([Stretch(before, 0)]))
    return [due, Pane("What the read shows", gloss, _joined(rows), True)]


def _lost_track(history: Sequence[Frame], at: int) -> bool:
    """Whether a patch that had to be refused was accepted since the last read: only this read shows what it left."""
    for frame in reversed(history[:at]):
        if isinstance(frame.step, Read):
            return False
        if isinstance(frame.step, Apply) and isinstance(frame.outcome, Returned) and _expected(frame) != APPLIED:
            return True
    return False


def _expected(frame: Frame) -> str:
    return frame.expected or APPLIED


def _patch(patch: Apply, frame: Frame, breaks: bool, left: tuple[str, ...] | None) -> list[Pane]:
    unseen = frame.unseen()
    stale = any(tag != "equal" for tag, *_ in unseen)
    claim = patch.claim
    gloss = f"snapshot {patch.base}, and the patch: {plural(len(patch.hunks), 'hunk')}"
    if claim is not None:
        gloss += f"; claims freed {claim.freed}, rewrite {claim.rewrite}, measurement {claim.measurement}"
    saw = Pane("What the author saw", gloss, _joined(_authored(frame.authored.lines, patch.hunks)))
    rows = _unseen(frame, patch.hunks, unseen) if stale else _locked(frame)
    live = Pane("What was live", f"{'not what' if stale else 'the same as'} its author saw", _joined(rows))
    happened = [_effect(patch, frame, breaks, left, unseen)] if isinstance(frame.outcome, Returned) else []
    return [saw, live, *happened]


def _authored(lines: tuple[str, ...], hunks: tuple[Hunk, ...]) -> Iterator[Stretch]:
    """What the author of a patch saw, with what the patch takes and adds, and the hunks that do not fit it."""
    fit = [hunk for hunk in ordered(hunks) if 0 <= hunk.start <= hunk.end <= len(lines)]
    for at in range(len(lines) + 1):
        yield from (Stretch(hunk.insert, None, "new") for hunk in fit if hunk.end == at)
        gone = any(hunk.start <= at < hunk.end for hunk in fit)
        yield Stretch(lines[at : at + 1], at, "gone" if gone else "")
    for hunk in hunks:
        if hunk not in fit:
            by = ", ".join(json.dumps(line, ensure_ascii=False) for line in hunk.insert)
            text = f"[{hunk.start}, {hunk.end})" + (f" by {by}" if by else "")
            yield Stretch((text,), None, "wrong", "a hunk that does not fit these lines")


def _locked(frame: Frame) -> Iterator[Stretch]:
    """The content before a patch, each line that is locked marked."""
    for at, line in enumerate(frame.before.lines):
        locked = at in frame.books_before.locked
        yield Stretch((line,), at, remark="emitted this turn: locked until it ends" if locked else "")


def _unseen(frame: Frame, hunks: tuple[Hunk, ...], unseen: Iterable[Code]) -> Iterator[Stretch]:
    """The content before a stale patch: what its author never saw, and where the patch points."""
    authored, live = frame.authored.lines, frame.before.lines

    def within(at: int) -> bool:
        return any(hunk.start <= at < hunk.end for hunk in hunks)

    for tag, i, j, k, m in unseen:
        if tag != "equal":
            yield Stretch(authored[i:j], None, "ghost", "seen, and no longer there")
        for at in range(k, m):
            hit, first = within(at), at == k or within(at) != within(at - 1)
            if tag == "equal":
                remark = "where the patch points" if hit and not within(at - 1) else ""
                yield Stretch((live[at],), at, "", remark, hit)
            else:
                pointed = "; the patch points here" if hit else ""
                remark = f"its author never saw this line{pointed}" if first else ""
                yield Stretch((live[at],), at, "unseen", remark, hit)


def _effect(patch: Apply, frame: Frame, breaks: bool, left: tuple[str, ...] | None, unseen: list[Code]) -> Pane:
    live, expected = frame.before.lines, _expected(frame)
    refuse = f"accepted, but should have been refused as {expected}"
    if expected != APPLIED and left is None:
        return Pane("What happened", f"{refuse}; only a later read shows what it left", None, True)
    after = frame.after.lines if left is None else left
    never = {at for tag, _, _, k, m in unseen if tag != "equal" for at in range(k, m)}
    rows = list(_changed(live, after, effect(live, after, patch.hunks)))
    lost = [row.kind == "gone" and row.at in never for row in rows]
    for n in range(len(rows)):
        if lost[n] and not (n and lost[n - 1]):
            rows[n] = replace(rows[n], remark="lost, and its author never saw it")
    gloss = "accepted, and not as it should be" if expected == APPLIED else refuse
    return Pane("What happened", gloss if breaks else "accepted", _joined(rows), breaks)


def _changed(
    before: tuple[str, ...],
    after: tuple[str, ...],
    differences: Iterable[Code],
    gone: tuple[str, str] = ("gone", ""),
    added: tuple[str, str] = ("new", ""),
) -> Iterator[Stretch]:
    """Both contents line by line; ``gone`` and ``added`` are a kind and the remark beside the first."""
    for tag, i, j, k, m in differences:
        if tag == "equal":
            yield Stretch(after[k:m], k)
            continue
        for n in range(i, j):
            yield Stretch((before[n],), n, gone[0], gone[1] if n == i else "")
        for n in range(k, m):
            yield Stretch((after[n],), n, added[0], added[1] if n == k else "")


def _gate(call: Gate) -> Iterator[Stretch]:
    yield Stretch((f"freed: {_amount(call.freed)}",))
    for charge in call.charges:
        yield Stretch((f"{charge.kind}: {_amount(charge.tokens)}",))
    for name, ids in (("edits", call.edited), ("artifacts of this turn", call.artifacts)):
        if ids:
            yield Stretch((f"{name}: {', '.join(sorted(ids))}",))


def _amount(tokens: int | None) -> str:
    return "not attributed" if tokens is None else str(tokens)


def _joined(rows: Iterable[Stretch]) -> tuple[Stretch, ...]:
    """The same lines in as few stretches as there can be."""
    found: list[tuple[Stretch, list[str]]] = []
    for row in rows:
        if not row.lines:
            continue
        if found and _continues(row, *found[-1]):
            found[-1][1].extend(row.lines)
        else:
            found.append((row, list(row.lines)))
    return tuple(replace(first, lines=tuple(lines)) for first, lines in found)


def _continues(row: Stretch, first: Stretch, lines: list[str]) -> bool:
    following = None if first.at is None else first.at + len(lines)
    return (row.kind, row.hit, row.at, row.remark) == (first.kind, first.hit, following, "")
