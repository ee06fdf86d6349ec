"""Every budget fault shows: some random history ends otherwise than on the plain engine it was made from."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest

from basebound.core.register import requirements
from basebound.model import EMISSION_KINDS, Config, Cost, Hunk, Meter, Patch, Receipt, Rejected, utf8_bytes
from basebound_catalogue.budgeted import BudgetedPlain
from basebound_catalogue.kinds import Fault
from basebound_catalogue.mutants.budget import BUDGET_FAULTS

TEXTS = ("", "a", "b", "a b", "é", "日本", "word " * 6, " a ", "keep", "long" * 10)
METERS: tuple[Meter, ...] = (utf8_bytes, len, lambda line: len(line.split()), lambda line: 10 * len(line) + 7)
HUGE = "x" * 70_000
STEPS = 25
HISTORIES = 2000
SHOWN = [fault for fault in BUDGET_FAULTS if fault.requirement != "BUDGET-METER-RAISED"]
"""Those that show without a meter that raises; the others are left to the kill matrix."""


@dataclass
class Sight:
    """A step's answer and what a read shows after it; base and revision only by how they moved."""

    answer: object
    lines: tuple[str, ...]
    base_moved: bool
    revision_moved: int


class Watched:
    """An engine that is read after each step; its snapshots have the numbers of those of its rival."""

    def __init__(self, engine: BudgetedPlain) -> None:
        self.engine = engine
        self.seen = [engine.snapshot()]

    def do(self, method: str, *values: Any) -> Sight:
        answer = self.submit(*values) if method == "apply" else getattr(self.engine, method)(*values)
        before, after = self.seen[-1], self.engine.snapshot()
        self.seen.append(after)
        return Sight(answer, after.lines, after.base != before.base, after.revision - before.revision)

    def submit(self, authored: int, hunks: tuple[Hunk, ...], claim: Cost | None) -> object:
        try:
            receipt = self.engine.apply(Patch(self.seen[authored], hunks, claim))
        except Rejected as refusal:
            return refusal.reason
        assert receipt == Receipt(self.engine.base(), self.engine.revision, receipt.cost)
        return receipt.cost


