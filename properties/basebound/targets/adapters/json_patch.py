"""JSON Patch (RFC 6902) on an array of lines, with its ``test`` operation at three strengths."""

# mypy: disable-error-code="import-not-found, import-untyped"

from __future__ import annotations

import hashlib
import json
from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

import jsonpatch

from basebound.model import Config, Patch
from basebound.targets.adapters.buffer import HeldBuffer
from basebound.targets.adapters.edits import Edit

_Operation = dict[str, Any]


class _JsonPatch(HeldBuffer):
    """``jsonpatch.apply_patch`` on a document, an array of strings. A patch that fails leaves it as it was."""

    def __init__(self, config: Config) -> None:
        super().__init__()
        self._document: list[str] = list(config.lines)

    @abstractmethod
    def _tests(self, lines: Sequence[str], edits: Sequence[Edit]) -> list[_Operation]:
        """The ``test`` operations that come before the edits."""

    def _read(self) -> tuple[tuple[str, ...], str]:
        return tuple(self._document), hashlib.sha256(json.dumps(self._document).encode()).hexdigest()

    def _place(self, at: int | None, lines: tuple[str, ...]) -> None:
        point = len(self._document) if at is None else at
        self._document = [*self._document[:point], *lines, *self._document[point:]]

    def _submit(self, patch: Patch) -> None:
        edits = self._edits(patch)
        self._send(patch, [*self._tests(patch.base.lines, edits), *_operations(edits)])

    def _send(self, patch: Patch, operations: list[_Operation]) -> None:
        try:
            self._document = jsonpatch.apply_patch(self._document, operations)
        except (jsonpatch.JsonPatchTestFailed, jsonpatch.JsonPatchConflict) as failure:
            raise self._stale(patch, f"{type(failure).__name__}: {failure}") from failure


class JsonPatchIndex(_JsonPatch):
    """No tests: an index says where a line is, and nothing says which line it was."""

    def _tests(self, lines: Sequence[str], edits: Sequence[Edit]) -> list[_Operation]:
        return []


class JsonPatchLines(_JsonPatch):
    """Tests of the lines each edit removes, and of the line above and the line below it."""

    def _tests(self, lines: Sequence[str], edits: Sequence[Edit]) -> list[_Operation]:
        touched = {at for edit in edits for at in range(edit.start - 1, edit.end + 1) if 0 <= at < len(lines)}
        return [{"op": "test", "path": f"/{at}", "value": lines[at]} for at in sorted(touched)]


class JsonPatchDocument(_JsonPatch):
    """A test of the whole document: the authored content itself is the base that is compared."""

    def _tests(self, lines: Sequence[str], edits: Sequence[Edit]) -> list[_Operation]:
        return [{"op": "test", "path": "", "value": list(lines)}]

    def _probe(self, patch: Patch) -> None:
        self._send(patch, self._tests(patch.base.lines, ()))


def _operations(edits: Sequence[Edit]) -> list[_Operation]:
    """From the bottom up, so that every index is one of the authored document."""
    operations: list[_Operation] = []
    for edit in reversed(edits):
        operations += [{"op": "remove", "path": f"/{edit.start}"}] * (edit.end - edit.start)
        operations += [
            {"op": "add", "path": f"/{edit.start + offset}", "value": line} for offset, line in enumerate(edit.insert)
        ]
    return operations
