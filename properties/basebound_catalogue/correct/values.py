"""Engines that hold the content as one value and replace it: tuples, logs, stores, strings, bytes, closures."""

from __future__ import annotations

import functools
import hashlib
import itertools
import json
import zlib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import ClassVar

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
    spliced,
    stale,
    unprotected,
)


class EagerTuple:
    """One tuple, hashed at every write; a read hands out what the last write has made."""

    profiles = ("base", "protected")

    def __init__(self, config: Config) -> None:
        self._markers = config.protected
        self._live = Snapshot(tuple(config.lines), address(config.lines), 0)

    def snapshot(self) -> Snapshot:
        return self._live

    def append(self, lines: Sequence[str]) -> None:
        self._show((*self._live.lines, *lines))

    def insert(self, at: int, lines: Sequence[str]) -> None:
        place(at, len(self._live.lines))
        self._show((*self._live.lines[:at], *lines, *self._live.lines[at:]))

    def apply(self, patch: Patch) -> Receipt:
        fresh(patch, self._live)
        hunks = ordered(patch.hunks, len(self._live.lines))
        unprotected(removed(self._live.lines, hunks), self._markers)
        self._show(tuple(spliced(self._live.lines, hunks, str)))
        return Receipt(self._live.base, self._live.revision)

    def _show(self, lines: tuple[str, ...]) -> None:
        if lines != self._live.lines:
            self._live = Snapshot(lines, address(lines), self._live.revision + 1)


class OperationLog:
    """Lazy: a write is noted, and worked out when somebody reads. Has no ``insert``."""

    profiles = frozenset({"base", "protected"})

    def __init__(self, config: Config) -> None:
        self._start = tuple(config.lines)
        self._markers = config.protected
        self._log: list[Callable[[list[str]], list[str]]] = []

    def snapshot(self) -> Snapshot:
        lines = list(self._start)
        for operation in self._log:
            lines = operation(lines)
        return Snapshot(tuple(lines), address(lines), len(self._log))

    def append(self, lines: Sequence[str]) -> None:
        added = list(lines)
        if added:
            self._log.append(lambda before: before + added)

    def apply(self, patch: Patch) -> Receipt:
        live = self.snapshot()
        fresh(patch, live)
        hunks = ordered(patch.hunks, len(live.lines))
        unprotected(removed(live.lines, hunks), self._markers)
        if hunks:
            self._log.append(lambda before: spliced(before, hunks, str))
        after = self.snapshot()
        return Receipt(after.base, after.revision)


@dataclass(frozen=True)
class _Appended:
    at: int | None
    lines: tuple[str, ...]


@dataclass(frozen=True)
class _Emitted:
    kind: str
    lines: tuple[str, ...]
    tokens: int


@dataclass(frozen=True)
class _Rewrote:
    hunks: tuple[Hunk, ...]


class _TurnEnded:
    pass


@dataclass(frozen=True)
class _State:
    rows: tuple[tuple[str, bool], ...]
    """Each line with a flag: emitted in the turn that is open."""
    revision: int = 0
    rewrite: int = 0
    measurement: int = 0


def _fold(state: _State, event: _Appended | _Emitted | _Rewrote | _TurnEnded) -> _State:
    match event:
        case _Appended(at, lines):
            at = len(state.rows) if at is None else at
            rows = (*state.rows[:at], *((line, False) for line in lines), *state.rows[at:])
            return replace(state, rows=rows, revision=state.revision + bool(lines))
        case _Emitted(kind, lines, tokens):
            charged = "measurement" if kind == "measurement" else "rewrite"
            books = {charged: getattr(state, charged) + tokens}
            rows = (*state.rows, *((line, True) for line in lines))
            return replace(state, rows=rows, revision=state.revision + bool(lines), **books)
        case _Rewrote(hunks):
            rows = tuple(spliced(state.rows, hunks, lambda line: (line, False)))
            return _State(rows, state.revision + 1)
    return _State(tuple((line, False) for line, _ in state.rows), state.revision)


class EventSourced:
    """Keeps what happened and nothing else; the present is a fold over the past."""

    profiles = frozenset({"base", "protected", "budget"})

    def __init__(self, config: Config) -> None:
        self._config = config
        self._events: tuple[_Appended | _Emitted | _Rewrote | _TurnEnded, ...] = ()

    def _now(self) -> _State:
        return functools.reduce(_fold, self._events, _State(tuple((line, False) for line in self._config.lines)))

    def snapshot(self) -> Snapshot:
        now = self._now()
        lines = tuple(line for line, _ in now.rows)
        return Snapshot(lines, address(lines), now.revision)

    def append(self, lines: Sequence[str]) -> None:
        self._events += (_Appended(None, tuple(lines)),)

    def insert(self, at: int, lines: Sequence[str]) -> None:
        self._events += (_Appended(place(at, len(self._now().rows)), tuple(lines)),)

    def emit(self, kind: str, lines: Sequence[str]) -> None:
        self._events += (_Emitted(known_kind(kind), tuple(lines), self._size(lines)),)

    def end_turn(self) -> None:
        self._events += (_TurnEnded(),)

    def apply(self, patch: Patch) -> Receipt:
        now = self._now()
        fresh(patch, self.snapshot())
        hunks = ordered(patch.hunks, len(now.rows))
        gone = removed(now.rows, hunks)
        unprotected((line for line, _ in gone), self._config.protected)
        not_own(own for _, own in gone)
        proven(patch.claim)
        inserted = self._size([line for hunk in hunks for line in hunk.insert])
        cost = settled(self._size([line for line, _ in gone]), inserted + now.rewrite, now.measurement)
        self._events += (_Rewrote(tuple(hunks)),)
        after = self.snapshot()
        return Receipt(after.base, after.revision, cost)

    def _size(self, lines: Sequence[str]) -> int:
        return sum(map(self._config.count_tokens, lines))