class Pair:
    """A faulty engine beside the plain one in one random history, drawn from what the plain one holds."""

    def __init__(self, fault: Fault, seed: int) -> None:
        self.rng = rng = random.Random(seed)
        self.texts = rng.sample(TEXTS, 4) + [HUGE] * (rng.random() < 0.02)
        markers = ("keep",) if rng.random() < 0.2 else ()
        config = Config(tuple(self.some(6)), markers, rng.choice(METERS))
        self.plain, self.faulty = Watched(BudgetedPlain(config)), Watched(fault.make(config))

    def differ(self) -> bool:
        """Whether they differ; that a fault of the gate gives no cost is no difference."""
        for plain, faulty in self.sights():
            silent = isinstance(plain.answer, Cost) and faulty.answer is None
            if plain != (replace(faulty, answer=plain.answer) if silent else faulty):
                return True
        return False

    def sights(self) -> Iterator[tuple[Sight, Sight]]:
        for _ in range(STEPS):
            method, *values = self.step()
            yield self.plain.do(method, *values), self.faulty.do(method, *values)

    def some(self, most: int) -> list[str]:
        return [self.rng.choice(self.texts) for _ in range(self.rng.randint(0, most))]

    def step(self) -> tuple[Any, ...]:
        step = self.rng.choice(("append", "insert", "emit", "emit", "emit", "end_turn", *("apply",) * 5))
        if step == "append":
            return step, self.rng.choice((self.some(2), list(self.plain.seen[-1].lines[-1:])))
        if step == "insert":
            return step, self.rng.randint(0, len(self.plain.engine.lines)), self.some(2)
        if step == "emit":
            return step, self.rng.choice(EMISSION_KINDS), self.some(2)
        return (step, *self.patch()) if step == "apply" else (step,)

    def patch(self) -> tuple[int, tuple[Hunk, ...], Cost | None]:
        live = len(self.plain.seen) - 1
        authored = live if self.rng.random() < 0.9 else self.rng.randint(0, live)
        lines = self.plain.seen[authored].lines
        hunks = [self.hunk(lines) for _ in range(self.rng.choice((0, 1, 1, 1, 1, 2, 3)))]
        return authored, tuple(self.balanced(hunks, lines)), self.claim()

    def hunk(self, lines: tuple[str, ...]) -> Hunk:
        start = self.rng.randint(0, len(lines))
        end = min(start + self.rng.choice((0, 1, 1, 2, 5)), len(lines))
        old = list(lines[start:end])
        return Hunk(start, end, tuple(self.rng.choice(([], [], old, old[::-1], old[:1], self.some(1)))))

    def balanced(self, hunks: list[Hunk], lines: tuple[str, ...]) -> list[Hunk]:
        """With one line more, by which the patch gains next to nothing, or would if some emissions were free."""
        meter, unpaid = self.plain.engine.meter, self.plain.engine.unpaid
        if not hunks or self.rng.random() < 0.3:
            return hunks
        charged = sum(emission.tokens for emission in unpaid if self.rng.random() < 0.7)
        freed = sum(meter(line) for hunk in hunks for line in lines[hunk.start : hunk.end])
        wanted = freed - sum(meter(line) for hunk in hunks for line in hunk.insert) - charged
        wanted -= self.rng.choice((-1, 0, 1, 1, 2))
        line = next((text for n in range(99) if meter(text := self.rng.choice(("x", "x ", "é")) * n) == wanted), None)
        at = self.rng.randrange(len(hunks))
        if line is not None:
            hunks[at] = replace(hunks[at], insert=(*hunks[at].insert, line))
        return hunks

    def claim(self) -> Cost | None:
        amounts = (None, -2, 0) if self.rng.random() < 0.3 else (0, 1, 5, 100)
        parts = [self.rng.choice((self.rng.choice(amounts), 3)) for _ in range(3)]
        return Cost(*parts) if self.rng.random() < 0.4 else None


@pytest.mark.parametrize("fault", SHOWN, ids=[fault.id for fault in SHOWN])
def test_a_fault_shows_in_some_random_history(fault: Fault) -> None:
    assert any(Pair(fault, seed).differ() for seed in range(HISTORIES))


def test_the_plain_engine_never_differs_from_itself() -> None:
    plain = Fault("plain", "", "", "", BudgetedPlain)
    assert not any(Pair(plain, seed).differ() for seed in range(100))


def test_the_histories_commit_and_refuse_for_every_reason() -> None:
    plain = Fault("plain", "", "", "", BudgetedPlain)
    answers = [sight.answer for seed in range(100) for sight, _ in Pair(plain, seed).sights()]
    assert sum(isinstance(answer, Cost) for answer in answers) > 50
    reasons = {"stale-base", "bad-hunk", "protected", "self-reference", "unproven", "not-freed"}
    assert reasons <= {str(answer) for answer in answers}


def test_every_requirement_of_budget_has_a_fault() -> None:
    ours = {requirement.id for requirement in requirements() if requirement.profile == "budget"}
    assert ours - {fault.requirement for fault in BUDGET_FAULTS} == set()


def test_each_fault_is_described_once_and_in_one_sentence() -> None:
    assert len({fault.id for fault in BUDGET_FAULTS}) == len({fault.about for fault in BUDGET_FAULTS})
    assert [fault.id for fault in BUDGET_FAULTS if not fault.origin or fault.about.count(".") != 1] == []


def test_a_fault_is_the_plain_engine_with_something_overridden() -> None:
    for fault in BUDGET_FAULTS:
        engine = fault.make(Config())
        assert isinstance(engine, BudgetedPlain)
        assert engine.profiles == BudgetedPlain.profiles
        assert type(engine) is not BudgetedPlain
