"""What a worker tells: plain values, so that every lens and every report speaks one language."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from basebound.core.trace import Trace
from basebound.errors import Code
from basebound.results.claims import Described
from basebound.results.counterexample import Counterexample
from basebound.results.finding import Finding
from basebound.results.steps import ExecutedStep
from basebound.results.unit import Finished, Unit


@dataclass(frozen=True)
class Unusable:
    """The target, or an order for it, cannot be used: the code of the mistake, what is wrong, and how to fix it."""

    code: Code
    what: str
    fix: str


@dataclass(frozen=True)
class Found:
    """A break that a unit came across, the first of its requirement there; and the order to explain it.

    The counterexample is as it was found: not reduced, and without what its steps came to. One of clients at once is
    whole as it is. ``fatal``: the target did not survive its last step.
    """

    unit: Unit
    counterexample: Counterexample
    fatal: bool = False


@dataclass(frozen=True)
class Progress:
    unit: Unit
    runs: int
    steps: int


@dataclass(frozen=True)
class Stuck:
    """A call of the target did not come back within the bound, or its loading (no ``call``); the worker has exited."""

    call: str
    trace: Trace


@dataclass(frozen=True)
class Alive:
    """Sent now and then, so that a worker whose target holds the interpreter's lock is noticed."""


@dataclass(frozen=True)
class Explained:
    """A reduced counterexample and, where it follows from it, others of the same trace."""

    counterexamples: tuple[Counterexample, ...]


@dataclass(frozen=True)
class Replay:
    """An order: run one trace, step by step."""

    trace: Trace


@dataclass(frozen=True)
class Replayed:
    """A trace as it ran: each step's outcome, what broke, and the expectations of its own that were not met."""

    steps: tuple[ExecutedStep, ...]
    findings: tuple[Finding, ...]
    unmet: tuple[tuple[int, str], ...] = ()
    drawing: str = ""


@dataclass(frozen=True)
class Hunt:
    """An order: look at another target until ``requirement`` is found broken; None looks at everything.

    ``lenses`` empty means all that play histories.
    """

    target: str
    requirement: str | None
    effort: str
    seed: int
    lenses: tuple[str, ...] = ()


@dataclass(frozen=True)
class Hunted:
    """How a hunt ended: the lens and the step that found it, everything found broken, the goals reached."""

    hunt: Hunt
    lens: str | None
    steps: int
    broken: tuple[str, ...]
    goals: frozenset[tuple[str, str]]
    target: Described
    abilities: frozenset[str] = frozenset()


@dataclass(frozen=True)
class SuiteFailure:
    """The suite itself failed in a worker; ``text`` is the traceback. Nothing is said of the target."""

    text: str


Event: TypeAlias = (
    SuiteFailure | Hunted | Replayed | Described | Unusable | Found | Progress | Finished | Stuck | Alive | Explained
)
