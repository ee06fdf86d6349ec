"""What a worker tells: plain values, so that every lens and every report speaks one language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from basebound.core.register import PureFunction
from basebound.core.trace import Trace, header_row, to_rows
from basebound.lenses.proofs.results import Result
from basebound.oracle import Finding
from basebound.run.units import RUNNING, Unit
from basebound.session.session import ExecutedStep


@dataclass(frozen=True)
class Described:
    """What a target says of itself; the parent process never imports it."""

    name: str
    profiles: frozenset[str]
    inserts: bool
    max_hunks: int | None
    asynchronous: bool
    pure: PureFunction | None
    source: tuple[str, int] | None


@dataclass(frozen=True)
class Unusable:
    """The target cannot be loaded: how far it came, what is wrong, and how to fix it."""

    stage: str
    what: str
    fix: str


@dataclass(frozen=True)
class Found:
    """The first break of a requirement in a unit, not reduced; ``steps`` were done before it was seen."""

    unit: Unit
    finding: Finding
    trace: Trace
    steps: int


@dataclass(frozen=True)
class Progress:
    unit: Unit
    runs: int
    steps: int


@dataclass(frozen=True)
class Finished:
    """A unit's end; ``note`` says why, if it stopped before all of its cases were done."""

    unit: Unit
    runs: int
    steps: int
    goals: frozenset[tuple[str, str]]
    note: str = ""
    abilities: frozenset[str] = frozenset()
    """What the target has turned out to be able to do, as the register's ``needs`` name it."""
    proofs: tuple[Result, ...] = ()
    """What was proved, refuted or left open."""
    typed: Mapping[str, dict[str, Any]] = field(default_factory=dict)
    """By requirement, the evidence of the types."""


@dataclass(frozen=True)
class Shown:
    """A break that a unit has told in full by itself."""

    unit: Unit
    counterexample: Counterexample


@dataclass(frozen=True)
class Stuck:
    """A call of the target did not come back within the bound, or its loading (no ``call``); the worker has exited."""

    call: str
    trace: Trace


@dataclass(frozen=True)
class Alive:
    """Sent now and then, so that a worker whose target holds the interpreter's lock is noticed."""


@dataclass(frozen=True)
class ConcurrentHistory:
    """A concurrent history: its rows as ``trace/1`` records them, the lanes drawn, and the schedule that replays it.

    ``culprits`` are the numbers of the rows, from 0, that cannot be ordered.
    """

    rows: tuple[dict[str, Any], ...]
    drawing: str
    schedule: str
    culprits: tuple[int, ...]


@dataclass(frozen=True)
class Counterexample:
    """A broken requirement told in full.

    ``trace`` replays it; ``told`` is what each step came to; ``finding.step`` is the one that breaks the
    sentence. ``repeats`` is ``always``, ``sometimes`` or ``once``: whether running the trace again breaks it again.
    """

    requirement: str
    trace: Trace
    steps: tuple[ExecutedStep, ...]
    finding: Finding
    lens: str
    steps_to_find: int
    aftermath: tuple[str, ...] | None = None
    """What a read after the last step showed, where one was taken."""
    repeats: str = "always"
    notes: tuple[str, ...] = field(default_factory=tuple)
    concurrent: ConcurrentHistory | None = None
    """What clients did at once, where the break needs them to."""

    def rows(self) -> list[dict[str, Any]]:
        """The lines of its trace file: the steps, or what clients did at once with the schedule that replays it."""
        if self.concurrent is None:
            return to_rows(self.trace)
        return [header_row(self.trace), *self.concurrent.rows]


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
    """An order: look at another target until ``requirement`` is found broken; None looks at everything."""

    target: str
    requirement: str | None
    effort: str
    seed: int
    lenses: tuple[str, ...] = RUNNING


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


Event: TypeAlias = Shown | (
    SuiteFailure | Hunted | Replayed | Described | Unusable | Found | Progress | Finished | Stuck | Alive | Explained
)
