"""From an illegal history to the few operations that make it so.

An operation is left out by relaxing it: a read or refusal is gone, a write may take effect at any time or
never, and shows nothing. So what is left out can only allow more, and a set that stays illegal is
illegal whatever the others did.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from heapq import nsmallest

from basebound.history.facts import contradiction
from basebound.history.operations import CallHistory, Operation
from basebound.history.ordering import DeadEnd, OutOfBudget, Placement, Problem, Search

SMALL = 40
"""A history of so many operations is explained from its own start."""

_DEPTHS = (8, 32, 128)
_BEYOND = 16
_PLACEMENTS = 20_000


def cannot_be_ordered(history: CallHistory, kept: Sequence[int]) -> bool | None:
    """Whether the ``kept`` operations have no order, the others relaxed; ``None`` if the search ends too early."""
    hard = set(kept)
    if contradiction(replace(history, operations=tuple(history.operations[i] for i in sorted(hard)))) is not None:
        return True
    relaxed = frozenset(range(len(history.operations))) - hard
    try:
        return Search(Problem(history, relaxed), _PLACEMENTS).run() is None
    except OutOfBudget:
        return None


def smallest(history: CallHistory, kept: Sequence[int]) -> tuple[list[int], bool]:
    """The kept operations without those that do not matter, and whether leaving out any more was seen to be legal."""
    left = sorted(kept)
    size = max(1, len(left) // 2)
    while True:
        sure, shrunk = True, False
        for chunk in _chunks(left, size):
            trial = [index for index in left if index not in chunk]
            answer = cannot_be_ordered(history, trial)
            if answer:
                left, shrunk = trial, True
            sure = sure and answer is not None
        if size == 1 and not shrunk:
            return left, sure
        size = max(1, size // 2)


def _chunks(indices: Sequence[int], size: int) -> Iterator[set[int]]:
    """From both ends inwards: what decides is mostly near the end, what set it up near the start."""
    for at in range(0, len(indices), size):
        yield set(indices[at : at + size])


def part_around(history: CallHistory, problem: Problem, dead_end: DeadEnd) -> CallHistory | None:
    """A short part of an illegal history that is illegal by itself.

    It begins where an answer showed content and revision, some placements before the dead end, and ends with
    the answer that could not be placed. ``None`` if no such part is illegal.
    """
    for depth in _DEPTHS:
        part = _part(history, problem, dead_end, depth)
        if part is not None and cannot_be_ordered(part, range(len(part.operations))):
            return part
    return None


def _part(history: CallHistory, problem: Problem, dead_end: DeadEnd, depth: int) -> CallHistory | None:
    answered = (Placement.COMMIT, Placement.IDLE, Placement.READ)
    cuts = [at for at, index in enumerate(dead_end.last[:-depth]) if problem.items[index].placement in answered]
    if not cuts:
        return None
    start = problem.items[dead_end.last[cuts[-1]]]
    again = set(dead_end.last[cuts[-1] + 1 :])
    blocked = next((index for index in problem.answers if not dead_end.done[index]), None)
    until = max(dead_end.reached, problem.items[blocked].t1 if blocked is not None else dead_end.reached)
    left = [index for index in problem.items if index in again or not dead_end.done[index]]
    later = nsmallest(_BEYOND, (problem.items[index].t0 for index in left if problem.items[index].t0 > until))
    until = max([until, *later])  # so that a write which came too late is there to be blamed
    operations = [_up_to(history.operations[index], until) for index in left if problem.items[index].t0 <= until]
    content = problem.contents[start.leave if start.placement is Placement.COMMIT else start.need]
    return CallHistory(content, tuple(operation for operation in operations if operation is not None), start.revision)


def _up_to(operation: Operation, until: float) -> Operation | None:
    """The operation as known at ``until``: what was answered later had no answer yet."""
    if operation.t1 is None or operation.t1 <= until:
        return operation
    return None if operation.seen is not None else replace(operation, t1=None, outcome=None)
