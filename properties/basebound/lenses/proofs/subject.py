"""The implementation under proof: a target by its usual name, taken as it is and never edited."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeAlias

from basebound.model import Config
from basebound.targets.functions import apply_function, gate_function
from basebound.targets.loading import Target


class Kind(StrEnum):
    """How a target is called: as a pure apply with its digest, as a pure gate, or as an engine."""

    APPLY = "apply"
    GATE = "gate"
    ENGINE = "engine"


Factory: TypeAlias = Callable[[Config], Any]
Called: TypeAlias = apply_function | gate_function | Factory
"""What is called in a case: the two pure shapes directly, without the shell that makes engines of them."""


@dataclass(frozen=True)
class Subject:
    """A target as the proofs see it.

    ``abilities``: its profiles, and what a shape may need beside them: ``hunks>=2`` and ``hunks>=3``.
    """

    kind: Kind
    called: Called
    abilities: frozenset[str]

    @property
    def budgeted(self) -> bool:
        return self.kind is Kind.ENGINE and "budget" in self.abilities


def subject_of(target: Target) -> Subject:
    """``target`` must be synchronous: CrossHair does not look into ``async`` methods."""
    hunks = [f"hunks>={n}" for n in (2, 3) if target.max_hunks is None or target.max_hunks >= n]
    return Subject(kind_of(target), target.factory, target.profiles.union(hunks))


def kind_of(target: Target) -> Kind:
    if isinstance(target.factory, apply_function):
        return Kind.APPLY
    return Kind.GATE if isinstance(target.factory, gate_function) else Kind.ENGINE
