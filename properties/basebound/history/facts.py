"""What no order can fix: two answers of one engine that contradict each other.

These are laws of the contract's bases and revisions (SPEC.md, section 10.1), judged without an order
in time linear in the history, after one sort.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from basebound.history.operations import CallHistory, Lines, Operation


@dataclass(frozen=True, slots=True)
class Contradiction:
    """One or two operations (indices into the history) and the law they break."""

    operations: tuple[int, ...]
    law: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Sight:
    """An answer that shows a state: whose, and the state's revision, base and lines."""

    operation: int
    revision: int
    base: str
    lines: Lines


ONE_BASE = "one base, one content"
ONE_REVISION = "one revision, one content"
RISES = "revisions rise in real time"
FITS = "a commit is a splice"


def sights(operation: Operation, index: int) -> Iterator[Sight]:
    """The states an answered operation shows; a patch's base was an answer of the same engine too."""
    if not operation.answered:
        return
    seen, receipt, authored = operation.seen, operation.receipt, operation.authored
    if seen is not None:
        yield Sight(index, seen.revision, seen.base, seen.lines)
    if authored is not None:
        yield Sight(index, authored.revision, authored.base, authored.lines)
        left = operation.left
        if receipt is not None and left is not None:
            yield Sight(index, receipt.revision, receipt.base, left)


def contradiction(history: CallHistory) -> Contradiction | None:
    """The first one found, or ``None``."""
    return _alone(history) or _identities(history) or _backwards(history)


def _alone(history: CallHistory) -> Contradiction | None:
    for index, operation in enumerate(history.operations):
        receipt, authored = operation.receipt, operation.authored
        if receipt is None or authored is None:
            continue
        left = operation.left
        if left is None:
            return Contradiction((index,), FITS, "it was committed although its hunks fit no content its author saw")
        if receipt.revision < authored.revision + (left != authored.lines):
            return Contradiction((index,), RISES, "its commit did not raise the revision above its base's")
    return None


def _identities(history: CallHistory) -> Contradiction | None:
    by_base: dict[str, Sight] = {}
    by_revision: dict[int, Sight] = {}
    for index, operation in enumerate(history.operations):
        for sight in sights(operation, index):
            other = by_base.setdefault(sight.base, sight)
            if other.lines != sight.lines:
                return _pair(other, sight, ONE_BASE, f"both name base {sight.base[:8]!r}, with other lines")
            other = by_revision.setdefault(sight.revision, sight)
            if other.lines != sight.lines:
                return _pair(other, sight, ONE_REVISION, f"both name revision {sight.revision}, with other lines")
            if other.base != sight.base:
                return _pair(other, sight, ONE_REVISION, f"both name revision {sight.revision}, with other bases")
    return None


def _pair(one: Sight, other: Sight, law: str, sentence: str) -> Contradiction:
    if one.operation == other.operation:
        return Contradiction((one.operation,), law, sentence.replace("both name", "its base and its receipt name"))
    return Contradiction((one.operation, other.operation), law, sentence)


def _backwards(history: CallHistory) -> Contradiction | None:
    """A later call that shows an earlier revision than an answer it came after."""
    shown = [
        (operation, index, value.revision)
        for index, operation in enumerate(history.operations)
        if (value := operation.seen or operation.receipt) is not None
    ]
    by_end = sorted(shown, key=lambda entry: entry[0].t1 or 0)
    by_start = sorted(shown, key=lambda entry: entry[0].t0)
    ended, highest, holder = 0, history.revision, -1
    for operation, index, revision in by_start:
        while ended < len(by_end) and (by_end[ended][0].t1 or 0) < operation.t0:
            if highest is None or by_end[ended][2] > highest:
                highest, holder = by_end[ended][2], by_end[ended][1]
            ended += 1
        rose = operation.receipt is not None and operation.left != (operation.authored and operation.authored.lines)
        if highest is not None and revision < highest + rose:
            others = (holder, index) if holder >= 0 else (index,)
            return Contradiction(others, RISES, f"revision {highest} had been answered before revision {revision} came")
    return None
