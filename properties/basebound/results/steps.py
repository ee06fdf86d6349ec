"""A history as it was: each step with its outcome, and what they broke."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from basebound.core.trace import Step, Trace
from basebound.results.finding import Finding
from basebound.results.outcome import Outcome


@dataclass(frozen=True)
class ExecutedStep:
    """A step as it was: its outcome, the content after it as far as it is known, and the turn's books then.

    ``expected`` is what a patch had to come to: ``applied`` or a reason; nothing where that is open.
    """

    step: Step
    outcome: Outcome
    lines: tuple[str, ...]
    expected: str = ""
    artifacts: tuple[int, ...] = ()
    unpaid: int = 0
    size: int = 0


@dataclass
class History:
    """What one engine was taken through: its start, its steps, and what they broke."""

    start: Trace
    steps: list[ExecutedStep] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)

    @property
    def trace(self) -> Trace:
        return replace(self.start, steps=tuple(entry.step for entry in self.steps))
