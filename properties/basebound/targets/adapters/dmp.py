"""diff-match-patch: fuzzy patches on a text, placed by similarity."""

# mypy: disable-error-code="import-not-found, import-untyped"

from __future__ import annotations

from diff_match_patch import diff_match_patch

from basebound.model import Config, Patch
from basebound.targets.adapters.edits import Edit
from basebound.targets.adapters.encoding import escape, join
from basebound.targets.adapters.text import MemoryText

_Diff = tuple[int, str]


class DiffMatchPatch(MemoryText):
    """``patch_make`` and ``patch_apply`` with the package's default thresholds, on a text.

    ``patch_apply`` gives a text back whether all hunks matched or not, and the text becomes the live one, as
    in the synchronisation the package was written for: hunks that matched stay.
    """

    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self._engine = diff_match_patch()

    def _submit(self, patch: Patch) -> None:
        patches = self._engine.patch_make(_diffs(patch.base.lines, self._edits(patch)))
        self.text, matched = self._engine.patch_apply(patches, self.text)
        if not all(matched):
            failed = ", ".join(str(number) for number, ok in enumerate(matched, 1) if not ok)
            raise self._stale(patch, f"diff-match-patch found no match for its patch {failed} of {len(matched)}")


def _diffs(lines: tuple[str, ...], edits: tuple[Edit, ...]) -> list[_Diff]:
    """The change in the package's own form: (0, kept), (-1, removed) and (1, inserted) texts in turn."""
    diffs: list[_Diff] = []
    at = 0
    for edit in edits:
        kept, removed = lines[at : edit.start], lines[edit.start : edit.end]
        diffs += [(0, _text(kept)), (-1, _text(removed)), (1, _text(edit.insert))]
        at = edit.end
    diffs.append((0, _text(lines[at:])))
    return [diff for diff in diffs if diff[1]]


def _text(lines: tuple[str, ...]) -> str:
    return join(map(escape, lines))
