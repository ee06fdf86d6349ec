"""Drives one engine through the steps of a trace and says what each call came to."""

from __future__ import annotations

import asyncio
import inspect
import os
import traceback
from collections.abc import Callable, Coroutine
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

from basebound.core.marks import BY_CALLER, BY_READER
from basebound.core.trace import Append, Apply, Emit, EndTurn, Expect, Gate, Insert, Read, Spoil, Step, Trace
from basebound.errors import WrongType
from basebound.model import Config, Cost, Patch, Reason, Receipt, Rejected, Snapshot
from basebound.results.outcome import Malformed, Outcome, Raised, Refused, Returned
from basebound.targets.functions import gate_answer
from basebound.targets.loading import Target

_PACKAGE = str(Path(__file__).parent.parent) + os.sep
_VIEWS_KEPT = 4


class Watch(Protocol):
    """Told of each run, step and call, so that somebody can notice a call that never ends and say what led to it."""

    def begin_run(self, start: Trace) -> None: ...
    def begin_step(self, step: Step) -> None: ...
    def begin(self, call: str) -> None: ...
    def end(self) -> None: ...


class Unwatched:
    """For a target that is trusted to come back."""

    def begin_run(self, start: Trace) -> None: ...
    def begin_step(self, step: Step) -> None: ...
    def begin(self, call: str) -> None: ...
    def end(self) -> None: ...


class Loop:
    """One event loop, made when it is first needed, for the engines of a process."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None

    def run(self, coroutine: Coroutine[Any, Any, Any]) -> Any:
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            self._loop.set_exception_handler(lambda loop, context: None)
        return self._loop.run_until_complete(coroutine)

    def drop_tasks(self) -> None:
        """Cancel what an engine left running; pending tasks are tolerated, but not into the next engine's life."""
        if self._loop is None:
            return
        for task in asyncio.all_tasks(self._loop):
            task.cancel()
        self._loop.run_until_complete(asyncio.sleep(0))


class Driver:
    """One engine in use. ``perform`` never raises for what the target does, only for what stops the process."""

    def __init__(self, target: Target, config: Config, loop: Loop, watch: Watch) -> None:
        self._loop = loop if target.asynchronous else None
        self._any_loop, self._watch = loop, watch
        self._views: list[tuple[Any, tuple[object, object, object]]] = []
        self._snapshots: dict[str, Snapshot] = {}
        self.engine = self._call("its factory", target.factory, config)

    def perform(self, step: Step) -> Outcome:
        """One step: the outcome is a checked copy, never an object the target keeps."""
        try:
            return self._checked(step)
        except Rejected as refusal:
            if isinstance(step, (Apply, Gate)):
                return _refused(refusal)
            return Raised("Rejected", f"{step.op} is not a patch and cannot be refused", _place(refusal))
        except WrongType as wrong:
            return Malformed(str(wrong))
        except (Exception, SystemExit, asyncio.CancelledError) as error:
            return Raised(type(error).__name__, _text(error), _place(error))

    def view_changed(self) -> str | None:
        """What a snapshot handed out earlier has turned into, if it has changed."""
        for raw, kept in self._views:
            try:
                now = (raw.lines, raw.base, raw.revision)
            except Exception as error:  # a view may raise anything once its engine has moved on
                return f"reading it raises {type(error).__name__}"
            if now[0] is not kept[0] and tuple(now[0]) != kept[0]:
                return f"its lines read {list(now[0])!r} instead of {list(kept[0])!r}"[:300]  # type: ignore[call-overload]
            if now[1:] != kept[1:]:
                return f"its base and revision read {now[1:]!r} instead of {kept[1:]!r}"[:300]
        return None

    def forget_views(self) -> None:
        self._views.clear()

    def close(self) -> None:
        """Tell the engine the suite is done with it; what it raises then is nobody's business."""
        close = getattr(self.engine, "close", None)
        if callable(close):
            with suppress(Exception):
                self._call("close", close)
        if self._loop is not None:
            self._loop.drop_tasks()

    def _checked(self, step: Step) -> Returned:
        engine = self.engine
        match step:
            case Read(name):
                snapshot = self._snapshot(self._call("snapshot", engine.snapshot))
                self._snapshots[name] = snapshot
                return Returned(snapshot)
            case Expect():
                return Returned(self._snapshot(self._call("snapshot", engine.snapshot)))
            case Append(lines):
                self._lend(list(lines), lambda given: self._call("append", engine.append, given))
            case Insert(at, lines):
                self._lend(list(lines), lambda given: self._call("insert", engine.insert, at, given))
            case Emit(kind, lines):
                self._lend(list(lines), lambda given: self._call("emit", engine.emit, kind, given))
            case EndTurn():
                self._call("end_turn", engine.end_turn)
            case Apply(base, hunks, claim):
                known = self._snapshots[base]
                rebuilt = Snapshot(known.lines, known.base, known.revision)
                receipt = _receipt(self._call("apply", engine.apply, Patch(rebuilt, hunks, claim)))
                return Returned(receipt, gate_answer(engine))
            case Gate():
                self._call("gate", engine.gate, step)
                return Returned(remark=gate_answer(engine))
            case Spoil():
                pass
        return Returned()

    def _lend(self, given: list[str], call: Callable[[list[str]], object]) -> None:
        """Pass a list, and change it afterwards as its owner may."""
        call(given)
        given[:] = [BY_CALLER] * len(given)

    def _snapshot(self, raw: Any) -> Snapshot:
        snapshot = _copied(raw)
        if isinstance(raw.lines, list):
            raw.lines.append(BY_READER)
        else:
            self._views.append((raw, (snapshot.lines, snapshot.base, snapshot.revision)))
            del self._views[:-_VIEWS_KEPT]
        return snapshot

    def _call(self, name: str, method: Callable[..., Any], *arguments: object) -> Any:
        self._watch.begin(name)
        try:
            if self._loop is not None:
                return self._loop.run(_awaited(method, arguments))
            result = method(*arguments)
            if inspect.isawaitable(result):
                return self._any_loop.run(_finished(result))
            return result
        finally:
            self._watch.end()


