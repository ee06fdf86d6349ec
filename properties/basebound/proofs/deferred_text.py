"""Text that is written down only when somebody looks at it, while CrossHair looks.

An engine says in a message which hunk was wrong, and hashes ``json.dumps(lines)`` or ``repr(lines)``. To write an open
number or an open character into a text, CrossHair has to tell its cases apart, one by one, and no shape would
ever be exhausted. Nobody looks at a message here, and whoever hashes a text only asks whether it is the same
as another. So the text is not made at once:

* two texts made by the same function, which gives different texts for different values (``repr`` of text, numbers,
  lists and tuples of them; ``json.dumps`` of the same with its usual separators), are equal if the values are;
* whoever asks anything else gets the exact text, made as CrossHair would have made it in the first place.

Nothing is assumed, and nothing is left out: it is the same text, later.

This module imports CrossHair; only a child process does that.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from basebound.proofs.crosshair_api import (
    CrossHairValue,
    NoTracing,
    ResumedTracing,
    SymbolicBytes,
    SymbolicStr,
    deep_realize,
    is_tracing,
    python_type,
    realize,
    replace_in_analyses,
)

Maker: TypeAlias = Callable[[], Any]
_UTF8: Final = ("utf-8", "utf8", "utf_8")


class DeferredText(SymbolicStr):  # type: ignore[misc]  # CrossHair is not typed
    """A text that ``make`` writes when it is first needed; ``nonempty`` is known before."""

    def __init__(self, make: Maker, nonempty: bool = False) -> None:
        self._make, self._nonempty = make, nonempty
        self._points: Any = None

    @property
    def _codepoints(self) -> Any:
        if self._points is None:
            with nullcontext() if is_tracing() else ResumedTracing():
                text = self._make()
            with NoTracing() if is_tracing() else nullcontext():
                self._points = SymbolicStr._force_into_codepoints(text)
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
    plain ones. ``tags``: whether lists and tuples are written differently.
    """

    name: str
    exact: Callable[[Any], Any]
    write: Callable[[Any], str]
    read: Callable[[str], Any]
    tags: bool

    def value_of(self, text: str) -> Any:
        """The frozen value that is written as ``text``; ``_NotFrozen`` if there is none."""
        try:
            value = self.read(text)
            if self.write(value) == text:
                return _frozen(value, self.tags)
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
            pass
        raise _NotFrozen


class InjectiveText(DeferredText):
    """``before``, then what ``by`` writes for ``value``, then ``after``; equal to another if their values are."""

    def __init__(self, by: Writer, value: Any, make: Maker, before: str = "", after: str = "") -> None:
        super().__init__(lambda: before + make() + after, nonempty=True)
        self._written, self.by, self.value, self.before, self.after = make, by, value, before, after

    def _compared(self, other: Any) -> Any:
        """``False``, or the frozen value that ``other`` is written for; ``_NotFrozen`` if only the texts can tell."""
        if type(other) is str:
            if not (other.startswith(self.before) and other.endswith(self.after)):
                return False
            try:
                return (self.by.value_of(other[len(self.before) : len(other) - len(self.after)]),)
            except _NotFrozen:
                return False  # a plain text that no value is written as
        if not isinstance(other, InjectiveText):
            raise _NotFrozen
        if not (self.before.startswith(other.before) or other.before.startswith(self.before)):
            return False
        if (other.by.name, other.before, other.after) != (self.by.name, self.before, self.after):
            raise _NotFrozen
        return (other.value,)

    def __eq__(self, other: object) -> Any:
        with NoTracing():  # else isinstance sees a str
            try:
                known = self._compared(other)
            except _NotFrozen:
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


class InjectiveBytes(SymbolicBytes):  # type: ignore[misc]  # CrossHair is not typed
    """An :class:`InjectiveText` in UTF-8."""

    def __init__(self, text: InjectiveText) -> None:
        self.text = text
        self._inner: Any = None

    @property
    def inner(self) -> Any:
        if self._inner is None:
            with nullcontext() if is_tracing() else ResumedTracing():
                self._inner = SymbolicStr(self.text._codepoints).encode("utf-8").inner
        return self._inner

    def __eq__(self, other: object) -> Any:
        with NoTracing():
            text = other.text if isinstance(other, InjectiveBytes) else _decoded(other)
        return super().__eq__(other) if text is None else self.text == text

    def __ne__(self, other: object) -> Any:
        return not self.__eq__(other)

    __hash__ = SymbolicBytes.__hash__

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
    if isinstance(text, DeferredText):
        with NoTracing():
            return SymbolicStr(text._codepoints)
    return text


