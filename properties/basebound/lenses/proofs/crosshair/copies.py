"""Copies of values whose text is written later than it was asked for: what changes meanwhile does not reach them.

This module imports CrossHair; only a child process does that.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from enum import Enum
from typing import Any, Final, TypeAlias

from basebound.lenses.proofs.crosshair.api import CrossHairValue, python_type

Leaf: TypeAlias = Callable[[Any], Any]
_SAMPLES: Final[dict[type, Any]] = {int: 0, bool: False, str: ""}
_WRITES_RECORDS: Final = ("collections", "dataclasses", "reprlib")
"""The modules whose functions are the ``__repr__`` of named tuples and of dataclasses that have none of their own."""


class NotCopied(Exception):
    """The value holds something that may change, or that has a text of its own making."""


def is_open(value: Any) -> bool:
    """Whether anything in ``value`` is open. Called without tracing."""
    if isinstance(value, CrossHairValue):
        return True
    if type(value) in (list, tuple, set, frozenset):
        return any(map(is_open, value))
    if type(value) is dict:
        return any(map(is_open, value.values()))
    return any(is_open(getattr(value, name, None)) for name in _fields(type(value)))


def copied(value: Any) -> Any:
    """``value``, with its containers and records copied; raises :class:`NotCopied`. Called without tracing."""
    return _rebuilt(value, lambda leaf: leaf)


def sample(value: Any) -> Any:
    """The like of ``value`` with nothing open and the shortest of texts, as :func:`copied`."""
    return _rebuilt(value, lambda leaf: _SAMPLES[python_type(leaf)] if isinstance(leaf, CrossHairValue) else leaf)


def _rebuilt(value: Any, leaf: Leaf) -> Any:
    kind = type(value)
    if kind in (list, tuple, set, frozenset):
        return kind([_rebuilt(item, leaf) for item in value])
    if kind is dict:
        return {key: _rebuilt(item, leaf) for key, item in value.items()}
    if _fields(kind):
        return _record(value, leaf)
    if python_type(value) in _SAMPLES or value is None or isinstance(value, bytes | float | Enum):
        return leaf(value)
    raise NotCopied


def _record(value: Any, leaf: Leaf) -> Any:
    kind, fields = type(value), {name: _rebuilt(getattr(value, name), leaf) for name in _fields(type(value))}
    if isinstance(value, tuple):
        return tuple.__new__(kind, fields.values())
    made = object.__new__(kind)
    for name, item in fields.items():
        object.__setattr__(made, name, item)
    return made


def _fields(kind: Any) -> tuple[str, ...]:
    """The fields that the generated text of a named tuple or dataclass shows; none for anything else."""
    writer = getattr(getattr(kind, "__repr__", None), "__globals__", {})
    if writer.get("__name__") not in _WRITES_RECORDS or kind.__str__ is not object.__str__:
        return ()
    if dataclasses.is_dataclass(kind):
        return tuple(field.name for field in dataclasses.fields(kind) if field.repr)
    return tuple(getattr(kind, "_fields", ()))
