"""Workers for one target: they are started, given work, listened to, and replaced when the target ends them."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, Pipe, wait
from pathlib import Path
from typing import Any

from basebound.core.trace import Trace
from basebound.errors import SuiteError, TargetError
from basebound.run.journal import read_journal
from basebound.run.messages import (
    Alive,
    Counterexample,
    Described,
    Event,
    Explained,
    Finished,
    Found,
    Hunt,
    Hunted,
    Replay,
    Replayed,
    Stuck,
    SuiteFailure,
    Unusable,
)
from basebound.run.units import Unit

Order = Unit | Found | Counterexample | Replay | Hunt
_KEPT_OUTPUT = 4096
_GRACE = 5.0
FLOOD = 64 * 1024 * 1024
"""Bytes one worker's target may print before it is stopped."""


@dataclass(frozen=True)
class Died:
    """The target ended, hung or flooded its process; ``said`` tells which, ``trace`` what led to it."""

    order: Order
    said: str
    trace: Trace | None
    printed: str


@dataclass
class _Worker:
    process: subprocess.Popen[bytes]
    connection: Connection
    journal: Path
    order: Order | None = None
    heard: float = field(default_factory=time.monotonic)
    ready: bool = False
    printed: bytes = b""
    bytes_printed: int = 0


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
        live = [(worker.bytes_printed, worker.printed.decode("utf-8", "replace")) for worker in self._workers]
        every = [*self._printed, *live]
        return sum(size for size, _ in every), next((text for size, text in every if size), "")

    def describe(self) -> Described:
        """Start the first worker and wait for what the target says of itself; raises ``TargetError``."""
        worker = self._start()
        while self._described is None:
            event = self._next_event([worker])
            if isinstance(event, Died):
                raise self._unusable(worker, event)
            if isinstance(event, Unusable):
                self._end(worker)
                raise TargetError(event.stage, event.what, event.fix)
        return self._described

    def _unusable(self, worker: _Worker, died: Died) -> TargetError:
        said = died.said.replace("the call of ", "")
        printed = f"; its last output: {died.printed[-300:]!r}" if died.printed else ""
        fix = "the import and the factory must return; allow them more time with --timeout SECONDS if they are slow"
        return TargetError("build", f"{self._target} cannot be loaded: {said}{printed}", fix)

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
        ours, theirs = Pipe()
        self._number += 1
        journal = Path(self._folder.name) / f"journal-{self._number}"
        descriptor = theirs.fileno()
        command = [
            sys.executable,
            "-m",
            "basebound.run.worker",
            str(descriptor),
            str(journal),
            str(self._seconds),
            self._target,
        ]
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            pass_fds=[descriptor],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "PYTHONUNBUFFERED": "1"},
            start_new_session=True,
        )
        theirs.close()
        worker = _Worker(process, ours, journal)
        threading.Thread(target=self._drain, args=(worker,), daemon=True).start()
        self._workers.append(worker)
        return worker

    def _drain(self, worker: _Worker) -> None:
        assert worker.process.stdout is not None
        while chunk := worker.process.stdout.read1(65536):  # type: ignore[attr-defined]
            worker.bytes_printed += len(chunk)
            worker.printed = (worker.printed + chunk)[-_KEPT_OUTPUT:]

    def _next_event(self, workers: list[_Worker]) -> Event | Died | None:
        """The next event of any worker; None when there was none for a moment."""
        ready = wait([worker.connection for worker in workers], timeout=0.1)
        for worker in list(workers):
            if worker.connection in ready:
                event = self._receive(worker)
                if event is not None:
                    return event
            elif worker.bytes_printed > FLOOD:
                return self._died(worker, f"it printed {worker.bytes_printed >> 20} MiB: a flood")
            elif time.monotonic() - worker.heard > self._seconds + _GRACE:
                said = f"it did not come back within {self._seconds:g} s, and let no other thread run"
                return self._died(worker, said)
        return None

    def _receive(self, worker: _Worker) -> Event | Died | None:
        try:
            event: Any = worker.connection.recv()
        except (EOFError, OSError):
            return self._died(worker, "")
        worker.heard = time.monotonic()
        match event:
            case Alive():
                return None
            case Unusable(stage, what, fix) if worker.ready:
                raise TargetError(stage, what, fix)
            case SuiteFailure(text):
                raise SuiteError(text)
            case Described():
                worker.ready, self._described = True, event
                return None if worker.order else event
            case Stuck(call, trace):
                said = f"the call of {call} did not come back within {self._seconds:g} s"
                return self._died(worker, said, trace)
            case Finished() | Explained() | Replayed() | Hunted():
                worker.order = None
        kept: Event = event
        return kept

    def _died(self, worker: _Worker, said: str, trace: Trace | None = None) -> Died:
        self._end(worker)
        status = worker.process.returncode
        if not said:
            said = (
                f"it ended the process with signal {-status}"
                if status < 0
                else f"it ended the process, status {status}"
            )
        order = worker.order or Unit("load", "", "", 0)
        return Died(order, said, trace or read_journal(worker.journal), worker.printed.decode("utf-8", "replace"))

    def _end(self, worker: _Worker) -> None:
        if worker in self._workers:
            self._workers.remove(worker)
        worker.connection.close()
        with suppress(subprocess.TimeoutExpired):
            worker.process.wait(0.3 if worker.order is None else 0.05)
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(worker.process.pid, 9)
        worker.process.wait()
        self._printed.append((worker.bytes_printed, worker.printed.decode("utf-8", "replace")))
