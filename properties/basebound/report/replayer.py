"""A history replayed step by step: the content before and after each step, and what the author of a patch had read.

Whatever shows a history takes its contents from here: the story, the JSON report and the page.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from basebound.core.hunks import defects, in_order, splice
from basebound.core.trace import Append, Apply, Emit, Gate, Insert, Read, Step, Trace
from basebound.model import Hunk, Snapshot
from basebound.oracle.state import common_start
from basebound.report.difference import Code, codes
from basebound.results.outcome import Outcome, Returned
from basebound.results.steps import ExecutedStep


@dataclass(frozen=True)
class Content:
    """Lines, and beside each an id that stays with it through every change."""

    lines: tuple[str, ...]
    ids: tuple[int, ...]


@dataclass(frozen=True)
class Books:
    """The turn's books: the size of the buffer, what is emitted and not paid for, and the lines that are locked."""

    size: int = 0
    unpaid: int = 0
    locked: tuple[int, ...] = ()


@dataclass(frozen=True)
class Frame:
    """One step, numbered from 0, between the content before and after it.

    ``authored`` is what the snapshot of a patch showed. ``expected`` is what a patch or a gate call had to come to:
    ``applied``, a reason, or nothing where that is open.
    """

    at: int
    step: Step
    outcome: Outcome
    before: Content
    after: Content
    authored: Content
    expected: str
    books: Books
    books_before: Books

    @property
    def snapshot(self) -> Snapshot | None:
        """What the step read; None if it read nothing."""
        value = self.outcome.value if isinstance(self.outcome, Returned) else None
        return value if isinstance(value, Snapshot) else None

    def unseen(self) -> list[Code]:
        """How the content before a patch differs from what its author saw.

        By identity and not by text: a copy of a line its author saw is a line its author never saw.
        """
        if self.authored.lines == self.before.lines:
            return codes(self.authored.lines, self.before.lines)
        return codes(self.authored.ids, self.before.ids)


@dataclass(frozen=True)
class Splice:
    """The one splice from a content to the next: ``removed`` lines from ``at`` on, ``inserted`` instead."""

    at: int
    removed: int
    inserted: tuple[str, ...]


_NOTHING = Content((), ())


def frames(start: Trace, steps: Iterable[ExecutedStep]) -> Iterator[Frame]:
    """The frames of a history that began as ``start`` says and went through ``steps``."""
    numbers = itertools.count()
    before, books = _content(start.lines, numbers), Books()
    snapshots: dict[str, Content] = {}
    for at, entry in enumerate(steps):
        step = entry.step
        after = _content_after(before, entry, numbers)
        books_before, books = books, Books(entry.size, entry.unpaid, entry.artifacts)
        authored = snapshots.get(step.base, _NOTHING) if isinstance(step, Apply) else _NOTHING
        expected = (step.expect if isinstance(step, (Apply, Gate)) else None) or entry.expected
        frame = Frame(at, step, entry.outcome, before, after, authored, expected, books, books_before)
        yield frame
        if isinstance(step, Read) and frame.snapshot is not None:
            lines = frame.snapshot.lines
            snapshots[step.name] = after if lines == after.lines else _content(lines, numbers)
        before = after


def left_by(history: Sequence[Frame], at: int, aftermath: tuple[str, ...] | None) -> tuple[str, ...] | None:
    """What a read right after step ``at`` showed, where one was taken; ``aftermath`` is one after the last step."""
    if at == len(history) - 1:
        return aftermath
    read = history[at + 1].snapshot
    return None if read is None else read.lines


def _content(lines: tuple[str, ...], numbers: Iterable[int]) -> Content:
    return Content(lines, tuple(itertools.islice(numbers, len(lines))))


def _content_after(old: Content, entry: ExecutedStep, numbers: Iterable[int]) -> Content:
    """The content after a step; lines it did not touch keep their ids."""
    change = change_between(old.lines, entry.lines)
    if change is None:
        return old
    hunks = _written(entry.step, len(old.lines))
    if not explains(hunks, old.lines, entry.lines):
        hunks = [Hunk(change.at, change.at + change.removed, change.inserted)]
    parts = [(hunk.start, hunk.end, _content(hunk.insert, numbers).ids) for hunk in hunks]
    return Content(entry.lines, splice(old.ids, parts))


def _written(step: Step, length: int) -> list[Hunk]:
    """What a step writes into ``length`` lines, as hunks in the order their effects stand."""
    match step:
        case Apply(_, hunks):
            return ordered(hunks)
        case Insert(at, lines):
            return [Hunk(at, at, lines)]
        case Append(lines) | Emit(_, lines):
            return [Hunk(length, length, lines)]
    return []


def ordered(hunks: Sequence[Hunk]) -> list[Hunk]:
    """``hunks`` in the order their effects stand."""
    return [hunks[at] for at in in_order(hunks)]


def change_between(old: tuple[str, ...], new: tuple[str, ...]) -> Splice | None:
    """The one splice from ``old`` to ``new``; None if they are equal."""
    if old == new:
        return None
    head = common_start(old, new)
    tail = common_start(old[head:][::-1], new[head:][::-1])
    return Splice(head, len(old) - head - tail, new[head : len(new) - tail])


def explains(hunks: Sequence[Hunk], before: Sequence[str], after: Sequence[str]) -> bool:
    """Whether ``after`` is the splice of ``hunks`` into ``before``."""
    if defects(hunks, len(before)):
        return False
    return list(splice(before, [(hunk.start, hunk.end, hunk.insert) for hunk in hunks])) == list(after)


def effect(live: Sequence[str], after: Sequence[str], hunks: Sequence[Hunk]) -> list[Code]:
    """What a patch did: its hunks where they explain it, else the least difference.

    An engine that looks for the place its patch fits puts it elsewhere than the hunks say.
    """
    hunks = ordered(hunks)
    if not explains(hunks, live, after):
        return codes(live, after)
    found: list[Code] = []
    old = new = 0
    for hunk in hunks:
        found.append(("equal", old, hunk.start, new, new + hunk.start - old))
        new += hunk.start - old
        found.append(("replace", hunk.start, hunk.end, new, new + len(hunk.insert)))
        old, new = hunk.end, new + len(hunk.insert)
    return [*found, ("equal", old, len(live), new, len(after))]
