"""What a step of the search costs beside a step of the naive machine, on the same engine in one run."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from basebound.lenses.search.machine import SearchPlan, search
from basebound.session.session import RunContext
from basebound.targets.loading import Target, load
from basebound_catalogue.bench.naive import naive

MOVES = 25


@dataclass(frozen=True)
class Overhead:
    """Microseconds a step, of both machines, in each round; a step is one call of the engine."""

    ours: tuple[float, ...]
    naive: tuple[float, ...]

    @property
    def ratio(self) -> float:
        """The median over the rounds of ours / naive, taken round by round."""
        return statistics.median(a / b for a, b in zip(self.ours, self.naive, strict=True))


def overhead(name: str, rounds: int, runs: int) -> Overhead:
    """Run both machines in turn, ``rounds`` times, with the profile both judge: base."""
    target = load(name)
    context = RunContext(target, frozenset({"base"}))
    ours, theirs = [], []
    for seed in range(rounds):
        theirs.append(_each(partial(_walked, target, runs, seed)))
        ours.append(_each(partial(_searched, target, context, runs, seed)))
    return Overhead(tuple(ours), tuple(theirs))


def _walked(target: Target, runs: int, seed: int) -> int:
    steps, _ = naive(target, runs, MOVES, seed)
    return steps


def _searched(target: Target, context: RunContext, runs: int, seed: int) -> int:
    before = context.steps
    search(context, SearchPlan(runs, MOVES, 600.0), seed, lambda history: False)
    return context.steps - before


def _each(run: Callable[[], int]) -> float:
    began = time.perf_counter()
    steps = run()
    return (time.perf_counter() - began) / steps * 1e6
