"""What the oracle holds: the content with an identity for each line, what was read, and the turn's books."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from basebound.core.hunks import in_order, splice
from basebound.model import Hunk, Meter
from basebound.oracle.ledger import Ledger


@dataclass(frozen=True)
class Change:
    """One change of content: who made it, and the first line it touched. ``inserts`` is false if it removed lines."""

    kind: str
    at: int
    inserts: bool


@dataclass(frozen=True)
class Seen:
    """A snapshot an author holds, and when it was taken (in changes of content and in writes that changed nothing)."""

    lines: tuple[str, ...]
    base: str
    revision: int
    changes: int
    idle_writes: int
    turns: int


@dataclass
class State:
    """``lines`` and ``ids`` are parallel; an id stays with its line through every splice."""

    protected: tuple[str, ...]
    count: Meter
    lines: tuple[str, ...]
    ids: tuple[int, ...] = ()
    origin: dict[int, str] = field(default_factory=dict)
    started_at: dict[int, int] = field(default_factory=dict)
    log: list[Change] = field(default_factory=list)
    visited: dict[tuple[str, ...], list[int]] = field(default_factory=dict)
    returns: list[tuple[int, int]] = field(default_factory=list)
    """Each return to an earlier content: after how many changes, and after how many it was first there."""
    idle_writes: int = 0
    turns: int = 0
    snapshots: dict[str, Seen] = field(default_factory=dict)
    committed: set[tuple[str, tuple[Hunk, ...]]] = field(default_factory=set)
    ledger: Ledger = field(default_factory=Ledger)
    artifacts: dict[int, int] = field(default_factory=dict)
    """Lines locked this turn, and the position each was emitted at."""
    paid_artifacts: set[int] = field(default_factory=set)
    former_artifacts: set[int] = field(default_factory=set)
    _sizes: dict[str, int] = field(default_factory=dict)
    _next: int = 0

    def __post_init__(self) -> None:
        self.ids = self._fresh(len(self.lines), "start")
        self.started_at = {line_id: at for at, line_id in enumerate(self.ids)}
        self.visited[self.lines] = [0]

    def size(self, lines: Sequence[str]) -> int:
        """Tokens of ``lines`` by the one meter; a pure meter's result is kept per text."""
        total = 0
        for line in lines:
            tokens = self._sizes.get(line)
            if tokens is None:
                tokens = self._sizes[line] = self.count(line)
            total += tokens
        return total

    def add(self, kind: str, at: int, lines: tuple[str, ...]) -> tuple[int, ...]:
        """A write that only adds; returns the ids of the new lines."""
        new = self._fresh(len(lines), kind)
        ids = self.ids[:at] + new + self.ids[at:]
        self._become(self.lines[:at] + lines + self.lines[at:], ids, Change(kind, at, True))
        return new

    def patch(self, hunks: Sequence[Hunk]) -> None:
        """The splice of good ``hunks``."""
        order = [hunks[i] for i in in_order(hunks)]
        new = [self._fresh(len(hunk.insert), "patch") for hunk in order]
        ids = splice(self.ids, [(h.start, h.end, n) for h, n in zip(order, new, strict=True)])
        at = order[0].start if order else 0
        self._become(spliced(self.lines, hunks), ids, Change("patch", at, all(h.start == h.end for h in order)))

    def adopt(self, lines: tuple[str, ...]) -> None:
        """Take over what the engine really holds; lines of the common start and end keep their identity."""
        head = common_start(self.lines, lines)
        most = min(len(self.lines), len(lines)) - head
        tail = min(most, common_start(self.lines[::-1], lines[::-1]))
        middle = self._fresh(len(lines) - head - tail, "adopted")
        ids = self.ids[:head] + middle + self.ids[len(self.ids) - tail :]
        self._become(lines, ids, Change("adopted", head, False))

    def _become(self, lines: tuple[str, ...], ids: tuple[int, ...], change: Change) -> None:
        self.ids = ids
        if lines == self.lines:
            self.idle_writes += 1
            return
        self.lines = lines
        self.log.append(change)
        times = self.visited.setdefault(lines, [])
        if times:
            self.returns.append((len(self.log), times[0]))
        times.append(len(self.log))

    def _fresh(self, count: int, origin: str) -> tuple[int, ...]:
        new = tuple(range(self._next, self._next + count))
        self._next += count
        for line_id in new:
            self.origin[line_id] = origin
        return new


def spliced(lines: tuple[str, ...], hunks: Sequence[Hunk]) -> tuple[str, ...]:
    """The content a patch of good ``hunks`` leaves."""
    order = [hunks[i] for i in in_order(hunks)]
    return splice(lines, [(hunk.start, hunk.end, hunk.insert) for hunk in order])


def common_start(a: Sequence[object], b: Sequence[object]) -> int:
    """The number of elements at the start that ``a`` and ``b`` share."""
    count = 0
    for one, other in zip(a, b, strict=False):
        if one != other:
            break
        count += 1
    return count
