"""An engine whose content and books are rows of a database."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from basebound.faults.correct.rules import (
    address,
    fresh,
    known_kind,
    not_own,
    ordered,
    place,
    proven,
    settled,
    unprotected,
)
from basebound.model import Config, Patch, Receipt, Snapshot

_SCHEMA = """
CREATE TABLE line (place INTEGER, text TEXT, turn INTEGER, kind TEXT, unpaid INTEGER DEFAULT 0);
CREATE TABLE live (revision INTEGER, turn INTEGER);
INSERT INTO live VALUES (0, 1);
"""


class Sqlite:
    """A table of lines in memory; a write or a patch is one transaction, and sums are made in SQL."""

    profiles = frozenset({"base", "protected", "budget", "atomic"})

    def __init__(self, config: Config) -> None:
        self._markers, self._meter = config.protected, config.count_tokens
        self._lock = threading.Lock()
        self._db = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        self._db.executescript(_SCHEMA)
        self._put(0, config.lines)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with self._lock:
            self._db.execute("BEGIN")
            try:
                yield
            except BaseException:
                self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")

    def _one(self, query: str, *values: object) -> int:
        return int(self._db.execute(query, values).fetchone()[0] or 0)

    def _length(self) -> int:
        return self._one("SELECT COUNT(*) FROM line")

    def _put(self, at: int, lines: Sequence[str], kind: str | None = None, unpaid: Sequence[int] = ()) -> None:
        self._db.execute("UPDATE line SET place = place + ? WHERE place >= ?", (len(lines), at))
        for offset, text in enumerate(lines):
            self._db.execute(
                "INSERT INTO line SELECT ?, ?, CASE WHEN ? IS NULL THEN 0 ELSE turn END, ?, ? FROM live",
                (at + offset, text, kind, kind, unpaid[offset] if unpaid else 0),
            )

    def _shown(self) -> Snapshot:
        lines = tuple(text for (text,) in self._db.execute("SELECT text FROM line ORDER BY place"))
        return Snapshot(lines, address(lines), self._one("SELECT revision FROM live"))

    def snapshot(self) -> Snapshot:
        with self._transaction():
            return self._shown()

    def _write(self, at: int | None, lines: Sequence[str], kind: str | None = None) -> None:
        with self._transaction():
            sizes = [self._meter(text) for text in lines] if kind else ()
            self._put(self._length() if at is None else place(at, self._length()), lines, kind, sizes)
            self._db.execute("UPDATE live SET revision = revision + ?", (len(lines),))

    def append(self, lines: Sequence[str]) -> None:
        self._write(None, tuple(lines))

    def insert(self, at: int, lines: Sequence[str]) -> None:
        self._write(at, tuple(lines))

    def emit(self, kind: str, lines: Sequence[str]) -> None:
        self._write(None, tuple(lines), known_kind(kind))

    def end_turn(self) -> None:
        with self._transaction():
            self._db.execute("UPDATE live SET turn = turn + 1")
            self._db.execute("UPDATE line SET unpaid = 0")

    def apply(self, patch: Patch) -> Receipt:
        with self._transaction():
            live = self._shown()
            fresh(patch, live)
            hunks = ordered(patch.hunks, len(live.lines))
            for hunk in hunks:
                unprotected(live.lines[hunk.start : hunk.end], self._markers)
                own = "SELECT COUNT(*) FROM line, live WHERE line.turn = live.turn AND place >= ? AND place < ?"
                not_own([self._one(own, hunk.start, hunk.end)])
            proven(patch.claim)
            owed = "SELECT SUM(unpaid) FROM line WHERE kind {} 'measurement'"
            rewrite = self._one(owed.format("<>")) + sum(self._meter(text) for hunk in hunks for text in hunk.insert)
            freed = sum(self._meter(text) for hunk in hunks for text in live.lines[hunk.start : hunk.end])
            cost = settled(freed, rewrite, self._one(owed.format("=")))
            for hunk in reversed(hunks):
                self._db.execute("DELETE FROM line WHERE place >= ? AND place < ?", (hunk.start, hunk.end))
                self._db.execute(
                    "UPDATE line SET place = place - ? WHERE place >= ?", (hunk.end - hunk.start, hunk.end)
                )
                self._put(hunk.start, hunk.insert)
            self._db.execute("UPDATE line SET unpaid = 0")
            self._db.execute("UPDATE live SET revision = revision + 1")
            after = self._shown()
            return Receipt(after.base, after.revision, cost)

    def close(self) -> None:
        self._db.close()
