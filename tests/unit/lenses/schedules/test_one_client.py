"""Under one client every engine of the atomic catalogue is right, so that what a schedule finds is concurrency's."""

from __future__ import annotations

import random

import pytest

from basebound.core.trace import Append, Apply, Read, Step
from basebound.history import Legal, judge
from basebound.lenses.schedules.harness import ConcurrentHarness
from basebound.lenses.schedules.loops import run_on_loop
from basebound.model import Hunk
from basebound.results.outcome import Raised
from basebound_catalogue.correct.atomic import ATOMIC_CORRECT
from basebound_catalogue.kinds import Correct, Fault
from basebound_catalogue.mutants.atomic import ATOMIC_FAULTS

ENGINES: tuple[Fault | Correct, ...] = (*ATOMIC_FAULTS, *ATOMIC_CORRECT)


def walk(rng: random.Random, length: int) -> list[Step]:
    """Appends, reads and patches on an earlier read, some of them stale, some with bad hunks."""
    steps: list[Step] = [Read("s0")]
    for n in range(1, length):
        choice = rng.random()
        if choice < 0.35:
            steps.append(Read(f"s{n}"))
        elif choice < 0.6:
            steps.append(Append(tuple(f"line {n}.{k}" for k in range(rng.randrange(3)))))
        else:
            name = rng.choice([step.name for step in steps if isinstance(step, Read)][-2:])
            start = rng.randrange(4)
            hunks = (Hunk(start, start + rng.randrange(3), (f"patch {n}",)), Hunk(6, 6, ("end",)))
            steps.append(Apply(name, hunks[: rng.choice((1, 1, 2))]))
    return steps


@pytest.mark.parametrize("entry", ENGINES, ids=[entry.id for entry in ENGINES])
def test_one_client_gets_the_answers_of_a_legal_history(entry: Fault | Correct) -> None:
    async def alone(steps: list[Step]) -> ConcurrentHarness:
        harness = ConcurrentHarness(entry.make, ("first", "second", "third"))
        harness.build()
        await harness.aperform_all("one", steps)
        await harness.aclose()
        return harness

    for seed in range(5):
        harness = run_on_loop(alone(walk(random.Random(seed), 25)))
        assert not [op for op in harness.operations if isinstance(op.outcome, Raised)]
        assert isinstance(judge(harness.history()), Legal), f"seed {seed}"


@pytest.mark.parametrize("entry", ENGINES, ids=[entry.id for entry in ENGINES])
def test_it_claims_base_and_atomic_and_a_budget_only_with_protection(entry: Fault | Correct) -> None:
    profiles: frozenset[str] = getattr(entry.make, "profiles", frozenset())
    beside = profiles - {"base", "atomic"}
    assert beside in (frozenset(), frozenset({"protected", "budget"}))
    assert profiles >= {"base", "atomic"}


def test_the_names_in_the_catalogue_are_unique() -> None:
    assert len({entry.id for entry in ENGINES}) == len(ENGINES)
