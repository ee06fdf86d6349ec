"""Clients of one engine over one pipe: requests under way at once, and a rival in the middle of a count.

An engine on the wire is asked by several clients through one pipe: their requests are written at once, and answered in
whatever order. One that asks for counts is held inside an operation while its count is owed: a rival's requests are
sent before it gets it, and waited for only within a short bound, since a held lock keeps them waiting, rightly.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import takewhile
from random import Random
from typing import Any

from basebound.core.trace import Append, Apply, Emit, EndTurn, Insert, Read, Step
from basebound.history.operations import CallHistory, Operation
from basebound.lenses.schedules import faults, rival, stress
from basebound.lenses.schedules.harness import MAIN, RIVAL, SUBJECT, Run, Trouble
from basebound.lenses.schedules.programs import BY_NAME, LINES, PROGRAMS, START, Limits, Program, fitting
from basebound.model import Patch, Rejected, Snapshot, utf8_bytes
from basebound.results.outcome import Malformed, Outcome, Raised, Refused, Returned
from basebound.targets.wire import WireTarget
from basebound.targets.wire.client import Answer, Request
from basebound.targets.wire.faults import ErrorAnswer, WireFault
from basebound.targets.wire.messages import patch_params

COUNT = "count_tokens"
_BRIEF = 280

Call = tuple[str, Step]
"""Whose step it is, and the step."""


@dataclass(frozen=True)
class Asked:
    """A request that has been sent."""

    number: int
    client: str
    step: Step
    sent: int
    authored: Snapshot | None


class Pipe:
    """A new engine that holds ``LINES``, and everything its clients saw."""

    def __init__(self, target: WireTarget, before: tuple[Step, ...] = ()) -> None:
        self.client = target.client()
        self.client.count, self.client.counting = utf8_bytes, None
        self._known: dict[str, Snapshot] = {}
        self._open: dict[int, Asked] = {}
        self._operations: list[Operation] = []
        self.client.ask("reset", {"lines": list(LINES), "protected": []})
        for step in (*before, Read(START)):
            self.ask(MAIN, step)

    def send(self, *calls: Call) -> list[int]:
        """All of them in one write; the numbers to :meth:`receive`. A patch of what could not be read is left out."""
        calls = tuple(call for call in calls if not isinstance(call[1], Apply) or call[1].base in self._known)
        sent = time.monotonic_ns()
        numbers = self.client.burst([self._request(step) for _, step in calls])
        for number, (client, step) in zip(numbers, calls, strict=True):
            authored = self._known[step.base] if isinstance(step, Apply) else None
            self._open[number] = Asked(number, client, step, sent, authored)
        return numbers

    def receive(self, numbers: list[int]) -> list[Operation]:
        answers = self.client.receive(numbers)
        return [self._keep(self._open.pop(number), answers[number]) for number in numbers]

    def ask(self, client: str, step: Step) -> None:
        self.receive(self.send((client, step)))

    def settle(self) -> None:
        """Wait for what is still open."""
        self.receive(list(self._open))

    def history(self) -> CallHistory:
        """What has happened; requests that are still open have no answer."""
        lost = [Operation(one.client, one.sent, None, one.step, None, one.authored) for one in self._open.values()]
        return CallHistory.of(LINES, [*self._operations, *lost])

    def _request(self, step: Step) -> Request:
        match step:
            case Read():
                return "snapshot", {}
            case Append(lines):
                return "append", {"lines": list(lines)}
            case Insert(at, lines):
                return "insert", {"at": at, "lines": list(lines)}
            case Emit(kind, lines):
                return "emit", {"kind": kind, "lines": list(lines)}
            case EndTurn():
                return "end_turn", {}
            case Apply(base, hunks, claim):
                needs_lines = "base_lines" in self.client.about.needs
                return "apply", patch_params(Patch(self._known[base], hunks, claim), needs_lines)
        raise ValueError(f"a client cannot perform {step.op!r}")

    def _keep(self, asked: Asked, answer: Answer) -> Operation:
        outcome = _outcome(asked.step, answer)
        if isinstance(asked.step, Read) and isinstance(outcome, Returned) and isinstance(outcome.value, Snapshot):
            self._known[asked.step.name] = outcome.value
        kept = Operation(asked.client, asked.sent, answer.received, asked.step, outcome, asked.authored)
        self._operations.append(kept)
        return kept


def _outcome(step: Step, answer: Answer) -> Outcome:
    try:
        return Returned(answer.value())
    except Rejected as refusal:
        if isinstance(step, Apply):
            return Refused(refusal.reason, refusal.message)
        return Raised("a refusal of what is no patch", f"{refusal.reason}: {refusal.message}")
    except ErrorAnswer as error:
        return Raised("an error of the engine", str(error))
    except WireFault as fault:
        return Malformed(fault.seen)


Script = Callable[[Pipe], frozenset[str]]
"""What the clients do; the goals it has tried."""

_NOTHING = Program("", (), ())


def _play(target: WireTarget, schedule: str, script: Script, exact: bool = True, program: Program = _NOTHING) -> Run:
    """One run of ``script``, and the calls that prove what happened."""
    pipe = Pipe(target, program.before)
    try:
        reached = script(pipe)
        pipe.client.count, pipe.client.counting = utf8_bytes, None
        pipe.settle()
        for step in program.after:
            pipe.ask(MAIN, step)
    except WireFault as fault:
        trouble = Trouble.LOST if fault.kind != "hang" else Trouble.HANG
        return Run(schedule, pipe.history(), exact, trouble, fault.brief(_BRIEF))
    return Run(schedule, pipe.history(), exact, reached=reached)


# ------------------------------------------------------------------------------------------- at once


def pipelined(target: WireTarget, programs: Sequence[Program] = PROGRAMS) -> Generator[Run, None, None]:
    """Every program with the requests of both clients in one write, in both orders, and again with all reads in it."""
    for program in fitting(programs, _limits(target)):
        for order in _ORDERS:
            yield _pipelined(target, program, order)


def _limits(target: WireTarget) -> Limits:
    about = target.client().about
    return Limits(about.max_hunks, about.inserts, "budget" in about.profiles)


_ORDERS = ("subject-first", "rival-first", "all")


def _pipelined(target: WireTarget, program: Program, order: str) -> Run:
    def script(pipe: Pipe) -> frozenset[str]:
        subject = [(SUBJECT, step) for step in program.subject]
        first, *later = [(RIVAL, step) for step in program.rival]
        if order == "all":
            free = list(takewhile(lambda call: not isinstance(call[1], Apply), later))
            beside = [(f"{RIVAL} {n + 2}", step) for n, (_, step) in enumerate(free)]  # at once, so a client each
            pipe.receive(pipe.send(*subject, first, *beside))
            later = later[len(free) :]  # what is authored on those reads
        else:
            numbers = pipe.send(*subject, first) if order == "subject-first" else pipe.send(first, *subject)
            pipe.receive([numbers[-1 if order == "subject-first" else 0]])
        for client, step in later:
            pipe.ask(client, step)
        return frozenset()

    return _play(target, f"wire pipeline {program.name} {order}", script, exact=False, program=program)


def stressed(target: WireTarget, seed: int, rounds: int, seconds: float) -> Generator[Run, None, None]:
    """``rounds`` rounds, or as many as fit into ``seconds``: three clients write and read at once, three times."""
    rng = Random(seed)
    until = time.monotonic() + seconds
    for number in range(rounds):
        scripts = [stress.script(rng, f"client {n}") for n in range(stress.CLIENTS)]
        yield _stressed(target, scripts, f"wire stress {seed} {number}")
        if time.monotonic() > until:
            return


def _stressed(target: WireTarget, scripts: list[tuple[str, list[Step]]], schedule: str) -> Run:
    def script(pipe: Pipe) -> frozenset[str]:
        for at in range(0, min(len(steps) for _, steps in scripts), 2):
            writes = [(client, steps[at]) for client, steps in scripts]
            reads = [(f"{client} reads", steps[at + 1]) for client, steps in scripts]
            pipe.receive(pipe.send(*writes, *reads))
        return frozenset()

    return _play(target, schedule, script, exact=False)


# ------------------------------------------------------------------------------------------- in the middle of a count


def rivals(
    target: WireTarget, programs: Sequence[Program] = PROGRAMS, bound_s: float = rival.BOUND_S
) -> Generator[Run, None, None]:
    """Every program, with the rival started at each count that the engine asks for, in turn."""
    for program in fitting(programs, _limits(target)) if _counts(target) else ():
        yield from _until_none(partial(_rival, target, program, bound_s))


def _rival(target: WireTarget, program: Program, bound_s: float, at: int) -> Run | None:
    calls = 0
    reached: set[str] = set()

    def script(pipe: Pipe) -> frozenset[str]:
        def start(client: Any, line: str) -> None:
            nonlocal calls
            calls += 1
            if calls == at:
                reached.add(rival.GOT_IN if _gets_in(pipe, program.rival, bound_s) else rival.WAITED)

        pipe.client.counting = start
        for step in program.subject:
            pipe.ask(SUBJECT, step)
        pipe.client.counting = None
        pipe.settle()
        return frozenset(reached)

    run = _play(target, f"wire rival {program.name} {at}", script, program=program)
    return run if reached else None


def _gets_in(pipe: Pipe, steps: tuple[Step, ...], bound_s: float) -> bool:
    """Asks one after the other, as long as each is answered within the bound."""
    for step in steps:
        numbers = pipe.send((RIVAL, step))
        if not all(pipe.client.answered(number, bound_s) for number in numbers):
            return False
        pipe.receive(numbers)
    return True


def interrupted(target: WireTarget) -> Generator[Run, None, None]:
    """Patches that are refused; every operation with the meter failing at each of its counts."""
    for reason in faults.REFUSALS:
        yield _refused(target, reason)
    for name in faults.operations(_limits(target)) if _counts(target) else ():
        yield from _until_none(partial(_raised, target, name))


def _refused(target: WireTarget, reason: str) -> Run:
    calls = faults.refusal(reason, _limits(target))
    return _alone(target, calls, faults.RaisingMeter(0), f"wire refused {reason}", calls.goal)


def _raised(target: WireTarget, name: str, at: int) -> Run | None:
    meter = faults.RaisingMeter(at)
    run = _alone(target, faults.operation(name, _limits(target)), meter, f"wire raised {name} {at}", faults.RAISED)
    return run if meter.calls >= at else None


def _alone(target: WireTarget, calls: faults.Calls, meter: faults.RaisingMeter, schedule: str, what: str) -> Run:
    def script(pipe: Pipe) -> frozenset[str]:
        for step in calls.before:
            pipe.ask(MAIN, step)
        pipe.client.count, meter.armed = meter, True
        pipe.ask(SUBJECT, calls.step)
        meter.armed = False
        for step in calls.after:
            pipe.ask(SUBJECT, step)
        return frozenset(filter(None, [what]))

    return faults.as_interrupted(_play(target, schedule, script), what)


# ------------------------------------------------------------------------------------------- all of it


def replay(factory: Any, words: list[str]) -> Run | None:
    """From the words of a schedule after ``wire``: ``pipeline apply/append all``, ``rival append/append 1``,
    ``stress 0 12``, ``raised apply 1`` or ``refused stale``.
    """
    if not isinstance(factory, WireTarget):
        raise ValueError("a schedule of the wire is for an engine on the wire")
    limits = _limits(factory)
    match words:
        case ["refused", reason]:
            return _refused(factory, reason)
        case ["raised", name, at]:
            return _raised(factory, name, int(at))
        case ["rival", name, at]:
            return _rival(factory, BY_NAME[name].within(limits), rival.BOUND_S, int(at))
        case ["pipeline", name, order] if order in _ORDERS:
            return _pipelined(factory, BY_NAME[name].within(limits), order)
        case ["stress", seed, number]:
            rounds = stressed(factory, int(seed), int(number) + 1, float("inf"))
            return next((run for run in rounds if run.schedule.split()[1:] == words), None)
    raise ValueError("no such schedule")


def _counts(target: WireTarget) -> bool:
    return COUNT in target.client().about.needs


def _until_none(run: Callable[[int], Run | None]) -> Iterator[Run]:
    found = map(run, range(1, rival.MOST_CALLS))
    return (one for one in takewhile(lambda one: one is not None, found) if one is not None)
