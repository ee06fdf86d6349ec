"""Conformance suite for engines that let a language model rewrite its own context.

An engine is written against the types of this page and judged by ``basebound check``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

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
from basebound.version import __version__ as __version__

if TYPE_CHECKING:
    from basebound.pytest_plugin.conformance import Conformance


__all__ = [
    "BudgetedEngine",
    "Charge",
    "Compactor",
    "Config",
    "Conformance",
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


def __getattr__(name: str) -> Any:
    """``Conformance`` comes when it is asked for: an engine needs the types alone."""
    if name == "Conformance":
        from basebound.pytest_plugin.conformance import Conformance

        return Conformance
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
