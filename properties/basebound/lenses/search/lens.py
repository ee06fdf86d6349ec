"""The declaration of lens ``search``: shards of one seed."""

from __future__ import annotations

import importlib.util
from typing import Final

from basebound.errors import UsageError
from basebound.lenses.declaration import Lens, UnitRun, out_of_time
from basebound.lenses.efforts import AMOUNTS
from basebound.results.unit import Unit

BACKENDS: Final = ("hypothesis", "crosshair")


def _units(effort: str, seed: int, backend: str) -> list[Unit]:
    if backend != BACKENDS[0] and importlib.util.find_spec("hypothesis_crosshair_provider") is None:
        raise UsageError(
            "missing-package", f"the backend {backend} is not installed", "pip install 'basebound[crosshair-backend]'"
        )
    shards = range(AMOUNTS[effort].shards)
    return [Unit("search", str(shard), effort, seed * 1_000_003 + shard, backend) for shard in shards]


def _run(work: UnitRun) -> str:
    from basebound.lenses.search.machine import SearchPlan, search  # Hypothesis: not for who only counts the units

    amount = AMOUNTS[work.unit.effort]
    plan = SearchPlan(amount.runs, amount.steps, amount.seconds, work.unit.backend)
    runs = search(work.context, plan, work.unit.seed, work.ended)
    return "" if runs >= amount.runs else out_of_time(f"{runs} of {amount.runs} runs", amount.seconds)


LENS: Final = Lens("search", _units, _run, goals="searched")
