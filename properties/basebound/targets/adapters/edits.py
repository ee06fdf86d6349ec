"""A patch's hunks as the edits an engine is sent: in order, apart from each other, each with an effect."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from basebound.model import Hunk, Patch, Reason, Rejected


@dataclass(frozen=True)
class Edit:
    """Lines ``[start, end)`` of the authored snapshot become ``insert``."""

    start: int
    end: int
    insert: tuple[str, ...]


def edits_of(patch: Patch) -> tuple[Edit, ...]:
    """The edits of ``patch``, from the top down, with at least one unedited line between any two.

    Hunks that touch become one edit: what stands at one place must be sent as one change, or its order would
    depend on the engine. An insertion of nothing is left out.

    Raises ``Rejected(bad-hunk)`` for a hunk outside the authored snapshot, reversed, negative or overlapping:
    there is no way to write it down for any engine.
    """
    edits: list[Edit] = []
    for hunk in _in_order(patch.hunks, len(patch.base.lines)):
        if hunk.start == hunk.end and not hunk.insert:
            continue
        if edits and edits[-1].end == hunk.start:
            above = edits.pop()
            edits.append(Edit(above.start, hunk.end, (*above.insert, *hunk.insert)))
        else:
            edits.append(Edit(hunk.start, hunk.end, tuple(hunk.insert)))
    return tuple(edits)


def edited(lines: Sequence[str], edits: Sequence[Edit]) -> tuple[str, ...]:
    """``lines`` with ``edits`` done: the text the author means to leave."""
    after: list[str] = []
    done = 0
    for edit in edits:
        after += [*lines[done : edit.start], *edit.insert]
        done = edit.end
    return (*after, *lines[done:])


def _in_order(hunks: Sequence[Hunk], size: int) -> list[Hunk]:
    for hunk in hunks:
        if not 0 <= hunk.start <= hunk.end <= size:
            raise Rejected(
                Reason.BAD_HUNK,
                f"hunk [{hunk.start}, {hunk.end}) does not lie within the {size} authored lines: "
                "give 0 <= start <= end <= their number",
            )
    ordered = sorted(hunks, key=lambda hunk: (hunk.start, hunk.end))
    for above, below in pairwise(ordered):
        if below.start < above.end:
            raise Rejected(
                Reason.BAD_HUNK,
                f"hunks [{above.start}, {above.end}) and [{below.start}, {below.end}) overlap: give one hunk for both",
            )
    return ordered
