"""Counterexamples known from before, run again: those that still break their requirement."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from contextlib import suppress

from basebound.core.register import Role, with_role
from basebound.core.trace import Trace
from basebound.errors import UsageError
from basebound.results.counterexample import Counterexample
from basebound.results.finding import Finding
from basebound.run.messages import Event, Replay, Replayed
from basebound.run.pool import Died, Pool

LENS = "known"
_NOTES = ("the history is one kept from before",)


def rerun(target: str, traces: Iterable[tuple[str, Trace]], seconds: float) -> dict[str, Counterexample]:
    """Of ``traces``, by requirement id, those that break that requirement on ``target`` again.

    ``seconds`` bounds one call. A history that cannot be run on this target any more breaks nothing. Raises
    ``TargetError`` where the target cannot be loaded.
    """
    waiting, broken = deque(traces), dict[str, Counterexample]()
    while waiting:
        with Pool(target, 1, seconds) as pool:
            pool.describe()
            with suppress(UsageError):  # of a history that does not fit the target, as one through a place that is gone
                while waiting:
                    name, trace = waiting.popleft()
                    found = _broken(name, trace, _ended(pool, trace))
                    if found is not None:
                        broken[found.requirement] = found
    return broken


def _ended(pool: Pool, trace: Trace) -> Replayed | Died:
    ended: list[Replayed | Died] = []

    def hear(event: Event | Died) -> bool:
        if isinstance(event, (Replayed, Died)):
            ended.append(event)
        return False

    pool.run([Replay(trace)], hear)
    return ended[0]


def _broken(name: str, trace: Trace, ended: Replayed | Died) -> Counterexample | None:
    if isinstance(ended, Died):
        led = ended.trace or trace
        unanswered = with_role(Role.UNANSWERED)
        finding = Finding(unanswered, len(led.steps) - 1, "an answer, from a process that is still there", ended.said)
        return Counterexample(unanswered, led, (), finding, LENS, len(led.steps), notes=_NOTES)
    finding_of = {finding.requirement: finding for finding in reversed(ended.findings)}
    if name not in finding_of:
        return None
    told = ended.steps[: finding_of[name].step + 1]
    return Counterexample(name, trace, told, finding_of[name], LENS, len(told), notes=_NOTES)
