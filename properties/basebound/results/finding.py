"""What a history breaks."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Finding:
    """A broken requirement: what was allowed at step number ``step`` (from 0), and what was seen instead.

    ``ambiguous`` says that one of several unread steps is to blame, and not which.
    """

    requirement: str
    step: int
    allowed: str
    seen: str
    ambiguous: bool = False
