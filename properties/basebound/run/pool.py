"""Workers for one target: they are started, given work, listened to, and replaced when the target ends them."""

from __future__ import annotations

import subprocess
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, Pipe, wait
from pathlib import Path
from typing import Any

from basebound.core.trace import Trace
from basebound.errors import SuiteError, TargetError, UsageError
from basebound.results.claims import Described
from basebound.results.unit import Finished, Unit
from basebound.run.journal import read_journal
from basebound.run.messages import (
    Alive,
    Event,
    Explained,
    Found,
    Hunt,
    Hunted,
    Replay,
    Replayed,
    Stuck,
    SuiteFailure,
    Unusable,
)
from basebound.targets.process import Child, Ending, How, ours, python
from basebound.targets.process.environment import BOUND

Order = Unit | Found | Replay | Hunt
_GRACE = 5.0


@dataclass(frozen=True)
class Died:
    """The target ended, hung or flooded its process; ``trace`` is what led to it."""

    order: Order
    ending: Ending
    trace: Trace | None
    printed: str

    @property
    def said(self) -> str:
        return self.ending.by_target


@dataclass
class _Worker:
    child: Child
    connection: Connection
    journal: Path
    order: Order | None = None
    heard: float = field(default_factory=time.monotonic)
    ready: bool = False


class Pool:
    """Runs orders on up to ``jobs`` workers. ``seconds`` bounds each call of the target.

    A worker is a context of its own: what the target prints, breaks or exits stays there.
    """

    def __init__(self, target: str, jobs: int, seconds: float) -> None:
        self._target, self._jobs, self._seconds = target, jobs, seconds
        self._folder = tempfile.TemporaryDirectory(prefix="basebound-")
        self._workers: list[_Worker] = []
        self._described: Described | None = None
        self._number = 0
        self._printed: list[tuple[int, str]] = []

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in list(self._workers):
            self._end(worker)
        self._folder.cleanup()

    def printed(self) -> tuple[int, str]:
        """How many bytes the target has printed so far, and the end of what one worker printed."""
        every = [*self._printed, *((worker.child.printed.size, worker.child.printed.text) for worker in self._workers)]
        return sum(size for size, _ in every), next((text for size, text in every if size), "")

    def describe(self) -> Described:
        """Start the first worker and wait for what the target says of itself; raises ``TargetError``."""
        worker = self._start()
        while self._described is None:
            event = self._next_event([worker])
            if isinstance(event, Died):
                raise self._unusable(event)
            if isinstance(event, Unusable):
                self._end(worker)
                raise TargetError(event.code, event.what, event.fix)
        return self._described

    def _unusable(self, died: Died) -> TargetError:
        printed = f"; its last output: {died.printed[-300:]!r}" if died.printed else ""
        fix = "the import and the factory must return; allow them more time with --timeout SECONDS if they are slow"
        return TargetError("load-unfinished", f"{self._target} cannot be loaded: {died.said}{printed}", fix)

    def run(self, orders: Iterable[Order], hear: Callable[[Event | Died], bool]) -> None:
        """Carry out all orders; ``hear`` gets each event and may return True to give up the rest."""
        waiting = deque(orders)
        while waiting or any(worker.order for worker in self._workers):
            self._hand_out(waiting)
            event = self._next_event(self._workers)
            if event is not None and hear(event):
                waiting.clear()

    def _hand_out(self, waiting: deque[Order]) -> None:
        for worker in self._workers:
            if waiting and worker.ready and worker.order is None:
                self._give(worker, waiting.popleft())
        starting = sum(not worker.ready for worker in self._workers)
        while len(self._workers) < self._jobs and starting < len(waiting):
            self._start()
            starting += 1

    def _give(self, worker: _Worker, order: Order) -> None:
        worker.order, worker.heard = order, time.monotonic()
        with suppress(OSError):
            worker.connection.send(order)

    def _start(self) -> _Worker:
        connection, theirs = Pipe()
        self._number += 1
        journal = Path(self._folder.name) / f"journal-{self._number}"
        child = Child(
            python("basebound.run.worker", str(theirs.fileno()), str(journal), str(self._seconds), self._target),
            ours(**{BOUND: str(self._seconds), "PYTHONUNBUFFERED": "1"}),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            descriptors=[theirs.fileno()],
        )
        theirs.close()
        child.listen()
        worker = _Worker(child, connection, journal)
        self._workers.append(worker)
        return worker

    def _next_event(self, workers: list[_Worker]) -> Event | Died | None:
        """The next event of any worker; None when there was none for a moment."""
        ready = wait([worker.connection for worker in workers], timeout=0.1)
        for worker in list(workers):
            if worker.connection in ready:
                event = self._receive(worker)
                if event is not None:
                    return event
            elif worker.child.flooded:
                return self._died(worker, Ending(How.FLOODED, size=worker.child.printed.size))
            elif time.monotonic() - worker.heard > self._seconds + _GRACE:
                return self._died(worker, Ending(How.HELD, seconds=self._seconds))
        return None

    def _receive(self, worker: _Worker) -> Event | Died | None:
        try:
            event: Any = worker.connection.recv()
        except (EOFError, OSError):
            return self._died(worker, None)
        worker.heard = time.monotonic()
        match event:
            case Alive():
                return None
            case Unusable(code, what, fix) if worker.ready:
                raise UsageError(code, what, fix)
            case SuiteFailure(text):
                raise SuiteError(text)
            case Described():
                worker.ready, self._described = True, event
                return None if worker.order else event
            case Stuck(call, trace):
                return self._died(worker, Ending.hung(self._seconds, call), trace)
            case Finished() | Explained() | Replayed() | Hunted():
                worker.order = None
        kept: Event = event
        return kept

    def _died(self, worker: _Worker, seen: Ending | None, trace: Trace | None = None) -> Died:
        """``seen`` is None where the worker has ended by itself, and its status says how."""
        ended = self._end(worker)
        order = worker.order or Unit("load", "", "", 0)
        return Died(order, seen or ended, trace or read_journal(worker.journal), worker.child.printed.text)

    def _end(self, worker: _Worker) -> Ending:
        if worker in self._workers:
            self._workers.remove(worker)
        worker.connection.close()
        ending = worker.child.end(0.3 if worker.order is None else 0.05)
        self._printed.append((worker.child.printed.size, worker.child.printed.text))
        return ending
