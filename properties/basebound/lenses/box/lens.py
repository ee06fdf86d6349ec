"""The declaration of lens ``box``: a unit for each family."""

from __future__ import annotations

from typing import Final

from basebound.lenses.box.families import FAMILIES, WORLDS, Scope, cases
from basebound.lenses.declaration import Lens, UnitRun
from basebound.lenses.efforts import AMOUNTS
from basebound.results.unit import Unit
from basebound.targets.functions import gate_function

_LONGER: Final = 40
"""Where each case is one of a kind, a slow target is given this many times longer for all of them."""


def _units(effort: str, seed: int, backend: str) -> list[Unit]:
    return [Unit("box", family.name, effort, seed) for family in FAMILIES]


def _run(work: UnitRun) -> str:
    target, effort = work.target, work.unit.effort
    gate = isinstance(target.factory, gate_function)
    asked = Scope(WORLDS[effort], work.context.claims, gate, target.piped)
    family = next(family for family in FAMILIES if family.name == work.unit.shard)
    traces = (trace for trace in cases(family, asked) if target.meters is None or trace.meter in target.meters)
    return work.cases(traces, (_LONGER if family.singular else 1) * AMOUNTS[effort].seconds)


LENS: Final = Lens("box", _units, _run, goals="searched")
