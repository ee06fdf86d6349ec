"""Slices of a tuple at open places, while CrossHair looks.

An engine that reads ``lines[hunk.start : hunk.end]`` before it looks at the range asks for a slice at any place at all.
CrossHair would try the places one by one, without end. All that matters of a place is which lines it stands between,
and beyond either end it is as good as that end.

This module imports CrossHair; only a child process does that.
"""

from __future__ import annotations

import sys
from types import CodeType, FrameType
from typing import Any, Final

from basebound.lenses.proofs.crosshair.api import (
    BINARY_OP,
    SymbolicSliceInterceptor,
    SymbolicSubscriptInterceptor,
    frame_op_arg,
    frame_stack_read,
    frame_stack_write,
    register_opcode_patch,
)
from basebound.lenses.proofs.crosshair.copies import is_open

_SUBSCRIPT: Final = 26
"""The operand of ``BINARY_OP`` for a subscript, where a Python has that."""


def install() -> None:
    """Register with CrossHair; acts only inside an analysis of this process."""
    register_opcode_patch(_Subscripts())
    if sys.version_info >= (3, 12):
        register_opcode_patch(_Slices())


class _Subscripts(SymbolicSubscriptInterceptor):  # type: ignore[misc]  # CrossHair is not typed
    def trace_op(self, frame: FrameType, codeobj: CodeType, codenum: int) -> None:
        if codenum == BINARY_OP and frame_op_arg(frame) != _SUBSCRIPT:
            return
        key, container = frame_stack_read(frame, -1), frame_stack_read(frame, -2)
        if type(container) is tuple and type(key) is slice and is_open((key.start, key.stop)):
            frame_stack_write(frame, -2, _Tuple(container))


class _Slices(SymbolicSliceInterceptor):  # type: ignore[misc]  # CrossHair is not typed
    def trace_op(self, frame: FrameType, codeobj: CodeType, codenum: int) -> None:
        container = frame_stack_read(frame, -3)
        if type(container) is tuple and is_open((frame_stack_read(frame, -1), frame_stack_read(frame, -2))):
            frame_stack_write(frame, -3, _Tuple(container))


class _Tuple:
    """A tuple that is sliced once."""

    def __init__(self, items: tuple[Any, ...]) -> None:
        self.items = items

    def __getitem__(self, key: slice) -> tuple[Any, ...]:
        if key.step not in (None, 1):
            return self.items[key]
        size = len(self.items)
        start = 0 if key.start is None else _place(key.start, size)
        stop = size if key.stop is None else _place(key.stop, size)
        return self.items[start:stop]


def _place(at: Any, size: int) -> int:
    """Which of ``0`` to ``size`` the place ``at`` comes to; the solver is asked, and each answer is followed."""
    if at < 0:
        at = at + size
    if at <= 0:
        return 0
    for place in range(1, size):
        if at == place:
            return place
    return size
