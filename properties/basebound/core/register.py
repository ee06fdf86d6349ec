"""The register of requirements, read once from the spec."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Any

from basebound.errors import UsageError
from basebound_spec import ROOT


class PureFunction(StrEnum):
    """The kinds of pure function that can be a target."""

    APPLY = "apply-function"
    GATE = "gate-function"


class Role(StrEnum):
    """A requirement that others than the oracle have to name, called after how it is broken."""

    UNANSWERED = "unanswered"
    MISTYPED_ANSWER = "mistyped-answer"
    REMEMBERED_REFUSAL = "remembered-refusal"
    CHANGED_SNAPSHOT = "changed-snapshot"
    SHARED_BASE = "shared-base"


@dataclass(frozen=True)
class Goal:
    """Something a check must have tried before the requirement may pass.

    ``needs`` names the ability without which it cannot be tried: ``insert``, ``hunks>=N`` in one patch, ``budget``
    (it claims that profile too), ``async`` (its methods are coroutines), ``asks-meter`` and ``measures`` (it calls the
    meter in the middle of a call).
    """

    name: str
    means: str
    needs: str | None = None

    def within(self, inserts: bool, max_hunks: int | None, abilities: frozenset[str] = frozenset()) -> bool:
        """Whether a target of these limits can be asked; ``abilities`` are the other things it can do."""
        if self.needs is None:
            return True
        if self.needs == "insert":
            return inserts
        if self.needs.startswith("hunks>="):
            return max_hunks is None or max_hunks >= int(self.needs.removeprefix("hunks>="))
        return self.needs in abilities


@dataclass(frozen=True)
class Requirement:
    """One row of the register; ``sentence`` is the norm, the other texts explain it.

    ``stale``: it is about a patch authored on other content than is live. ``decided_by``: the pure functions that
    decide it where they are the target.
    """

    id: str
    level: str
    profile: str
    sentence: str
    why: str
    fix: str
    origin: str
    goals: tuple[Goal, ...]
    stale: bool = False
    decided_by: frozenset[PureFunction] = frozenset()
    role: Role | None = None

    def is_decided_by(self, function: PureFunction | None) -> bool:
        """Whether a target decides it that is this pure function, or, where it is None, a whole engine."""
        return function is None or function in self.decided_by


@cache
def spec_version() -> str:
    return str(_table()["spec"])


@cache
def requirements() -> tuple[Requirement, ...]:
    """All requirements in the register's order."""
    return tuple(map(_requirement, _table()["requirement"]))


def _requirement(row: dict[str, Any]) -> Requirement:
    read: dict[str, Any] = {"goals": tuple(Goal(**goal) for goal in row["goals"])}
    read["decided_by"] = frozenset(map(PureFunction, row.get("decided_by", ())))
    read["role"] = Role(row["role"]) if "role" in row else None
    return Requirement(**{**row, **read})


@cache
def by_id() -> dict[str, Requirement]:
    return {requirement.id: requirement for requirement in requirements()}


@cache
def with_role(role: Role) -> str:
    """The id of the one requirement that has ``role``."""
    return next(row.id for row in requirements() if row.role is role)


def requirement(name: str) -> Requirement:
    """The requirement called ``name``, in any case; a ``UsageError`` with the nearest ids if there is none."""
    found = by_id().get(name.upper())
    if found is None:
        raise UsageError(
            "unknown-requirement",
            f"there is no requirement {name!r}",
            nearest(name.upper(), by_id(), "basebound list requirements"),
        )
    return found


def nearest(name: str, known: Iterable[str], command: str) -> str:
    """The fix for an unknown name: the nearest known ones, and the command that lists all."""
    close = difflib.get_close_matches(name, list(known), n=3, cutoff=0.5)
    meant = f"did you mean {' or '.join(close)}? " if close else ""
    return f"{meant}`{command}` shows all of them"


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads((ROOT / "requirements.toml").read_text(encoding="utf-8"))
