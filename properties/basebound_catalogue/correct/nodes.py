"""Engines that hold the content as linked or layered parts: versions, pieces, a list of nodes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from basebound.model import Config, Hunk, Patch, Receipt, Snapshot
from basebound_catalogue.correct.rules import (
    address,
    fresh,
    known_kind,
    not_own,
    ordered,
    place,
    proven,
    removed,
    settled,
    unprotected,
)


@dataclass
class _Version:
    """A line and the revisions it lives in. ``kind`` and ``turn`` say who emitted it and when, if anybody did."""

    text: str
    born: int
    died: int | None = None
    kind: str = ""
    turn: int = -1
    paid: bool = False


class VersionedLines:
    """Nothing is ever taken out: a removed line is marked dead, and earlier revisions stay readable."""

    profiles = frozenset({"base", "protected", "budget"})

    def __init__(self, config: Config) -> None:
        self._markers, self._meter = config.protected, config.count_tokens
        self._all = [_Version(text, 0) for text in config.lines]
        self._revision = self._turn = 0

    def at(self, revision: int) -> tuple[str, ...]:
        """The lines as they were at ``revision``."""
        return tuple(
            line.text for line in self._all if line.born <= revision and (line.died is None or revision < line.died)
        )

    def snapshot(self) -> Snapshot:
        lines = self.at(self._revision)
        return Snapshot(lines, address(lines), self._revision)

    def _live(self) -> list[_Version]:
        return [line for line in self._all if line.died is None]

    def append(self, lines: Sequence[str]) -> None:
        self._revision += bool(lines)
        self._all += [_Version(text, self._revision) for text in lines]

    def insert(self, at: int, lines: Sequence[str]) -> None:
        live = self._live()
        place(at, len(live))
        self._revision += bool(lines)
        self._put(live, at, lines)

    def _put(self, live: list[_Version], at: int, lines: Sequence[str]) -> None:
        """Puts new lines before the ``at``-th of ``live``, after what was put there earlier."""
        where = len(self._all) if at == len(live) else next(i for i, line in enumerate(self._all) if line is live[at])
        self._all[where:where] = [_Version(text, self._revision) for text in lines]

    def emit(self, kind: str, lines: Sequence[str]) -> None:
        known_kind(kind)
        sum(map(self._meter, lines))  # a meter that fails has to fail before anything has changed
        self._revision += bool(lines)
        self._all += [_Version(text, self._revision, kind=kind, turn=self._turn) for text in lines]

    def end_turn(self) -> None:
        self._turn += 1

    def apply(self, patch: Patch) -> Receipt:
        fresh(patch, self.snapshot())
        live = self._live()
        hunks = ordered(patch.hunks, len(live))
        gone = removed(live, hunks)
        unprotected((line.text for line in gone), self._markers)
        not_own(line.turn == self._turn for line in gone)
        proven(patch.claim)
        # A turn's artifacts cannot leave before it ends, so what is unpaid can be read off the live lines.
        unpaid = [line for line in live if line.turn == self._turn and not line.paid]
        measured = [line.text for line in unpaid if line.kind == "measurement"]
        rewrite = [line.text for line in unpaid if line.kind != "measurement"]
        rewrite += [text for hunk in hunks for text in hunk.insert]
        cost = settled(self._size([line.text for line in gone]), self._size(rewrite), self._size(measured))
        self._revision += 1
        for hunk in hunks:
            self._put(live, hunk.start, hunk.insert)
        for line in gone:
            line.died = self._revision
        for line in unpaid:
            line.paid = True
        after = self.snapshot()
        return Receipt(after.base, after.revision, cost)

    def _size(self, texts: Sequence[str]) -> int:
        return sum(map(self._meter, texts))


class _Piece(NamedTuple):
    """``length`` lines of a buffer from ``start``; ``added`` tells the growing buffer from the first one."""

    added: bool
    start: int
    length: int


class PieceTable:
    """The buffer of an editor: text is only ever added, and a table of pieces says what is live, in which order."""

    profiles = frozenset({"base", "protected"})

    def __init__(self, config: Config) -> None:
        self._first, self._added = tuple(config.lines), list[str]()
        self._markers = config.protected
        self._pieces = [_Piece(False, 0, len(self._first))]
        self._edits = 0

    def _lines(self) -> list[str]:
        lines: list[str] = []
        for added, start, length in self._pieces:
            lines += (self._added if added else self._first)[start : start + length]
        return lines

    def snapshot(self) -> Snapshot:
        lines = tuple(self._lines())
        return Snapshot(lines, address(lines), self._edits)

    def append(self, lines: Sequence[str]) -> None:
        length = sum(piece.length for piece in self._pieces)
        self._replace(length, length, lines)

    def insert(self, at: int, lines: Sequence[str]) -> None:
        self._replace(place(at, sum(piece.length for piece in self._pieces)), at, lines)

    def apply(self, patch: Patch) -> Receipt:
        live = self.snapshot()
        fresh(patch, live)
        hunks = ordered(patch.hunks, len(live.lines))
        unprotected(removed(live.lines, hunks), self._markers)
        for hunk in reversed(hunks):
            self._replace(hunk.start, hunk.end, hunk.insert)
        return Receipt(address(self._lines()), self._edits)

    def _replace(self, start: int, end: int, lines: Sequence[str]) -> None:
        if start == end and not lines:
            return
        above = self._cut(start)
        below = self._cut(end)
        self._pieces[above:below] = [_Piece(True, len(self._added), len(lines))] if lines else []
        self._added += lines
        self._edits += 1

    def _cut(self, at: int) -> int:
        """Makes line ``at`` the first of a piece, and says of which."""
        for index, (added, start, length) in enumerate(self._pieces):
            if at == 0:
                return index
            if at < length:
                self._pieces[index : index + 1] = [_Piece(added, start, at), _Piece(added, start + at, length - at)]
                return index + 1
            at -= length
        return len(self._pieces)


@dataclass(eq=False)
class _Node:
    text: str
    next: _Node | None = None
    locked: bool = False


class LinkedList:
    """Nodes and pointers; the base is a number that every change draws anew, so no content ever gets its base back."""

    profiles = frozenset({"base", "protected", "budget"})

    def __init__(self, config: Config) -> None:
        self._config = config
        self._head = _Node("")
        self._head.next, _ = _chain(config.lines, None)
        self._drawn = 0
        self._owed = {"measurement": 0, "rewrite": 0}

    def _nodes(self) -> list[_Node]:
        return list(_following(self._head.next))

    def snapshot(self) -> Snapshot:
        return Snapshot(tuple(node.text for node in self._nodes()), f"list/{self._drawn}", self._drawn)

    def append(self, lines: Sequence[str]) -> None:
        self.insert(len(self._nodes()), lines)

    def insert(self, at: int, lines: Sequence[str]) -> None:
        before = [self._head, *self._nodes()]
        node = before[place(at, len(before) - 1)]
        node.next, _ = _chain(lines, node.next)
        self._drawn += bool(lines)

    def emit(self, kind: str, lines: Sequence[str]) -> None:
        tokens = self._size(lines)
        self._owed["measurement" if known_kind(kind) == "measurement" else "rewrite"] += tokens
        last = [self._head, *self._nodes()][-1]
        last.next, new = _chain(lines, None)
        for node in new:
            node.locked = True
        self._drawn += bool(lines)

    def end_turn(self) -> None:
        self._owed = dict.fromkeys(self._owed, 0)
        for node in self._nodes():
            node.locked = False

    def apply(self, patch: Patch) -> Receipt:
        nodes = self._nodes()
        fresh(patch, self.snapshot())
        hunks = ordered(patch.hunks, len(nodes))
        gone = removed(nodes, hunks)
        unprotected((node.text for node in gone), self._config.protected)
        not_own(node.locked for node in gone)
        proven(patch.claim)
        inserted = self._size([text for hunk in hunks for text in hunk.insert])
        freed = self._size([node.text for node in gone])
        cost = settled(freed, inserted + self._owed["rewrite"], self._owed["measurement"])
        for hunk in reversed(hunks):
            self._relink([self._head, *nodes], hunk)
        self._drawn += 1
        self._owed = dict.fromkeys(self._owed, 0)
        return Receipt(f"list/{self._drawn}", self._drawn, cost)

    def _relink(self, before: list[_Node], hunk: Hunk) -> None:
        """``before[i]`` is the node ahead of line ``i``. From the last hunk up, what follows is already linked."""
        rest = before[hunk.end].next
        before[hunk.start].next, _ = _chain(hunk.insert, rest)

    def _size(self, texts: Sequence[str]) -> int:
        return sum(map(self._config.count_tokens, texts))


def _chain(texts: Sequence[str], rest: _Node | None) -> tuple[_Node | None, list[_Node]]:
    """New nodes linked to each other and then to ``rest``: the first of it all, and the new ones."""
    new: list[_Node] = []
    for text in reversed(texts):
        rest = _Node(text, rest)
        new.append(rest)
    return rest, new


def _following(node: _Node | None) -> Iterator[_Node]:
    while node is not None:
        yield node
        node = node.next
