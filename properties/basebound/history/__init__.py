"""Concurrent histories: what they are, whether they have a legal order, how they are drawn and recorded."""

from __future__ import annotations

from basebound.history.blame import Blame, blame
from basebound.history.judge import BUDGET, judge
from basebound.history.lanes import draw, draw_history
from basebound.history.operations import CallHistory, Operation
from basebound.history.order_verdict import Illegal, Legal, OrderVerdict, Undecided
from basebound.history.recorder import Recorder
from basebound.history.rows import load_history, operation_row, parse_history

__all__ = [
    "BUDGET",
    "Blame",
    "CallHistory",
    "Illegal",
    "Legal",
    "Operation",
    "OrderVerdict",
    "Recorder",
    "Undecided",
    "blame",
    "draw",
    "draw_history",
    "judge",
    "load_history",
    "operation_row",
    "parse_history",
]
