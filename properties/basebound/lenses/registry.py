"""All lenses: each is declared as ``LENS`` in ``lenses/NAME/lens.py``, and has its line here.

A declaration is imported when it is asked for: who only names lenses, as the command line does, pays for none of them.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Final

from basebound.errors import UsageError
from basebound.results.unit import Unit

if TYPE_CHECKING:
    from basebound.lenses.declaration import Lens

LENSES: Final = (
    "schedules",
    "proofs",
    "scenarios",
    "box",
    "search",
    "types",
)
"""In the order in which their units are handed out: those that take longest first."""


def lens(name: str) -> Lens:
    """The declaration of one lens; raises ``UsageError`` where there is none of that name."""
    if name not in LENSES:
        raise UsageError("unknown-lens", f"there is no lens {name!r}", f"the lenses are {', '.join(LENSES)}")
    declared: Lens = importlib.import_module(f"basebound.lenses.{name}.lens").LENS
    return declared


def playing() -> tuple[str, ...]:
    """The lenses that take an engine through histories; a hunt for one fault looks through these."""
    return tuple(name for name in LENSES if lens(name).plays)


def units(effort: str, seed: int, lenses: tuple[str, ...] = (), backend: str = "hypothesis") -> list[Unit]:
    """All units of a check through ``lenses``, or all; the same ones for the same effort and seed.

    A unit that does not fit a target ends at once.
    """
    asked = {name: lens(name) for name in lenses or LENSES}
    return [unit for name in LENSES if name in asked for unit in asked[name].units(effort, seed, backend)]
