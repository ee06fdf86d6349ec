"""Faulty engines whose content lives elsewhere: in a database, or on another thread's event loop."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import tempfile
import threading
from collections.abc import Coroutine, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from basebound.model import Config, Patch, Receipt, Snapshot
from basebound_catalogue.mutants.atomic.content import (
    CLAIMS,
    State,
    appended,
    check_base,
    cost_of,
    first,
    patched,
    receipt_of,
    snapshot_of,
)
from basebound_catalogue.mutants.atomic.tasks import Awaiting, CheckAwaitCommit
from basebound_catalogue.plain import Shelf

shelf = Shelf()
fault = shelf.fault

T = TypeVar("T")


class Database:
    """One row in a file, and a connection for each thread. ``close`` removes the file."""

    def __init__(self, state: State) -> None:
        self.folder = tempfile.TemporaryDirectory(prefix="basebound-", ignore_cleanup_errors=True)
        self.path = Path(self.folder.name) / "buffer.db"
        self.own = threading.local()
        self.connections: list[sqlite3.Connection] = []
        connection = self.connection()
        connection.execute("pragma journal_mode = wal")
        connection.execute("create table buffer (lines text, base text, revision integer)")
        connection.execute("insert into buffer values (?, ?, ?)", self.row(state))

    def connection(self) -> sqlite3.Connection:
        if not hasattr(self.own, "connection"):
            self.own.connection = sqlite3.connect(self.path, isolation_level=None, timeout=30, check_same_thread=False)
            self.own.connection.execute("pragma synchronous = off")
            self.connections.append(self.own.connection)
        return self.own.connection  # type: ignore[no-any-return]

    def row(self, state: State) -> tuple[str, str, int]:
        return json.dumps(state.lines), state.base, state.revision

    def read(self) -> State:
        lines, base, revision = self.connection().execute("select lines, base, revision from buffer").fetchone()
        return State(tuple(json.loads(lines)), base, revision)

    def write(self, state: State) -> None:
        self.connection().execute("update buffer set lines = ?, base = ?, revision = ?", self.row(state))

    def close(self) -> None:
        for connection in self.connections:
            connection.close()
        self.folder.cleanup()


class SqliteImmediate:
    """A database transaction that takes the write lock at its beginning: correct."""

    profiles = CLAIMS

    def __init__(self, config: Config) -> None:
        self.count_tokens = config.count_tokens
        self.database = Database(first(config))

    @contextmanager
    def transaction(self) -> Iterator[State]:
        connection = self.database.connection()
        connection.execute("begin immediate")
        try:
            yield self.database.read()
        except BaseException:
            connection.execute("rollback")
            raise
        connection.execute("commit")

    def snapshot(self) -> Snapshot:
        return snapshot_of(self.database.read())

    def append(self, lines: Sequence[str]) -> None:
        with self.transaction() as state:
            self.database.write(appended(state, lines))

    def apply(self, patch: Patch) -> Receipt:
        with self.transaction() as state:
            check_base(patch, state.base)
            cost = cost_of(patch, self.count_tokens)
            changed = patched(state, patch)
            self.database.write(changed)
        return receipt_of(changed, cost)

    def close(self) -> None:
        self.database.close()


@fault(
    "atomic-sqlite-no-transaction",
    "ATOMIC-CHECK-COMMIT",
    "incident 32",
    "A database row is selected, changed and updated, each by itself.",
)
class SqliteNoTransaction(SqliteImmediate):
    @contextmanager
    def transaction(self) -> Iterator[State]:
        yield self.database.read()


class BackgroundLoop:
    """An event loop on a thread of its own, to be used from plain code."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()

    def run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result()

    def close(self) -> None:
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(1)
        if not self.thread.is_alive():
            self.loop.close()


class Facade:
    """Plain methods over a background loop, on which an engine for tasks runs: correct if that engine is."""

    profiles = CLAIMS
    inside: type[Awaiting] = Awaiting

    def __init__(self, config: Config) -> None:
        self.background = BackgroundLoop()
        self.inner = self.background.run(self.build(config))

    async def build(self, config: Config) -> Awaiting:
        return self.inside(config)

    def snapshot(self) -> Snapshot:
        return self.background.run(self.inner.snapshot())

    def append(self, lines: Sequence[str]) -> None:
        self.background.run(self.inner.append(tuple(lines)))

    def apply(self, patch: Patch) -> Receipt:
        return self.background.run(self.inner.apply(patch))

    def close(self) -> None:
        self.background.close()


@fault(
    "atomic-facade-await",
    "ATOMIC-CHECK-COMMIT",
    "malice",
    "Plain methods over a background loop, whose patches await between check and commit.",
)
class FacadeAwait(Facade):
    inside = CheckAwaitCommit
