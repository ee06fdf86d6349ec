"""A connection to an MCP server over stdio, on the official SDK, for callers without an event loop."""

# mypy: disable-error-code="import-not-found, import-untyped"

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

from basebound.errors import TargetError
from basebound.targets.process import theirs


@dataclass(frozen=True)
class ToolAnswer:
    """The first text of a tool's answer, and whether the server calls it an error."""

    text: str
    error: bool


class Server:
    """Starts ``command`` and a session with it, in a thread of its own. ``seconds`` bound the start.

    The server ends with this process, however it ends (on Linux; elsewhere it sees the end of its input).
    """

    def __init__(self, command: Sequence[str], seconds: float) -> None:
        self._command = command
        self._loop = asyncio.new_event_loop()
        self._stop = asyncio.Event()
        self._ready, self._failure = threading.Event(), ""
        self._session: Any = None
        self.tools: frozenset[str] = frozenset()
        threading.Thread(target=self._loop.run_until_complete, args=(self._serve(),), daemon=True).start()
        if not self._ready.wait(seconds):
            self._failure = self._failure or f"no answer to initialize within {seconds:.3g} s"
        if self._failure:
            fix = "run the command by hand: it has to wait for JSON-RPC on its stdin, and log to stderr only"
            raise TargetError("no-mcp-server", f"{command[0]} is no usable MCP server: {self._failure}", fix)

    @property
    def usable(self) -> bool:
        return self._session is not None

    async def _serve(self) -> None:
        arguments = [str(Path(__file__).with_name("bound_to_parent.py")), *self._command]
        parameters = StdioServerParameters(command=sys.executable, args=["-I", *arguments], env=theirs())
        try:
            with open(os.devnull, "w") as log:
                async with stdio_client(parameters, errlog=log) as streams, ClientSession(*streams) as session:
                    await session.initialize()
                    self.tools = frozenset(tool.name for tool in (await session.list_tools()).tools)
                    self._session = session
                    self._ready.set()
                    await self._stop.wait()
        except BaseException as error:  # the SDK wraps what went wrong in groups of its own
            self._failure = f"{type(_innermost(error)).__name__}: {_innermost(error)}"[:300]
        finally:
            self._session = None
            self._ready.set()

    def call(self, tool: str, arguments: Mapping[str, Any]) -> ToolAnswer:
        """Call ``tool``; raises ``RuntimeError`` if the server is gone."""
        session = self._session
        if session is None:
            raise RuntimeError(f"the MCP server is gone: {self._failure}")
        answer = asyncio.run_coroutine_threadsafe(session.call_tool(tool, dict(arguments)), self._loop).result()
        texts = [part.text for part in answer.content if getattr(part, "text", None) is not None]
        # The field has one name in the first major version of the SDK, and another in the second.
        error = bool(getattr(answer, "is_error", getattr(answer, "isError", False)))
        return ToolAnswer(texts[0] if texts else "", error)

    def close(self) -> None:
        if self._session is not None:
            self._loop.call_soon_threadsafe(self._stop.set)


def _innermost(error: BaseException) -> BaseException:
    while isinstance(error, BaseExceptionGroup) and error.exceptions:
        error = error.exceptions[0]
    return error
