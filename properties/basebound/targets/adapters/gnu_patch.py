"""GNU patch: a unified diff, placed by its context with an offset and up to two lines of fuzz."""

from __future__ import annotations

from typing import ClassVar

from basebound.model import Patch
from basebound.targets.adapters.programs import run, said
from basebound.targets.adapters.text import FileBuffer
from basebound.targets.adapters.unified import CONTEXT, unified_hunks

_HUNKS_FAILED = frozenset({1})


class GnuPatch(FileBuffer):
    """``patch -F2`` on a file. It fails hunk by hunk: those that fitted stay in the file."""

    context: ClassVar[int] = CONTEXT

    def _submit(self, patch: Patch) -> None:
        edits = self._text_edits(patch)
        if not edits:
            return  # patch calls a diff without hunks garbage; there is nothing to send
        hunks = unified_hunks(self._text_lines(patch.base.lines), edits, self.context)
        diff = f"--- {self.name}\n+++ {self.name}\n{hunks}".encode()
        # --force: never ask on the terminal, and never guess that the diff is meant the other way round.
        command = ["patch", "-u", "-s", "-F2", "--force", "--no-backup-if-mismatch", "-r", "-", self.name]
        ended = run(command, diff, self.root, _HUNKS_FAILED)
        if ended.returncode != 0:
            raise self._stale(patch, said(ended))
