"""The faults of profile ``base``, by what they get wrong."""

from __future__ import annotations

from typing import Final

from basebound_catalogue.kinds import Fault
from basebound_catalogue.mutants.base import (
    answers,
    caches,
    excuses,
    fresh,
    hunks,
    identity,
    literal,
    memory,
    records,
    refusals,
    relocation,
    splice,
    values,
    writes,
)

BASE_FAULTS: Final[tuple[Fault, ...]] = tuple(
    fault
    for module in (
        excuses,
        relocation,
        memory,
        caches,
        identity,
        fresh,
        refusals,
        splice,
        literal,
        hunks,
        records,
        writes,
        values,
        answers,
    )
    for fault in module.shelf.faults
)
