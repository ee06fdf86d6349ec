"""Decides whether a concurrent history has a legal order."""

from __future__ import annotations

from basebound.history.facts import Contradiction, contradiction
from basebound.history.operations import CallHistory
from basebound.history.order_verdict import NO_ORDER, Illegal, Legal, OrderVerdict, Undecided
from basebound.history.ordering import OutOfBudget, Problem, Search
from basebound.history.reduce import SMALL, part_around, smallest

BUDGET = 1_000_000
"""Placements a search may make beyond one for each operation."""

_NEIGHBOURS = 24


def judge(history: CallHistory, budget: int = BUDGET) -> OrderVerdict:
    """Is there an order of the operations, real time kept, that a correct engine could have answered like this?

    Near-linear where answers leave no choice (see ``ordering``); otherwise a search of at most ``budget``
    placements beyond one for each operation, then ``Undecided``. Requirement ATOMIC-LINEARIZABLE.
    """
    found = contradiction(history)
    if found is not None:
        return _contradicted(history, found)
    problem = Problem(history)
    search = Search(problem, len(history.operations) + budget)
    try:
        order = search.run()
    except OutOfBudget:
        why = (
            f"the search made {search.placements - 1:,} placements for {len(history.operations):,} operations and was "
            f"stopped by its budget of {budget:,} beyond one for each; give a larger budget, or record more reads"
        )
        return Undecided(why, search.placements - 1, budget)
    if order is not None:
        return Legal(tuple(history.operations[index] for index in order))
    return _unordered(history, problem, search)


def _contradicted(history: CallHistory, found: Contradiction) -> Illegal:
    operations, law, why = list(found.operations), found.law, found.sentence
    if len(history.operations) <= SMALL:
        fewer, _ = smallest(history, operations)
        if len(fewer) < len(operations):
            operations, law, why = fewer, NO_ORDER, _why(len(fewer))
    culprits = tuple(history.operations[index] for index in operations)
    return Illegal(culprits, _neighbourhood(history, operations), law, why, minimal=True)


def _unordered(history: CallHistory, problem: Problem, search: Search) -> Illegal:
    within: CallHistory | None = history
    if len(history.operations) > SMALL and search.dead_end is not None:
        within = part_around(history, problem, search.dead_end)
    if within is None:
        why = "the operations have no order; no short part of the history shows why by itself"
        return Illegal(history.operations, history, NO_ORDER, why, minimal=False)
    kept, minimal = smallest(within, range(len(within.operations)))
    culprits = tuple(within.operations[index] for index in kept)
    return Illegal(culprits, within, NO_ORDER, _why(len(kept)), minimal)


def _why(count: int) -> str:
    if count == 1:
        return "no order of what the others did, or may have done, explains it"
    return f"these {count} operations have no order, whatever the others did; without any one of them there is one"


def _neighbourhood(history: CallHistory, culprits: list[int]) -> CallHistory:
    """The culprits and the operations nearest to the last of them, to be drawn."""
    if len(history.operations) <= SMALL:
        return history
    centre = history.operations[max(culprits)].t0
    near = sorted(range(len(history.operations)), key=lambda index: abs(history.operations[index].t0 - centre))
    kept = sorted({*culprits, *near[:_NEIGHBOURS]})
    return CallHistory(history.lines, tuple(history.operations[index] for index in kept), history.revision)
