"""What the contract says of lines, markers and a turn's budget: the one model of these tests.

It shares nothing with the oracle, the proofs, the reference or an engine. Where those sort and sweep, it compares
every pair of hunks; where they build piece by piece, it walks over the content line by line.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, Self

from basebound.model import Cost, Hunk, Meter, Reason, utf8_bytes


def fits(length: int, hunks: Sequence[Hunk]) -> bool:
    """Whether each hunk is in range, and no two of them meet."""
    in_range = all(0 <= hunk.start <= hunk.end <= length for hunk in hunks)
    return in_range and not any(overlap(one, other) for one, other in combinations(hunks, 2))


def overlap(one: Hunk, other: Hunk) -> bool:
    """Whether two ranges share a line, or an insertion stands strictly inside a range."""
    if one.start == one.end:
        return other.start < one.start < other.end
    if other.start == other.end:
        return one.start < other.start < one.end
    return one.start < other.end and other.start < one.end


def removed(lines: Sequence[Any], hunks: Sequence[Hunk]) -> list[Any]:
    """What the hunks take away, each line once; of hunks that do not fit, what they reach."""
    return [line for at, line in enumerate(lines) if any(hunk.start <= at < hunk.end for hunk in hunks)]


def splice(lines: Sequence[str], hunks: Sequence[Hunk]) -> tuple[str, ...]:
    """The content after hunks that fit: before each line the insertions, then what replaces it or the line itself."""
    return tuple(line.text for line in walked([Line(text) for text in lines], hunks))


@dataclass(frozen=True)
class Line:
    """``own``: a plan artifact, emitted in this turn."""

    text: str
    own: bool = False


def walked(lines: Sequence[Line], hunks: Sequence[Hunk]) -> list[Line]:
    built: list[Line] = []
    for at in range(len(lines) + 1):
        here = [hunk for hunk in hunks if hunk.start == at]
        insertions, ranges = [h for h in here if h.end == at], [h for h in here if h.end > at]
        built += [Line(text) for hunk in insertions + ranges for text in hunk.insert]
        if at < len(lines) and not any(hunk.start <= at < hunk.end for hunk in hunks):
            built.append(lines[at])
    return built


@dataclass
class Buffer:
    """One engine's content and books. The base is the content; one that covers the revision is the test's affair."""

    lines: list[Line]
    markers: tuple[str, ...] = ()
    meter: Meter = utf8_bytes
    budget: bool = True
    unpaid: list[tuple[str, int]] = field(default_factory=list)

    @classmethod
    def of(
        cls, texts: Sequence[str], markers: tuple[str, ...] = (), meter: Meter = utf8_bytes, budget: bool = True
    ) -> Self:
        return cls([Line(text) for text in texts], markers, meter, budget)

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(line.text for line in self.lines)

    def size(self, texts: Sequence[str]) -> int:
        return sum(map(self.meter, texts))

    def append(self, texts: Sequence[str]) -> None:
        self.insert(len(self.lines), texts)

    def insert(self, at: int, texts: Sequence[str]) -> None:
        self.lines[at:at] = [Line(text) for text in texts]

    def emit(self, kind: str, texts: Sequence[str]) -> None:
        self.lines += [Line(text, own=True) for text in texts]
        self.unpaid.append((kind, self.size(texts)))

    def end_turn(self) -> None:
        self.lines = [Line(text) for text in self.texts]
        self.unpaid.clear()

    def cost(self, hunks: Sequence[Hunk]) -> Cost:
        freed = self.size([line.text for line in removed(self.lines, hunks)])
        measurement = sum(tokens for kind, tokens in self.unpaid if kind == "measurement")
        rewrite = sum(tokens for kind, tokens in self.unpaid if kind != "measurement")
        return Cost(freed, rewrite + sum(self.size(hunk.insert) for hunk in hunks), measurement)

    def reasons(self, authored: Sequence[str], hunks: Sequence[Hunk], claim: Cost | None = None) -> set[Reason]:
        """Every reason for which a patch may be refused; none: it has to be accepted."""
        if tuple(authored) != self.texts:
            return {Reason.STALE_BASE}
        gone = removed(self.lines, hunks)
        holds = {
            Reason.BAD_HUNK: not fits(len(self.lines), hunks),
            Reason.PROTECTED: any(marker in line.text for marker in self.markers for line in gone),
        }
        if self.budget:
            cost = self.cost(hunks)
            amounts = (claim.freed, claim.rewrite, claim.measurement) if claim else ()
            holds |= {
                Reason.SELF_REFERENCE: any(line.own for line in gone),
                Reason.UNPROVEN: any(amount is None or amount < 0 for amount in amounts),
                Reason.NOT_FREED: cost.freed - cost.rewrite - cost.measurement <= 0,
            }
        return {reason for reason, held in holds.items() if held}

    def apply(self, hunks: Sequence[Hunk]) -> Cost:
        """The cost of an acceptable patch, which takes effect."""
        cost = self.cost(hunks)
        self.lines = walked(self.lines, hunks)
        self.unpaid.clear()
        return cost
