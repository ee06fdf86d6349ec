"""Counterexamples known from before: run again, and taken into a verdict where they still break their requirement."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from basebound.oracle import Finding
from basebound.run.events import Counterexample, Event, Replay, Replayed
from basebound.run.pool import Died, Pool
from basebound.trace import Trace
from basebound.verdict import FAIL, INCONCLUSIVE, PASS, Verdict

LENS = "known"
_BOUNDED = "BASE-ANSWER-BOUNDED"


def rerun(target: str, traces: Mapping[str, Trace], seconds: float) -> dict[str, Counterexample]:
    """Of ``traces``, by requirement id, those that break that requirement on ``target`` again.

    ``seconds`` bounds one call. Raises ``TargetError`` where the target cannot be loaded.
    """
    if not traces:
        return {}
    names, broken = list(traces), dict[str, Counterexample]()

    def hear(event: Event | Died) -> bool:
        if isinstance(event, (Replayed, Died)):
            name = names.pop(0)
            found = _broken(name, traces[name], event)
            if found is not None:
                broken[found.requirement] = found
        return False

    with Pool(target, 1, seconds) as pool:
        pool.describe()
        pool.run([Replay(trace) for trace in traces.values()], hear)
    return broken


def _broken(name: str, trace: Trace, ended: Replayed | Died) -> Counterexample | None:
    if isinstance(ended, Died):
        led = ended.trace or trace
        finding = Finding(_BOUNDED, len(led.steps) - 1, "an answer, from a process that is still there", ended.said)
        return Counterexample(_BOUNDED, led, (), finding, LENS, len(led.steps))
    finding_of = {finding.requirement: finding for finding in reversed(ended.findings)}
    if name not in finding_of:
        return None
    told = ended.told[: finding_of[name].step + 1]
    return Counterexample(name, trace, told, finding_of[name], LENS, len(told))


def merged(verdict: Verdict, broken: Mapping[str, Counterexample]) -> Verdict:
    """``verdict`` with what is known to be broken failed, where the run itself did not come across it."""
    rows = tuple(
        replace(row, verdict=FAIL, counterexample=broken[row.requirement.id], unreached=())
        if row.requirement.id in broken and row.verdict in (PASS, INCONCLUSIVE)
        else row
        for row in verdict.judged
    )
    return replace(verdict, judged=rows)
