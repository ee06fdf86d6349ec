"""Engines that fit the protocols, and engines that do not. The comments say what does not fit, on its line."""

from __future__ import annotations

import functools
from collections.abc import Sequence

from basebound import Config, Patch, Receipt, Snapshot


class Fits:
    def __init__(self, config: Config) -> None:
        self.lines = config.lines

    def snapshot(self) -> Snapshot:
        return Snapshot(self.lines, "base", 0)

    def append(self, lines: Sequence[str]) -> None:
        self.lines = (*self.lines, *lines)

    def apply(self, patch: Patch) -> Receipt:
        return Receipt("base", 1)


class FitsAsynchronously:
    def __init__(self, config: Config) -> None:
        self.lines = config.lines

    async def snapshot(self) -> Snapshot:
        return Snapshot(self.lines, "base", 0)

    async def append(self, lines: Sequence[str]) -> None: ...

    def apply(self, patch: Patch) -> Receipt:
        return Receipt("base", 1)


class OwnBusiness(Fits):
    """What mypy has to say of a method that nobody asked for is its author's."""

    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.jobs = []  # type: ignore[var-annotated]

    def worked(self) -> int:
        return "none"  # type: ignore[return-value]


class WithABudget(Fits):
    def emit(self, kind: str, lines: Sequence[str]) -> None: ...

    def end_turn(self) -> None: ...


class Narrow(Fits):
    def append(self, lines: list[str]) -> None:  # type: ignore[override]  # takes lists only
        self.lines = (*self.lines, *lines)


class OtherResult(Fits):
    def apply(self, patch: Patch) -> str:  # type: ignore[override]  # no Receipt
        return "done"


class HalfABudget(Fits):  # has emit and no end_turn
    def emit(self, kind: str, lines: Sequence[str]) -> None: ...


class NoApply:  # has no apply
    def __init__(self, config: Config) -> None: ...

    def snapshot(self) -> Snapshot:
        return Snapshot((), "base", 0)

    def append(self, lines: Sequence[str]) -> None: ...


class WrongWithin(Fits):
    def snapshot(self) -> Snapshot:
        return Snapshot(list(self.lines), 7, 0)  # type: ignore  # a list and a number


class Untyped:
    def __init__(self, config):  # type: ignore[no-untyped-def]
        self.lines = config.lines

    def snapshot(self):  # type: ignore[no-untyped-def]
        return Snapshot(self.lines, "base", 0)

    def append(self, lines):  # type: ignore[no-untyped-def]
        self.lines = (*self.lines, *lines)

    def apply(self, patch):  # type: ignore[no-untyped-def]
        return Receipt("base", 1)


class NeedsMore(Fits):
    def __init__(self, config: Config, path: str) -> None:  # no factory: two arguments
        super().__init__(config)


def factory(config: Config) -> Fits:
    return Fits(config)


def narrow_factory(config: Config) -> Narrow:
    return Narrow(config)


def untyped_factory(config):  # type: ignore[no-untyped-def]
    return Fits(config)


async def slow_factory(config: Config) -> FitsAsynchronously:
    return FitsAsynchronously(config)


part = functools.partial(NeedsMore, path="here")
