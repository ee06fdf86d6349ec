"""The shell: one lock, and one assignment that publishes a new context. All judgement is in the pure core."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import dataclass
from typing import final

from basebound_reference.budget import EMISSION_KINDS, Claim, Cost, Meter, RewritePlan, commit_rewrite, measure, prove
from basebound_reference.context import Charge, Snapshot, arrived, started
from basebound_reference.rewrite import RewritePatch, verify


def utf8_bytes(text: str) -> int:
    """The default meter: the UTF-8 bytes of the line, plus 1 for the line itself."""
    return len(text.encode()) + 1


@dataclass(frozen=True)
class Receipt:
    """What a commit left, and what it was measured to free and cost."""

    base: str
    revision: int
    cost: Cost


@final
class ContextBuffer:
    """A context that tools write to and a language model may rewrite; safe for many threads.

    ``protected``: markers; a line that contains one may not be removed. ``count_tokens``: the meter; it
    is called before anything is changed, may raise, and must not call the buffer back from its own thread.
    """

    def __init__(
        self, lines: Iterable[str] = (), protected: Iterable[str] = (), count_tokens: Meter = utf8_bytes
    ) -> None:
        self._live = started(lines)
        self._protected = tuple(protected)
        self._count_tokens = count_tokens
        self._lock = threading.Lock()  # guards every read and every change of _live

    def snapshot(self) -> Snapshot:
        """What an author is shown: lines, base and revision of one instant, as a value."""
        with self._lock:
            live = self._live
        return live.snapshot()

    def append(self, lines: Iterable[str]) -> None:
        """A foreign write at the end."""
        new = arrived(lines)
        with self._lock:
            self._live = self._live.write(len(self._live.lines), new)

    def insert(self, at: int, lines: Iterable[str]) -> None:
        """A foreign write before line ``at``; ``IndexError`` outside ``0 <= at <= length``."""
        new = arrived(lines)
        with self._lock:
            self._live = self._live.write(at, new)

    def emit(self, kind: str, lines: Iterable[str]) -> None:
        """Tokens of the policy itself: appended, charged to this turn, and locked until it ends.

        ``kind``: ``rationale``, ``tool-call``, ``measurement`` or ``error``; another is a ``ValueError``.
        """
        if kind not in EMISSION_KINDS:
            raise ValueError(f"{kind!r} is not a kind of emission; the kinds are {', '.join(EMISSION_KINDS)}")
        new = arrived(lines)
        charge = Charge(kind, measure([line.text for line in new], self._count_tokens))
        with self._lock:
            self._live = self._live.emit(new, charge)

    def end_turn(self) -> None:
        """Drop what is unpaid and unlock the turn's artifacts; content, base and revision stay."""
        with self._lock:
            self._live = self._live.end_turn()

    def apply(self, patch: RewritePatch, claim: Claim | None = None) -> Receipt:
        """Commit the patch, or raise a ``RewriteRefused`` and change nothing.

        The check and the commit are one critical section: no write can come between them.
        """
        with self._lock:
            plan = RewritePlan(verify(self._live, patch, self._protected), claim)
            proven = prove(plan, self._count_tokens)
            rewritten = commit_rewrite(proven)
            self._live = rewritten
        return Receipt(rewritten.base, rewritten.revision, proven.cost)
