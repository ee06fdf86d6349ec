"""A base that is kept, and not computed again after every change."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

from basebound.model import Config, Patch, Receipt, Snapshot
from basebound_catalogue.plain import Lines, PlainEngine, Shelf

shelf = Shelf()


# Hashing the whole content at every call looks wasteful, so the base is kept. Then every door that
# changes the content, and every way in which it may change, has to know of the cache.


class KeepsBase(PlainEngine):
    """Keeps the base, and computes it again after a write that ``notices`` says has changed something."""

    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.kept = self.base_of(self.lines)

    def live_base(self) -> str:
        return self.kept

    def commit(self, lines: Lines) -> None:
        before = self.lines
        super().commit(lines)
        if self.notices(before, lines):
            self.kept = self.base_of(lines)

    def notices(self, before: Lines, after: Lines) -> bool:
        return True


@shelf.fault(
    "cache-survives-same-length",
    "BASE-STALE-LENGTH",
    "incident 55",
    "The kept base is computed again only when the number of lines has changed.",
)
class SurvivesSameLength(KeepsBase):
    def notices(self, before: Lines, after: Lines) -> bool:
        return len(before) != len(after)


@shelf.fault(
    "cache-survives-blank-append",
    "BASE-IDENTITY",
    "incident 12",
    "The kept base is not computed again after a write that adds nothing but blank lines at the end.",
)
class SurvivesBlankAppend(KeepsBase):
    def notices(self, before: Lines, after: Lines) -> bool:
        return after[: len(before)] != before or any(line.strip() for line in after[len(before) :])


@shelf.fault(
    "cache-survives-append",
    "BASE-STALE-APPEND",
    "incident 53",
    "The base is kept per list object, and an append extends that list in place: the base stays.",
)
class SurvivesAppend(KeepsBase):
    def append(self, lines: Sequence[str]) -> None:
        kept = self.kept
        super().append(lines)
        self.kept = kept


@shelf.fault(
    "cache-survives-insert",
    "BASE-STALE-ABOVE",
    "incident 39",
    "A foreign insert does not refresh the kept base: an earlier patch looks fresh, and lands on other lines.",
)
class SurvivesInsert(KeepsBase):
    def insert(self, at: int, lines: Sequence[str]) -> None:
        kept = self.kept
        super().insert(at, lines)
        self.kept = kept


@shelf.fault(
    "cache-survives-patch",
    "BASE-REPLAY",
    "incidents 59, 74",
    "A commit does not refresh the kept base: the same patch can be committed again.",
)
class SurvivesPatch(KeepsBase):
    def apply(self, patch: Patch) -> Receipt:
        kept = self.kept
        receipt = super().apply(patch)
        self.kept = kept
        return Receipt(kept, receipt.revision)


@shelf.fault(
    "cache-survives-return",
    "BASE-STALE-RETURN",
    "malice",
    "A content that was there before is taken for no change: the kept base stays that of the content in between.",
)
class SurvivesReturn(KeepsBase):
    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.known = {self.lines}

    def notices(self, before: Lines, after: Lines) -> bool:
        new = after not in self.known
        self.known.add(after)
        return new


@shelf.fault(
    "version-reused-after-return",
    "BASE-IDENTITY",
    "malice",
    "The base is a version number that goes back when the content returns: the next change takes a used one.",
)
class VersionReused(PlainEngine):
    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.versions = [self.lines]

    def live_base(self) -> str:
        return f"v{len(self.versions)}"

    def commit(self, lines: Lines) -> None:
        super().commit(lines)
        if lines in self.versions:
            del self.versions[self.versions.index(lines) + 1 :]
        else:
            self.versions.append(lines)


def kept_by(key: Callable[[Lines], Hashable]) -> type[PlainEngine]:
    """Keeps one base for each ``key`` of a content, computed when the key is first seen."""

    class KeptBy(PlainEngine):
        def __init__(self, config: Config) -> None:
            super().__init__(config)
            self.bases: dict[Hashable, str] = {}

        def live_base(self) -> str:
            return self.bases.setdefault(key(self.lines), self.base_of(self.lines))

    return KeptBy


shelf.fault(
    "cache-by-length",
    "BASE-IDENTITY",
    "incident 54",
    "The kept bases are looked up by the number of lines.",
)(kept_by(len))
shelf.fault(
    "cache-by-first-line",
    "BASE-IDENTITY",
    "incident 53",
    "The kept bases are looked up by the number of lines and the first line, as a document is by its title.",
)(kept_by(lambda lines: (len(lines), lines[:1])))


@shelf.fault(
    "base-compared-with-last-read",
    "BASE-STALE-APPEND",
    "incidents 53, 56",
    "A patch is compared with the base of the last read, whoever read: without a read in between, nothing is stale.",
)
class ComparedWithLastRead(PlainEngine):
    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.last_read = self.live_base()

    def snapshot(self) -> Snapshot:
        self.last_read = self.live_base()
        return super().snapshot()

    def is_stale(self, patch: Patch) -> bool:
        return patch.base.base != self.last_read
