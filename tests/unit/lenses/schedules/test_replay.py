"""A printed schedule runs again the same way; what cannot be replayed says so."""

from __future__ import annotations

import pytest

from basebound.errors import UsageError
from basebound.history import Operation
from basebound.lenses.schedules import ConcurrentFinding, finding, interleave, ledgers, pauses, replay, stress, survey
from basebound.lenses.schedules.harness import Factory
from basebound.lenses.schedules.programs import BY_NAME, PROGRAMS
from basebound_catalogue.correct.atomic import NoAwait
from basebound_catalogue.mutants.atomic.ledgers import ChargeAfterLock, DebtWrittenBack, EmissionHalfCancelled
from basebound_catalogue.mutants.atomic.tasks import CheckAwaitCommit, HalfCancelled, TornAwait, WaiterFrees
from basebound_catalogue.mutants.atomic.threaded import (
    BareCompareAndSet,
    CheckOutside,
    FastPath,
    HalfState,
    Locked,
    StaleLocal,
    TornSnapshot,
)

ExecutedStep = list[tuple[object, ...]]


def told(operations: tuple[Operation, ...]) -> ExecutedStep:
    return [(op.client, op.t0, op.t1, op.step, op.outcome) for op in operations]


@pytest.mark.parametrize(
    ("engine", "requirement", "kind"),
    [
        (CheckOutside, "ATOMIC-CHECK-COMMIT", "rival"),
        (CheckAwaitCommit, "ATOMIC-CHECK-COMMIT", "rival"),
        (TornAwait, "ATOMIC-SNAPSHOT-WHOLE", "pauses"),
        (StaleLocal, "ATOMIC-CHECK-COMMIT", "interleave"),
        (TornSnapshot, "ATOMIC-SNAPSHOT-WHOLE", "interleave"),
        (FastPath, "ATOMIC-CHECK-COMMIT", "interleave"),
        (BareCompareAndSet, "ATOMIC-CHECK-COMMIT", "interleave"),
        (HalfState, "ATOMIC-INTERRUPTED-WHOLE", "faults"),
        (EmissionHalfCancelled, "ATOMIC-INTERRUPTED-WHOLE", "faults"),
        (WaiterFrees, "ATOMIC-CHECK-COMMIT", "pauses"),
        (ChargeAfterLock, "ATOMIC-LEDGER-KEPT", "interleave"),
        (DebtWrittenBack, "ATOMIC-LEDGER-KEPT", "pauses"),
        (HalfCancelled, "ATOMIC-INTERRUPTED-WHOLE", "faults"),
    ],
)
def test_a_counterexample_replays_twenty_times_out_of_twenty(engine: Factory, requirement: str, kind: str) -> None:
    found = exact_finding(engine, requirement, kind)
    first = told(found.run.history.operations)
    for _ in range(20):
        run = replay(engine, found.run.schedule)
        assert run is not None
        assert told(run.history.operations) == first
        again = finding(run)
        assert isinstance(again, ConcurrentFinding)
        assert again.broken == found.broken


def exact_finding(engine: Factory, requirement: str, kind: str) -> ConcurrentFinding:
    """The best one of the survey if it is of the kind, else the kind's own first exact one."""
    if engine is FastPath:
        runs = interleave.runs(engine, "line", (BY_NAME["apply/append"],), pauses=(2,))
    elif kind == "interleave":
        level = interleave.Level.__args__[engine is BareCompareAndSet]  # type: ignore[attr-defined]
        runs = interleave.runs(engine, level, [*ledgers.programs(engine), *PROGRAMS])
    elif kind == "pauses":
        runs = pauses.runs(engine, drawn=0, programs=[*PROGRAMS, *ledgers.programs(engine)])
    else:
        return survey(engine, until=requirement).findings[requirement]
    for run in runs:
        found = finding(run) if run.exact else None
        if isinstance(found, ConcurrentFinding) and requirement in {broken.requirement for broken in found.broken}:
            return found
    raise AssertionError(f"{kind} found nothing that replays")


def test_a_drawn_schedule_of_tasks_replays() -> None:
    drawn = next(run for run in pauses.runs(CheckAwaitCommit, seed=3, drawn=2) if run.schedule.startswith("choices"))
    again = replay(CheckAwaitCommit, drawn.schedule)
    assert again is not None
    assert told(again.history.operations) == told(drawn.history.operations)


def test_the_same_seed_draws_the_same_schedules() -> None:
    def schedules(seed: int) -> list[str]:
        return [run.schedule for run in pauses.runs(NoAwait, seed=seed, drawn=2)]

    assert schedules(5) == schedules(5)
    assert schedules(5) != schedules(6)


def test_stress_is_never_called_exact() -> None:
    assert not [run for run in stress.runs(Locked, rounds=3) if run.exact]


def test_a_place_the_engine_no_longer_has_replays_to_nothing() -> None:
    assert replay(BareCompareAndSet, "rival apply/append 1") is None
    assert replay(Locked, "faults raised apply 40") is None


@pytest.mark.parametrize(
    "text", ["dance apply/append", "rival nowhere 1", "rival apply/append soon", "interleave line"]
)
def test_what_is_no_schedule_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(UsageError, match=r"\[not-a-schedule\]"):
        replay(Locked, text)
