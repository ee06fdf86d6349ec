"""Guards that decide by what they remember."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from basebound.model import Config, Patch, Receipt
from basebound_catalogue.plain import Lines, PlainEngine, Shelf

shelf = Shelf()


# What the guard remembers of earlier calls decides, not what is live.


@shelf.fault(
    "known-bases-accepted",
    "BASE-STALE-RETURN",
    "incident 39",
    "Every base ever live is kept in a set, and a patch is fresh if its base is in it.",
)
class KnownBasesAccepted(PlainEngine):
    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.known = {self.live_base()}

    def commit(self, lines: Lines) -> None:
        super().commit(lines)
        self.known.add(self.live_base())

    def is_stale(self, patch: Patch) -> bool:
        return patch.base.base not in self.known


@shelf.fault(
    "returned-base-accepted",
    "BASE-STALE-RETURN",
    "malice",
    "A base that has been live twice is trusted for good, as the content keeps coming back to it.",
)
class ReturnedBaseAccepted(PlainEngine):
    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.times = Counter([self.live_base()])

    def commit(self, lines: Lines) -> None:
        changed = lines != self.lines
        super().commit(lines)
        self.times[self.live_base()] += changed

    def is_stale(self, patch: Patch) -> bool:
        return super().is_stale(patch) and self.times[patch.base.base] < 2


@shelf.fault(
    "second-author-accepted",
    "BASE-STALE-PATCH",
    "incidents 25, 31, 36",
    "A second patch on the base of the last commit is accepted too, as the two were written at the same time.",
)
class SecondAuthorAccepted(PlainEngine):
    last_committed: str | None = None

    def is_stale(self, patch: Patch) -> bool:
        return super().is_stale(patch) and patch.base.base != self.last_committed

    def apply(self, patch: Patch) -> Receipt:
        receipt = super().apply(patch)
        self.last_committed = patch.base.base
        return receipt


@shelf.fault(
    "guard-tires-after-five-commits",
    "BASE-STALE-PATCH",
    "malice",
    "After five commits without a conflict the base is no longer compared.",
)
class TiresAfterFiveCommits(PlainEngine):
    commits = 0

    def is_stale(self, patch: Patch) -> bool:
        return super().is_stale(patch) and self.commits < 5

    def apply(self, patch: Patch) -> Receipt:
        receipt = super().apply(patch)
        self.commits += 1
        return receipt


@shelf.fault(
    "guard-lost-when-emptied",
    "BASE-STALE-APPEND",
    "incident 58",
    "When the buffer is emptied the guard is reset to none, and is not set up again for what follows.",
)
class LostWhenEmptied(PlainEngine):
    guarded = True

    def commit(self, lines: Lines) -> None:
        super().commit(lines)
        self.guarded = self.guarded and bool(lines)

    def is_stale(self, patch: Patch) -> bool:
        return self.guarded and super().is_stale(patch)


@shelf.fault(
    "revision-guard-misses-insert",
    "BASE-STALE-ABOVE",
    "incident 57",
    "Staleness is judged by a counter of appends and commits: a foreign insert does not count.",
)
class MissesInsert(PlainEngine):
    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.counter = 0
        self.counters = {0: 0}

    def commit(self, lines: Lines) -> None:
        self.counter += lines != self.lines
        super().commit(lines)
        self.counters[self.revision] = self.counter

    def insert(self, at: int, lines: Sequence[str]) -> None:
        counter = self.counter
        super().insert(at, lines)
        self.counter = self.counters[self.revision] = counter

    def is_stale(self, patch: Patch) -> bool:
        return super().is_stale(patch) and self.counters.get(patch.base.revision) != self.counter


@shelf.fault(
    "retry-lets-through",
    "BASE-REFUSAL-FORGOTTEN",
    "incidents 60, 193",
    "A patch refused as stale is taken the next time: an author who repeats it must mean it.",
)
class RetryLetsThrough(PlainEngine):
    refused: Patch | None = None

    def is_stale(self, patch: Patch) -> bool:
        stale = super().is_stale(patch) and patch != self.refused
        self.refused = patch if stale else None
        return stale


@shelf.fault(
    "third-stale-lets-through",
    "BASE-REFUSAL-FORGOTTEN",
    "malice",
    "After two refusals in a row as stale the third patch is let through, to get out of the loop.",
)
class ThirdStaleLetsThrough(PlainEngine):
    in_a_row = 0

    def is_stale(self, patch: Patch) -> bool:
        self.in_a_row = self.in_a_row + 1 if super().is_stale(patch) else 0
        return self.in_a_row in (1, 2)


@shelf.fault(
    "replay-answered-from-memory",
    "BASE-REPLAY",
    "malice",
    "A committed patch that comes again is answered with its old receipt, though the content has moved on.",
)
class ReplayAnswered(PlainEngine):
    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.receipts: dict[Patch, Receipt] = {}

    def apply(self, patch: Patch) -> Receipt:
        if patch not in self.receipts:
            self.receipts[patch] = super().apply(patch)
        return self.receipts[patch]


@shelf.fault(
    "replay-applied-again",
    "BASE-REPLAY",
    "incident 74",
    "The patch committed last is accepted again, as its author may not have got the answer.",
)
class ReplayApplied(PlainEngine):
    last: Patch | None = None

    def is_stale(self, patch: Patch) -> bool:
        return super().is_stale(patch) and patch != self.last

    def apply(self, patch: Patch) -> Receipt:
        receipt = super().apply(patch)
        self.last = patch
        return receipt
