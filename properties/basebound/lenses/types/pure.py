"""Where an author's file gives functions to ``apply_function`` or ``gate_function``; read, not run.

mypy compares them by itself where the call stands. What it takes each of them to be is asked in a copy of the file,
with ``reveal_type`` around what is given.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from basebound.lenses.types.places import Place, file_of, find, parsed

HELPERS: Final = {"apply_function": ("apply", "digest"), "gate_function": ("gate",)}
"""What each helper is given, in its order."""

EXPECTED: Final = {
    "apply": "(live_lines: tuple[str, ...], authored_base: str, hunks: Sequence[Hunk], protected: tuple[str, ...])"
    " -> Sequence[str]",
    "digest": "(lines: tuple[str, ...]) -> str",
    "gate": "(freed: int | None, charges: Sequence[Charge], edited: frozenset[str], artifacts: frozenset[str]) -> None",
}
"""Parameters and result of each, as in :mod:`basebound.targets.functions`."""

_ASK: Final = b"reveal_type("
_DEPTH: Final = 6


@dataclass(frozen=True)
class Given:
    """One function that is given: as what, in which file, and where it is defined, as far as that can be read.

    ``start`` and ``end`` are the line (from 1) and the column (from 0, in bytes) of what is given.
    """

    role: str
    file: Path
    start: tuple[int, int]
    end: tuple[int, int]
    name: str
    place: Place


def given(file: Path, name: str, depth: int = _DEPTH) -> list[Given]:
    """What the pure target ``name`` of ``file`` is made of; nothing for an engine, whose class is looked at itself."""
    try:
        node = find(parsed(file).body, name.split("."))
    except SyntaxError:
        return []
    if isinstance(node, ast.ClassDef) or depth == 0:
        return []
    if node is None:
        origin = _imported(file, name)
        return [] if origin is None else given(*origin, depth - 1)
    if functions := _within(file, node):
        return functions
    return [one for used in _used(node) if used != name for one in given(file, used, depth - 1)]


def asking(file: Path) -> tuple[str, dict[tuple[int, int], tuple[int, int]]]:
    """``file`` with a question around each function given in it; by line and column (from 1) which ``start`` is asked.

    mypy says at the question that a function does not fit, and at what is in it what that is. All of a file is asked,
    whichever target is typed: mypy's cache takes two copies for one that are equally long.
    """
    lines = file.read_bytes().splitlines(keepends=True)
    asked: dict[tuple[int, int], tuple[int, int]] = {}
    added: Counter[int] = Counter()
    for one in sorted(_every(file), key=lambda one: one.start):
        for (line, column), mark in ((one.start, _ASK), (one.end, b")")):
            at = column + added[line]
            lines[line - 1] = lines[line - 1][:at] + mark + lines[line - 1][at:]
            if mark == _ASK:
                asked[line, at + 1] = asked[line, at + len(mark) + 1] = one.start
            added[line] += len(mark)
    return b"".join(lines).decode("utf-8"), asked


def _every(file: Path) -> list[Given]:
    return [one for node in parsed(file).body for one in _within(file, node)]


def _within(file: Path, node: ast.stmt) -> list[Given]:
    helpers = _helpers(file)
    calls = [call for call in ast.walk(node) if isinstance(call, ast.Call) and _called(call) in helpers]
    return [one for call in calls for one in _of(file, node, call, helpers)]


def _of(file: Path, scope: ast.stmt, call: ast.Call, helpers: dict[str, str]) -> Iterator[Given]:
    roles = HELPERS[helpers[_called(call)]]
    arguments = [*zip(roles, call.args, strict=False), *((word.arg, word.value) for word in call.keywords)]
    for role, argument in arguments:
        if role in roles and not isinstance(argument, ast.Starred):
            end = (argument.end_lineno or argument.lineno, argument.end_col_offset or 0)
            place = _defined(file, scope, argument) or Place(file, argument.lineno)
            yield Given(role, file, (argument.lineno, argument.col_offset), end, ast.unparse(argument), place)


def _defined(file: Path, scope: ast.stmt, argument: ast.expr) -> Place | None:
    """Where the function given is defined: beside the call, in the module, or where the module has it from."""
    name = ast.unparse(argument)
    if isinstance(scope, ast.FunctionDef):
        local = find(scope.body, [name])
        if local is not None:
            return Place(file, local.lineno)
    here, at = file, name
    for _ in range(_DEPTH):
        node = find(parsed(here).body, at.split("."))
        if node is not None:
            return Place(here, node.lineno)
        origin = _imported(here, at)
        if origin is None:
            return None
        here, at = origin
    return None


def _called(call: ast.Call) -> str:
    """The last part of the name that is called."""
    if isinstance(call.func, ast.Attribute):
        return call.func.attr
    return call.func.id if isinstance(call.func, ast.Name) else ""


def _helpers(file: Path) -> dict[str, str]:
    """The names that ``file`` has for the helpers."""
    aliases = [alias for node in parsed(file).body if isinstance(node, ast.ImportFrom) for alias in node.names]
    return {name: name for name in HELPERS} | {a.asname: a.name for a in aliases if a.asname and a.name in HELPERS}


def _used(node: ast.stmt) -> list[str]:
    """The names that ``node`` calls, or is another name of."""
    calls = [call.func for call in ast.walk(node) if isinstance(call, ast.Call)]
    value = [node.value] if isinstance(node, (ast.Assign, ast.AnnAssign)) else []
    return list(dict.fromkeys(one.id for one in (*value, *calls) if isinstance(one, ast.Name)))


def _imported(file: Path, name: str) -> tuple[Path, str] | None:
    """The file that ``file`` has ``name`` from, and its name there."""
    first, dot, rest = name.partition(".")
    for node in parsed(file).body:
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                if (alias.asname or alias.name) == first:
                    other = file_of(node.module)
                    return None if other is None else (other, alias.name + dot + rest)
    return None
