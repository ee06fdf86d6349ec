"""The yardstick: the machine most people would write, in plain Hypothesis.

No near-collisions, no duplicates on purpose, no goals, no positive controls; one model, one step a rule, and it
stops at the first difference. It is kept as it is, to be compared with.
"""

from __future__ import annotations

import hypothesis
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule, run_state_machine_as_test

from basebound.model import Config, Hunk, Patch, Rejected, Snapshot
from basebound.targets.loading import Target

LINES = st.lists(st.text(max_size=8), max_size=3)
AT = st.integers(0, 8)


class Difference(AssertionError):
    """The engine did something else than the model."""


def naive(target: Target, runs: int, moves: int, seed: int) -> tuple[int, bool]:
    """Run the machine; returns the number of steps and whether it found a difference."""
    steps = 0

    class Naive(RuleBasedStateMachine):
        def __init__(self) -> None:
            super().__init__()
            self.engine = target.factory(Config())
            self.model: list[str] = []
            self.old: Snapshot = self.engine.snapshot()

        def see(self) -> Snapshot:
            nonlocal steps
            steps += 2
            shown: Snapshot = self.engine.snapshot()
            if list(shown.lines) != self.model:
                raise Difference(shown)
            return shown

        @rule(lines=LINES)
        def append(self, lines: list[str]) -> None:
            self.engine.append(list(lines))
            self.model += lines
            self.see()

        @rule(start=AT, end=AT, insert=LINES)
        def patch(self, start: int, end: int, insert: list[str]) -> None:
            good = start <= end <= len(self.model)
            self.submit(self.see(), Hunk(start, end, tuple(insert)), good)

        @rule(start=AT, end=AT)
        def patch_an_old_snapshot(self, start: int, end: int) -> None:
            good = list(self.old.lines) == self.model and start <= end <= len(self.model)
            self.submit(self.old, Hunk(start, end), good)
            self.old = self.see()

        def submit(self, base: Snapshot, hunk: Hunk, good: bool) -> None:
            try:
                self.engine.apply(Patch(base, (hunk,)))
            except Rejected:
                if good:
                    raise Difference("refused") from None
                return
            if not good:
                raise Difference("applied")
            self.model[hunk.start : hunk.end] = hunk.insert
            self.see()

    plan = settings(
        max_examples=runs,
        stateful_step_count=moves,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    try:
        run_state_machine_as_test(hypothesis.seed(seed)(Naive), settings=plan)
    except Exception:
        return steps, True
    return steps, False
