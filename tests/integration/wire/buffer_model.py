"""A plain model of a buffered, budgeted engine whose base is its content, written apart from every engine.

Where engines sort and sweep, it compares every pair of hunks; where they build forwards, it splices backwards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

Span = tuple[int, int, list[str]]
Claim = Mapping[str, int | None] | None


def size(texts: Sequence[str]) -> int:
    return sum(len(text.encode("utf-8")) + 1 for text in texts)


@dataclass
class Line:
    text: str
    locked: bool = False


@dataclass
class BufferModel:
    lines: list[Line]
    protected: tuple[str, ...] = ()
    rewrite: int = 0
    measurement: int = 0

    @property
    def texts(self) -> list[str]:
        return [line.text for line in self.lines]

    def insert(self, at: int, texts: Sequence[str]) -> None:
        self.lines[at:at] = [Line(text) for text in texts]

    def emit(self, kind: str, texts: Sequence[str]) -> None:
        self.lines += [Line(text, locked=True) for text in texts]
        if kind == "measurement":
            self.measurement += size(texts)
        else:
            self.rewrite += size(texts)

    def end_turn(self) -> None:
        self.rewrite = self.measurement = 0
        for line in self.lines:
            line.locked = False

    def cost(self, hunks: Sequence[Span]) -> dict[str, int]:
        inserted = [text for _, _, insert in hunks for text in insert]
        freed = size([line.text for line in self.removed(hunks)])
        return {"freed": freed, "rewrite": size(inserted) + self.rewrite, "measurement": self.measurement}

    def removed(self, hunks: Sequence[Span]) -> list[Line]:
        """Ranges clipped to the buffer, each line once."""
        return [line for n, line in enumerate(self.lines) if any(start <= n < end for start, end, _ in hunks)]

    def reasons(
        self, authored: Sequence[str], hunks: Sequence[Span], claim: Mapping[str, int | None] | None
    ) -> set[str]:
        """Every reason for which the patch may be refused; none: it has to be accepted."""
        if list(authored) != self.texts:
            return {"stale-base"}
        removed, cost = self.removed(hunks), self.cost(hunks)
        holds = {
            "bad-hunk": any(not 0 <= start <= end <= len(self.lines) for start, end, _ in hunks)
            or any(overlap(one, other) for one, other in combinations(hunks, 2)),
            "protected": any(marker in line.text for marker in self.protected for line in removed),
            "self-reference": any(line.locked for line in removed),
            "unproven": claim is not None and any(amount is None or amount < 0 for amount in claim.values()),
            "not-freed": cost["freed"] - cost["rewrite"] - cost["measurement"] <= 0,
        }
        return {reason for reason, held in holds.items() if held}

    def apply(self, hunks: Sequence[Span]) -> dict[str, int]:
        """The cost of an acceptable patch, which takes effect."""
        cost = self.cost(hunks)
        # Backwards, and of two hunks at one point the later first: so each lands where the base has it.
        order = sorted(range(len(hunks)), key=lambda n: (hunks[n][0], hunks[n][1], n), reverse=True)
        for start, end, insert in (hunks[n] for n in order):
            self.lines[start:end] = [Line(text) for text in insert]
        self.rewrite = self.measurement = 0
        return cost


def overlap(one: Span, other: Span) -> bool:
    """Two ranges share a line, or an insertion stands strictly inside a range."""
    (a, b, _), (c, d, _) = one, other
    if a == b:
        return c < a < d
    if c == d:
        return a < c < b
    return a < d and c < b
