"""Conformance suite for engines that let a language model rewrite its own context.

An engine is written against the types of this page and judged by ``basebound check``.
"""

from __future__ import annotations

from basebound.model import (
    BudgetedEngine,
    Charge,
    Compactor,
    Config,
    Cost,
    Engine,
    Hunk,
    Patch,
    Reason,
    Receipt,
    Rejected,
    Snapshot,
)
from basebound.targets.functions import apply_function, gate_function

__version__ = "1.0.0"

__all__ = [
    "BudgetedEngine",
    "Charge",
    "Compactor",
    "Config",
    "Cost",
    "Engine",
    "Hunk",
    "Patch",
    "Reason",
    "Receipt",
    "Rejected",
    "Snapshot",
    "apply_function",
    "gate_function",
]
