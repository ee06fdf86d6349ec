"""Text that is written down only when somebody reads it, in an analysis.

An engine says in a message which hunk was wrong, and hashes ``json.dumps(lines)`` or ``repr(lines)``. To write an open
number or an open character into a text, CrossHair has to tell its cases apart, one by one, and no shape would
ever be exhausted. Nobody reads a message here, and whoever hashes a text only asks whether it is the same
as another. So the text is not made at once:

* two texts made by the same function, which gives different texts for different values (``repr`` of text, numbers,
  lists, tuples and dictionaries of them; ``json.dumps`` of the same with its usual separators), are equal if the
  values are;
* whoever asks anything else gets the exact text, made as CrossHair would have made it in the first place.

Nothing is assumed, and nothing is left out: it is the same text, later.

This module imports CrossHair; only a child process does that.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from basebound.lenses.proofs.crosshair.api import (
    NoTracing,
    OpenBytes,
    OpenText,
    ResumedTracing,
    byte_values,
    code_points,
    is_tracing,
    python_type,
    realize,
    text_of,
)

Maker: TypeAlias = Callable[[], Any]
_UTF8: Final = ("utf-8", "utf8", "utf_8")


class DeferredText(OpenText):
    """A text that ``make`` writes when it is first needed; ``nonempty`` is known before."""

    def __init__(self, make: Maker, nonempty: bool = False) -> None:
        self._make, self._nonempty = make, nonempty
        self._points: Any = None

    def code_points(self) -> Any:
        if self._points is None:
            with nullcontext() if is_tracing() else ResumedTracing():
                text = self._make()
            with NoTracing() if is_tracing() else nullcontext():
                self._points = code_points(text)
        return self._points

    def __bool__(self) -> bool:
        return self._nonempty or len(self) > 0

    def __getitem__(self, at: Any) -> Any:
        if not isinstance(at, slice):
            return super().__getitem__(at)
        with NoTracing():
            return DeferredText(lambda: _plain(self)[at])

    def __add__(self, other: Any) -> Any:
        return _joined(self, other)

    def __radd__(self, other: Any) -> Any:
        return _joined(other, self)

    def __hash__(self) -> int:
        return hash(realize(self))


@dataclass(frozen=True)
class Writer:
    """A function that writes different texts for different values, and its inverse.

    ``name`` tells it from others. ``exact`` is CrossHair's own version, for open values; ``write`` and ``read`` work on
    plain ones. ``tags``: whether lists and tuples are written differently. ``by_key``: whether it sorts a dictionary.
    """

    name: str
    exact: Callable[[Any], Any]
    write: Callable[[Any], str]
    read: Callable[[str], Any]
    tags: bool
    by_key: bool = False

    def frozen(self, value: Any) -> Any:
        return frozen(value, self.tags, self.by_key)

    def value_of(self, text: str) -> Any:
        """The frozen value that is written as ``text``; ``NotFrozen`` if there is none."""
        try:
            value = self.read(text)
            if self.write(value) == text:
                return self.frozen(value)
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
            pass
        raise NotFrozen


class InjectiveText(DeferredText):
    """``before``, then what ``by`` writes for ``value``, then ``after``; equal to another if their values are."""

    def __init__(self, by: Writer, value: Any, make: Maker, before: str = "", after: str = "") -> None:
        super().__init__(lambda: before + make() + after, nonempty=True)
        self._written, self.by, self.value, self.before, self.after = make, by, value, before, after

    def _compared(self, other: Any) -> Any:
        """``False``, or the frozen value that ``other`` is written for; ``NotFrozen`` if only the texts can tell."""
        if type(other) is str:
            if not (other.startswith(self.before) and other.endswith(self.after)):
                return False
            try:
                return (self.by.value_of(other[len(self.before) : len(other) - len(self.after)]),)
            except NotFrozen:
                return False  # a plain text that no value is written as
        if not isinstance(other, InjectiveText):
            raise NotFrozen
        if not (self.before.startswith(other.before) or other.before.startswith(self.before)):
            return False
        if (other.by.name, other.before, other.after) != (self.by.name, self.before, self.after):
            raise NotFrozen
        return (other.value,)

    def __eq__(self, other: object) -> Any:
        with NoTracing():  # else isinstance sees a str
            try:
                known = self._compared(other)
            except NotFrozen:
                known = None
        if known is None:
            return super().__eq__(other)
        return known and _same(self.value, known[0])

    def __ne__(self, other: object) -> Any:
        return not self.__eq__(other)

    __hash__ = DeferredText.__hash__

    def __add__(self, other: Any) -> Any:
        return self._between("", other) if type(other) is str else super().__add__(other)

    def __radd__(self, other: Any) -> Any:
        return self._between(other, "") if type(other) is str else super().__radd__(other)

    def _between(self, before: str, after: str) -> InjectiveText:
        return InjectiveText(self.by, self.value, self._written, before + self.before, self.after + after)

    def encode(self, encoding: str = "utf-8", errors: str = "strict") -> Any:
        if realize(encoding).lower() in _UTF8:
            return InjectiveBytes(self)
        return super().encode(encoding, errors)


class InjectiveBytes(OpenBytes):
    """An :class:`InjectiveText` in UTF-8."""

    def __init__(self, text: InjectiveText) -> None:
        self.text = text
        self._values: Any = None

    def byte_values(self) -> Any:
        if self._values is None:
            with nullcontext() if is_tracing() else ResumedTracing():
                self._values = byte_values(text_of(self.text.code_points()).encode("utf-8"))
        return self._values

    def __eq__(self, other: object) -> Any:
        with NoTracing():
            text = other.text if isinstance(other, InjectiveBytes) else _decoded(other)
        return super().__eq__(other) if text is None else self.text == text

    def __ne__(self, other: object) -> Any:
        return not self.__eq__(other)

    __hash__ = OpenBytes.__hash__

    def __add__(self, other: Any) -> Any:
        with NoTracing():
            text = _decoded(other)
        return super().__add__(other) if text is None else InjectiveBytes(self.text._between("", text))

    def __radd__(self, other: Any) -> Any:
        with NoTracing():
            text = _decoded(other)
        return super().__radd__(other) if text is None else InjectiveBytes(self.text._between(text, ""))


def _decoded(data: Any) -> str | None:
    """Plain bytes as text, if they are UTF-8."""
    try:
        return data.decode("utf-8") if type(data) is bytes else None
    except UnicodeDecodeError:
        return None


def _joined(left: Any, right: Any) -> DeferredText:
    nonempty = any((isinstance(part, str) and part) or getattr(part, "_nonempty", False) for part in (left, right))
    return DeferredText(lambda: _plain(left) + _plain(right), bool(nonempty))


def _plain(text: Any) -> Any:
    """The same text with its code points written down, so that adding to it does not defer again."""
    with NoTracing():  # else isinstance sees a str
        return text_of(text.code_points()) if isinstance(text, DeferredText) else text


def _same(one: Any, other: Any) -> bool:
    """Whether two values frozen by :func:`frozen` are the same; the solver is asked about open leaves."""
    if type(one) is tuple and type(other) is tuple:
        return len(one) == len(other) and all(_same(a, b) for a, b in zip(one, other, strict=True))
    with NoTracing():
        alike = python_type(one) is python_type(other)
    return alike and bool(one == other)


class NotFrozen(Exception):
    """The value is not made of text, numbers, ``None``, lists, tuples and plain dictionaries alone."""


def frozen(value: Any, tags: bool, by_key: bool = False) -> Any:
    """The value as nested tuples, for :func:`_same`. Called without tracing.

    ``tags`` tell lists from tuples; a dictionary always has one. ``by_key``: the order of its items does not count.
    """
    kind = type(value)
    if kind in (list, tuple):
        items = tuple(frozen(item, tags, by_key) for item in value)
        return (kind, *items) if tags else items
    if kind is dict:
        if not all(type(key) is str for key in value):
            raise NotFrozen
        keys = sorted(value) if by_key else value
        return (dict, *[(key, frozen(value[key], tags, by_key)) for key in keys])
    if value is not None and python_type(value) not in (str, int, bool):
        raise NotFrozen
    return value


def thawed(value: Any) -> Any:
    """The value that was frozen without tags, as JSON reads it."""
    if type(value) is not tuple:
        return value
    if value[:1] == (dict,):
        return {key: thawed(item) for key, item in value[1:]}
    return [thawed(item) for item in value]
