"""What each fault is caught by, as the recorded kill matrix has it, and which faults stand for all of them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from basebound_catalogue import FAULTS, KILLS, Fault


@dataclass(frozen=True, order=True)
class Signature:
    """What a fault adds to the measure: that this lens can see this requirement broken."""

    requirement: str
    lens: str

    def __str__(self) -> str:
        return f"{self.requirement} by {self.lens}"


@dataclass(frozen=True)
class Recorded:
    """One row of ``kills.json``. ``steps`` is None where a hang or an exit cut the count short."""

    fault: str
    signature: Signature
    steps: int | None

    @property
    def cost(self) -> tuple[bool, int]:
        return self.steps is None, self.steps or 0


@cache
def recorded() -> Mapping[str, Recorded]:
    """The rows of ``kills.json`` by the fault's id, in its order."""
    rows = json.loads(KILLS.read_text(encoding="utf-8"))["faults"]
    return {row["fault"]: _row(row) for row in rows}


def _row(row: Mapping[str, object]) -> Recorded:
    lenses, steps = row["lens"], row["steps"]
    assert isinstance(lenses, list)
    assert steps is None or isinstance(steps, int)
    return Recorded(str(row["fault"]), Signature(str(row["requirement"]), lenses[0]), steps)


@cache
def representatives() -> tuple[Fault, ...]:
    """One fault for each recorded signature, the one that takes the fewest steps; in the catalogue's order."""
    cheapest: dict[Signature, Recorded] = {}
    for row in recorded().values():
        cheapest[row.signature] = min(cheapest.get(row.signature, row), row, key=lambda one: one.cost)
    chosen = {row.fault for row in cheapest.values()}
    return tuple(fault for fault in FAULTS if fault.id in chosen)


def newcomers() -> tuple[Fault, ...]:
    """The faults of the catalogue that the recorded matrix does not have yet."""
    return tuple(fault for fault in FAULTS if fault.id not in recorded())


def superfluous(found: Iterable[tuple[Fault, str | None]]) -> list[str]:
    """What is to be said against new faults, each with the lens that caught it; nothing if each earns its place."""
    taken = {row.signature: row.fault for row in recorded().values()}
    said: list[str] = []
    for fault, lens in found:
        if lens is None:
            said.append(f"{fault.id}: no lens sees {fault.requirement} broken. Teach one to, or name what is broken.")
            continue
        signature = Signature(fault.requirement, lens)
        if signature in taken:
            said.append(
                f"{fault.id}: {signature}, as {taken[signature]} is caught already, so it measures nothing new. "
                "Leave it out, or change it until another requirement breaks or only another lens finds it."
            )
        taken.setdefault(signature, fault.id)
    return said
