"""What a verdict comes to in one sentence and in counts: every report for people says it so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from basebound.model import PROFILES
from basebound.results.verdict import FAIL, INCONCLUSIVE, NOT_CLAIMED, PASS, WAIVED, Judged, Verdict

WORDS = {FAIL: "broken", INCONCLUSIVE: "not exercised", WAIVED: "waived", PASS: "passed", NOT_CLAIMED: "not claimed"}
"""Each verdict of a requirement in plain words, the worst first."""


def headline(name: str, verdict: Verdict) -> str:
    """The verdict on the target, which is called ``name`` here, in one sentence."""
    binding = [row.verdict for row in verdict.judged if row.requirement.level == "MUST"]
    of = len(binding) - binding.count(NOT_CLAIMED)
    broken, open_, waived = (binding.count(word) for word in (FAIL, INCONCLUSIVE, WAIVED))
    if broken:
        return f"{name} breaks {broken} of {of} MUST requirements"
    if verdict.complaints:
        return f"{name}: {expired(len(verdict.complaints))}"
    if open_ or not of:
        return f"{name}: {open_} of {of} MUST requirements were not exercised"
    if waived:
        return f"{name} meets {of - waived} of {of} MUST requirements, {waived} waived"
    return f"{name} meets all {of} MUST requirements it claims"


def expired(count: int) -> str:
    return f"{count} expired or unused waiver{'' if count == 1 else 's'}"


def work(verdict: Verdict) -> str:
    """How much was run, and how long it took."""
    runs, steps = totals(verdict)
    return f"{runs:,} histories, {steps:,} steps, {verdict.elapsed:.1f} s"


def totals(verdict: Verdict) -> tuple[int, int]:
    """Histories run and steps taken, by all lenses together."""
    tallies = verdict.tallies.values()
    return sum(lens.runs for lens in tallies), sum(lens.steps for lens in tallies)


def by_profile(rows: Iterable[Judged]) -> Iterator[tuple[str, list[Judged]]]:
    """The rows of each profile that has any, in the order of the profiles."""
    listed = list(rows)
    for profile in PROFILES:
        own = [row for row in listed if row.requirement.profile == profile]
        if own:
            yield profile, own


def failed(verdict: Verdict, level: str) -> list[Judged]:
    """The broken requirements of a level, ``MUST`` or ``SHOULD``, that are not waived."""
    return [row for row in verdict.judged if row.verdict == FAIL and row.requirement.level == level]


def by_history(rows: Iterable[Judged]) -> list[list[Judged]]:
    """Requirements broken at one step of one history, to be told together; rows that are not broken are left out."""
    groups: dict[object, list[Judged]] = {}
    for row in rows:
        if row.counterexample is not None:
            found = row.counterexample
            drawing = found.concurrent.drawing if found.concurrent is not None else ""
            groups.setdefault((found.trace, found.finding.step, drawing), []).append(row)
    return list(groups.values())
