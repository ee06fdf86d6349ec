"""What is said of a target in the end: a verdict for each requirement, and one for the whole."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from basebound.core.register import Goal, Requirement
from basebound.results.claims import Described
from basebound.results.counterexample import Counterexample
from basebound.results.waiver import Waiver

PASS, FAIL, INCONCLUSIVE, NOT_CLAIMED, WAIVED = "pass", "fail", "inconclusive", "not-claimed", "waived"


@dataclass(frozen=True)
class Judged:
    """One requirement's verdict. ``unreached`` are the goals still owed; ``note`` says why it is not claimed.

    A waived one keeps its counterexample, and ``note`` says by whom, until when and why.
    """

    requirement: Requirement
    verdict: str
    evidence: tuple[dict[str, Any], ...] = ()
    counterexample: Counterexample | None = None
    unreached: tuple[Goal, ...] = ()
    note: str = ""
    waiver: Waiver | None = None


@dataclass
class Tally:
    """What a lens has done, and the goals it has reached."""

    runs: int = 0
    steps: int = 0
    goals: set[tuple[str, str]] = field(default_factory=set)
    abilities: set[str] = field(default_factory=set)
    notes: list[str] = field(default_factory=list)
    vouched: list[object] = field(default_factory=list)


@dataclass(frozen=True)
class Verdict:
    """The whole of a check."""

    target: Described
    effort: str
    seed: int
    profiles: frozenset[str]
    judged: tuple[Judged, ...]
    tallies: dict[str, Tally]
    elapsed: float
    notes: tuple[str, ...] = ()
    lenses: tuple[str, ...] = ()
    """The lenses asked for; empty means all."""
    complaints: tuple[str, ...] = ()
    """What is wrong with the waivers this run was given: stale or expired ones."""

    @property
    def name(self) -> str:
        """``conformant``, ``violations`` or ``inconclusive``: MUST requirements decide, and the waivers of them."""
        binding = {row.verdict for row in self.judged if row.requirement.level == "MUST"}
        if FAIL in binding or self.complaints:
            return "violations"
        return "inconclusive" if INCONCLUSIVE in binding or not binding & {PASS, WAIVED} else "conformant"

    @property
    def waived(self) -> tuple[Judged, ...]:
        return tuple(row for row in self.judged if row.verdict == WAIVED)

    @property
    def exit_code(self) -> int:
        return {"conformant": 0, "violations": 1, "inconclusive": 3}[self.name]
