"""A broken requirement that a team knows of and lives with for a while."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from basebound.core.trace import Trace


@dataclass(frozen=True)
class Waiver:
    """One known break. It holds up to and including the day ``expires``; ``trace`` is a history that shows it."""

    id: str
    reason: str
    owner: str
    expires: date
    trace: Trace | None = None

    def __str__(self) -> str:
        return f"waived until {self.expires} by {self.owner}: {self.reason}"
