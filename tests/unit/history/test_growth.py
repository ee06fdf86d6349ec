"""One placement an operation, whatever the length; and a lie in a long history is found and told in short."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from basebound.core.trace import Append
from basebound.history import Illegal, Legal, Operation, judge
from basebound.history.ordering import Problem, Search
from basebound.history.sample import busy_history, swapped_reads
from basebound.results.outcome import Returned


@pytest.mark.parametrize("size", [1_000, 5_000, pytest.param(100_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("lost", [0.0, 0.01])
def test_a_legal_history_takes_one_placement_an_operation(size: int, lost: float) -> None:
    history = busy_history(size, lost=lost)
    search = Search(Problem(history), size)
    assert search.run() is not None
    assert search.placements <= size


@pytest.mark.slow
def test_the_time_grows_about_as_the_history_does() -> None:
    def seconds(size: int) -> float:
        history = busy_history(size)
        begun = time.process_time()
        assert isinstance(judge(history), Legal)
        return time.process_time() - begun

    small, large = min(seconds(10_000) for _ in range(3)), seconds(100_000)
    assert large < 30 * small


@pytest.mark.parametrize("size", [1_000, 5_000])
def test_two_reads_in_the_wrong_order_are_found(size: int) -> None:
    verdict = judge(swapped_reads(busy_history(size)))
    assert isinstance(verdict, Illegal)
    assert len(verdict.culprits) == 2
    assert len(verdict.within.operations) < 40


@pytest.mark.parametrize("size", [1_000, 5_000])
@pytest.mark.parametrize("lost", [0.0, 0.002])
def test_a_lost_append_in_the_middle_is_told_by_two_operations(size: int, lost: float) -> None:
    history = busy_history(size, lost=lost)
    operations = list(history.operations)
    at = operations[size // 2].t0
    operations.insert(size // 2, Operation("ghost", at, at + 500, Append(("a lost line",)), Returned()))
    verdict = judge(replace(history, operations=tuple(operations)))
    assert isinstance(verdict, Illegal)
    assert verdict.minimal
    assert {culprit.client == "ghost" for culprit in verdict.culprits} == {True, False}
    assert len(verdict.culprits) == 2


def test_a_write_that_was_read_before_it_began_is_told_by_two_operations() -> None:
    history = busy_history(3_000)
    operations = list(history.operations)
    at, reader = next(
        (n, later)
        for n, op in enumerate(operations[1_500:], start=1_500)
        if op.added
        for later in operations[n + 1 : n + 40]
        if later.seen and op.added[0] in later.seen.lines
    )
    assert reader.t1 is not None
    operations[at] = replace(operations[at], t0=reader.t1 + 1, t1=reader.t1 + 5)
    operations.sort(key=lambda op: op.t0)
    verdict = judge(replace(history, operations=tuple(operations)))
    assert isinstance(verdict, Illegal)
    assert len(verdict.culprits) == 2
    assert any(culprit.added for culprit in verdict.culprits)
