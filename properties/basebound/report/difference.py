"""How one content differs from another, in bounded time: an engine may have been given any number of equal lines."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import Any, TypeAlias

from basebound.core.hunks import defects, splice
from basebound.model import Hunk

Code: TypeAlias = tuple[str, int, int, int, int]

_MOST = 250_000
"""Pairs of lines that are compared between the common start and the common end; above that all of it is replaced."""


def codes(old: Sequence[Any], new: Sequence[Any]) -> list[Code]:
    """The stretches of both, in order: the tag (``equal``, ``replace``, ...), the bounds in ``old`` and in ``new``."""
    head = common_start(old, new)
    tail = common_start(old[head:][::-1], new[head:][::-1])
    i, j, k, m = head, len(old) - tail, head, len(new) - tail
    middle: list[Code] = []
    if (j - i) * (m - k) > _MOST:
        middle = [("replace", i, j, k, m)]
    else:
        found = difflib.SequenceMatcher(None, old[i:j], new[k:m], autojunk=False).get_opcodes()
        middle = [(tag, a + head, b + head, c + head, d + head) for tag, a, b, c, d in found]
    start: list[Code] = [("equal", 0, head, 0, head)]
    end: list[Code] = [("equal", j, len(old), m, len(new))]
    return [code for code in (*start, *middle, *end) if code[1:] != (code[1], code[1], code[3], code[3])]


def common_start(old: Sequence[Any], new: Sequence[Any]) -> int:
    """How many elements both begin with."""
    most = min(len(old), len(new))
    return next((at for at in range(most) if old[at] != new[at]), most)


def effect(live: Sequence[str], after: Sequence[str], hunks: Sequence[Hunk]) -> list[Code]:
    """What a patch did: its hunks (in the order their effects stand) where they explain it, else the least difference.

    An engine that looks for the place its patch fits puts it elsewhere than the hunks say.
    """
    if not explains(hunks, live, after):
        return codes(live, after)
    told: list[Code] = []
    old = new = 0
    for hunk in hunks:
        told.append(("equal", old, hunk.start, new, new + hunk.start - old))
        new += hunk.start - old
        told.append(("replace", hunk.start, hunk.end, new, new + len(hunk.insert)))
        old, new = hunk.end, new + len(hunk.insert)
    return [*told, ("equal", old, len(live), new, len(after))]


def explains(hunks: Sequence[Hunk], before: Sequence[str], after: Sequence[str]) -> bool:
    """Whether ``after`` is the splice of ``hunks`` into ``before``."""
    if defects(hunks, len(before)):
        return False
    return list(splice(before, [(hunk.start, hunk.end, hunk.insert) for hunk in hunks])) == list(after)
