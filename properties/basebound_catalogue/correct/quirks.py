"""Engines with a quirk each, all within the contract: odd revisions, limits, orders, types and wrappings."""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterator, Sequence
from typing import Any

from basebound.model import Config, Cost, Hunk, Patch, Reason, Receipt, Rejected, Snapshot
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
    unprotected,
)
from basebound_catalogue.correct.values import EagerTuple


class OneHunk:
    """Takes one hunk a patch, and says so in ``max_hunks``."""

    profiles = frozenset({"base", "protected"})
    max_hunks = 1

    def __init__(self, config: Config) -> None:
        self._config = config
        self._lines = list(config.lines)
        self._revision = 0

    def snapshot(self) -> Snapshot:
        return Snapshot(tuple(self._lines), address(self._lines), self._revision)

    def append(self, lines: Sequence[str]) -> None:
        self._lines += lines
        self._revision += bool(lines)

    def insert(self, at: int, lines: Sequence[str]) -> None:
        self._lines[place(at, len(self._lines)) : at] = lines
        self._revision += bool(lines)

    def apply(self, patch: Patch) -> Receipt:
        fresh(patch, self.snapshot())
        if len(patch.hunks) > self.max_hunks:
            raise Rejected(Reason.BAD_HUNK, f"{len(patch.hunks)} hunks in a patch; this engine takes one at a time")
        for hunk in ordered(patch.hunks, len(self._lines)):
            unprotected(self._lines[hunk.start : hunk.end], self._config.protected)
            self._lines[hunk.start : hunk.end] = hunk.insert
            self._revision += 1
        after = self.snapshot()
        return Receipt(after.base, after.revision)


class BaseOnly:
    """Claims ``base`` alone, in a property that gives a list; knows nothing of markers and has no ``insert``."""

    def __init__(self, config: Config) -> None:
        self._history = [tuple(config.lines)]

    @property
    def profiles(self) -> list[str]:
        return ["base"]

    def snapshot(self) -> Snapshot:
        return Snapshot(self._history[-1], address(self._history[-1]), len(self._history))

    def append(self, lines: Sequence[str]) -> None:
        if lines:
            self._history.append((*self._history[-1], *lines))

    def apply(self, patch: Patch) -> Receipt:
        fresh(patch, self.snapshot())
        lines = tuple(spliced(self._history[-1], ordered(patch.hunks, len(self._history[-1])), str))
        if lines != self._history[-1]:
            self._history.append(lines)
        after = self.snapshot()
        return Receipt(after.base, after.revision)


class CountsEveryWrite:
    """Raises the revision on an empty append and on a patch that changes nothing; the base is the content's."""

    profiles = frozenset({"base", "protected"})

    def __init__(self, config: Config) -> None:
        self._config = config
        self._lines, self._revision = tuple(config.lines), 100

    def snapshot(self) -> Snapshot:
        return Snapshot(self._lines, address(self._lines), self._revision)

    def append(self, lines: Sequence[str]) -> None:
        self._lines += tuple(lines)
        self._revision += 3

    def insert(self, at: int, lines: Sequence[str]) -> None:
        place(at, len(self._lines))
        if lines:
            self._lines = (*self._lines[:at], *lines, *self._lines[at:])
            self._revision += 2

    def apply(self, patch: Patch) -> Receipt:
        fresh(patch, self.snapshot())
        hunks = ordered(patch.hunks, len(self._lines))
        unprotected(removed(self._lines, hunks), self._config.protected)
        self._lines = tuple(spliced(self._lines, hunks, str))
        self._revision += 1
        return Receipt(address(self._lines), self._revision)


