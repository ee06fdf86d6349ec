"""The functions that make text of values, as they are in an analysis: the text is made later.

``repr``, ``str``, ``format`` and f-strings, ``%``, ``hex``, ``json.dumps`` and their like. What a call would raise for
values of these types is raised at once, and only what it would return is put off
(:mod:`basebound.lenses.proofs.crosshair.deferred_text`).

This module imports CrossHair; only a child process does that.
"""

from __future__ import annotations

import ast
import json
import re
import sys
from collections.abc import Callable
from typing import Any, Final

from basebound.lenses.proofs.crosshair.api import (
    NoTracing,
    ResumedTracing,
    deep_realize,
    python_type,
    realize,
    replace_in_analyses,
)
from basebound.lenses.proofs.crosshair.copies import NotCopied, copied, is_open, sample
from basebound.lenses.proofs.crosshair.deferred_text import DeferredText, InjectiveText, NotFrozen, Writer, thawed

_CONVERSION: Final = re.compile(r"%(?:\([^)]*\))?[-+ #0-9.]*(.?)", re.DOTALL)
_FOR_SOME: Final = tuple("ceEfFgG%")
"""What ``format`` and ``%`` write some integers as, and fail for others: characters, floats."""
_SURE: Final = frozenset("sradiuxXo%")
"""Conversions of ``%`` that fail for a type or never."""


def install() -> None:
    """Register with CrossHair; acts only inside an analysis of this process."""
    _install_text()
    _install_json()
    for write in (hex, oct, bin):
        _install_number(write)


def _install_text() -> None:
    def repr_value(value: Any) -> Any:
        text = _later(by_repr, value, always=True)
        return exact_repr(value) if text is None else text

    def str_value(*given: Any, **named: Any) -> Any:
        with NoTracing():
            if len(given) != 1 or named:  # nothing, or bytes to decode
                return str(*deep_realize(given), **named)
            kind: Any = python_type(given[0])
            bare = kind.__str__ is object.__str__
        return repr_value(*given) if bare else exact_str(*given)

    def format_value(value: Any, spec: Any = "") -> Any:
        with NoTracing():
            kind: Any = python_type(value)
            spec = realize(spec)
            by_str = spec == "" and kind.__format__ in (object.__format__, int.__format__)
            later = not by_str and kind in (int, bool) and is_open(value) and spec[-1:] not in _FOR_SOME
            if later:
                format(sample(value), spec)  # raises what the call would
        if by_str:
            return str_value(value)
        return DeferredText(lambda: exact_format(value, spec), nonempty=True) if later else exact_format(value, spec)

    def percent(template: Any, values: Any) -> Any:
        with NoTracing():
            text = _percent(realize(template), values)
        return _percent_now(template, values) if text is None else text

    def show(*values: Any, sep: Any = None, end: Any = None, file: Any = None, flush: Any = False) -> None:
        texts = [str_value(value) for value in values]
        if file in (None, sys.stdout, sys.stderr):  # nobody here reads those
            return
        file.write(realize((" " if sep is None else sep).join(texts) + ("\n" if end is None else end)))
        if flush:
            file.flush()

    exact_repr = replace_in_analyses(repr, repr_value)
    exact_str = replace_in_analyses(str, str_value)
    exact_format = replace_in_analyses(format, format_value)
    replace_in_analyses(print, show)
    replace_in_analyses(str.__mod__, percent)
    by_repr = Writer("repr", exact_repr, repr, ast.literal_eval, tags=True)


def _later(by: Writer, value: Any, always: bool = False) -> Any:
    """The text of ``value``, or ``None`` where it has to be exact at once. ``always``: ``by`` writes any value."""
    with NoTracing():
        if not is_open(value):
            return None
        try:
            copy = copied(value)
        except NotCopied:
            return None
        try:
            return InjectiveText(by, by.frozen(value), lambda: by.exact(copy))
        except NotFrozen:
            return DeferredText(lambda: by.exact(copy), nonempty=True) if always else None


def _percent(template: Any, values: Any) -> Any:
    if type(template) is not str or not is_open(values) or not _SURE.issuperset(_CONVERSION.findall(template)):
        return None
    try:
        copy, like = copied(values), sample(values)
    except NotCopied:
        return None
    shortest = template % like  # raises what the call would
    return DeferredText(lambda: _percent_now(template, copy), nonempty=shortest != "")


def _percent_now(template: Any, values: Any) -> str:
    with NoTracing():
        return str(realize(template) % deep_realize(values))


def _install_number(write: Callable[[Any], str]) -> None:
    def now(value: Any) -> str:
        with NoTracing():
            return write(deep_realize(value))

    def later(value: Any) -> Any:
        with NoTracing():
            number = python_type(value) is int and is_open(value)
        return DeferredText(lambda: now(value), nonempty=True) if number else now(value)

    replace_in_analyses(write, later)


def _install_json() -> None:
    def dumps(value: Any, **options: Any) -> Any:
        with NoTracing():
            by = _json_writer(exact_dumps, deep_realize(options))
        text = None if by is None else _later(by, value)
        return exact_dumps(value, **options) if text is None else text

    def loads(text: Any, **options: Any) -> Any:
        with NoTracing():
            own = isinstance(text, InjectiveText) and text.by.read is json.loads and not options
            bare = own and not text.before and not text.after
            return thawed(text.value) if bare else _exactly(exact_loads, text, options)

    exact_dumps = replace_in_analyses(json.dumps, dumps)
    exact_loads = replace_in_analyses(json.loads, loads)


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
        by_key=bool(options.get("sort_keys")),
    )
