"""What a check consists of: units of work, the same ones for the same target, effort and seed."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from typing import Final

from basebound.errors import UsageError
from basebound.results.unit import Unit

EFFORTS: Final = ("quick", "default", "thorough")
BACKENDS: Final = ("hypothesis", "crosshair")
RUNNING: Final = ("scenarios", "box", "search", "schedules")
"""The lenses that take an engine through histories; a hunt for one fault looks through these."""
LENSES: Final = (*RUNNING, "proofs", "types")


@dataclass(frozen=True)
class Amount:
    """How much an effort does: search shards, runs and moves of each, and seconds no unit goes beyond.

    ``reduce`` and ``story`` bound the work on each counterexample, in seconds.
    """

    shards: int
    runs: int
    steps: int
    seconds: float
    reduce: float


PROOF_PARTS: Final = {"quick": 1, "default": 2, "thorough": 4}
"""The pieces that the battery of proofs is cut into."""
AMOUNTS: Final = {
    "quick": Amount(2, 80, 20, 3.0, 6.0),
    "default": Amount(4, 300, 30, 15.0, 10.0),
    "thorough": Amount(16, 1000, 40, 300.0, 30.0),
}
_FAMILIES: Final = (
    "fresh",
    "stale",
    "pairs",
    "identity",
    "volume",
    "protected",
    "meter",
    "net",
    "claims",
    "artifacts",
    "turns",
    "gate",
    "large",
)


def units(effort: str, seed: int, lenses: tuple[str, ...], backend: str = "hypothesis") -> list[Unit]:
    """All units of a check, cheapest lens first. Families that do not fit a target end at once."""
    for lens in lenses:
        if lens not in LENSES:
            raise UsageError(f"there is no lens {lens!r}", f"the lenses are {', '.join(LENSES)}")
    if backend != BACKENDS[0] and importlib.util.find_spec("hypothesis_crosshair_provider") is None:
        raise UsageError(f"the backend {backend} is not installed", "pip install 'basebound[crosshair-backend]'")
    found: list[Unit] = []
    if "scenarios" in lenses:
        found.append(Unit("scenarios", "all", effort, seed))
    if "box" in lenses:
        found += [Unit("box", family, effort, seed) for family in _FAMILIES]
    if "search" in lenses:
        shards = AMOUNTS[effort].shards
        found += [Unit("search", str(shard), effort, seed * 1_000_003 + shard, backend) for shard in range(shards)]
    if "types" in lenses:
        found.append(Unit("types", "all", effort, seed))
    if "proofs" in lenses:
        parts = PROOF_PARTS[effort]
        found[:0] = [Unit("proofs", f"{part} of {parts}", effort, seed) for part in range(1, parts + 1)]
    if "schedules" in lenses:
        found.insert(0, Unit("schedules", "all", effort, seed))
    return found
