"""The ways a command names what it is about: TARGET, or an engine in another process."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from basebound.errors import UsageError

C = TypeVar("C", bound=Callable[..., Any])
DEFAULT = "reference"


def target_options(command: C) -> C:
    """The options ``--wire``, ``--mcp`` and ``--mcp-map``, in place of TARGET."""
    for option in (
        click.option("--mcp-map", metavar="FILE", help="How an MCP server is used: a TOML file, or a bundled map."),
        click.option("--mcp", metavar="CMD", help="In place of TARGET: the command of an MCP server over stdio."),
        click.option("--wire", metavar="CMD", help="In place of TARGET: the command of an engine on the wire."),
    ):
        command = option(command)
    return command


def target_name(target: str | None, wire: str | None, mcp: str | None, mcp_map: str | None) -> str:
    """The one name of the target that was given."""
    given = [name for name in (target, wire, mcp) if name is not None]
    if len(given) > 1:
        raise UsageError(
            "several-targets", "more than one target is given", "give one of TARGET, --wire CMD and --mcp CMD"
        )
    if (mcp is None) != (mcp_map is None):
        raise UsageError(
            "option-missing",
            "--mcp and --mcp-map go together",
            "--mcp is the server's command, --mcp-map says how to use it",
        )
    if "" in given:
        raise UsageError(
            "empty-target", "the target is empty", "leave it out for the reference, or name path/to/file.py:name"
        )
    if wire is not None:
        return f"wire:{shlex.quote(wire)}"
    if mcp is not None and mcp_map is not None:
        path = Path(mcp_map)
        return f"mcp:{shlex.quote(shlex.join([str(path.resolve()) if path.is_file() else mcp_map]) + ' ' + mcp)}"
    return target or DEFAULT
