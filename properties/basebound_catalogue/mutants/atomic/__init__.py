"""Engines of profile ``atomic``: faulty ones for threads, tasks and stores, and correct disciplines of many kinds.

All are right when one client uses them.
"""

from __future__ import annotations

from basebound_catalogue.correct.atomic import ATOMIC_CORRECT
from basebound_catalogue.kinds import Fault
from basebound_catalogue.mutants.atomic import ledgers, stores, tasks, threaded

ATOMIC_FAULTS: tuple[Fault, ...] = (
    *threaded.shelf.faults,
    *tasks.shelf.faults,
    *stores.shelf.faults,
    *ledgers.shelf.faults,
)

__all__ = ["ATOMIC_CORRECT", "ATOMIC_FAULTS"]
