"""What is live at one instant: the lines, their base and revision, and the books of the open turn.

Every value here is immutable. A change is a new value; who publishes it, and when, is not decided here.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import final


@final
@dataclass(frozen=True, eq=False)
class Line:
    """One line of a buffer; its text may hold any character, line breaks included.

    ``eq=False`` makes the object itself the line's identity. It survives every change around it, and
    two lines of one text stay two lines: positions and texts can do neither.
    """

    text: str


@dataclass(frozen=True)
class Charge:
    """Tokens charged to a rewrite; ``kind``: ``insert`` or an emission's. ``None``: not attributed."""

    kind: str
    tokens: int | None


@dataclass(frozen=True)
class Snapshot:
    """What an author is shown: the texts, the base that identifies them, and the revision."""

    lines: tuple[str, ...]
    base: str
    revision: int


def frame(text: str) -> bytes:
    """The text in UTF-8 behind its length in bytes, so that a row of frames can be cut in one way only."""
    data = text.encode()
    return len(data).to_bytes(8, "big") + data


def digest(texts: Iterable[str]) -> str:
    """The base of a content: SHA-256 over its frames, in hexadecimal. Other content has another base.

    The base covers the content alone. When a content comes back its base comes back, and a patch
    authored on it is fresh again: it still says of every line what its author saw.
    """
    return hashlib.sha256(b"".join([frame(text) for text in texts])).hexdigest()


@dataclass(frozen=True)
class Context:
    """The live lines with their base and revision, and the turn's books.

    ``unpaid``: what was emitted in this turn and no commit has paid for. ``artifacts``: the lines
    emitted in this turn; no rewrite may remove them before the turn ends.
    """

    lines: tuple[Line, ...]
    base: str
    revision: int = 0
    unpaid: tuple[Charge, ...] = ()
    artifacts: frozenset[Line] = frozenset()

    def snapshot(self) -> Snapshot:
        return Snapshot(_texts(self.lines), self.base, self.revision)

    def become(self, lines: tuple[Line, ...]) -> Context:
        """Other lines under the same books. Content, base and revision change here and nowhere else."""
        return replace(self, lines=lines, base=digest(_texts(lines)), revision=self.revision + 1)

    def write(self, at: int, lines: tuple[Line, ...]) -> Context:
        """A foreign write before line ``at``; ``IndexError`` outside ``0 <= at <= len(lines)``."""
        if not 0 <= at <= len(self.lines):
            raise IndexError(f"cannot write before line {at} of {len(self.lines)}: choose 0 to {len(self.lines)}")
        return self.become(self.lines[:at] + lines + self.lines[at:]) if lines else self

    def emit(self, lines: tuple[Line, ...], charge: Charge) -> Context:
        """The policy's own tokens: they go to the end, are charged, and stay locked until the turn ends."""
        written = self.write(len(self.lines), lines)
        return replace(written, unpaid=(*self.unpaid, charge), artifacts=self.artifacts.union(lines))

    def end_turn(self) -> Context:
        """What is unpaid is dropped and the artifacts become ordinary lines; the content stays."""
        return replace(self, unpaid=(), artifacts=frozenset())


def started(texts: Iterable[str]) -> Context:
    """A context of these lines, at revision 0 and with empty books."""
    lines = arrived(texts)
    return Context(lines, digest(_texts(lines)))


def arrived(texts: Iterable[str]) -> tuple[Line, ...]:
    """New lines, copied from whatever iterable their writer holds."""
    return tuple([Line(text) for text in texts])


def _texts(lines: Iterable[Line]) -> tuple[str, ...]:
    return tuple([line.text for line in lines])
