"""The one way from the suite to the engines it is measured with, a package that is imported when it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import click

    from basebound.model import Config
    from basebound.results.counterexample import Counterexample
    from basebound_catalogue import Fault

KINDS: Final = ("fault", "correct", "free-pass")
"""The prefixes of targets that name an engine of the catalogue, as in ``fault:ID``."""


def engine(kind: str, id: str) -> Callable[[Config], Any]:
    """The factory of the engine named ``kind:id``."""
    from basebound_catalogue import by_id

    return by_id(kind, id).make


def faults() -> tuple[Fault, ...]:
    from basebound_catalogue import FAULTS

    return FAULTS


def first_kill(fault: Fault) -> Counterexample | None:
    """The reduced counterexample of the requirement that a fault breaks."""
    from basebound_catalogue.bench.kills import first_kill

    return first_kill(fault)


def bench() -> click.Group:
    """The commands that measure the suite."""
    from basebound_catalogue.bench.commands import bench

    return bench


def kills() -> Path:
    """The recorded kill matrix of this version of the suite."""
    from basebound_catalogue import KILLS

    return KILLS
