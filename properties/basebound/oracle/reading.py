"""A read that shows other lines than it should: which step since the last read is to blame, and how."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from basebound.core.hunks import defects, one_after_the_other, removed, with_running_offset
from basebound.core.marks import BY_CALLER, BY_READER
from basebound.model import Hunk, Reason
from basebound.oracle.breaks import Break
from basebound.oracle.expected import shared_points
from basebound.oracle.state import spliced

_EXACT = {
    "start": "BASE-START-EXACT",
    "append": "BASE-APPEND-EXACT",
    "insert": "BASE-INSERT-EXACT",
    "emit": "BUDGET-EMIT-EXACT",
    "end_turn": "BUDGET-TURN-STILL",
    "refusal": "BASE-REFUSAL-PURE",
    "interrupted": "BUDGET-METER-RAISED",
}


@dataclass(frozen=True)
class Pending:
    """A step that no read has confirmed yet: the content before it and the content it should leave."""

    kind: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    hunks: tuple[Hunk, ...] = ()
    reason: Reason | None = None
    at: int = 0

    @property
    def keeps_lines(self) -> bool:
        """Whether the step changes the content and leaves some lines as they were."""
        if self.kind == "apply":
            return self.before != self.after and len(removed(self.hunks, len(self.before))) < len(self.before)
        return bool(self.before) and self.before != self.after

    def goals(self) -> set[tuple[str, str]]:
        """What is reached when a read has confirmed the step."""
        match self.kind:
            case "start":
                name = "odd" if is_odd(self.after) else "empty" if not self.after else ""
                return {("BASE-START-EXACT", name)} if name else set()
            case "append":
                return self._append_goals()
            case "insert":
                where = "top" if self.at == 0 else "end" if self.at == len(self.before) else "middle"
                return {("BASE-INSERT-EXACT", where)} if self.before else set()
            case "emit":
                return {("BUDGET-EMIT-EXACT", "tried")}
            case "end_turn":
                return {("BUDGET-TURN-STILL", "tried")}
            case "refusal":
                return self._refusal_goals()
            case "interrupted":
                return {("BUDGET-METER-RAISED", "tried")}
        return set()

    def _append_goals(self) -> set[tuple[str, str]]:
        new = self.after[len(self.before) :]
        if not new:
            return {("BASE-APPEND-EXACT", "nothing")}
        goals = {("BASE-APPEND-EXACT", "tried"), ("BASE-INPUT-COPIED", "tried")}
        return goals | ({("BASE-APPEND-EXACT", "odd")} if is_odd(new) else set())

    def _refusal_goals(self) -> set[tuple[str, str]]:
        goals = {("BASE-REVISION-STILL", "refusal")}
        if self.reason is Reason.STALE_BASE:
            goals.add(("BASE-REFUSAL-PURE", "stale"))
        if self.reason is Reason.BAD_HUNK:
            goals.add(("BASE-REFUSAL-PURE", "bad-hunk"))
            if _half_done(self):
                goals.add(("BASE-SPLICE-ALL", "tried"))
        return goals


def is_odd(lines: Sequence[str]) -> bool:
    """Whether ``lines`` hold an empty line, a line break inside a line, and a duplicate."""
    return "" in lines and len(set(lines)) < len(lines) and any("\n" in line for line in lines)


def misread(pending: Sequence[Pending], seen: tuple[str, ...]) -> list[Break]:
    """What a read of ``seen`` breaks, which should have shown what ``pending`` leaves."""
    if not pending:
        return [Break("BASE-SNAPSHOT-PURE", "the lines of the read before it", difference(seen))]
    allowed = f"the lines {difference(pending[-1].after)}"
    if shared := _shared_list(seen, pending[-1].after):
        return [Break(shared, allowed, difference(seen))]
    culprit = _culprit(pending, seen)
    ambiguous = sum(entry.kind != "end_turn" for entry in pending) > 1
    rules = _broken_splice(culprit, seen) if culprit.kind == "apply" else [_EXACT[culprit.kind]]
    if culprit.kind == "refusal" and seen in _half_done(culprit):
        rules.append("BASE-SPLICE-ALL")
    return [Break(rule, allowed, difference(seen), ambiguous) for rule in rules]


def _shared_list(seen: tuple[str, ...], expected: tuple[str, ...]) -> str | None:
    if BY_CALLER in seen and BY_CALLER not in expected:
        return "BASE-INPUT-COPIED"
    return "BASE-SNAPSHOT-VALUE" if BY_READER in seen and BY_READER not in expected else None


def _culprit(pending: Sequence[Pending], seen: tuple[str, ...]) -> Pending:
    for entry in pending:
        if entry.kind == "refusal" and seen in _half_done(entry):
            return entry
    changing = [entry for entry in pending if entry.before != entry.after]
    return (changing or list(pending))[-1]


def _half_done(entry: Pending) -> list[tuple[str, ...]]:
    """What a refused patch of several hunks leaves in an engine that applies some of them all the same."""
    good = [hunk for hunk in entry.hunks if not defects([hunk], len(entry.before))]
    parts = [good[:count] for count in range(1, len(good) + 1) if count < len(entry.hunks)]
    return [spliced(entry.before, part) for part in parts if not defects(part, len(entry.before))]


def _broken_splice(entry: Pending, seen: tuple[str, ...]) -> list[str]:
    before, hunks = entry.before, entry.hunks
    if len(hunks) > 1:
        in_place = sorted(hunks, key=lambda hunk: hunk.start)
        without_frame = [one_after_the_other(before, hunks), one_after_the_other(before, in_place)]
        moved = shared_points(hunks) and sorted(seen) == sorted(entry.after)
        if seen in (*without_frame, with_running_offset(before, hunks)):
            return ["BASE-SPLICE-FRAME", *(["BASE-SPLICE-ORDER"] if moved else [])]
        if moved:
            return ["BASE-SPLICE-ORDER"]
        if any(seen == spliced(before, [h for h in hunks if h is not left]) for left in hunks):
            return ["BASE-SPLICE-ALL", "BASE-SPLICE-EXACT"]
    if _only_inserted_differ(entry, seen):
        return ["BASE-SPLICE-LITERAL"]
    return ["BASE-SPLICE-EXACT"]


def _only_inserted_differ(entry: Pending, seen: tuple[str, ...]) -> bool:
    """Whether the lines around one block of inserted lines stand, and only the block reads differently."""
    if not any(hunk.insert for hunk in entry.hunks):
        return False
    if len(entry.hunks) == 1:
        hunk = entry.hunks[0]
        head, tail = entry.before[: hunk.start], entry.before[hunk.end :]
        fits = len(seen) >= len(head) + len(tail)
        return fits and seen[: len(head)] == head and (not tail or seen[-len(tail) :] == tail)
    inserted = {line for hunk in entry.hunks for line in hunk.insert}
    return len(seen) == len(entry.after) and all(
        one == other or other in inserted for one, other in zip(seen, entry.after, strict=True)
    )


def difference(lines: tuple[str, ...]) -> str:
    text = repr(list(lines))
    return text if len(text) <= 160 else f"({len(lines)} of them) {text[:140]}..."
