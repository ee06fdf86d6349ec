"""The books of a turn: what is unpaid, what is locked, and what a patch would net (SPEC.md, section 2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from basebound.model import Cost


@dataclass(frozen=True)
class Entry:
    """One emission: its kind, its size in tokens, and how many refusals of each sort came before it this turn."""

    kind: str
    tokens: int
    before: int


@dataclass
class Ledger:
    """Amounts in tokens of the one meter.

    ``unpaid``: emissions no commit has paid for; ``paid``: what this turn's commits paid for, insertions
    included; ``dropped``: what was unpaid when earlier turns ended; ``foreign``: foreign writes of this turn.
    """

    start: int = 0
    unpaid: list[Entry] = field(default_factory=list)
    paid: int = 0
    dropped: int = 0
    foreign: int = 0
    commits: int = 0
    refusals: int = 0
    stale_refusals: int = 0
    last_refusal_at: int = 0
    booked: int | None = 0
    """The sum of the nets of this turn's receipts; None when one had no cost."""

    def owed(self, kinds: Sequence[str] | None = None) -> int:
        return sum(entry.tokens for entry in self.unpaid if kinds is None or entry.kind in kinds)

    def cost(self, freed: int, inserted: int) -> Cost:
        """The cost of a patch now, as a right receipt states it."""
        return Cost(freed, inserted + self.owed(("rationale", "tool-call", "error")), self.owed(("measurement",)))

    def commit(self, inserted: int) -> None:
        self.paid += inserted + self.owed()
        self.unpaid.clear()
        self.commits += 1

    def refuse(self, stale: bool) -> None:
        self.refusals += 1
        self.stale_refusals += stale

    def end_turn(self, size: int) -> None:
        dropped = self.dropped + self.owed()
        self.__init__(start=size, dropped=dropped)  # type: ignore[misc]


def net(cost: Cost) -> int:
    """``freed - rewrite - measurement`` of a complete cost."""
    assert cost.freed is not None
    assert cost.rewrite is not None
    assert cost.measurement is not None
    return cost.freed - cost.rewrite - cost.measurement
