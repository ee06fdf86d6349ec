"""Snapshots that are no values, and inputs that are not copied."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from basebound.model import Config, Snapshot
from basebound_catalogue.plain import Lines, PlainEngine, Shelf, without_trailing_empty

shelf = Shelf()


class LiveSnapshot(Snapshot):
    """A snapshot in name: it reads the engine each time it is asked."""

    def __init__(self, engine: PlainEngine) -> None:
        object.__setattr__(self, "engine", engine)

    engine: PlainEngine

    @property
    def lines(self) -> Lines:
        return self.engine.lines

    @property
    def base(self) -> str:
        return self.engine.live_base()

    @property
    def revision(self) -> int:
        return self.engine.revision


@shelf.fault(
    "snapshot-is-a-view",
    "BASE-SNAPSHOT-VALUE",
    "incidents 54, 190",
    "A snapshot reads the live buffer each time it is asked: it is never stale.",
)
class SnapshotIsAView(PlainEngine):
    def snapshot(self) -> Snapshot:
        return LiveSnapshot(self)


@shelf.fault(
    "snapshot-shares-the-list",
    "BASE-SNAPSHOT-VALUE",
    "incident 53",
    "A snapshot holds the engine's own list, which an append extends in place.",
)
class SnapshotSharesTheList(PlainEngine):
    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.shared = list(self.lines)

    def commit(self, lines: Lines) -> None:
        super().commit(lines)
        self.shared[:] = lines

    def snapshot(self) -> Snapshot:
        shared: Any = self.shared
        return Snapshot(shared, self.live_base(), self.revision)


@shelf.fault(
    "read-tidies-up",
    "BASE-SNAPSHOT-PURE",
    "incident 69",
    "A read drops empty lines at the end of the buffer, once it has shown them.",
)
class ReadTidiesUp(PlainEngine):
    def snapshot(self) -> Snapshot:
        seen = super().snapshot()
        self.commit(without_trailing_empty(self.lines))
        return seen


@shelf.fault(
    "read-shows-first-fifty",
    "BASE-APPEND-EXACT",
    "incidents 65, 67",
    "A read shows the first 50 lines; the rest is there, but nobody sees it.",
)
class ReadShowsFirstFifty(PlainEngine):
    def snapshot(self) -> Snapshot:
        return Snapshot(self.lines[:50], self.live_base(), self.revision)


@shelf.fault(
    "keeps-callers-list",
    "BASE-INPUT-COPIED",
    "incident 26",
    "An append keeps the list it was given: what its caller does to it later happens to the buffer.",
)
class KeepsCallersList(PlainEngine):
    def __init__(self, config: Config) -> None:
        self.chunks: list[Sequence[str]] = []
        super().__init__(config)

    @property
    def lines(self) -> Lines:
        return tuple(line for chunk in self.chunks for line in chunk)

    @lines.setter
    def lines(self, lines: Lines) -> None:
        self.chunks = [lines]

    def append(self, lines: Sequence[str]) -> None:
        chunks = self.chunks
        super().append(lines)
        self.chunks = [*chunks, lines]
