"""How an MCP server is used as an engine: which tool reads, which edits, and what a refusal looks like.

A map is TOML:

``[read]``
    ``tool`` and its ``arguments``. The answer's first text is the file; or, with ``text``, that text is JSON and
    ``text`` is the way to the file's content in it, by keys and indices. ``base`` is the way to a content hash in
    the same JSON; without it the base is a hash of the text, and nobody compares it.
``[edit]``
    ``tool``, its ``arguments``, and ``each``: what one edit of a patch becomes.
``[refusal]``
    ``stale``: texts, one of which is in a failure's message if the content is not what the author saw. ``failed``: the
    way to a value in the answer's JSON, and the value that means failure; a tool error is one in any case.

A string that is a placeholder alone becomes its value, whatever its type; inside a longer string it is filled in.
``{path}``: the file, absolute. ``{base}``: the authored base. ``{edits}``: all edits, each as ``each`` says. In it
``{old}`` and ``{new}``, the text that is replaced and what replaces it, whole lines, with the line above the edit;
``{first}`` and ``{last}``, the numbers of those lines from 1; ``{sha256}``, the hash of ``{old}``.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from basebound.core.register import nearest
from basebound.errors import TargetError

_PLACEHOLDER = re.compile(r"\{(path|base|edits|old|new|first|last|sha256)\}")
Way = tuple[str | int, ...]


@dataclass(frozen=True)
class ServerMap:
    """A read map; ``name`` is its file's."""

    name: str
    read_tool: str
    read_arguments: Mapping[str, Any]
    text: Way | None
    base: Way | None
    edit_tool: str
    edit_arguments: Mapping[str, Any]
    each: Mapping[str, Any]
    stale: tuple[str, ...]
    failed: tuple[Way, Any] | None


def bundled() -> list[str]:
    """The names of the maps that come with the package."""
    return sorted(file.name.removesuffix(".toml") for file in (files(__package__) / "maps").iterdir())


def load(name: str) -> ServerMap:
    """The bundled map called ``name``, or the TOML file of that path; raises ``TargetError``."""
    path = Path(name)
    try:
        if path.suffix == ".toml":
            text = path.read_text(encoding="utf-8")
        elif name in bundled():
            text = (files(__package__) / "maps" / f"{name}.toml").read_text(encoding="utf-8")
        else:
            fix = nearest(name, bundled(), f"name a TOML file, or one of {', '.join(bundled())}")
            raise TargetError("unknown-map", f"there is no map {name!r}", fix)
        return _read(path.stem, tomllib.loads(text))
    except (OSError, ValueError) as error:
        raise TargetError(
            "map-unreadable", f"the map {name} cannot be read: {error}", "it is a TOML file in UTF-8"
        ) from None


def _read(name: str, table: Mapping[str, Any]) -> ServerMap:
    read, edit, refusal = (_section(name, table, key) for key in ("read", "edit", "refusal"))
    failed = refusal.get("failed")
    return ServerMap(
        name,
        _field(name, "read", read, "tool", str),
        _field(name, "read", read, "arguments", dict),
        _way(read.get("text")),
        _way(read.get("base")),
        _field(name, "edit", edit, "tool", str),
        _field(name, "edit", edit, "arguments", dict),
        _field(name, "edit", edit, "each", dict),
        tuple(_field(name, "refusal", refusal, "stale", list)),
        None if failed is None else (tuple(failed["at"]), failed["is"]),
    )


def _section(name: str, table: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    section = table.get(key)
    if not isinstance(section, dict):
        raise TargetError(
            "map-wrong-type", f"the map {name} has no table [{key}]", "a map has [read], [edit] and [refusal]"
        )
    return section


def _field(name: str, section: str, table: Mapping[str, Any], key: str, kind: type) -> Any:
    value = table.get(key)
    if not isinstance(value, kind):
        raise TargetError(
            "map-wrong-type", f"{key} of [{section}] in the map {name} is {value!r}", f"it is a {kind.__name__}"
        )
    return value


def _way(keys: list[str | int] | None) -> Way | None:
    return None if keys is None else tuple(keys)


def filled(pattern: Any, values: Mapping[str, Any]) -> Any:
    """``pattern`` with its placeholders replaced, at any depth."""
    if isinstance(pattern, dict):
        return {key: filled(value, values) for key, value in pattern.items()}
    if isinstance(pattern, list):
        return [filled(value, values) for value in pattern]
    if not isinstance(pattern, str):
        return pattern
    alone = _PLACEHOLDER.fullmatch(pattern)
    if alone and alone[1] in values:
        return values[alone[1]]
    return _PLACEHOLDER.sub(lambda match: str(values.get(match[1], match[0])), pattern)


def follow(value: Any, way: Way, values: Mapping[str, Any]) -> Any:
    """What stands in ``value`` at the end of ``way``; None where it leads nowhere."""
    for key in way:
        try:
            value = value[filled(key, values)]
        except (KeyError, IndexError, TypeError):
            return None
    return value
