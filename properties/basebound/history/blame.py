"""Which sentence of the spec an illegal history breaks: what would have to be otherwise for an order to exist.

A history without an order is tried again with one rule lifted for one operation: a commit that need not have
had its base, a write that may have started from an older content or have been lost, a read, a receipt or a refusal
that may be wrong. Where that gives an order, the operation may have broken that rule; there may be more than one
such story. Only contents are looked at here: a lost update mostly upsets the revisions too. The requirement that
there is an order is always broken.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import inf

from basebound.core.hunks import defects, in_order, splice
from basebound.core.trace import Apply, Insert
from basebound.history.facts import ONE_REVISION, RISES, contradiction
from basebound.history.operations import CallHistory, Lines, Operation, step_text
from basebound.history.order_verdict import Illegal
from basebound.history.ordering import OutOfBudget, Problem, Search
from basebound.model import Reason

CHECK_COMMIT = "ATOMIC-CHECK-COMMIT"
ONE_WINNER = "ATOMIC-ONE-WINNER"
WRITE_KEPT = "ATOMIC-WRITE-KEPT"
SNAPSHOT_WHOLE = "ATOMIC-SNAPSHOT-WHOLE"
RECEIPT_OWN = "ATOMIC-RECEIPT-OWN"
REVISION_RISES = "ATOMIC-REVISION-RISES"
REFUSAL_TRUE = "ATOMIC-REFUSAL-TRUE"
LINEARIZABLE = "ATOMIC-LINEARIZABLE"

_MOST_OPERATIONS = 60
_MOST_STEPS = 3_000


@dataclass(frozen=True, slots=True)
class Blame:
    """A requirement that is broken, and how."""

    requirement: str
    sentence: str


def blame(verdict: Illegal) -> tuple[Blame, ...]:
    """Every broken requirement once, the most specific first, ``ATOMIC-LINEARIZABLE`` last."""
    found: dict[str, Blame] = {}
    if len(verdict.within.operations) <= _MOST_OPERATIONS:
        for story in _stories(verdict.within):
            found.setdefault(story.requirement, story)
    if verdict.law in (ONE_REVISION, RISES):
        found[REVISION_RISES] = Blame(REVISION_RISES, verdict.why)
    found[LINEARIZABLE] = Blame(LINEARIZABLE, verdict.why)
    return tuple(found.values())


def _stories(history: CallHistory) -> Iterator[Blame]:
    told_of = _Contents(history)
    if told_of.has_order():
        yield from _identity_stories(history)
        return
    for operation in history.operations:
        who = f"{step_text(operation.step)} by {operation.client}"
        if operation.receipt is not None and operation.left is not None:
            misnamed = _beside_a_write(history, operation) and told_of.has_order(mistaken=operation)
            if misnamed:
                yield Blame(RECEIPT_OWN, f"the receipt of {who} is not that of its own commit")
            elif told_of.has_order(blind=operation):
                yield Blame(CHECK_COMMIT, f"{who} took effect on another content than its author saw")
                rival = next((other for other in history.operations if _on_one_base(other, operation)), None)
                if rival is not None:
                    yield Blame(
                        ONE_WINNER,
                        f"{who} and {step_text(rival.step)} by {rival.client} were both committed, on one base",
                    )
        elif operation.answered and operation.added:
            if told_of.has_order(blind=operation):
                yield Blame(WRITE_KEPT, f"{who} undid what others had written, or was lost itself")
        elif operation.seen is not None:
            if _fleeting(history, operation) and told_of.has_order(mistaken=operation):
                yield Blame(SNAPSHOT_WHOLE, f"{who} shows what was never there; without it there is an order")
        elif operation.refusal is Reason.STALE_BASE and told_of.has_order(mistaken=operation):
            yield Blame(REFUSAL_TRUE, f"{who} was refused as stale although its base was live all the time")


def _identity_stories(history: CallHistory) -> Iterator[Blame]:
    """The contents have an order, so a base or a revision is wrong."""
    for operation in history.operations:
        if not _beside_a_write(history, operation):
            continue
        who = f"{step_text(operation.step)} by {operation.client}"
        others = [other for other in history.operations if other.seen is None or other.seen != operation.seen]
        if operation.seen is not None and _fleeting(history, operation) and _ordered(history, others):
            yield Blame(SNAPSHOT_WHOLE, f"{who} shows lines, base and revision that do not belong together")
        if operation.receipt is not None:
            silent = replace(operation, outcome=None)
            if _ordered(history, [silent if other is operation else other for other in history.operations]):
                yield Blame(RECEIPT_OWN, f"the receipt of {who} is not that of its own commit")


def _ordered(history: CallHistory, operations: Sequence[Operation]) -> bool:
    trial = replace(history, operations=tuple(operations))
    if contradiction(trial) is not None:
        return False
    try:
        return Search(Problem(trial), _MOST_STEPS).run() is not None
    except OutOfBudget:
        return False


def _on_one_base(other: Operation, commit: Operation) -> bool:
    """Whether both were committed on the same state, and changed it."""
    if other is commit or other.receipt is None or other.authored is None or commit.authored is None:
        return False
    same = (other.authored.base, other.authored.revision) == (commit.authored.base, commit.authored.revision)
    return same and other.left != other.authored.lines and commit.left != commit.authored.lines


def _beside_a_write(history: CallHistory, operation: Operation) -> bool:
    """Whether a write was under way at the same time: alone, nothing can be torn."""
    return any(
        other is not operation
        and other.seen is None
        and other.t0 <= (operation.t1 or operation.t0)
        and (other.outcome is None or (other.t1 or 0) >= operation.t0)
        for other in history.operations
    )


def _fleeting(history: CallHistory, read: Operation) -> bool:
    """Whether a read shows what no read away from the writes shows: what lasts is no half-written state."""
    return _beside_a_write(history, read) and not any(
        other.seen == read.seen and not _beside_a_write(history, other) for other in history.operations
    )


class _Contents:
    """Looks for an order by contents alone, one operation's rule lifted; bounded, a story not found is not told."""

    def __init__(self, history: CallHistory) -> None:
        self.start = history.lines
        self.operations = [op for op in history.operations if op.answered or op.added or op.left is not None]
        self.ends = [op.t1 if op.answered and op.t1 is not None else inf for op in self.operations]
        self.must = frozenset(n for n, end in enumerate(self.ends) if end < inf)
        self.bases = {op.seen.base: op.seen.lines for op in history.operations if op.seen is not None}

    def has_order(self, blind: Operation | None = None, mistaken: Operation | None = None) -> bool:
        """``blind``: a write that need not start from what is live. ``mistaken``: an answer that need not be true,
        and with a read all that show the same.
        """
        self.blind = blind
        self.mistaken = {
            n
            for n, op in enumerate(self.operations)
            if op is mistaken or (mistaken is not None and op.seen is not None and op.seen == mistaken.seen)
        }
        self.steps = 0
        self.dead: set[tuple[frozenset[int], tuple[Lines, ...]]] = set()
        return self._walk(frozenset(), (self.start,))

    def _walk(self, done: frozenset[int], path: tuple[Lines, ...]) -> bool:
        """``path``: the contents so far, the live one last."""
        if self.must <= done:
            return True
        key = (done, path[-1:] if self.blind is None else path)
        if key in self.dead or self.steps > _MOST_STEPS:
            return False
        self.steps += 1
        reached = min(self.ends[n] for n in self.must - done)
        for n, operation in enumerate(self.operations):
            if n not in done and operation.t0 <= reached:
                for content in self._after(n, operation, path):
                    longer = path if content == path[-1] else (*path, content)
                    if self._walk(done | {n}, longer):
                        return True
        self.dead.add(key)
        return False

    def _after(self, n: int, operation: Operation, path: tuple[Lines, ...]) -> Iterator[Lines]:
        """The contents an operation may leave; none where it cannot come now."""
        live, step = path[-1], operation.step
        if operation.seen is not None:
            if n in self.mistaken or operation.seen.lines == live:
                yield live
        elif operation.refusal is not None:
            assert operation.authored is not None
            same = operation.authored.lines == live
            if n in self.mistaken or same != (operation.refusal is Reason.STALE_BASE) or live in path[:-1]:
                yield live
        elif operation.added is not None:
            yield from self._written(operation, path)
        elif isinstance(step, Apply) and operation.authored is not None and operation.left is not None:
            results = [operation.left] if operation is self.blind or operation.authored.lines == live else []
            if operation is self.blind and not defects(step.hunks, len(live)):
                hunks = [step.hunks[i] for i in in_order(step.hunks)]
                results.append(splice(live, [(hunk.start, hunk.end, hunk.insert) for hunk in hunks]))
            yield from (lines for lines in results if n in self.mistaken or self._owns_receipt(operation, lines))

    def _written(self, operation: Operation, path: tuple[Lines, ...]) -> Iterator[Lines]:
        step, added = operation.step, operation.added or ()
        if operation is self.blind:
            yield path[-1]
        for content in path if operation is self.blind else path[-1:]:
            at = step.at if isinstance(step, Insert) else len(content)
            if at <= len(content):
                yield (*content[:at], *added, *content[at:])

    def _owns_receipt(self, operation: Operation, lines: Lines) -> bool:
        """Whether the receipt's base is, as far as a read says, that of ``lines``."""
        return operation.receipt is None or self.bases.get(operation.receipt.base, lines) == lines