def _same(one: Any, other: Any) -> bool:
    """Whether two values frozen by :func:`_frozen` are the same; the solver is asked about open leaves."""
    if type(one) is tuple and type(other) is tuple:
        return len(one) == len(other) and all(_same(a, b) for a, b in zip(one, other, strict=True))
    with NoTracing():
        alike = python_type(one) is python_type(other)
    return alike and bool(one == other)


class _NotFrozen(Exception):
    """The value is not made of text, numbers, ``None``, lists and tuples alone."""


def _frozen(value: Any, tags: bool) -> Any:
    """The value as nested tuples; ``tags`` tell lists from tuples. Called without tracing."""
    if type(value) in (list, tuple):
        items = tuple(_frozen(item, tags) for item in value)
        return (type(value).__name__, *items) if tags else items
    if value is not None and python_type(value) not in (str, int, bool):
        raise _NotFrozen
    return value


def _is_open(value: Any) -> bool:
    """Whether anything in ``value`` is open. Called without tracing."""
    if type(value) in (list, tuple):
        return any(map(_is_open, value))
    return isinstance(value, CrossHairValue)


def _deferred(by: Writer, value: Any) -> Any:
    """The injective text of ``value``, or ``None`` where it has to be exact at once."""
    with NoTracing():
        if not _is_open(value):
            return None
        try:
            frozen = _frozen(value, by.tags)
        except _NotFrozen:
            return None
        copy = value.copy() if type(value) is list else value
        return InjectiveText(by, frozen, lambda: by.exact(copy))


def install() -> None:
    """Register with CrossHair; acts only inside an analysis of this process."""

    def format_value(value: Any, spec: Any = "") -> Any:
        with NoTracing():
            plain, is_open, kind = realize(spec) == "", _is_open(value), python_type(value)
        if not is_open or kind not in (int, bool, list, tuple):
            return exact_format(value, spec)
        if plain and kind in (list, tuple):
            return repr_value(value)
        text = _deferred(by_str, value) if plain and kind is int else None
        return DeferredText(lambda: exact_format(value, spec), nonempty=plain) if text is None else text

    def repr_value(value: Any) -> Any:
        text = _deferred(by_repr, value)
        return exact_repr(value) if text is None else text

    def dumps(value: Any, **options: Any) -> Any:
        with NoTracing():
            by = _json_writer(exact_dumps, deep_realize(options))
        text = None if by is None else _deferred(by, value)
        return exact_dumps(value, **options) if text is None else text

    def loads(text: Any, **options: Any) -> Any:
        with NoTracing():
            own = isinstance(text, InjectiveText) and text.by.read is json.loads and not options
            bare = own and not text.before and not text.after
            return _thawed(text.value) if bare else _exactly(exact_loads, text, options)

    exact_format = replace_in_analyses(format, format_value)
    exact_repr = replace_in_analyses(repr, repr_value)
    exact_dumps = replace_in_analyses(json.dumps, dumps)
    exact_loads = replace_in_analyses(json.loads, loads)
    by_repr = Writer("repr", exact_repr, repr, ast.literal_eval, tags=True)
    by_str = Writer("str", lambda value: exact_format(value, ""), str, int, tags=False)


def _exactly(function: Callable[..., Any], text: Any, options: dict[str, Any]) -> Any:
    with ResumedTracing():
        return function(text, **options)


def _json_writer(exact: Callable[..., Any], options: dict[str, Any]) -> Writer | None:
    """``json.dumps`` with these options, if it then writes different texts for different values."""
    separators = options.get("separators")
    usual = separators is None or tuple(separators) in ((",", ":"), (", ", ": "), (",", ": "))
    if not usual or not {"ensure_ascii", "sort_keys", "indent", "separators"}.issuperset(options):
        return None
    name = "json" + repr(sorted((key, str(value)) for key, value in options.items()))
    return Writer(
        name,
        lambda value: exact(value, **options),
        lambda value: json.dumps(value, **options),
        json.loads,
        tags=False,
    )


def _thawed(value: Any) -> Any:
    return [_thawed(item) for item in value] if isinstance(value, tuple) else value
