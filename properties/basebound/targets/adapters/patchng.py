"""patch-ng: a unified diff placed by its line numbers, whatever stands there (``fuzz=True``)."""

# mypy: disable-error-code="import-not-found, import-untyped"

from __future__ import annotations

import os
from typing import ClassVar

import patch_ng

from basebound.model import Patch
from basebound.targets.adapters.text import FileBuffer
from basebound.targets.adapters.unified import CONTEXT, unified_hunks


class PatchNg(FileBuffer):
    """``PatchSet.apply(strip=1, root=..., fuzz=True)`` on a file.

    patch-ng walks over the lines of the file and never meets a hunk of an empty one, hence the title line.
    While it works it is in another working directory, and so is the whole process.
    """

    preamble: ClassVar[tuple[str, ...]] = ("context:",)
    context: ClassVar[int] = CONTEXT

    def _submit(self, patch: Patch) -> None:
        edits = self._text_edits(patch)
        if not edits:
            return  # patch-ng does not parse a diff without hunks; there is nothing to send
        hunks = unified_hunks(self._text_lines(patch.base.lines), edits, self.context)
        parsed = patch_ng.fromstring(f"--- a/{self.name}\n+++ b/{self.name}\n{hunks}".encode())
        if not parsed:
            raise RuntimeError(f"patch-ng does not parse the diff:\n{hunks}")
        directory = os.getcwd()
        try:
            done = parsed.apply(strip=1, root=str(self.root), fuzz=True)
        finally:
            os.chdir(directory)  # patch-ng goes back by itself, but not when it raises
        if not done:
            raise self._stale(patch, "patch-ng reported errors (apply returned False)")
