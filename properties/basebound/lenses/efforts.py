"""How much an effort does: one table for all lenses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args

Effort: TypeAlias = Literal["quick", "default", "thorough"]
EFFORTS: Final[tuple[Effort, ...]] = get_args(Effort)


@dataclass(frozen=True)
class Amount:
    """How much an effort does: search shards, runs and moves of each, and seconds no unit goes beyond.

    ``proofs`` are the pieces that the battery of proofs is cut into; ``reduce`` bounds the work on each counterexample,
    in seconds.
    """

    shards: int
    runs: int
    steps: int
    proofs: int
    seconds: float
    reduce: float


AMOUNTS: Final = {
    "quick": Amount(2, 80, 20, 1, 3.0, 6.0),
    "default": Amount(4, 300, 30, 2, 15.0, 10.0),
    "thorough": Amount(16, 1000, 40, 4, 300.0, 30.0),
}
