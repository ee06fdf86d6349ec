"""How one content differs from another, in bounded time: an engine may have been given any number of equal lines."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import Any, TypeAlias

from basebound.oracle.state import common_start

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
