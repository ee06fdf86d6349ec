"""What the rules of the oracle say of one step."""

from __future__ import annotations

from typing import NamedTuple


class Break(NamedTuple):
    """A broken requirement before it has a step: the rule, what was allowed, what was seen."""

    rule: str
    allowed: str
    seen: str
    ambiguous: bool = False
