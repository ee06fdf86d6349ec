"""The declaration of lens ``scenarios``."""

from __future__ import annotations

from typing import Final

from basebound.lenses.declaration import Lens, UnitRun
from basebound.lenses.efforts import AMOUNTS
from basebound.lenses.scenarios.scenarios import fitting
from basebound.results.unit import Unit

_LONGER: Final = 40
"""Scenarios are few and reach every goal, so that a slow target is given this many times longer for them."""


def _units(effort: str, seed: int, backend: str) -> list[Unit]:
    return [Unit("scenarios", "all", effort, seed)]


def _run(work: UnitRun) -> str:
    return work.cases(fitting(work.target, work.context.claims), _LONGER * AMOUNTS[work.unit.effort].seconds)


LENS: Final = Lens("scenarios", _units, _run, goals="scenario")