class ClockRevision:
    """Counts no revisions: each change is stamped with the clock, and no earlier than the last one."""

    profiles = frozenset({"base", "protected"})

    def __init__(self, config: Config) -> None:
        self._lines, self._markers = list(config.lines), config.protected
        self._stamp = time.time_ns()

    def snapshot(self) -> Snapshot:
        return Snapshot(tuple(self._lines), address(self._lines), self._stamp)

    def append(self, lines: Sequence[str]) -> None:
        self._change(len(self._lines), len(self._lines), lines)

    def insert(self, at: int, lines: Sequence[str]) -> None:
        self._change(place(at, len(self._lines)), at, lines)

    def apply(self, patch: Patch) -> Receipt:
        fresh(patch, self.snapshot())
        hunks = ordered(patch.hunks, len(self._lines))
        unprotected(removed(self._lines, hunks), self._markers)
        for hunk in reversed(hunks):
            self._change(hunk.start, hunk.end, hunk.insert)
        after = self.snapshot()
        return Receipt(after.base, after.revision)

    def _change(self, start: int, end: int, lines: Sequence[str]) -> None:
        if self._lines[start:end] != list(lines):
            self._lines[start:end] = lines
            self._stamp = max(self._stamp + 1, time.time_ns())


class Traffic:
    """Keeps no revision: it is the number of lines that ever came or went. States no profiles; gives no cost."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self._rows = [(text, 0) for text in config.lines]
        self._came, self._went = len(self._rows), 0
        self._turn, self._owed = 1, 0

    def snapshot(self) -> Snapshot:
        lines = tuple(text for text, _ in self._rows)
        return Snapshot(lines, address(lines), self._came + self._went)

    def append(self, lines: Sequence[str]) -> None:
        self._put(len(self._rows), lines)

    def insert(self, at: int, lines: Sequence[str]) -> None:
        self._put(place(at, len(self._rows)), lines)

    def _put(self, at: int, lines: Sequence[str], turn: int = 0) -> None:
        self._rows[at:at] = [(text, turn) for text in lines]
        self._came += len(lines)

    def emit(self, kind: str, lines: Sequence[str]) -> None:
        known_kind(kind)
        self._owed += self._size(lines)
        self._put(len(self._rows), lines, self._turn)

    def end_turn(self) -> None:
        self._owed = 0
        self._turn += 1

    def apply(self, patch: Patch) -> Receipt:
        fresh(patch, self.snapshot())
        hunks = ordered(patch.hunks, len(self._rows))
        gone = removed(self._rows, hunks)
        not_own(turn == self._turn for _, turn in gone)
        unprotected((text for text, _ in gone), self._config.protected)
        proven(patch.claim)
        inserted = [text for hunk in hunks for text in hunk.insert]
        settled(self._size([text for text, _ in gone]), self._size(inserted) + self._owed, 0)
        for hunk in reversed(hunks):
            del self._rows[hunk.start : hunk.end]
            self._put(hunk.start, hunk.insert)
        self._went += len(gone)
        self._owed = 0
        after = self.snapshot()
        return Receipt(after.base, after.revision)

    def _size(self, lines: Sequence[str]) -> int:
        return sum(map(self._config.count_tokens, lines))


class DrawnBase:
    """Draws a new UUID as the base of every change; revisions rise by strides of the lines it holds."""

    profiles = ("base", "protected", "budget")

    def __init__(self, config: Config) -> None:
        self._markers, self._meter = config.protected, config.count_tokens
        self._lines = list(config.lines)
        self._own: list[bool] = [False] * len(self._lines)
        self._bill = {"rewrite": 0, "measurement": 0}
        self._revision = 0
        self._base = str(uuid.uuid4())

    def _changed(self) -> None:
        self._base = str(uuid.uuid4())
        self._revision += 1 + len(self._lines)

    def snapshot(self) -> Snapshot:
        return Snapshot(tuple(self._lines), self._base, self._revision)

    def append(self, lines: Sequence[str]) -> None:
        self._put(len(self._lines), lines, False)

    def insert(self, at: int, lines: Sequence[str]) -> None:
        self._put(place(at, len(self._lines)), lines, False)

    def _put(self, at: int, lines: Sequence[str], own: bool) -> None:
        if lines:
            self._lines[at:at] = lines
            self._own[at:at] = [own] * len(lines)
            self._changed()

    def emit(self, kind: str, lines: Sequence[str]) -> None:
        entry = "measurement" if known_kind(kind) == "measurement" else "rewrite"
        self._bill[entry] += sum(map(self._meter, lines))
        self._put(len(self._lines), lines, True)

    def end_turn(self) -> None:
        self._bill = {"rewrite": 0, "measurement": 0}
        self._own = [False] * len(self._lines)

    def apply(self, patch: Patch) -> Receipt:
        fresh(patch, self.snapshot())
        hunks = ordered(patch.hunks, len(self._lines))
        proven(patch.claim)
        unprotected(removed(self._lines, hunks), self._markers)
        not_own(removed(self._own, hunks))
        inserted = sum(self._meter(line) for hunk in hunks for line in hunk.insert)
        freed = sum(map(self._meter, removed(self._lines, hunks)))
        cost = settled(freed, inserted + self._bill["rewrite"], self._bill["measurement"])
        self._lines = spliced(self._lines, hunks, str)
        self._own = spliced(self._own, hunks, lambda _: False)
        self._bill = {"rewrite": 0, "measurement": 0}
        self._changed()
        return Receipt(self._base, self._revision, cost)


class CachedMeter:
    """Asks the meter once for each text and keeps the answer; the size of every line stands beside it."""

    profiles = frozenset({"budget", "protected", "base"})

    def __init__(self, config: Config) -> None:
        self._config = config
        self._known: dict[str, int] = {}
        self._turn: list[tuple[str, int]] = []
        # Metered before the first patch: each line with its size and whether it is this turn's.
        self._rows = [self._row(line) for line in config.lines]
        self._revision = 0

    def _tokens(self, line: str) -> int:
        if line not in self._known:
            self._known[line] = self._config.count_tokens(line)
        return self._known[line]

    def _row(self, line: str, own: bool = False) -> tuple[str, int, bool]:
        return line, self._tokens(line), own

    def snapshot(self) -> Snapshot:
        lines = tuple(line for line, _, _ in self._rows)
        return Snapshot(lines, address(lines), self._revision)

    def append(self, lines: Sequence[str]) -> None:
        self.insert(len(self._rows), lines)

    def insert(self, at: int, lines: Sequence[str]) -> None:
        self._rows[place(at, len(self._rows)) : at] = [self._row(line) for line in lines]
        self._revision += bool(lines)

    def emit(self, kind: str, lines: Sequence[str]) -> None:
        rows = [self._row(line, own=True) for line in lines]
        self._turn.append((known_kind(kind), sum(size for _, size, _ in rows)))
        self._rows += rows
        self._revision += bool(lines)

    def end_turn(self) -> None:
        self._turn.clear()
        self._rows = [(line, size, False) for line, size, _ in self._rows]

    def apply(self, patch: Patch) -> Receipt:
        fresh(patch, self.snapshot())
        hunks = ordered(patch.hunks, len(self._rows))
        gone = removed(self._rows, hunks)
        unprotected((line for line, _, _ in gone), self._config.protected)
        proven(patch.claim)
        not_own(own for _, _, own in gone)
        rows = spliced(self._rows, hunks, self._row)
        inserted = sum(self._tokens(line) for hunk in hunks for line in hunk.insert)
        owed = sum(size for _, size in self._turn)
        measurement = sum(size for kind, size in self._turn if kind == "measurement")
        cost = settled(sum(size for _, size, _ in gone), inserted + owed - measurement, measurement)
        self._rows = rows
        self._turn.clear()
        self._revision += 1
        after = self.snapshot()
        return Receipt(after.base, after.revision, cost)


class OtherOrder:
    """After the base it looks at the budget first and at the ranges last, so that it often gives another reason."""

    profiles = frozenset({"base", "protected", "budget"})

    def __init__(self, config: Config) -> None:
        self._config = config
        self._lines = list(config.lines)
        self._locked = [False] * len(self._lines)
        self._rewrite = self._measurement = self._revision = 0

    def snapshot(self) -> Snapshot:
        return Snapshot(tuple(self._lines), address(self._lines), self._revision)

    def append(self, lines: Sequence[str]) -> None:
        self.insert(len(self._lines), lines)

    def insert(self, at: int, lines: Sequence[str]) -> None:
        self._put(place(at, len(self._lines)), lines, False)

    def _put(self, at: int, lines: Sequence[str], locked: bool) -> None:
        self._lines[at:at] = lines
        self._locked[at:at] = [locked] * len(lines)
        self._revision += bool(lines)

    def emit(self, kind: str, lines: Sequence[str]) -> None:
        tokens = self._size(lines)
        if known_kind(kind) == "measurement":
            self._measurement += tokens
        else:
            self._rewrite += tokens
        self._put(len(self._lines), lines, True)

    def end_turn(self) -> None:
        self._rewrite = self._measurement = 0
        self._locked = [False] * len(self._lines)

    def apply(self, patch: Patch) -> Receipt:
        fresh(patch, self.snapshot())
        # Ranges that may be wrong still: clipped to the buffer, and each line once.
        touched = {at for hunk in patch.hunks for at in range(max(hunk.start, 0), min(hunk.end, len(self._lines)))}
        inserted = [line for hunk in patch.hunks for line in hunk.insert]
        freed = self._size([self._lines[at] for at in touched])
        cost = settled(freed, self._size(inserted) + self._rewrite, self._measurement)
        not_own(self._locked[at] for at in touched)
        proven(patch.claim)
        unprotected((self._lines[at] for at in touched), self._config.protected)
        hunks = ordered(patch.hunks, len(self._lines))
        self._lines = spliced(self._lines, hunks, str)
        self._locked = spliced(self._locked, hunks, lambda _: False)
        self._revision += 1
        self._rewrite = self._measurement = 0
        return Receipt(address(self._lines), self._revision, cost)

    def _size(self, lines: Sequence[str]) -> int:
        return sum(map(self._config.count_tokens, lines))


class Refusal(Rejected):
    """A refusal with what its author needs to see."""

    def __init__(self, reason: Reason, message: str, live: Snapshot) -> None:
        super().__init__(reason, message)
        self.live = live


class StaleRewrite(Refusal):
    def __init__(self, authored: Snapshot, live: Snapshot) -> None:
        self.authored = authored
        message = (
            f"stale: authored on {authored.base[:8]}, revision {authored.revision}; live is {live.base[:8]}, "
            f"revision {live.revision}. Please re-read and re-author."
        )
        super().__init__(Reason.STALE_BASE, message, live)


class OwnRefusals:
    """Raises subclasses of ``Rejected`` that carry the live snapshot."""

    profiles = frozenset({"base", "protected", "budget"})

    def __init__(self, config: Config) -> None:
        self._config = config
        self._lines: list[str] = list(config.lines)
        self._emitted: dict[int, int] = {}
        """Serial number of each line this turn emitted, and the line's unpaid tokens."""
        self._serials = list(range(len(self._lines)))
        self._next = len(self._lines)
        self._measuring: set[int] = set()
        self._revision = 0

    def snapshot(self) -> Snapshot:
        return Snapshot(tuple(self._lines), address(self._lines), self._revision)

    def append(self, lines: Sequence[str]) -> None:
        self._put(len(self._lines), lines)

    def insert(self, at: int, lines: Sequence[str]) -> None:
        self._put(place(at, len(self._lines)), lines)

    def _put(self, at: int, lines: Sequence[str]) -> range:
        new = range(self._next, self._next + len(lines))
        self._next += len(lines)
        self._lines[at:at] = lines
        self._serials[at:at] = new
        self._revision += bool(lines)
        return new

    def emit(self, kind: str, lines: Sequence[str]) -> None:
        known_kind(kind)
        sizes = list(map(self._config.count_tokens, lines))
        new = self._put(len(self._lines), lines)
        self._emitted.update(zip(new, sizes, strict=True))
        if kind == "measurement":
            self._measuring.update(new)

    def end_turn(self) -> None:
        self._emitted.clear()
        self._measuring.clear()

    def _refusals(self, patch: Patch, live: Snapshot) -> Iterator[Refusal]:
        """All that is wrong with the patch; what follows a wrong range is looked up in clipped ranges."""
        if patch.base.base != live.base:
            yield StaleRewrite(patch.base, live)
        try:
            ordered(patch.hunks, len(live.lines))
        except Rejected as wrong:
            yield Refusal(wrong.reason, wrong.message, live)
        gone = {at for hunk in patch.hunks for at in range(max(0, hunk.start), min(hunk.end, len(live.lines)))}
        if any(marker in live.lines[at] for at in gone for marker in self._config.protected):
            yield Refusal(Reason.PROTECTED, "a removed line is protected; leave it", live)
        if any(self._serials[at] in self._emitted for at in gone):
            yield Refusal(Reason.SELF_REFERENCE, "a removed line was emitted this turn; wait for its end", live)
        try:
            proven(patch.claim)
        except Rejected as wrong:
            yield Refusal(wrong.reason, wrong.message, live)

    def apply(self, patch: Patch) -> Receipt:
        live = self.snapshot()
        refusal = next(self._refusals(patch, live), None)
        if refusal is not None:
            raise refusal
        hunks = ordered(patch.hunks, len(live.lines))
        cost = self._cost(removed(live.lines, hunks), hunks)
        if (cost.freed or 0) <= (cost.rewrite or 0) + (cost.measurement or 0):
            raise Refusal(Reason.NOT_FREED, f"{cost} frees nothing; insert less", live)
        for hunk in reversed(hunks):
            del self._lines[hunk.start : hunk.end], self._serials[hunk.start : hunk.end]
            self._put(hunk.start, hunk.insert)
        self._revision += 1
        self._emitted = dict.fromkeys(self._emitted, 0)
        after = self.snapshot()
        return Receipt(after.base, after.revision, cost)

    def _cost(self, gone: Sequence[str], hunks: Sequence[Hunk]) -> Cost:
        meter = self._config.count_tokens
        measurement = sum(tokens for serial, tokens in self._emitted.items() if serial in self._measuring)
        emitted = sum(self._emitted.values()) - measurement
        return Cost(
            sum(map(meter, gone)), emitted + sum(meter(ln) for hunk in hunks for ln in hunk.insert), measurement
        )


