"""The child process that holds the target: ``python -m basebound.run.worker``.

It is given a connection, a journal and a bound. Everything the target prints goes to the worker's own
standard output, which the parent drains; events go over the connection.
"""

from __future__ import annotations

import os
import sys
import threading
import time
import traceback
import warnings
from multiprocessing.connection import Connection
from typing import Any

from basebound.core.trace import Step, Trace
from basebound.errors import UsageError
from basebound.lenses.efforts import AMOUNTS
from basebound.results.counterexample import Counterexample
from basebound.results.unit import Unit
from basebound.run.deaths import reduce_death
from basebound.run.explain import counterexamples
from basebound.run.hunting import hunt
from basebound.run.journal import Journal
from basebound.run.messages import Alive, Explained, Found, Hunt, Replay, Stuck, SuiteFailure, Unusable
from basebound.run.replay import replay
from basebound.run.work import Work, described
from basebound.targets import loading

_BEAT = 0.25
_PARENT_GONE = 0
_STUCK_EXIT = 3


class Guard:
    """Watches the calls of the target from a thread, and ends the process when one takes too long."""

    def __init__(self, journal: Journal, seconds: float, connection: Connection) -> None:
        self._journal, self._seconds, self._connection = journal, seconds, connection
        self._lock = threading.Lock()
        self._call, self._since = "", 0.0
        self._start, self._steps = Trace(), list[Step]()

    def begin_run(self, start: Trace) -> None:
        self._start, self._steps = start, []
        self._journal.begin_run(start)

    def begin_step(self, step: Step) -> None:
        self._steps.append(step)
        self._journal.begin_step(step)

    def begin(self, call: str) -> None:
        self._call, self._since = call, time.monotonic()

    def end(self) -> None:
        self._since = 0.0

    def tell(self, event: object) -> None:
        with self._lock:
            self._connection.send(event)

    def watch(self) -> None:
        """Runs in a thread of its own for the life of the process."""
        while True:
            time.sleep(_BEAT)
            since = self._since
            if since and time.monotonic() - since > self._seconds:
                start = self._start
                trace = Trace(start.lines, start.protected, start.meter, tuple(self._steps))
                self.tell(Stuck(self._call, trace))
                os._exit(_STUCK_EXIT)
            try:
                self.tell(Alive())
            except OSError:
                os._exit(_PARENT_GONE)


def main(descriptor: int, journal_path: str, seconds: float, name: str) -> None:
    warnings.simplefilter("ignore")
    connection = Connection(descriptor)
    with open(journal_path, "wb", buffering=0) as file:
        guard = Guard(Journal(file), seconds, connection)
        threading.Thread(target=guard.watch, daemon=True).start()
        target = _load(guard, name)
        if target is not None:
            _serve(guard, connection, target)
    sys.stdout.flush()
    os._exit(0)


def _load(guard: Guard, name: str) -> loading.Target | None:
    guard.begin("")
    try:
        target = loading.load(name)
    except UsageError as error:
        guard.tell(Unusable(error.code, error.what, error.fix))
        return None
    finally:
        guard.end()
    guard.tell(described(target))
    return target


def _serve(guard: Guard, connection: Connection, target: loading.Target) -> None:
    work = Work(target, guard, guard.tell)
    while True:
        try:
            order: Any = connection.recv()
        except (EOFError, OSError):
            return
        try:
            _carry_out(order, work, guard)
        except UsageError as error:
            guard.tell(Unusable(error.code, error.what, error.fix))
        except Exception:  # what a target raises is caught where it is called: this is ours
            guard.tell(SuiteFailure(traceback.format_exc()))
            return


def _carry_out(order: Any, work: Work, guard: Guard) -> None:
    if isinstance(order, Unit):
        work.do(order)
    elif isinstance(order, Found):
        guard.tell(Explained(_explained(order, work)))
    elif isinstance(order, Hunt):
        guard.tell(hunt(order, guard))
    elif isinstance(order, Replay):
        guard.tell(replay(work.context, order.trace))


def _explained(order: Found, work: Work) -> tuple[Counterexample, ...]:
    if order.fatal:
        return reduce_death(work.context, order.counterexample)
    return counterexamples(work.context, order.counterexample, AMOUNTS[order.unit.effort].reduce)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], float(sys.argv[3]), sys.argv[4])
