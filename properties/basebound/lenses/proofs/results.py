"""What the proofs say of a target: plain values, one for each shape and outcome."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from basebound.core.trace import Trace


@dataclass(frozen=True)
class Refuted:
    """A counterexample, run again outside CrossHair with the real hash before it came here.

    ``trace`` holds its concrete values and replays it; ``seconds`` had gone by since the check began.
    """

    shape: str
    requirements: tuple[str, ...]
    trace: Trace
    seconds: float


@dataclass(frozen=True)
class Proved:
    """For every value within the bounds of ``shape`` the requirements hold; all ``paths`` were followed to their end.

    ``setting``: of an engine, that the call came first after it was built, and what is at the end of its lines; what a
    longer history does is not said.
    """

    shape: str
    requirements: tuple[str, ...]
    paths: int
    seconds: float
    setting: str = ""


@dataclass(frozen=True)
class LeftOpen:
    """Neither proved nor refuted: ``why`` says what stood in the way.

    ``followed``: CrossHair could follow the target; ``late``: only time was lacking.
    """

    shape: str
    requirements: tuple[str, ...]
    why: str
    paths: int
    seconds: float
    followed: bool = False
    late: bool = False


@dataclass(frozen=True)
class Unavailable:
    """Nothing could be analyzed: what does not work here, and how to fix it."""

    what: str
    fix: str


Result: TypeAlias = Refuted | Proved | LeftOpen | Unavailable


@dataclass(frozen=True)
class ProofReport:
    """All results for one target, in the order of the battery."""

    results: tuple[Result, ...]
    seconds: float = 0.0

    @property
    def refuted(self) -> tuple[Refuted, ...]:
        return tuple(result for result in self.results if isinstance(result, Refuted))

    @property
    def undecided(self) -> tuple[LeftOpen, ...]:
        return tuple(result for result in self.results if isinstance(result, LeftOpen))

    @property
    def unavailable(self) -> Unavailable | None:
        return next((result for result in self.results if isinstance(result, Unavailable)), None)

    def requirements_refuted(self) -> frozenset[str]:
        return frozenset(_named(self.refuted))

    def requirements_proved(self) -> dict[str, tuple[Proved, ...]]:
        """By requirement, the proofs of it; only where every shape that covers it was proved.

        A target that is refuted anywhere is proved nowhere: what one sentence says of it may lean on another. Nor is
        it where CrossHair did not work for a part of the battery.
        """
        if self.refuted or self.unavailable is not None:
            return {}
        left_open = set(_named(self.undecided))
        proofs = [result for result in self.results if isinstance(result, Proved)]
        return {
            requirement: tuple(proof for proof in proofs if requirement in proof.requirements)
            for requirement in sorted(set(_named(proofs)) - left_open)
        }

    def requirements_undecided(self) -> dict[str, LeftOpen]:
        """By requirement, the first shape that left it open; a refuted one is not open."""
        found: dict[str, LeftOpen] = {}
        for result in self.undecided:
            for requirement in result.requirements:
                found.setdefault(requirement, result)
        return {name: result for name, result in found.items() if name not in self.requirements_refuted()}


def _named(results: Iterable[Refuted | Proved | LeftOpen]) -> Iterable[str]:
    return (requirement for result in results for requirement in result.requirements)
