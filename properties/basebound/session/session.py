"""One history of one engine, driven and judged step by step."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from basebound.core.meters import FailingMeter, meter
from basebound.core.register import Role, with_role
from basebound.core.trace import Apply, Insert, Read, Spoil, Step, Trace
from basebound.model import Config, Hunk
from basebound.oracle import Oracle
from basebound.results.finding import Finding
from basebound.results.outcome import Outcome, Returned
from basebound.results.steps import ExecutedStep, History
from basebound.targets.driver import Driver, Loop, Unwatched, Watch
from basebound.targets.loading import Target

_SECOND_AUTHOR = "other"


@dataclass
class RunContext:
    """What the sessions of one process share: the target, its event loop, the watch, and the goals reached."""

    target: Target
    claims: frozenset[str]
    loop: Loop = field(default_factory=Loop)
    watch: Watch = field(default_factory=Unwatched)
    goals: set[tuple[str, str]] = field(default_factory=set)
    steps: int = 0
    runs: int = 0
    measures: bool = False
    """Whether the target has been seen to call the meter in a step of ours."""


class Session:
    """Builds an engine from ``start`` (its steps are not run) and takes it through steps, one by one."""

    def __init__(self, context: RunContext, start: Trace, *, detailed: bool = False) -> None:
        self.context, self.target, self._detailed = context, context.target, detailed
        named = meter(start.meter)
        guarded = "protected" in context.claims
        protected = start.protected if guarded else ()
        self.start = replace(start, protected=protected, steps=())
        self.history = History(self.start)
        self.over = False
        context.runs += 1
        self._meter = FailingMeter(named.count)
        config = Config(self.start.lines, protected, self._meter)
        self.oracle = Oracle(self.start, named.count, context.claims, context.goals)
        self.driver: Driver | None = None
        context.watch.begin_run(self.start)
        try:
            self.driver = Driver(self.target, config, context.loop, context.watch)
        except (Exception, SystemExit) as error:
            self.over = True
            said = f"{type(error).__name__}: {error}"[:300]
            self.history.findings.append(
                Finding(with_role(Role.MISTYPED_ANSWER), -1, "an engine of this config", f"its factory raised {said}")
            )

    @property
    def lines(self) -> tuple[str, ...]:
        """The live content as the oracle knows it."""
        return self.oracle.state.lines

    def do(self, step: Step) -> list[Finding]:
        """Take one step, and say what it breaks. What the target cannot do within its limits is not asked of it."""
        if self.over or self.driver is None:
            return []
        if isinstance(step, Insert) and not self.target.inserts:
            return self._by_a_second_author(step)
        if isinstance(step, Apply) and self.target.max_hunks is not None and len(step.hunks) > self.target.max_hunks:
            return []
        self.context.watch.begin_step(step)
        outcome = self.driver.perform(step)
        self.context.steps += 1
        spoiled = self._meter.disarm()
        self.context.measures = self.context.measures or spoiled
        found = self.oracle.judge(step, outcome, spoiled)
        if isinstance(step, Spoil):
            self._meter.arm(step.raises_at)
        if not isinstance(step, Read):
            found += self._changed_view(len(self.history.steps))
        self._tell(step, outcome)
        self.history.findings += found
        if isinstance(step, Read) and not isinstance(outcome, Returned):
            self.over = True
        return found

    def _by_a_second_author(self, step: Insert) -> list[Finding]:
        found = self.do(Read(_SECOND_AUTHOR))
        return found + self.do(Apply(_SECOND_AUTHOR, (Hunk(step.at, step.at, step.lines),)))

    def _changed_view(self, number: int) -> list[Finding]:
        assert self.driver is not None
        changed = self.driver.view_changed()
        if changed is None:
            return []
        self.driver.forget_views()
        allowed = "a snapshot that still reads as it did when it was taken"
        return [Finding(with_role(Role.CHANGED_SNAPSHOT), number, allowed, changed)]

    def _tell(self, step: Step, outcome: Outcome) -> None:
        if not self._detailed:
            self.history.steps.append(ExecutedStep(step, outcome, (), self.oracle.expected))
            return
        state = self.oracle.state
        locked = tuple(at for at, line_id in enumerate(state.ids) if line_id in state.artifacts)
        told = ExecutedStep(
            step, outcome, state.lines, self.oracle.expected, locked, state.ledger.owed(), state.size(state.lines)
        )
        self.history.steps.append(told)

    def close(self) -> History:
        if self.driver is not None:
            self.driver.close()
        return self.history


def run(context: RunContext, trace: Trace, *, detailed: bool = False, until: str | None = None) -> History:
    """Run a whole trace; with ``until`` stop at the first break of that requirement."""
    session = Session(context, trace, detailed=detailed)
    for step in trace.steps:
        found = session.do(step)
        if session.over or (until is not None and any(finding.requirement == until for finding in found)):
            break
    return session.close()


def with_reads(steps: Iterable[Step]) -> tuple[Step, ...]:
    """The same steps with a read after each, to see which of them is to blame."""
    out: list[Step] = []
    for number, step in enumerate(steps):
        out.append(step)
        if not isinstance(step, Read):
            out.append(Read(f"after{number}"))
    return tuple(out)
