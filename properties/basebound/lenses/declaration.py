"""What a lens declares of itself, and what a unit of it works with."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from math import inf
from typing import Any

from basebound.core.trace import Trace
from basebound.results.counterexample import Counterexample
from basebound.results.steps import History
from basebound.results.unit import Unit
from basebound.session.session import RunContext, run
from basebound.session.time_budget import TimeBudget
from basebound.targets.loading import Target


@dataclass
class UnitRun:
    """One unit on one target. ``ended`` takes each history as it ends, and says whether to stop.

    ``show`` takes a break that the lens tells in full by itself; ``progress`` says that the unit is under way.
    """

    unit: Unit
    target: Target
    context: RunContext
    ended: Callable[[History], bool]
    show: Callable[[Counterexample], None]
    progress: Callable[[], None]
    abilities: set[str] = field(default_factory=set)
    """What the target has turned out to be able to do, as the register's ``needs`` name it."""
    vouched: list[object] = field(default_factory=list)
    """What the lens's ``Vouching`` makes evidence of."""

    def cases(self, traces: Iterable[Trace], seconds: float = inf) -> str:
        """Take a new engine through each trace, for at most ``seconds``; says why it stopped before the last."""
        budget = TimeBudget(seconds)
        for number, trace in enumerate(traces):
            if budget.over:
                return out_of_time(f"{number} cases", seconds)
            if self.ended(run(self.context, trace)):
                break
        return ""


def out_of_time(done: str, seconds: float) -> str:
    """Where this stops is the clock's choice: the one part of a check that a seed does not fix."""
    return f"ran {done} in the {seconds:g} s it has (slow engine or busy machine); a higher --effort allows more"


def _says_nothing(vouched: Iterable[object]) -> list[str]:
    return []


@dataclass(frozen=True)
class Vouching:
    """Evidence that is no history: by requirement, what stands behind it. It counts only where no MUST is broken.

    ``rows`` reads what all units of the lens have vouched. ``beside_a_pass``: it counts only for a requirement that
    passes by its histories, which go on where the bounds of a proof end. ``alone`` says what becomes of it in a check
    without histories.
    """

    kind: str
    rows: Callable[[Iterable[object]], Mapping[str, Mapping[str, Any]]]
    beside_a_pass: bool = False
    alone: Callable[[Iterable[object]], list[str]] = _says_nothing


@dataclass(frozen=True)
class Lens:
    """A technique for finding breaks. ``units`` gives its pieces of an effort, from (effort, seed, backend).

    ``run`` does one of them and says why, if it stopped before its end. ``goals`` is the kind of evidence that a goal
    reached through it is; nothing where it runs no history. ``plays``: it takes any target through histories of its own
    choice, so that a target can pass by it, and a fault be hunted through it.
    """

    name: str
    units: Callable[[str, int, str], list[Unit]]
    run: Callable[[UnitRun], str]
    goals: str
    plays: bool = True
    vouches: Vouching | None = None
