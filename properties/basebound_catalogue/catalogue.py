"""Every engine of the catalogue: faulty, correct, and those that do no work."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Final

from basebound.errors import UsageError
from basebound_catalogue.correct import CORRECT as SEQUENTIAL_CORRECT
from basebound_catalogue.correct.atomic import ATOMIC_CORRECT
from basebound_catalogue.kinds import Correct, Fault, Vacuous
from basebound_catalogue.mutants.atomic import ATOMIC_FAULTS
from basebound_catalogue.mutants.base import BASE_FAULTS
from basebound_catalogue.mutants.budget import BUDGET_FAULTS
from basebound_catalogue.mutants.protected import PROTECTED_FAULTS
from basebound_catalogue.vacuous import VACUOUS

FAULTS: Final[tuple[Fault, ...]] = (*BASE_FAULTS, *PROTECTED_FAULTS, *BUDGET_FAULTS, *ATOMIC_FAULTS)
CORRECT: Final[tuple[Correct, ...]] = (*SEQUENTIAL_CORRECT, *ATOMIC_CORRECT)

KINDS: Final[Mapping[str, tuple[Fault | Correct | Vacuous, ...]]] = {
    "fault": FAULTS,
    "correct": CORRECT,
    "free-pass": VACUOUS,
}
"""The prefixes of targets that name an engine of the catalogue, as in ``fault:ID``."""
_NAMED = 8
"""The most engines that are named to somebody who named none."""


def by_id(kind: str, id: str) -> Fault | Correct | Vacuous:
    """The engine named ``kind:id``; a :class:`UsageError` names what comes near if there is none."""
    if kind not in KINDS:
        raise UsageError("unknown-kind", f"{kind!r} is no kind of engine", f"The kinds are {', '.join(KINDS)}.")
    entries = {entry.id: entry for entry in KINDS[kind]}
    if id not in entries:
        near = get_close_matches(id, entries, n=3, cutoff=0.5)
        names = [f"{kind}:{name}" for name in near or entries]
        more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
        fix = f"{'Near' if near else 'Known'}: {', '.join(names[:_NAMED])}{more}."
        raise UsageError("unknown-engine", f"there is no {kind} engine {id!r}", fix)
    return entries[id]


__all__ = ["CORRECT", "FAULTS", "KINDS", "VACUOUS", "Correct", "Fault", "Vacuous", "by_id"]