class ContentAddressed:
    """A store of contents by address and a head that names one of them, as in git; gives no cost."""

    profiles = frozenset({"base", "protected", "budget"})

    def __init__(self, config: Config) -> None:
        self._markers, self._meter = config.protected, config.count_tokens
        self._store: dict[str, tuple[str, ...]] = {}
        self._moves = 0
        self._head = self._put(config.lines)
        self._own: tuple[bool, ...] = (False,) * len(config.lines)
        self._unpaid = 0

    def _put(self, lines: Sequence[str]) -> str:
        name = address(lines)
        self._store[name] = tuple(lines)
        return name

    def _move(self, lines: Sequence[str], own: Sequence[bool]) -> None:
        head = self._put(lines)
        self._moves += head != self._head
        self._head, self._own = head, tuple(own)

    def snapshot(self) -> Snapshot:
        return Snapshot(self._store[self._head], self._head, self._moves)

    def append(self, lines: Sequence[str]) -> None:
        self.insert(len(self._own), lines)

    def insert(self, at: int, lines: Sequence[str]) -> None:
        hunk = Hunk(place(at, len(self._own)), at, tuple(lines))
        self._move(spliced(self._store[self._head], [hunk], str), spliced(self._own, [hunk], lambda _: False))

    def emit(self, kind: str, lines: Sequence[str]) -> None:
        known_kind(kind)
        tokens = sum(map(self._meter, lines))
        self._move((*self._store[self._head], *lines), (*self._own, *(True for _ in lines)))
        self._unpaid += tokens

    def end_turn(self) -> None:
        self._unpaid = 0
        self._own = (False,) * len(self._own)

    def apply(self, patch: Patch) -> Receipt:
        fresh(patch, self.snapshot())
        live = self._store[self._head]
        hunks = ordered(patch.hunks, len(live))
        proven(patch.claim)
        not_own(removed(self._own, hunks))
        unprotected(removed(live, hunks), self._markers)
        inserted = (line for hunk in hunks for line in hunk.insert)
        settled(sum(map(self._meter, removed(live, hunks))), sum(map(self._meter, inserted)) + self._unpaid, 0)
        self._move(spliced(live, hunks, str), spliced(self._own, hunks, lambda _: False))
        self._unpaid = 0
        return Receipt(self._head, self._moves)


class BigString:
    """All lines in one string without separators, and a table of their lengths."""

    profiles = frozenset({"base", "protected"})

    def __init__(self, config: Config) -> None:
        self._markers = list(config.protected)
        self._text = "".join(config.lines)
        self._lengths = [len(line) for line in config.lines]
        self._revision = 1

    def _lines(self) -> list[str]:
        bounds = itertools.pairwise([0, *itertools.accumulate(self._lengths)])
        return [self._text[left:right] for left, right in bounds]

    def _base(self) -> str:
        return hashlib.blake2b(f"{self._lengths}{self._text}".encode()).hexdigest()

    def snapshot(self) -> Snapshot:
        return Snapshot(tuple(self._lines()), self._base(), self._revision)

    def append(self, lines: Sequence[str]) -> None:
        self._replace(len(self._lengths), len(self._lengths), lines)

    def insert(self, at: int, lines: Sequence[str]) -> None:
        self._replace(place(at, len(self._lengths)), at, lines)

    def apply(self, patch: Patch) -> Receipt:
        live = self.snapshot()
        fresh(patch, live)
        hunks = ordered(patch.hunks, len(self._lengths))
        unprotected(removed(live.lines, hunks), self._markers)
        for hunk in reversed(hunks):
            self._replace(hunk.start, hunk.end, hunk.insert)
        return Receipt(self._base(), self._revision)

    def _replace(self, start: int, end: int, lines: Sequence[str]) -> None:
        left, right = sum(self._lengths[:start]), sum(self._lengths[:end])
        self._text = self._text[:left] + "".join(lines) + self._text[right:]
        self._lengths[start:end] = [len(line) for line in lines]
        self._revision += start < end or bool(lines)


