"""A broken requirement with the history that shows it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from basebound.core.trace import Trace, header_row, to_rows
from basebound.results.finding import Finding
from basebound.results.steps import ExecutedStep


@dataclass(frozen=True)
class ConcurrentHistory:
    """A concurrent history: its rows as ``trace/1`` records them, the lanes drawn, and the schedule that replays it.

    ``culprits`` are the numbers of the rows, from 0, that cannot be ordered.
    """

    rows: tuple[dict[str, Any], ...]
    drawing: str
    schedule: str
    culprits: tuple[int, ...]


@dataclass(frozen=True)
class Counterexample:
    """A broken requirement told in full.

    ``trace`` replays it; ``steps`` is what each step came to; ``finding.step`` is the one that breaks the
    sentence. ``repeats`` is ``always``, ``sometimes`` or ``once``: whether running the trace again breaks it again.
    """

    requirement: str
    trace: Trace
    steps: tuple[ExecutedStep, ...]
    finding: Finding
    lens: str
    steps_to_find: int
    aftermath: tuple[str, ...] | None = None
    """What a read after the last step showed, where one was taken."""
    repeats: str = "always"
    notes: tuple[str, ...] = field(default_factory=tuple)
    concurrent: ConcurrentHistory | None = None
    """What clients did at once, where the break needs them to."""

    def rows(self) -> list[dict[str, Any]]:
        """The lines of its trace file: the steps, or what clients did at once with the schedule that replays it."""
        if self.concurrent is None:
            return to_rows(self.trace)
        return [header_row(self.trace), *self.concurrent.rows]
