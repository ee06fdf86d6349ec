"""A unit of work, and what it reports."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Unit:
    """One piece of a lens that one process does alone. ``shard`` names the piece."""

    lens: str
    shard: str
    effort: str
    seed: int
    backend: str = "hypothesis"


@dataclass(frozen=True)
class Finished:
    """A unit's end; ``note`` says why, if it stopped before all of its cases were done."""

    unit: Unit
    runs: int
    steps: int
    goals: frozenset[tuple[str, str]]
    note: str = ""
    abilities: frozenset[str] = frozenset()
    """What the target has turned out to be able to do, as the register's ``needs`` name it."""
    vouched: tuple[object, ...] = ()
    """What the lens vouches for beside the goals, as its declaration reads it."""
