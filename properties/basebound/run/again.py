"""A check made again, as a report records it."""

from __future__ import annotations

from collections.abc import Callable

from basebound.gate.verify import Verification
from basebound.results.verdict import Verdict
from basebound.run.check import Options, Status, check


def again(
    report: Verification, target: str, jobs: int, seconds: float, show: Callable[[Status], None] = lambda status: None
) -> Verdict:
    """Judge ``target`` as ``report`` was made: its effort, seed, profiles and lenses, and its counterexamples.

    Raises ``UsageError`` where the target cannot be judged so.
    """
    data = report.data
    narrowed = set(data["profiles"]) != set(data["target"].get("profiles", data["profiles"]))
    profiles = tuple(data["profiles"]) if narrowed else ()
    options = Options(data["effort"], data["seed"], profiles, tuple(data["record"]["lenses"]), jobs, seconds)
    return check(target, options, show, known=report.traces())
