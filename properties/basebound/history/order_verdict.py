"""What the checker says of a history."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from basebound.history.operations import CallHistory, Operation


@dataclass(frozen=True, slots=True)
class Legal:
    """There is a legal order; ``order`` is one. Calls of unknown outcome that it leaves out had no effect."""

    order: tuple[Operation, ...]


@dataclass(frozen=True, slots=True)
class Illegal:
    """There is none.

    ``culprits``: operations that cannot be ordered whatever the others did, and whenever: of the others
    only the possible effects of their writes are kept. ``minimal``: without any one of the culprits there
    is an order. ``within``: the part of the history they were found in, its start being what an answer
    showed there. ``law`` is the broken law if two answers contradict each other, else ``no order``.
    """

    culprits: tuple[Operation, ...]
    within: CallHistory
    law: str
    why: str
    minimal: bool


@dataclass(frozen=True, slots=True)
class Undecided:
    """The search ended before it had an answer."""

    why: str
    placements: int
    budget: int


OrderVerdict: TypeAlias = Legal | Illegal | Undecided

NO_ORDER = "no order"
