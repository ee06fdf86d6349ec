"""git apply: a git diff, placed by its context with any offset and no fuzz."""

from __future__ import annotations

import hashlib
from typing import ClassVar

from basebound.model import Patch
from basebound.targets.adapters.edits import edited
from basebound.targets.adapters.encoding import join
from basebound.targets.adapters.programs import run, said
from basebound.targets.adapters.text import FileBuffer
from basebound.targets.adapters.unified import CONTEXT, unified_hunks

_DOES_NOT_APPLY = frozenset({1})


class GitApply(FileBuffer):
    """``git apply`` on a file. The base is the file's blob id.

    The diff's ``index`` line names the blob it was authored against, as every git diff does.
    """

    context: ClassVar[int] = CONTEXT

    def _identity(self, text: str) -> str:
        content = text.encode()
        return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()

    def _submit(self, patch: Patch) -> None:
        edits = self._text_edits(patch)
        if not edits:
            return  # git apply calls a diff without hunks corrupt; there is nothing to send
        before = self._text_lines(patch.base.lines)
        old, new = (self._identity(join(lines)) for lines in (before, edited(before, edits)))
        diff = (
            f"diff --git a/{self.name} b/{self.name}\nindex {old}..{new} 100644\n"
            f"--- a/{self.name}\n+++ b/{self.name}\n{unified_hunks(before, edits, self.context)}"
        )
        ended = run(["git", "apply", "--whitespace=nowarn", "-"], diff.encode(), self.root, _DOES_NOT_APPLY)
        if ended.returncode != 0:
            raise self._stale(patch, said(ended))
