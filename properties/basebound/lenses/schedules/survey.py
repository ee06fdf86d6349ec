"""All schedules against one engine: the cheap ones first, the deep ones by effort."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Generator, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from typing import Final

from basebound.core.trace import Apply, Emit, EndTurn, Read
from basebound.history.operations import CallHistory, Operation
from basebound.history.order_verdict import Undecided
from basebound.lenses.efforts import Effort
from basebound.lenses.schedules import faults, interleave, ledgers, pauses, rival, stress, wire
from basebound.lenses.schedules.findings import ConcurrentFinding, finding
from basebound.lenses.schedules.harness import LIMIT_S, Factory, Run
from basebound.lenses.schedules.programs import BY_NAME, PROGRAMS
from basebound.results.outcome import Returned
from basebound.targets.wire import WireTarget

GOALS: Final = {
    "apply-append": "a patch and a foreign write were under way at once, and both were answered",
    "apply-apply": "two patches on one base were under way at once, and both were answered",
    "apply-read": "a patch and a read were under way at once, and both were answered",
    "append-append": "two foreign writes were under way at once, and both were answered",
    "append-read": "a foreign write and a read were under way at once, and both were answered",
    "apply-emit": "a patch and an emission were under way at once, and both were answered",
    "apply-end": "a patch and the end of a turn were under way at once, and both were answered",
    "stale-beside": "a patch was refused as stale beside a rival's write",
    "rival-inside": "a rival was let in, or kept waiting, while an operation was held inside the engine",
    faults.RAISED: "the meter raised in the middle of an operation, and the engine was used afterwards",
    faults.CANCELLED: "an operation was cancelled at an await, and the engine was used afterwards",
    faults.REFUSED: "a patch was refused for its last hunk, and the engine was used afterwards",
}
"""What a survey may reach, by name."""


@dataclass
class Survey:
    """What came of it: runs by kind of schedule, the best finding for each broken requirement, the goals reached.

    The best finding is one that replays exactly, then the one with the shortest history.
    """

    runs: Counter[str] = field(default_factory=Counter)
    inexact: Counter[str] = field(default_factory=Counter)
    seconds: dict[str, float] = field(default_factory=dict)
    findings: dict[str, ConcurrentFinding] = field(default_factory=dict)
    undecided: list[Undecided] = field(default_factory=list)
    reached: set[str] = field(default_factory=set)

    def add(self, kind: str, run: Run) -> None:
        self.runs[kind] += 1
        self.inexact[kind] += not run.exact
        self.reached |= (run.reached & GOALS.keys()) | met(run.history)
        if run.reached & {rival.GOT_IN, rival.WAITED}:
            self.reached.add("rival-inside")
        found = finding(run)
        if isinstance(found, Undecided):
            self.undecided.append(found)
        elif found is not None:
            for broken in found.broken:
                best = self.findings.get(broken.requirement)
                if best is None or _rank(found) < _rank(best):
                    self.findings[broken.requirement] = found


def survey(
    factory: Factory,
    effort: Effort = "default",
    seed: int = 0,
    until: str | None = None,
    limit_s: float = LIMIT_S,
) -> Survey:
    """Run every kind of schedule; a kind is left at the first run that hangs, whose threads stay behind.

    ``seed`` draws the schedules of tasks and the scripts of stress; all else is the same each time. ``until`` names a
    requirement at whose first break everything stops. ``limit_s``: see ``harness.LIMIT_S``.
    """
    result = Survey()
    for kind, runs in _schedules(factory, effort, seed, limit_s):
        begun = time.monotonic()
        with closing(runs):
            for run in runs:
                result.add(kind, run)
                if run.trouble or until in result.findings:
                    break
        result.seconds[kind] = time.monotonic() - begun
        if until in result.findings:
            break
    return result


@dataclass(frozen=True)
class SurveyPlan:
    """How much of each kind: ``drawn`` schedules of tasks for each program, seconds of each sweep, rounds of stress.

    ``hold_s``: how long a rival is held up that may lose its patience.

    ``everywhere``: two pauses, and pauses between instructions, in all programs and not only for a patch and an append.
    """

    drawn: int
    hold_s: float
    line_s: float
    ledger_s: float
    twice_s: float
    opcode_s: float
    rounds: int
    stress_s: float
    everywhere: bool = False


PLANS: Final[Mapping[Effort, SurveyPlan]] = {
    "quick": SurveyPlan(drawn=1, hold_s=0, line_s=3, ledger_s=2, twice_s=0, opcode_s=0, rounds=30, stress_s=1),
    "default": SurveyPlan(drawn=5, hold_s=0.3, line_s=10, ledger_s=6, twice_s=4, opcode_s=5, rounds=150, stress_s=3),
    "thorough": SurveyPlan(
        drawn=50,
        hold_s=2,
        line_s=120,
        ledger_s=60,
        twice_s=240,
        opcode_s=240,
        rounds=3000,
        stress_s=30,
        everywhere=True,
    ),
}


def _schedules(
    factory: Factory, effort: Effort, seed: int, limit_s: float
) -> Iterator[tuple[str, Generator[Run, None, None]]]:
    plan = PLANS[effort]
    if isinstance(factory, WireTarget):
        yield from _on_the_wire(factory, plan, seed)
        return
    books = ledgers.programs(factory, limit_s)
    everything = [*PROGRAMS, *books]
    few = everything if plan.everywhere else (BY_NAME["apply/append"],)
    yield "faults", faults.runs(factory, limit_s)
    yield "rival", rival.runs(factory, limit_s=limit_s, programs=everything, hold_s=plan.hold_s)
    yield "pauses", pauses.runs(factory, seed, plan.drawn, limit_s, everything)
    yield "interleave line", interleave.runs(factory, seconds=plan.line_s, limit_s=limit_s)
    if books:
        yield "interleave ledger", interleave.runs(factory, "line", books, seconds=plan.ledger_s, limit_s=limit_s)
    yield "stress", stress.runs(factory, seed, plan.rounds, plan.stress_s, limit_s=limit_s)
    if plan.twice_s:
        sweep = interleave.runs(factory, "line", few, pauses=(2,), seconds=plan.twice_s, limit_s=limit_s)
        yield "interleave twice", sweep
    if plan.opcode_s:
        yield "interleave opcode", interleave.runs(factory, "opcode", few, seconds=plan.opcode_s, limit_s=limit_s)


def _on_the_wire(target: WireTarget, plan: SurveyPlan, seed: int) -> Iterator[tuple[str, Generator[Run, None, None]]]:
    yield "interrupted", wire.interrupted(target)
    everything = [*PROGRAMS, *ledgers.programs(target)]
    yield "rival", wire.rivals(target, everything)
    yield "pipeline", wire.pipelined(target, everything)
    yield "stress", wire.stressed(target, seed, plan.rounds, plan.stress_s)


def _rank(found: ConcurrentFinding) -> tuple[bool, int]:
    return not found.run.exact, len(found.run.history.operations)


def met(history: CallHistory) -> set[str]:
    """The goals a history shows: which kinds of calls were under way at once."""
    reached: set[str] = set()
    answered = [op for op in history.operations if op.answered]
    for n, one in enumerate(answered):
        for other in answered[n + 1 :]:
            if other.t0 > (one.t1 or 0):
                break  # they are by their start
            if one.client != other.client:
                reached.add("-".join(sorted((_kind(one), _kind(other)), key=_KINDS.index)))
                reached |= {"stale-beside"} if _stale(one, other) or _stale(other, one) else set()
    return reached & GOALS.keys()


_KINDS: Final = ("apply", "append", "emit", "end", "read")


def _kind(operation: Operation) -> str:
    match operation.step:
        case Apply():
            return "apply"
        case Emit():
            return "emit"
        case EndTurn():
            return "end"
    return "read" if isinstance(operation.step, Read) else "append"


def _stale(one: Operation, other: Operation) -> bool:
    return one.refusal is not None and other.seen is None and isinstance(other.outcome, Returned)
