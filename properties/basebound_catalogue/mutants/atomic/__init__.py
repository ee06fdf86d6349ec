"""Faulty engines of profile ``atomic``: for threads, tasks and stores.

All are right when one client uses them.
"""

from __future__ import annotations

from basebound_catalogue.kinds import Fault
from basebound_catalogue.mutants.atomic import ledgers, stores, tasks, threaded

ATOMIC_FAULTS: tuple[Fault, ...] = (
    *threaded.shelf.faults,
    *tasks.shelf.faults,
    *stores.shelf.faults,
    *ledgers.shelf.faults,
)

__all__ = ["ATOMIC_FAULTS"]
