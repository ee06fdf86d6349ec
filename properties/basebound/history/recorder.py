"""Records what happens to an engine in a running system, for ``basebound audit``.

Put it between the engine and its callers; every client goes through it::

    with Recorder(engine, Path("history.ndjson")) as buffer:
        serve(buffer)          # snapshot, append, insert, apply, emit and end_turn as before

An async engine's start must be read by whoever makes the recorder::

    recorder = Recorder(engine, path, start=await engine.snapshot())

A call costs two readings of the clock and one append to a queue, which any number of threads and tasks
may do at once. JSON is written by :meth:`Recorder.flush`, when the system has time for it.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import threading
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, TextIO

from basebound.core.trace import Append, Apply, Emit, EndTurn, Insert, Read, Step, Trace, header_row
from basebound.errors import UsageError
from basebound.history.operations import Operation
from basebound.history.rows import operation_row, witness_row
from basebound.model import Patch, Receipt, Rejected, Snapshot
from basebound.results.outcome import Malformed, Outcome, Raised, Refused, Returned

RECORDED = ("snapshot", "append", "insert", "apply", "emit", "end_turn")

_Arguments = tuple[Any, ...]


def task_name() -> str:
    task = asyncio.current_task()
    return threading.current_thread().name if task is None else task.get_name()


def thread_names() -> Callable[[], str]:
    """Names the running thread, and remembers the name for as long as the thread lives."""
    own = threading.local()

    def name() -> str:
        try:
            return own.name  # type: ignore[no-any-return]
        except AttributeError:
            own.name = threading.current_thread().name
            return own.name  # type: ignore[no-any-return]

    return name


# A call under way or done: who, what, its arguments, t0, t1 (None: no answer yet), its answer. A list, and not
# a class, because making one is most of what a recorder costs. Only its caller changes it, and t1 last.
_Call = list[Any]
_KIND, _T1, _ANSWER = 1, 4, 5
_NO_ANSWER = object()


class Recorder:
    """``engine`` with every call recorded to ``sink``, a path or an open text file; use it in place of the engine.

    ``client()`` names who calls; by default the running task for an async method, else the running thread. ``start``:
    what the engine holds before anybody uses the recorder. A plain engine is read for it; without it an async one
    raises ``UsageError``. All other attributes are the engine's. Many threads, or tasks of one loop, may use a
    recorder at once. As a context manager it ends with :meth:`finish`. ``basebound audit`` judges the file.
    """

    snapshot: Callable[[], Any]
    append: Callable[..., Any]
    apply: Callable[[Patch], Any]

    def __init__(
        self,
        engine: Any,
        sink: Path | str | TextIO,
        *,
        start: Snapshot | None = None,
        client: Callable[[], str] | None = None,
    ) -> None:
        self.engine = engine
        self._client = client
        self._calls: deque[_Call] = deque()
        self._unfinished: list[_Call] = []
        self._writing = threading.Lock()
        self._names: dict[Snapshot, str] = {}
        for kind in RECORDED:
            method = getattr(engine, kind, None)
            if method is not None:
                setattr(self, kind, self._recorded(kind, method))
        if start is None:
            if inspect.iscoroutinefunction(engine.snapshot):
                raise UsageError(
                    "recorder-no-start",
                    "a recorder cannot read an async engine before it is awaited",
                    "give it what the engine holds: Recorder(engine, sink, start=await engine.snapshot())",
                )
            start = engine.snapshot()
        self._opens = isinstance(sink, (Path, str))
        self._sink: TextIO = sink if not isinstance(sink, (Path, str)) else Path(sink).open("w", encoding="utf-8")  # noqa: SIM115
        self._write(header_row(Trace(tuple(start.lines))))
        self._witnessed(start)

    def __getattr__(self, name: str) -> Any:
        if name == "engine":
            raise AttributeError(name)
        return getattr(self.engine, name)

    def __enter__(self) -> Recorder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self.finish()

    def flush(self) -> None:
        """Write the calls that have ended. From any thread; calls go on meanwhile."""
        with self._writing:
            self._drain(last=False)

    def finish(self) -> None:
        """Write everything, calls that never ended as such, and close a file the recorder opened."""
        with self._writing:
            self._drain(last=True)
            if self._opens:
                self._sink.close()

    def _recorded(self, kind: str, method: Callable[..., Any]) -> Callable[..., Any]:
        add, clock = self._calls.append, time.monotonic_ns
        keep = _copied if kind in ("append", "insert", "emit") else _as_given

        if inspect.iscoroutinefunction(method):
            task = self._client or task_name

            async def recorded_async(*arguments: Any) -> Any:
                call = [task(), kind, keep(arguments), clock(), None, None]
                add(call)
                try:
                    answer = await method(*arguments)
                except BaseException as error:
                    call[_ANSWER] = _raised(error)
                    call[_T1] = clock()
                    raise
                call[_ANSWER] = answer
                call[_T1] = clock()
                return answer

            return recorded_async

        thread = self._client or thread_names()

        def recorded(*arguments: Any) -> Any:
            call = [thread(), kind, keep(arguments), clock(), None, None]
            add(call)
            try:
                answer = method(*arguments)
            except BaseException as error:
                call[_ANSWER] = _raised(error)
                call[_T1] = clock()
                raise
            call[_ANSWER] = answer
            call[_T1] = clock()
            return answer

        return recorded

    def _drain(self, last: bool) -> None:
        waiting = self._unfinished + [self._calls.popleft() for _ in range(len(self._calls))]
        self._unfinished = []
        for call in waiting:
            if call[_T1] is not None or last:
                self._write_call(call)
            else:
                self._unfinished.append(call)
        self._sink.flush()

    def _write_call(self, call: _Call) -> None:
        client, kind, arguments, t0, t1, _ = call
        outcome = _outcome(call)
        authored = None
        step: Step
        match kind:
            case "snapshot":
                seen = outcome.value if isinstance(outcome, Returned) else None
                step = Read(self._name(seen) if isinstance(seen, Snapshot) else "unanswered")
            case "apply":
                patch: Patch = arguments[0]
                authored = patch.base
                step = Apply(self._witnessed(authored), tuple(patch.hunks), patch.claim)
            case "append":
                step = Append(arguments[0])
            case "insert":
                step = Insert(arguments[0], arguments[1])
            case "emit":
                step = Emit(arguments[0], arguments[1])
            case _:
                step = EndTurn()
        self._write(operation_row(Operation(client, t0, t1, step, outcome, authored)))

    def _name(self, seen: Snapshot) -> str:
        """The name of a state that was read; patches authored on it are written with it."""
        key = Snapshot(tuple(seen.lines), seen.base, seen.revision)
        return self._names.setdefault(key, f"s{len(self._names)}")

    def _witnessed(self, base: Snapshot) -> str:
        """The name of the state a patch was authored on; one read before the recording is written as a witness."""
        known = len(self._names)
        name = self._name(base)
        if len(self._names) > known:
            self._write(witness_row(name, base))
        return name

    def _write(self, row: dict[str, Any]) -> None:
        self._sink.write(json.dumps(row, ensure_ascii=False) + "\n")


def _as_given(arguments: _Arguments) -> _Arguments:
    return arguments


def _copied(arguments: _Arguments) -> _Arguments:
    """The arguments as they are now: a caller may change its list after the call."""
    return (*arguments[:-1], tuple(arguments[-1]))


def _raised(error: BaseException) -> object:
    """What is kept of an exception; not the exception, whose frames would live until the next flush."""
    if isinstance(error, Rejected):
        return Refused(error.reason)
    if isinstance(error, Exception):
        return Raised(type(error).__name__, str(error))
    return _NO_ANSWER  # cancelled or interrupted: whether it took effect is not known


def _outcome(call: _Call) -> Outcome | None:
    answer = call[_ANSWER]
    if call[_T1] is None or answer is _NO_ANSWER:
        return None
    if isinstance(answer, (Refused, Raised)):
        return answer
    try:
        if call[_KIND] == "snapshot":
            return Returned(Snapshot(tuple(answer.lines), answer.base, answer.revision))
        if call[_KIND] == "apply":
            return Returned(Receipt(answer.base, answer.revision, getattr(answer, "cost", None)))
    except (AttributeError, TypeError):
        return Malformed(f"{call[_KIND]} returned {type(answer).__name__}")
    return Returned()
