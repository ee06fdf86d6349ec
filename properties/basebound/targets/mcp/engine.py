"""An MCP server that edits text files as an engine of profile ``base``.

The buffer is a file. Its author reads and edits it through the server's tools; foreign writes are done to the file
behind the server's back, as another program does them.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Any, ClassVar

from basebound.errors import TargetError
from basebound.model import Config, Patch
from basebound.targets.adapters.edits import Edit
from basebound.targets.adapters.encoding import join, unescape
from basebound.targets.adapters.text import TextBuffer
from basebound.targets.mcp.maps import ServerMap, filled, follow, load
from basebound.targets.mcp.server import Server, ToolAnswer
from basebound.targets.process import environment
from basebound.targets.wire.client import BOUND
from basebound.targets.wire.engine import words

_START = 0.8


class McpTarget:
    """A factory of engines that share one server. ``name``: a map, then the words of the server's command.

    ``{root}`` in the command is the folder of the files.
    """

    source = None

    def __init__(self, name: str) -> None:
        map_name, *command = words(name)
        if not command:
            raise TargetError("command-missing", "the command of the MCP server is missing", "write mcp:'MAP CMD ARG'")
        self.map = load(map_name)
        self.root = Path(tempfile.mkdtemp(prefix="basebound-mcp-")).resolve()
        self._command = [word.replace("{root}", str(self.root)) for word in command]
        self._server: Server | None = None
        self._numbers = count()
        self._owner = os.getpid()

    def __call__(self, config: Config) -> McpEngine:
        if os.getpid() != self._owner:
            os._exit(0)  # a fork has no thread that serves the session: it cannot tell what the server would do
        return McpEngine(self.map, self.server(), self.root / f"context-{next(self._numbers)}.txt", config)

    def server(self) -> Server:
        """The running server, or a new one."""
        if self._server is None or not self._server.usable:
            bound = _START * environment.bound(BOUND)
            self._server = Server(self._command, bound)
            missing = {self.map.read_tool, self.map.edit_tool} - self._server.tools
            if missing:
                known = ", ".join(sorted(self._server.tools))
                raise TargetError(
                    "no-such-tool", f"the server has no tool {', '.join(sorted(missing))}", f"it has {known}"
                )
        return self._server

    def close(self) -> None:
        """End the server, and remove the folder of its files."""
        if self._server is not None:
            self._server.close()
        shutil.rmtree(self.root, ignore_errors=True)


class McpEngine(TextBuffer):
    """One file. It begins with a title line, since an edit needs a line to hold on to."""

    preamble: ClassVar[tuple[str, ...]] = ("context:",)

    def __init__(self, how: ServerMap, server: Server, path: Path, config: Config) -> None:
        super().__init__()
        self._map, self._server, self._path = how, server, path
        self.text = join(self._text_lines(config.lines))

    @property
    def text(self) -> str:
        return self._path.read_bytes().decode()

    @text.setter
    def text(self, text: str) -> None:
        self._path.write_bytes(text.encode())

    def close(self) -> None:
        self._path.unlink(missing_ok=True)

    def _read(self) -> tuple[tuple[str, ...], str]:
        values = {"path": str(self._path)}
        answer = self._server.call(self._map.read_tool, filled(self._map.read_arguments, values))
        if answer.error:
            raise RuntimeError(f"{self._map.read_tool} failed: {answer.text}")
        text, base = answer.text, None
        if self._map.text is not None:
            shown = json.loads(answer.text)
            text = follow(shown, self._map.text, values)
            base = follow(shown, self._map.base, values) if self._map.base is not None else None
        if not isinstance(text, str):
            raise RuntimeError(f"{self._map.read_tool} shows no text: {answer.text[:200]}")
        lines = tuple(map(unescape, self._parts(text)[1]))
        return lines, base if isinstance(base, str) else hashlib.sha256(text.encode()).hexdigest()

    def _submit(self, patch: Patch) -> None:
        self._edit(patch, self._text_edits(patch) or [_TOUCH])

    def _probe(self, patch: Patch) -> None:
        if self._map.base is not None:
            self._edit(patch, [_TOUCH])

    def _edit(self, patch: Patch, edits: Sequence[Edit]) -> None:
        lines = self._text_lines(patch.base.lines)
        values = {"path": str(self._path), "base": patch.base.base}
        rows = [filled(self._map.each, values | _described(lines, edit)) for edit in edits]
        answer = self._server.call(self._map.edit_tool, filled(self._map.edit_arguments, values | {"edits": rows}))
        if not self._failed(answer, values):
            return
        if any(text in answer.text for text in self._map.stale):
            raise self._stale(patch, answer.text[:300])
        raise RuntimeError(f"{self._map.edit_tool} failed: {answer.text[:300]}")

    def _failed(self, answer: ToolAnswer, values: Mapping[str, Any]) -> bool:
        if answer.error or self._map.failed is None:
            return answer.error
        way, value = self._map.failed
        try:
            return bool(follow(json.loads(answer.text), way, values) == value)
        except ValueError:
            return False


_TOUCH = Edit(1, 1, ())
"""Replaces the title line by itself."""


def _described(lines: Sequence[str], edit: Edit) -> dict[str, Any]:
    """The values of an edit's placeholders; the line above it goes with it, so that nothing is ever empty."""
    first = edit.start - 1
    old, new = join(lines[first : edit.end]), join([lines[first], *edit.insert])
    digest = hashlib.sha256(old.encode()).hexdigest()
    return {"old": old, "new": new, "first": first + 1, "last": edit.end, "sha256": digest}
