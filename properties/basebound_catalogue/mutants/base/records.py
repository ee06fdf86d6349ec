"""Revisions and receipts that do not tell what happened."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from basebound.model import Config, Patch, Receipt, Snapshot
from basebound_catalogue.plain import Lines, PlainEngine, Shelf

shelf = Shelf()


# A number kept beside the content, in another field, is kept right by discipline only.


def striding(id: str, requirement: str, origin: str, about: str, stride: Callable[[Lines, Lines], int]) -> None:
    """A fault whose revision moves by ``stride(before, after)``."""

    class Striding(PlainEngine):
        def stride(self, before: Lines, after: Lines) -> int:
            return stride(before, after)

    shelf.fault(id, requirement, origin, about)(Striding)


striding(
    "revision-ignores-same-length",
    "BASE-REVISION-RISES",
    "incident 55",
    "The revision rises when the number of lines changes.",
    lambda before, after: int(len(before) != len(after)),
)
striding(
    "revision-is-a-length",
    "BASE-REVISION-RISES",
    "incident 54",
    "The revision is the number of lines: it falls with a deletion.",
    lambda before, after: len(after) - len(before),
)
striding(
    "revision-ignores-blank-lines",
    "BASE-REVISION-RISES",
    "malice",
    "A write of nothing but empty lines does not raise the revision.",
    lambda before, after: int([line for line in before if line] != [line for line in after if line]),
)


@shelf.fault(
    "revision-ignores-insert",
    "BASE-REVISION-RISES",
    "incident 57",
    "A foreign insert does not raise the revision.",
)
class IgnoresInsert(PlainEngine):
    def insert(self, at: int, lines: Sequence[str]) -> None:
        revision = self.revision
        super().insert(at, lines)
        self.revision = revision


@shelf.fault(
    "revision-counts-commits-only",
    "BASE-REVISION-RISES",
    "incident 57",
    "Only patches raise the revision; an append does not.",
)
class CountsCommitsOnly(PlainEngine):
    def append(self, lines: Sequence[str]) -> None:
        revision = self.revision
        super().append(lines)
        self.revision = revision


@shelf.fault(
    "revision-returns-with-content",
    "BASE-REVISION-RISES",
    "malice",
    "Revisions are looked up by content: when the content returns, its old revision returns.",
)
class ReturnsWithContent(PlainEngine):
    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.revisions = {self.lines: 0}

    def commit(self, lines: Lines) -> None:
        super().commit(lines)
        self.revision = self.revisions.setdefault(lines, len(self.revisions))


@shelf.fault(
    "revision-in-one-byte",
    "BASE-REVISION-RISES",
    "incident 51",
    "The revision is kept in one byte: after 255 comes 0.",
)
class InOneByte(PlainEngine):
    def commit(self, lines: Lines) -> None:
        super().commit(lines)
        self.revision %= 256


@shelf.fault(
    "revision-wraps-at-sixteen",
    "BASE-REVISION-RISES",
    "malice",
    "The revision is an index into a ring of 16 kept contents: after 15 comes 0.",
)
class WrapsAtSixteen(PlainEngine):
    def commit(self, lines: Lines) -> None:
        super().commit(lines)
        self.revision %= 16


@shelf.fault(
    "read-raises-revision",
    "BASE-REVISION-STILL",
    "malice",
    "Every read raises the revision.",
)
class ReadRaisesRevision(PlainEngine):
    def snapshot(self) -> Snapshot:
        self.revision += 1
        return super().snapshot()


@shelf.fault(
    "third-read-raises-revision",
    "BASE-REVISION-STILL",
    "malice",
    "The third read with no write in between raises the revision, as a keep-alive.",
)
class ThirdReadRaisesRevision(PlainEngine):
    reads = 0

    def snapshot(self) -> Snapshot:
        self.reads += 1
        self.revision += self.reads % 3 == 0
        return super().snapshot()

    def commit(self, lines: Lines) -> None:
        super().commit(lines)
        self.reads = 0


def receipting(id: str, origin: str, about: str, receipt: Callable[[PlainEngine, Patch], Receipt]) -> None:
    class Receipting(PlainEngine):
        def receipt(self, patch: Patch) -> Receipt:
            return receipt(self, patch)

    shelf.fault(id, "BASE-RECEIPT", origin, about)(Receipting)


receipting(
    "receipt-of-the-old-base",
    "incidents 59, 84",
    "The receipt carries the base the patch was authored against.",
    lambda engine, patch: Receipt(patch.base.base, engine.revision),
)
receipting(
    "receipt-one-revision-behind",
    "incident 86",
    "The receipt carries the revision before the commit.",
    lambda engine, patch: Receipt(engine.live_base(), engine.revision - 1),
)
receipting(
    "receipt-counts-from-author",
    "incident 57",
    "The receipt's revision is the author's plus one, wherever the engine's counter stands.",
    lambda engine, patch: Receipt(engine.live_base(), patch.base.revision + 1),
)
receipting(
    "receipt-shortens-base",
    "incident 51",
    "The receipt carries the first 8 characters of the base.",
    lambda engine, patch: Receipt(engine.live_base()[:8], engine.revision),
)
