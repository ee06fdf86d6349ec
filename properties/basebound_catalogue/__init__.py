"""Faulty engines, one per known kind of fault, and correct ones of many styles: what the suite is measured with.

The engines are imported when one of them is asked for.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from basebound_catalogue.catalogue import CORRECT, FAULTS, VACUOUS, by_id
    from basebound_catalogue.kinds import Correct, Fault, Vacuous

KILLS: Final = Path(__file__).parent / "kills.json"
"""The kill matrix of this version of the suite, as ``basebound bench kills --seeds 1 --json`` writes it."""

__all__ = ["CORRECT", "FAULTS", "KILLS", "VACUOUS", "Correct", "Fault", "Vacuous", "by_id"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from basebound_catalogue import catalogue

    return getattr(catalogue, name)
