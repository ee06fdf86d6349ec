"""What a target says of itself, and which requirements it is judged by for it."""

from __future__ import annotations

from dataclasses import dataclass

from basebound.core.register import PureFunction, Requirement, requirements

_MAY_TURN_OUT = frozenset({"async", "asks-meter", "measures"})
"""Abilities that a target shows only while it is judged."""


@dataclass(frozen=True)
class Claims:
    """What of a target decides which requirements are its own."""

    profiles: frozenset[str]
    inserts: bool
    max_hunks: int | None
    pure: PureFunction | None


@dataclass(frozen=True)
class Described:
    """What a target says of itself; the parent process never imports it."""

    name: str
    profiles: frozenset[str]
    inserts: bool
    max_hunks: int | None
    asynchronous: bool
    pure: PureFunction | None
    source: tuple[str, int] | None


def claimed(target: Described | Claims, profiles: frozenset[str]) -> tuple[Requirement, ...]:
    """The requirements that ``target`` will be judged by when ``profiles`` are asked for."""
    return tuple(row for row in requirements() if not why_not_claimed(row, target, profiles))


def why_not_claimed(row: Requirement, target: Described | Claims, profiles: frozenset[str]) -> str:
    """Why ``target`` is not judged by ``row``; nothing where it is."""
    if row.profile not in target.profiles:
        return f"the target does not claim {row.profile}"
    if row.profile not in profiles:
        return f"--profile leaves {row.profile} out"
    if not row.is_decided_by(target.pure):
        return "it does not apply to a pure function"
    if not any(goal.within(target.inserts, target.max_hunks, _MAY_TURN_OUT | target.profiles) for goal in row.goals):
        needs = next(goal.needs for goal in row.goals)
        if needs == "budget":
            return "the target does not claim budget"
        return (
            "the target has no insert"
            if needs == "insert"
            else f"the target takes at most {target.max_hunks} hunk per patch"
        )
    return ""
