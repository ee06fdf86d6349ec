"""Faulty engines of profile budget, grouped by what they get wrong.

Each overrides one step of :class:`basebound_catalogue.budgeted.BudgetedPlain` and is right in everything
else. Where a fault sits in the gate or in the books, the engine gives no cost in its receipts, so
that only what it accepts and refuses can betray it.
"""

from __future__ import annotations

from basebound_catalogue.kinds import Fault
from basebound_catalogue.mutants.budget import artifacts, books, gate

BUDGET_FAULTS: tuple[Fault, ...] = (*gate.shelf.faults, *books.shelf.faults, *artifacts.shelf.faults)

__all__ = ["BUDGET_FAULTS"]
