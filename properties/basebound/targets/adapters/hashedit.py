"""hash-edit: edits anchored by line hashes, under the version of the whole file."""

# mypy: disable-error-code="import-not-found, import-untyped"

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, ClassVar

from hash_edit import HashEditHarness, InvalidOperationError, VersionConflictError, compute_line_hash

from basebound.model import Config, Patch
from basebound.targets.adapters.edits import Edit
from basebound.targets.adapters.text import FileBuffer


class HashEdit(FileBuffer):
    """``HashEditHarness.edit(..., expected_version=...)`` on a file. The base is the file's version.

    The file has a title line, because an edit needs a line to be anchored at, and each line a mark, because
    the harness takes the prefixes of its own rendering off inserted lines.
    """

    preamble: ClassVar[tuple[str, ...]] = ("context:",)
    mark: ClassVar[str] = "- "

    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self._harness = HashEditHarness(self.root)

    def _identity(self, text: str) -> str:
        version: str = self._harness.read(self.name, start_line=1, end_line=1)["version"]
        return version

    def _submit(self, patch: Patch) -> None:
        edits = self._text_edits(patch)
        if edits:
            self._edit(patch, _operations(self._text_lines(patch.base.lines), edits))
        else:
            self._probe(patch)

    def _probe(self, patch: Patch) -> None:
        # Without an operation the harness compares the version first, and then asks for one.
        with suppress(InvalidOperationError):
            self._edit(patch, [])

    def _edit(self, patch: Patch, operations: list[Any]) -> None:
        try:
            self._harness.edit(self.name, operations, expected_version=patch.base.base)
        except VersionConflictError as failure:
            raise self._stale(patch, str(failure)) from failure


def _operations(lines: Sequence[str], edits: Sequence[Edit]) -> list[Any]:
    """Each edit as a deletion of its lines and an insertion after the line above them."""
    operations: list[Any] = []
    for edit in edits:
        if edit.start < edit.end:
            first, last = _anchor(lines, edit.start), _anchor(lines, edit.end - 1)
            operations.append({"op": "delete", **first, "end_line": last["line"], "end_hash": last["hash"]})
        if edit.insert:
            operations.append({"op": "insert_after", **_anchor(lines, edit.start - 1), "lines": list(edit.insert)})
    return operations


def _anchor(lines: Sequence[str], at: int) -> dict[str, Any]:
    return {"line": at + 1, "hash": compute_line_hash(at + 1, lines[at])}
