"""Calls back at every line, or every instruction, of the code under test, in whatever thread it runs.

Python 3.11 has ``sys.settrace`` for this. From 3.12 ``sys.monitoring`` is used: it reaches threads that exist
already, leaves settrace to debuggers and coverage, and delivers every instruction (settrace on 3.13.0 misses those
of a function's first run).
"""

from __future__ import annotations

import functools
import inspect
import linecache
import sys
import sysconfig
import threading
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType, FunctionType, TracebackType
from typing import Any, Final, Literal, Protocol

Level = Literal["line", "opcode"]
Where = Callable[[CodeType], bool]
Listener = Callable[[FrameType], None]

_TOOL: Final = 4
_NAME: Final = "basebound.lenses.schedules"


class Tracer(Protocol):
    """Installed while it is a context; ``listener`` may be exchanged between runs.

    ``here`` begins, and ``gone`` ends, tracing in a thread that the suite made itself.
    """

    listener: Listener | None

    def __enter__(self) -> Tracer: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None: ...
    def here(self) -> None: ...
    def gone(self) -> None: ...


def tracer(level: Level, where: Where) -> Tracer:
    """What this Python has for it."""
    return Settrace(level, where) if sys.version_info < (3, 12) else Monitoring(level, where)


class Settrace:
    """Every thread made while it is installed is traced; so engines are built inside."""

    def __init__(self, level: Level, where: Where) -> None:
        self.level, self.where = level, where
        self.listener: Listener | None = None

    def __enter__(self) -> Settrace:
        threading.settrace(self._call)
        return self

    def __exit__(self, *raised: object) -> None:
        threading.settrace(None)  # type: ignore[arg-type,unused-ignore]

    def here(self) -> None:
        sys.settrace(self._call)

    def gone(self) -> None:
        sys.settrace(None)

    def _call(self, frame: FrameType, event: str, argument: Any) -> Any:
        if not self.where(frame.f_code):
            return None
        if self.level == "opcode":
            frame.f_trace_opcodes, frame.f_trace_lines = True, False
        return self._step

    def _step(self, frame: FrameType, event: str, argument: Any) -> Any:
        if event == self.level and self.listener is not None:
            self.listener(frame)
        return self._step


class Monitoring:
    """Installed once for many runs: setting the events anew for each was seen to lose some."""

    def __init__(self, level: Level, where: Where) -> None:
        self.level, self.where = level, where
        self.listener: Listener | None = None
        self._monitoring: Any = sys.monitoring  # type: ignore[attr-defined,unused-ignore]

    def __enter__(self) -> Monitoring:
        monitoring = self._monitoring
        monitoring.use_tool_id(_TOOL, _NAME)
        self._event = monitoring.events.LINE if self.level == "line" else monitoring.events.INSTRUCTION
        monitoring.register_callback(_TOOL, self._event, self._step)
        monitoring.restart_events()
        monitoring.set_events(_TOOL, self._event)
        return self

    def __exit__(self, *raised: object) -> None:
        monitoring = self._monitoring
        monitoring.set_events(_TOOL, 0)
        monitoring.register_callback(_TOOL, self._event, None)
        monitoring.free_tool_id(_TOOL)

    def here(self) -> None: ...

    def gone(self) -> None: ...

    def _step(self, code: CodeType, place: int) -> Any:
        if not self.where(code):
            return self._monitoring.DISABLE
        if self.listener is not None:
            self.listener(sys._getframe(1))
        return None


def code_of(factory: Any, engine: Any) -> Where:
    """The engine's own code: the modules of its classes, of what it is made of and of its factory, and their
    neighbours in a package; never the standard library.
    """
    makers = [functools.reduce(lambda made, _: getattr(made, "func", made), range(5), factory)]
    roots: set[str] = set()
    for thing in (*_classes(engine, depth=3), *makers):
        module = inspect.getmodule(thing)
        path = getattr(module, "__file__", None)
        if path is not None and not path.startswith(_STDLIB):
            roots.add(str(Path(path).parent) + "/" if getattr(module, "__package__", "") else path)
    known = tuple(roots)
    return functools.cache(lambda code: code.co_filename.startswith(known))


def place_of(frame: FrameType | None) -> str:
    """Where a thread or task is in the engine's code: the line it has come to, and that of the call it is part of."""
    frames: list[FrameType] = []
    while frame is not None and not frame.f_code.co_filename.startswith(_SCHEDULES):
        if not frame.f_code.co_filename.startswith(_STDLIB):
            frames.append(frame)
        frame = frame.f_back
    if len(frames) > 1:
        return f"{_told(frames[0])}, called by {_told(frames[-1])}"
    return _told(frames[0]) if frames else ""


def _told(frame: FrameType) -> str:
    line = frame.f_lineno or frame.f_code.co_firstlineno  # some instructions belong to no line
    source = linecache.getline(frame.f_code.co_filename, line).strip()
    return f"{frame.f_code.co_name}, line {line}" + (f" `{source}`" if source else "")


_STDLIB: Final = sysconfig.get_path("stdlib")
_SCHEDULES: Final = str(Path(__file__).parent)


def _classes(thing: Any, depth: int) -> set[type]:
    """The classes of an object and, some levels down, of the objects it holds."""
    found = set(type(thing).__mro__)
    if depth:
        for part in getattr(thing, "__dict__", {}).values():
            if not isinstance(part, (str, bytes, int, tuple, list, dict, type, FunctionType)):
                found |= _classes(part, depth - 1)
    return found
