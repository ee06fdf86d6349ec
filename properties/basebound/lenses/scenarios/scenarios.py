"""Lens ``scenarios``: the fixed traces of the spec, public incidents among them.

Each is judged twice: by the oracle, like any history, and by the outcome it states itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from basebound.core.trace import Apply, Insert, Trace, loads
from basebound.results.steps import History
from basebound.session.session import RunContext, run
from basebound.targets.loading import Target
from basebound_spec import ROOT


@cache
def scenarios() -> tuple[Trace, ...]:
    """All scenarios of the spec, in the order of their names."""
    files = sorted((ROOT / "scenarios").iterdir(), key=lambda file: file.name)
    texts = [(file.name, file.read_text(encoding="utf-8")) for file in files if file.name.endswith(".ndjson")]
    return tuple(loads(text, name) for name, text in texts)


def fitting(target: Target, claims: frozenset[str]) -> Iterator[Trace]:
    """The scenarios a target can be asked: those of profiles it claims, within its limits."""
    if target.pure is not None:
        claims |= {"base"}  # the shell around a pure function keeps base, whether or not the function decides it
    for scenario in scenarios():
        needs = frozenset(scenario.about.get("profiles", ("base",)))
        unless = frozenset(scenario.about.get("unless", ()))
        if needs <= claims and not unless & claims and _within_limits(scenario, target, claims):
            yield scenario


def _within_limits(scenario: Trace, target: Target, claims: frozenset[str]) -> bool:
    most = target.max_hunks
    if most is not None and any(isinstance(step, Apply) and len(step.hunks) > most for step in scenario.steps):
        return False
    inserts = any(isinstance(step, Insert) for step in scenario.steps)
    return target.inserts or not inserts or "budget" not in claims


def play(context: RunContext, scenario: Trace) -> History:
    return run(context, scenario)