class Compressed:
    """Keeps lines compressed and each text once; a line is a text and the turn that emitted it."""

    profiles: ClassVar[set[str]] = {"base", "protected", "budget"}

    def __init__(self, config: Config) -> None:
        self._config = config
        self._texts: dict[bytes, bytes] = {}
        self._rows = [(self._pack(line), 0) for line in config.lines]
        self._turn, self._revision = 1, 0
        self._owed: Counter[str] = Counter()

    def _pack(self, line: str) -> bytes:
        packed = zlib.compress(line.encode("utf-8"))
        return self._texts.setdefault(packed, packed)

    def _size(self, packed: Sequence[bytes]) -> int:
        return sum(self._config.count_tokens(_unpack(text)) for text in packed)

    def _base(self) -> str:
        return address(packed.hex() for packed, _ in self._rows)

    def snapshot(self) -> Snapshot:
        return Snapshot(tuple(_unpack(packed) for packed, _ in self._rows), self._base(), self._revision)

    def append(self, lines: Sequence[str]) -> None:
        self.insert(len(self._rows), lines)

    def insert(self, at: int, lines: Sequence[str]) -> None:
        place(at, len(self._rows))
        self._rows[at:at] = [(self._pack(line), 0) for line in lines]
        self._revision += len(lines)

    def emit(self, kind: str, lines: Sequence[str]) -> None:
        rows = [(self._pack(line), self._turn) for line in lines]
        self._owed[known_kind(kind)] += self._size([packed for packed, _ in rows])
        self._rows += rows
        self._revision += len(rows)

    def end_turn(self) -> None:
        self._turn += 1
        self._owed.clear()

    def apply(self, patch: Patch) -> Receipt:
        if patch.base.base != self._base():
            raise stale(patch.base, self.snapshot())
        hunks = ordered(patch.hunks, len(self._rows))
        gone = removed(self._rows, hunks)
        not_own(turn == self._turn for _, turn in gone)
        unprotected((_unpack(packed) for packed, _ in gone), self._config.protected)
        proven(patch.claim)
        rows = spliced(self._rows, hunks, lambda line: (self._pack(line), 0))
        inserted = self._size([self._pack(line) for hunk in hunks for line in hunk.insert])
        measurement = self._owed["measurement"]
        rewrite = inserted + self._owed.total() - measurement
        cost = settled(self._size([packed for packed, _ in gone]), rewrite, measurement)
        self._rows = rows
        self._revision += 1
        self._owed.clear()
        return Receipt(self._base(), self._revision, cost)


def _unpack(packed: bytes) -> str:
    return zlib.decompress(packed).decode("utf-8")


class JsonBase:
    """The base is the content itself, as JSON, however long; revisions start far below zero."""

    profiles: ClassVar[dict[str, str]] = {"base": "1.0", "protected": "1.0"}

    def __init__(self, config: Config) -> None:
        self._base, self._markers = json.dumps(config.lines), config.protected
        self._revision = -(10**12)

    def snapshot(self) -> Snapshot:
        return Snapshot(tuple(json.loads(self._base)), self._base, self._revision)

    def append(self, lines: Sequence[str]) -> None:
        self._become([*json.loads(self._base), *lines])

    def insert(self, at: int, lines: Sequence[str]) -> None:
        live = json.loads(self._base)
        live[place(at, len(live)) : at] = lines
        self._become(live)

    def apply(self, patch: Patch) -> Receipt:
        live = self.snapshot()
        fresh(patch, live)
        hunks = ordered(patch.hunks, len(live.lines))
        unprotected(removed(live.lines, hunks), self._markers)
        self._become(spliced(live.lines, hunks, str))
        return Receipt(self._base, self._revision)

    def _become(self, lines: list[str]) -> None:
        base = json.dumps(lines)
        if base != self._base:
            self._base, self._revision = base, self._revision + 17


def closure_engine(config: Config, *, start: int, stride: int) -> SimpleNamespace:
    """No class at all: functions over one local list. It states no profiles; its revisions go by ``stride``."""
    lines, revision = list(config.lines), start

    def snapshot() -> Snapshot:
        return Snapshot(tuple(lines), address(lines), revision)

    def append(new: Sequence[str]) -> None:
        insert(len(lines), new)

    def insert(at: int, new: Sequence[str]) -> None:
        nonlocal revision
        lines[place(at, len(lines)) : at] = new
        revision += stride if new else 0

    def apply(patch: Patch) -> Receipt:
        nonlocal revision
        fresh(patch, snapshot())
        hunks = ordered(patch.hunks, len(lines))
        unprotected(removed(lines, hunks), config.protected)
        lines[:] = spliced(lines, hunks, str)
        revision += stride if hunks else 0
        return Receipt(address(lines), revision)

    return SimpleNamespace(snapshot=snapshot, append=append, insert=insert, apply=apply)


far_apart = functools.partial(closure_engine, start=2**62, stride=1000)
"""A factory that is neither a class nor a function."""
