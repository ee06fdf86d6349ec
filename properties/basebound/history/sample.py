"""Histories of a correct engine under several clients, of any length: to measure the checker with."""

from __future__ import annotations

import random
from dataclasses import replace

from basebound.core.trace import Append, Apply, Read, Step
from basebound.history.operations import CallHistory, Lines, Operation
from basebound.model import Hunk, Reason, Receipt, Snapshot
from basebound.results.outcome import Outcome, Refused, Returned

_TICK = 1000


def busy_history(size: int, seed: int = 0, clients: int = 8, longest: int = 12, lost: float = 0.0) -> CallHistory:
    """``size`` operations of ``clients`` that append, read and patch what they read last.

    Each operation takes effect at one instant of its interval, so the history is legal. The buffer is kept at
    about ``longest`` lines by patches that delete. ``lost`` is the share of answers that never came.
    """
    return _Busy(random.Random(seed), clients, longest, lost).run(size)


def swapped_reads(history: CallHistory) -> CallHistory:
    """``history`` with one lie near its end: two neighbouring reads of one client answer in the wrong order."""
    operations = list(history.operations)
    last: dict[str, int] = {}
    for index in range(len(operations) - 1, -1, -1):
        operation = operations[index]
        seen = operation.seen
        if seen is None:
            continue
        later = last.get(operation.client)
        if later is not None and operations[later].seen != seen:
            operations[index] = replace(operation, outcome=operations[later].outcome)
            operations[later] = replace(operations[later], outcome=operation.outcome)
            return replace(history, operations=tuple(operations))
        last[operation.client] = index
    raise ValueError("no client of this history read two states; take a longer one")


class _Busy:
    def __init__(self, rng: random.Random, clients: int, longest: int, lost: float) -> None:
        self.rng, self.longest, self.lost = rng, longest, lost
        self.names = [f"client-{n}" for n in range(clients)]
        self.ended = dict.fromkeys(self.names, -1)
        self.lines: Lines = tuple(f"start {n}" for n in range(3))
        self.revision = 0
        self.known = dict.fromkeys(self.names, self.live())

    def live(self) -> Snapshot:
        return Snapshot(self.lines, f"base-{self.revision}", self.revision)

    def run(self, size: int) -> CallHistory:
        start = self.lines
        operations: list[Operation] = []
        instant = 0
        while len(operations) < size:
            instant += _TICK
            free = [name for name in self.names if self.ended[name] < instant]
            if free:
                operations.append(self.operation(len(operations), self.rng.choice(free), instant))
        return CallHistory.of(start, operations)

    def operation(self, number: int, client: str, instant: int) -> Operation:
        rng = self.rng
        begin = max(self.ended[client] + 1, instant - rng.randrange(3 * _TICK))
        end = instant + rng.randrange(3 * _TICK)
        self.ended[client] = end
        authored = self.known[client]
        step, outcome = self.act(number, client)
        if outcome is not None and rng.random() < self.lost:
            return Operation(client, begin, None, step, None, authored if isinstance(step, Apply) else None)
        if isinstance(outcome, Returned) and isinstance(outcome.value, Snapshot):
            self.known[client] = outcome.value
        return Operation(client, begin, end, step, outcome, authored if isinstance(step, Apply) else None)

    def act(self, number: int, client: str) -> tuple[Step, Outcome]:
        chance = self.rng.random()
        if chance < 0.4:
            return Read(f"s{number}"), Returned(self.live())
        if chance < 0.7:
            return self.change((*self.lines, f"line {number}"), Append((f"line {number}",)))
        authored = self.known[client]
        room = len(authored.lines)
        start = self.rng.randrange(room + 1)
        stop = min(room, start + self.rng.randrange(4))
        if room > self.longest:
            start, stop = 1, room - 2
        hunk = Hunk(start, stop, (f"patch {number}",))
        step = Apply(f"r{authored.revision}", (hunk,))
        if authored.revision != self.revision:
            return step, Refused(Reason.STALE_BASE)
        return self.change((*self.lines[:start], *hunk.insert, *self.lines[stop:]), step)

    def change(self, lines: Lines, step: Step) -> tuple[Step, Outcome]:
        self.lines = lines
        self.revision += 1
        if isinstance(step, Apply):
            return step, Returned(Receipt(self.live().base, self.revision))
        return step, Returned()