class StrictInput:
    """Checks the type of all that it is given before it does anything."""

    profiles = frozenset({"base", "protected"})

    def __init__(self, config: Config) -> None:
        self._lines, self._markers = _lines(config.lines), _lines(config.protected)
        self._revision = 0

    def snapshot(self) -> Snapshot:
        return Snapshot(self._lines, address(self._lines), self._revision)

    def append(self, lines: Sequence[str]) -> None:
        self._become((*self._lines, *_lines(lines)))

    def insert(self, at: int, lines: Sequence[str]) -> None:
        place(at, len(self._lines))
        self._become((*self._lines[:at], *_lines(lines), *self._lines[at:]))

    def apply(self, patch: Patch) -> Receipt:
        if not isinstance(patch, Patch) or not isinstance(patch.base, Snapshot):
            raise TypeError(f"{patch!r} is no Patch with the Snapshot it was authored against")
        hunks = [Hunk(int(hunk.start), int(hunk.end), _lines(hunk.insert)) for hunk in patch.hunks]
        fresh(patch, self.snapshot())
        hunks = ordered(hunks, len(self._lines))
        unprotected(removed(self._lines, hunks), self._markers)
        self._become(tuple(spliced(self._lines, hunks, str)))
        return Receipt(address(self._lines), self._revision)

    def _become(self, lines: tuple[str, ...]) -> None:
        self._revision += lines != self._lines
        self._lines = lines


def _lines(lines: Sequence[str]) -> tuple[str, ...]:
    if isinstance(lines, str) or not all(isinstance(line, str) for line in lines):
        raise TypeError(f"{lines!r} is no sequence of lines; give a list or tuple of str")
    return tuple(lines)


class Proxy:
    """Has no method of its own: whatever is asked of it, the engine behind it answers."""

    __slots__ = ("_behind",)

    def __init__(self, config: Config) -> None:
        self._behind = EagerTuple(config)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._behind, name)
