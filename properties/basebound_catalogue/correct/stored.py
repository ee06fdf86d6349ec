"""An engine whose content and books are rows of a database."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from basebound.model import Config, Patch, Receipt, Snapshot
from basebound_catalogue.correct.rules import (
    address,
    fresh,
    known_kind,
    not_own,
    ordered,
    place,
    proven,
    removed,
    settled,
    spliced,
    unprotected,
)

_SCHEMA = """
CREATE TABLE line (id INTEGER PRIMARY KEY, place INTEGER, text TEXT, turn INTEGER, kind TEXT, unpaid INTEGER DEFAULT 0);
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
        self._place([self._add(text) for text in config.lines])

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

    def _add(self, text: str, kind: str | None = None, unpaid: int = 0) -> int:
        """A new line without a place; gives its id."""
        turn = "SELECT ?, CASE WHEN ? IS NULL THEN 0 ELSE turn END, ?, ? FROM live"
        self._db.execute(f"INSERT INTO line (text, turn, kind, unpaid) {turn}", (text, kind, kind, unpaid))
        return self._one("SELECT last_insert_rowid()")

    def _ids(self) -> list[int]:
        return [line for (line,) in self._db.execute("SELECT id FROM line ORDER BY place")]

    def _place(self, ids: Sequence[int]) -> None:
        self._db.executemany("UPDATE line SET place = ? WHERE id = ?", enumerate(ids))

    def _shown(self) -> Snapshot:
        lines = tuple(text for (text,) in self._db.execute("SELECT text FROM line ORDER BY place"))
        return Snapshot(lines, address(lines), self._one("SELECT revision FROM live"))

    def snapshot(self) -> Snapshot:
        with self._transaction():
            return self._shown()

    def _write(self, at: int | None, lines: Sequence[str], kind: str | None = None) -> None:
        with self._transaction():
            ids = self._ids()
            at = len(ids) if at is None else place(at, len(ids))
            ids[at:at] = [self._add(text, kind, self._meter(text) if kind else 0) for text in lines]
            self._place(ids)
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
            gone = removed(self._ids(), hunks)
            unprotected(removed(live.lines, hunks), self._markers)
            own = {line for (line,) in self._db.execute("SELECT id FROM line JOIN live USING (turn)")}
            not_own(line in own for line in gone)
            proven(patch.claim)
            owed = "SELECT SUM(unpaid) FROM line WHERE kind {} 'measurement'"
            rewrite = self._one(owed.format("<>")) + sum(self._meter(text) for hunk in hunks for text in hunk.insert)
            cost = settled(sum(map(self._meter, removed(live.lines, hunks))), rewrite, self._one(owed.format("=")))
            self._place(spliced(self._ids(), hunks, self._add))
            self._db.executemany("DELETE FROM line WHERE id = ?", ((line,) for line in gone))
            self._db.execute("UPDATE line SET unpaid = 0")
            self._db.execute("UPDATE live SET revision = revision + 1")
            after = self._shown()
            return Receipt(after.base, after.revision, cost)

    def close(self) -> None:
        self._db.close()
