"""How the time of the history checker grows, and what a recorder costs a running engine."""

from __future__ import annotations

import io
import time
from dataclasses import dataclass

from basebound.history import BUDGET, Legal, Recorder, judge
from basebound.history.sample import busy_history
from basebound.model import Config, Hunk, Patch
from basebound.targets.reference import ReferenceEngine


@dataclass(frozen=True)
class Judged:
    """One history of ``operations`` calls: CPU seconds to judge it, and whether it was found legal, as it is."""

    operations: int
    seconds: float
    legal: bool


def growth(sizes: list[int]) -> list[Judged]:
    """Judge a legal history of several busy clients of each size."""
    found = []
    for size in sizes:
        history = busy_history(size)
        began = time.process_time()
        verdict = judge(history, max(BUDGET, 10 * size))
        found.append(Judged(size, time.process_time() - began, isinstance(verdict, Legal)))
    return found


def recorder_ratio(rounds: int, calls: int) -> float:
    """The least time of ``calls`` rounds of append, snapshot and patch through a recorder, over that without one."""
    bare = min(_busy(ReferenceEngine(Config(("start",))), calls) for _ in range(rounds))
    recorded = min(_busy(Recorder(ReferenceEngine(Config(("start",))), io.StringIO()), calls) for _ in range(rounds))
    return recorded / bare


def _busy(engine: ReferenceEngine | Recorder, calls: int) -> float:
    began = time.process_time()
    for number in range(calls):
        engine.append([f"a tool result of some length, number {number}"])
        seen = engine.snapshot()
        engine.apply(Patch(seen, (Hunk(len(seen.lines) - 1, len(seen.lines)),)))
    return time.process_time() - began
