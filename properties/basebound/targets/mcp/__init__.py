"""MCP servers as engines, behind the extra ``mcp``: a small map says which tool reads, which edits, and how.

:mod:`basebound.targets.mcp.maps` documents the form of a map; ``maps/`` has one for each server we know.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from basebound.errors import TargetError
from basebound.model import Config


def find(name: str) -> Callable[[Config], Any]:
    """The factory of ``mcp:MAP COMMAND``; raises ``TargetError`` without the SDK."""
    try:
        from basebound.targets.mcp.engine import McpTarget
    except ImportError as missing:
        if (missing.name or "").partition(".")[0] != "mcp":
            raise
        what = f"an MCP server needs the package mcp, which is not installed ({missing})"
        raise TargetError("missing-package", what, "pip install 'basebound[mcp]'") from None
    return McpTarget(name)
