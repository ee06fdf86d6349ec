"""What is owed and what is locked, where calls meet: the oracle follows every order of a few calls.

A history of contents has no trace of the books; the calls after it have: a patch that must be too dear, a line that
must be locked. There are few orders of a small program, so each is judged whole, as a history of one client.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice
from typing import Final

from basebound.core.trace import Apply, Emit, EndTurn, Read, Step, Trace
from basebound.history.blame import LINEARIZABLE, Blame
from basebound.history.operations import CallHistory, Operation, operation_outcome_text, step_text
from basebound.history.order_verdict import NO_ORDER, Illegal, Legal, OrderVerdict, Undecided
from basebound.lenses.schedules.harness import LIMIT_S, SUBJECT, ClientThread, ConcurrentHarness, Factory, traits_of
from basebound.lenses.schedules.loops import run_on_loop
from basebound.lenses.schedules.programs import LEDGER_PROGRAMS, START, Program, fitting
from basebound.model import utf8_bytes
from basebound.oracle import Oracle
from basebound.results.finding import Finding
from basebound.results.outcome import Returned

KEPT: Final = "ATOMIC-LEDGER-KEPT"

_CLAIMS: Final = frozenset({"base", "budget"})
_ByOne = Callable[[ConcurrentHarness, tuple[Step, ...], float], CallHistory | None]
_MOST_ORDERS = 2_000
_NEVER = 2**63
_OF_ONE_CLIENT: Final = frozenset({"BASE-STALE-MESSAGE"})
"""What a refusal has to say is judged where one client is alone."""


def concerns(history: CallHistory) -> bool:
    """Whether anything was emitted, or a turn ended."""
    return any(isinstance(operation.step, (Emit, EndTurn)) for operation in history.operations)


def judge(history: CallHistory) -> OrderVerdict:
    """Is there an order, real time kept, that an engine with right books could have answered like this?

    For the calls of a small program, sizes by the suite's own meter. A call without an answer may have had its effect,
    at any time, or none; where that is a patch, nothing is said. Requirement ATOMIC-LEDGER-KEPT.
    """
    answered = [operation for operation in history.operations if operation.answered]
    lost = [operation for operation in history.operations if operation.outcome is None]
    if any(isinstance(operation.step, Apply) for operation in lost):
        return Legal(history.operations)
    ways = chain(_orders(answered), _orders([*answered, *map(_done, lost)]) if lost else ())
    furthest: tuple[int, Operation, Finding] | None = None
    tried = 0
    for order in islice(ways, _MOST_ORDERS):
        tried += 1
        broken = _first_break(history, order)
        if broken is None:
            return Legal(tuple(order))
        at, finding = broken
        if furthest is None or at > furthest[0]:
            furthest = at, order[at], finding
    if tried == _MOST_ORDERS or furthest is None:
        return Undecided(f"no order was found among the first {tried:,}", tried, _MOST_ORDERS)
    return _illegal(history, *furthest[1:])


def _done(lost: Operation) -> Operation:
    """A call as it would have been answered, and never too late to be."""
    return replace(lost, t1=max(lost.t0, _NEVER), outcome=Returned())


def _illegal(history: CallHistory, culprit: Operation, finding: Finding) -> Illegal:
    why = (
        f"no order of these calls explains what is charged and locked: in the likeliest one, "
        f"{step_text(culprit.step)} by {culprit.client} should have been: {finding.allowed}; it was: "
        f"{operation_outcome_text(culprit)}"
    )
    return Illegal((culprit,), history, NO_ORDER, why, minimal=False)


def blame(verdict: Illegal) -> tuple[Blame, ...]:
    """What a history without an order of right books breaks."""
    return Blame(KEPT, verdict.why), Blame(LINEARIZABLE, verdict.why)


def _orders(operations: Sequence[Operation]) -> Iterator[list[Operation]]:
    """Every order in which no call comes after one that began when it had ended; those that ended first, first."""
    if not operations:
        yield []
    soonest = min((_end(operation) for operation in operations), default=0)
    for operation in sorted(operations, key=_end):
        if operation.t0 <= soonest:
            rest = [other for other in operations if other is not operation]
            yield from ([operation, *order] for order in _orders(rest))


def _end(operation: Operation) -> int:
    assert operation.t1 is not None
    return operation.t1


def _first_break(history: CallHistory, order: Sequence[Operation]) -> tuple[int, Finding] | None:
    oracle = Oracle(Trace(history.lines), utf8_bytes, _CLAIMS)
    for at, operation in enumerate(order):
        assert operation.outcome is not None
        found = [
            one for one in oracle.judge(operation.step, operation.outcome) if one.requirement not in _OF_ONE_CLIENT
        ]
        if found:
            return at, found[0]
    return None


def programs(factory: Factory, limit_s: float = LIMIT_S) -> list[Program]:
    """The programs of an engine with a budget whose books are right as long as nobody meets.

    What is wrong for one client alone is not blamed on two.
    """
    traits = traits_of(factory)
    by_one_client = _by_one_task if traits.asynchronous else _by_one_thread
    return [
        program
        for program in fitting(LEDGER_PROGRAMS, traits.limits)
        if _sound(factory, program, by_one_client, limit_s)
    ]


def _sound(factory: Factory, program: Program, by_one_client: _ByOne, limit_s: float) -> bool:
    for steps in ((*program.subject, *program.rival), (*program.rival, *program.subject)):
        script = (*program.before, Read(START), *steps, *program.after)
        history = by_one_client(ConcurrentHarness(factory, program.lines), script, limit_s)
        if history is None or not isinstance(judge(history), Legal):
            return False
    return True


def _by_one_thread(harness: ConcurrentHarness, script: tuple[Step, ...], limit_s: float) -> CallHistory | None:
    """What comes of all steps one after the other; ``None`` if they do not end."""
    harness.build()
    client = ClientThread(SUBJECT, harness, script)
    client.start()
    ended = harness.ended([client], limit_s)
    harness.close()
    return harness.history() if ended else None


def _by_one_task(harness: ConcurrentHarness, script: tuple[Step, ...], limit_s: float) -> CallHistory | None:
    return run_on_loop(_awaited(harness, script, limit_s))


async def _awaited(harness: ConcurrentHarness, script: tuple[Step, ...], limit_s: float) -> CallHistory | None:
    harness.build()
    ended = await harness.aended([asyncio.create_task(harness.aperform_all(SUBJECT, script))], limit_s)
    await harness.aclose()
    return harness.history() if ended else None
