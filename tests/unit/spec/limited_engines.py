"""Correct engines that claim less, or can do less, than the reference."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from basebound.model import Config, Patch, Reason, Receipt, Rejected, Snapshot
from basebound.targets.functions import apply_function
from basebound.targets.loading import Target, describe
from basebound.targets.reference import ReferenceEngine, reference_apply, reference_digest

_WITHOUT_BUDGET = apply_function(reference_apply, reference_digest)


@dataclass(frozen=True)
class Limits:
    """What an engine claims and how far it goes. ``most``: the most hunks in one patch; None: any number."""

    profiles: tuple[str, ...]
    most: int | None = None
    inserts: bool = True
    covers_revision: bool = False

    @property
    def name(self) -> str:
        parts = ["+".join(self.profiles)]
        parts += [] if self.most is None else [f"{self.most} hunk{'s' if self.most > 1 else ''}"]
        parts += [] if self.inserts else ["no insert"]
        parts += ["base covers the revision"] if self.covers_revision else []
        return ", ".join(parts)

    def target(self) -> Target:
        return describe(self.name, lambda config: LimitedEngine(config, self))


class LimitedEngine:
    """The reference's judgement behind fewer doors.

    Without ``budget`` the reference's pure apply is taken, for its buffer would refuse what frees nothing.
    """

    def __init__(self, config: Config, limits: Limits) -> None:
        self.profiles = frozenset(limits.profiles)
        self.max_hunks = limits.most
        self._covers_revision = limits.covers_revision
        make: Callable[[Config], Any] = ReferenceEngine if "budget" in self.profiles else _WITHOUT_BUDGET
        self._engine = make(config)
        self._hidden = () if limits.inserts else ("insert",)

    def __getattr__(self, name: str) -> Any:
        if name in self.__dict__.get("_hidden", ()):
            raise AttributeError(name)
        return getattr(self.__dict__["_engine"], name)

    def snapshot(self) -> Snapshot:
        return self._shown(self._engine.snapshot())

    def apply(self, patch: Patch) -> Receipt:
        inside = self._engine.snapshot()
        live = self._shown(inside)
        if patch.base.base != live.base:
            authored = f"{patch.base.base[:8]} at revision {patch.base.revision}"
            message = f"authored against {authored}; {live.base[:8]} at revision {live.revision} is live: re-author"
            raise Rejected(Reason.STALE_BASE, message)
        receipt = self._engine.apply(Patch(inside, patch.hunks, patch.claim))
        return Receipt(self._base(receipt.base, receipt.revision), receipt.revision, receipt.cost)

    def _shown(self, snapshot: Snapshot) -> Snapshot:
        return Snapshot(snapshot.lines, self._base(snapshot.base, snapshot.revision), snapshot.revision)

    def _base(self, base: str, revision: int) -> str:
        return f"r{revision}-{base}" if self._covers_revision else base


CLAIMS = (("base", "protected", "budget"), ("base", "protected"), ("base", "budget"), ("base",))

ALL = (
    *(
        Limits(claims, most, inserts)
        for claims in CLAIMS
        for most, inserts in ((None, True), (None, False), (2, True), (1, True), (1, False))
    ),
    *(Limits(claims, covers_revision=True) for claims in CLAIMS),
)
"""Every combination of claims, within the limits an engine may have."""
