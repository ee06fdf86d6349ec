"""The memory tool of the anthropic package: ``str_replace`` by unique match, ``insert`` by line number."""

# mypy: disable-error-code="import-not-found, import-untyped"

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from anthropic.lib.tools import ToolError
from anthropic.tools.memory import BetaLocalFilesystemMemoryTool

from basebound.model import Config, Patch, Reason, Rejected
from basebound.targets.adapters.edits import Edit
from basebound.targets.adapters.encoding import join
from basebound.targets.adapters.text import FileBuffer


class _MemoryFile(FileBuffer):
    """A file of the memory tool, a list item for each line: ``insert`` drops line breaks at the end of its text.

    One patch is one call of the tool, so it has at most one hunk.
    """

    max_hunks: ClassVar[int] = 1
    folder: ClassVar[str] = "memories"
    mark: ClassVar[str] = "- "

    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self._tool = BetaLocalFilesystemMemoryTool(base_path=str(self.root))

    def _submit(self, patch: Patch) -> None:
        edits = self._text_edits(patch)
        if len(edits) > self.max_hunks:
            raise Rejected(Reason.BAD_HUNK, f"{len(edits)} separate hunks: one call of the tool makes one change")
        for edit in edits:
            self._call(patch, self._command(self._text_lines(patch.base.lines), edit))

    def _command(self, lines: Sequence[str], edit: Edit) -> dict[str, object]:
        return str_replace(lines, edit)

    def _call(self, patch: Patch, command: dict[str, object]) -> None:
        try:
            self._tool.call({**command, "path": f"/{self.folder}/{self.name}"})
        except ToolError as failure:
            raise self._stale(patch, str(failure)) from failure


class MemoryStrReplace(_MemoryFile):
    """Every hunk as a ``str_replace``; an insertion replaces the lines beside it by themselves and the new ones."""


class MemoryInsert(_MemoryFile):
    """An insertion as ``insert`` after a line number; a hunk that removes lines as ``str_replace``."""

    def _command(self, lines: Sequence[str], edit: Edit) -> dict[str, object]:
        if edit.start < edit.end:
            return str_replace(lines, edit)
        return {"command": "insert", "insert_line": edit.start, "insert_text": join(edit.insert)}


def str_replace(lines: Sequence[str], edit: Edit) -> dict[str, object]:
    """The ``str_replace`` of ``edit``: the smallest block around it that is unique in what its author read.

    Uniqueness is what the tool demands; its author takes in lines above and below until it is given.
    """
    text = join(lines)
    low, high = edit.start, edit.end
    while _occurrences(text, join(lines[low:high])) != 1:
        low, high = max(0, low - 1), min(len(lines), high + 1)
    above, below = lines[low : edit.start], lines[edit.end : high]
    return {
        "command": "str_replace",
        "old_str": join(lines[low:high]),
        "new_str": join([*above, *edit.insert, *below]),
    }


def _occurrences(text: str, block: str) -> int:
    """How often ``block`` stands in ``text``, overlaps included; the tool's own count leaves those out."""
    return sum(text.startswith(block, at) for at in range(len(text) - len(block) + 1))
