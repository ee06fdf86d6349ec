"""openai-agents: a V4A diff, which names its place by context lines only."""

# mypy: disable-error-code="import-not-found, import-untyped"

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from agents import apply_diff

from basebound.model import Patch
from basebound.targets.adapters.edits import Edit
from basebound.targets.adapters.encoding import join
from basebound.targets.adapters.text import MemoryText
from basebound.targets.adapters.unified import CONTEXT, grouped, rows


class OpenAiApplyDiff(MemoryText):
    """``agents.apply_diff`` on a text. The engine is a function: where it raises, the text stays."""

    context: ClassVar[int] = CONTEXT

    def _submit(self, patch: Patch) -> None:
        edits = self._text_edits(patch)
        if not edits:
            return  # a V4A diff has at least one section; there is nothing to send
        try:
            self.text = apply_diff(self.text, v4a(self._text_lines(patch.base.lines), edits, self.context))
        except ValueError as failure:
            raise self._stale(patch, str(failure)) from failure


def v4a(lines: Sequence[str], edits: Sequence[Edit], context: int) -> str:
    """The V4A diff of ``edits``, one section for each group of them.

    A section is found by its first match below the section above it. So each has as much context, and at least
    ``context`` lines, as its author needs to mean one place in what the author read.
    """
    text: list[str] = []
    cursor = 0
    for group in grouped(edits, context):
        low, high = max(cursor, group[0].start - context), min(len(lines), group[-1].end + context)
        while _first_match(lines, lines[low:high], cursor) != low:
            low -= 1
        text += ["@@", *rows(lines, group, low, high)]
        cursor = high
    return join(text)


def _first_match(lines: Sequence[str], block: Sequence[str], start: int) -> int:
    return next(at for at in range(start, len(lines) + 1) if lines[at : at + len(block)] == block)