async def _awaited(method: Callable[..., Any], arguments: tuple[object, ...]) -> Any:
    result = method(*arguments)
    return await result if inspect.isawaitable(result) else result


async def _finished(result: Any) -> Any:
    return await result


def _copied(raw: Any) -> Snapshot:
    for name in ("lines", "base", "revision"):
        if not hasattr(raw, name):
            raise WrongType(f"snapshot returned {_kind(raw)}, which has no {name}; return a basebound.Snapshot")
    lines, base, revision = raw.lines, raw.base, raw.revision
    if not isinstance(lines, (tuple, list)) or not all(isinstance(line, str) for line in lines):
        raise WrongType(f"snapshot.lines is {_kind(lines)}, not a tuple of str")
    if not isinstance(base, str):
        raise WrongType(f"snapshot.base is {_kind(base)}, not a str")
    if not isinstance(revision, int) or isinstance(revision, bool):
        raise WrongType(f"snapshot.revision is {_kind(revision)}, not an int")
    return Snapshot(tuple(lines), base, revision)


def _receipt(raw: Any) -> Receipt:
    base, revision = getattr(raw, "base", None), getattr(raw, "revision", None)
    if not isinstance(base, str) or not isinstance(revision, int) or isinstance(revision, bool):
        raise WrongType(f"apply returned {_kind(raw)}, not a basebound.Receipt with a base (str) and a revision (int)")
    return Receipt(base, revision, _cost(getattr(raw, "cost", None)))


def _cost(raw: Any) -> Cost | None:
    if raw is None:
        return None
    amounts: list[Any] = [getattr(raw, name, "missing") for name in ("freed", "rewrite", "measurement")]
    if any(amount is not None and (not isinstance(amount, int) or isinstance(amount, bool)) for amount in amounts):
        raise WrongType(f"the receipt's cost is {_kind(raw)}, not a basebound.Cost of whole numbers")
    return Cost(*amounts)


def _kind(value: object) -> str:
    text = repr(value)
    return f"{type(value).__name__} {text if len(text) <= 80 else text[:77] + '...'}"


def _refused(refusal: Rejected) -> Outcome:
    try:
        reason = Reason(refusal.reason)
    except (ValueError, AttributeError):
        return Malformed(
            f"Rejected with the reason {getattr(refusal, 'reason', None)!r}, which is not one of the contract's"
        )
    return Refused(reason, str(getattr(refusal, "message", "")) or _text(refusal))


def _text(error: BaseException) -> str:
    try:
        return str(error)[:500]
    except Exception:  # an exception whose own text fails is still reported by its type
        return ""


def _place(error: BaseException) -> str:
    """The innermost line of the target's own code, as ``file:line``."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if not f.filename.startswith(_PACKAGE)]
    return f"{os.path.basename(frames[-1].filename)}:{frames[-1].lineno}" if frames else ""
