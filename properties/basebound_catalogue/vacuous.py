"""Engines that do no work: the baseline that a check must not let pass."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NoReturn

from basebound.model import Config, Cost, Patch, Reason, Receipt, Rejected, Snapshot
from basebound_catalogue.kinds import Vacuous


class NoWork:
    """Holds its initial lines for ever, takes every write and keeps none."""

    profiles = frozenset({"base", "protected", "budget"})

    def __init__(self, config: Config) -> None:
        self.shown = Snapshot(tuple(config.lines), "b0", 0)

    def snapshot(self) -> Any:
        return self.shown

    def append(self, lines: Sequence[str]) -> None:
        return None

    def insert(self, at: int, lines: Sequence[str]) -> None:
        return None

    def apply(self, patch: Patch) -> Any:
        return None

    def emit(self, kind: str, lines: Sequence[str]) -> None:
        return None

    def end_turn(self) -> None:
        return None


class AcceptAll(NoWork):
    def apply(self, patch: Patch) -> Receipt:
        return Receipt(self.shown.base, self.shown.revision, Cost(freed=1, rewrite=0, measurement=0))


class RefuseAll(NoWork):
    def apply(self, patch: Patch) -> NoReturn:
        raise Rejected(
            Reason.STALE_BASE,
            f"authored against base {patch.base.base} (revision {patch.base.revision}), but the live base is "
            f"{self.shown.base} (revision {self.shown.revision}): read again and re-author the patch",
        )


class Echo(NoWork):
    """Shows the lines it was given last, by whatever door, and calls them the content."""

    def show(self, lines: Sequence[str]) -> None:
        revision = self.shown.revision + 1
        self.shown = Snapshot(tuple(lines), f"b{revision}", revision)

    def append(self, lines: Sequence[str]) -> None:
        self.show(lines)

    def insert(self, at: int, lines: Sequence[str]) -> None:
        self.show(lines)

    def emit(self, kind: str, lines: Sequence[str]) -> None:
        self.show(lines)

    def apply(self, patch: Patch) -> Receipt:
        self.show([line for hunk in patch.hunks for line in hunk.insert])
        return Receipt(self.shown.base, self.shown.revision)


class DoNothing(NoWork):
    def snapshot(self) -> Any:
        return None


class AlwaysRaise(NoWork):
    def fail(self, *given: object) -> NoReturn:
        raise RuntimeError("this engine does not work")

    snapshot = append = insert = apply = emit = end_turn = fail  # type: ignore[assignment]


VACUOUS: Final[tuple[Vacuous, ...]] = (
    Vacuous("accept-all", "Accepts every patch with a receipt, and never changes what it holds.", AcceptAll),
    Vacuous("refuse-all", "Refuses every patch as stale, and never changes what it holds.", RefuseAll),
    Vacuous("echo", "Shows whatever lines it was given last, and accepts every patch.", Echo),
    Vacuous("do-nothing", "Answers every call with None.", DoNothing),
    Vacuous("always-raise", "Raises RuntimeError at every call.", AlwaysRaise),
)
