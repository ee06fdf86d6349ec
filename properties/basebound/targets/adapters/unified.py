"""The unified diff of a patch: exactly its hunks, so that nothing is found again by a diff algorithm."""

from __future__ import annotations

from collections.abc import Sequence

from basebound.targets.adapters.edits import Edit
from basebound.targets.adapters.encoding import join

CONTEXT = 3
"""Lines of context around an edit: what ``diff -u`` and ``git diff`` give."""


def unified_hunks(lines: Sequence[str], edits: Sequence[Edit], context: int = CONTEXT) -> str:
    """The hunks that turn ``lines`` into their edited form; ``""`` where there are no edits."""
    text: list[str] = []
    shift = 0
    for group in grouped(edits, context):
        low, high = max(0, group[0].start - context), min(len(lines), group[-1].end + context)
        body = rows(lines, group, low, high)
        old = sum(row[0] != "+" for row in body)
        new = sum(row[0] != "-" for row in body)
        text += [f"@@ -{_range(low, old)} +{_range(low + shift, new)} @@", *body]
        shift += new - old
    return join(text)


def grouped(edits: Sequence[Edit], context: int) -> list[list[Edit]]:
    """``edits`` by hunk: those whose contexts meet stand in one."""
    groups: list[list[Edit]] = []
    for edit in edits:
        if groups and edit.start - groups[-1][-1].end <= 2 * context:
            groups[-1].append(edit)
        else:
            groups.append([edit])
    return groups


def rows(lines: Sequence[str], group: Sequence[Edit], low: int, high: int) -> list[str]:
    """Lines ``[low, high)`` with the edits of ``group``, each row marked as kept, removed or inserted."""
    body: list[str] = []
    at = low
    for edit in group:
        body += [f" {line}" for line in lines[at : edit.start]]
        body += [f"-{line}" for line in lines[edit.start : edit.end]]
        body += [f"+{line}" for line in edit.insert]
        at = edit.end
    return body + [f" {line}" for line in lines[at:high]]


def _range(start: int, count: int) -> str:
    # A range without lines names the line above it.
    return f"{start + 1 if count else start},{count}"
