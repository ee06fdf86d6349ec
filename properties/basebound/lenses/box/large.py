"""Family ``large`` of the box: texts of awkward sizes and kinds, each as small a history as shows what becomes of it.

Here are what a pipe, a buffer, a counter or a text library of another language trips over: lines about the limits of
a byte, of 64 KiB and of a mebibyte, two-digit line numbers, code points that take two UTF-16 units, Unicode
line breaks, combining marks.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from basebound.core.trace import Append, Apply, Read, Step, Trace
from basebound.model import Cost, Hunk

_PAYS = "pays for everything " * 5
_TEXTS = (
    "\U0001f600 \U0001f468\u200d\U0001f469",
    "one\u2028two\u2029three\x85four",
    "\ttab",
    "ends in a carriage return\r",
    "vertical\x0btab",
    "$& $1 $$",
    'quoted "text" and \\ backslash',
    "1234567\u00e9",
)
_64_KIB, _MEBIBYTE = 2**16, 2**20


def large(piped: bool) -> Iterator[Trace]:
    """All cases. ``piped``: also an append of very many lines, as one message."""
    yield from _other_units()
    yield from _two_digits()
    yield from _counted()
    yield from _recomposed()
    yield from _texts()
    for text in ("\u2192" * 23_000, "a" + "\u2192" * 23_000, "ab" + "\u2192" * 23_000, "x" * (_64_KIB + 9)):
        yield from _kept_and_removed(text)
    yield from _kept_and_removed("x" * (_MEBIBYTE + 1))
    if piped:
        # They are not removed again: an engine that has the suite count would ask for each of them.
        yield Trace(("head",), steps=(Append(("",) * 200_000), Read("s1")))


def _texts() -> Iterator[Trace]:
    """Each text appended, and each inserted by a patch, several times over."""
    for text in _TEXTS:
        many: list[Step] = [Read("s0")]
        for n in range(3):
            many += [Append((text,) * (n + 1)), Read(f"s{n + 1}")]
        yield Trace(("head",), steps=tuple(many))
        patch = Apply("s1", (Hunk(1, 2, (text,)), Hunk(2, 3)))
        yield Trace(("head", "gone", _PAYS, "tail"), steps=(Read("s1"), patch, Read("s2")))
        yield Trace(("head", "gone", _PAYS, "tail"), steps=(Append(("more",)), Read("s1"), patch, Read("s2")))


def _two_digits() -> Iterator[Trace]:
    """Hunks at lines 9 and 10, which text would put the other way round, among others at lower lines."""
    lines = tuple(f"line {n}" for n in range(12))
    hunks = (Hunk(2, 3), Hunk(9, 10), Hunk(10, 11))
    for order in permutations(hunks):
        yield Trace(lines, steps=(Read("s1"), Apply("s1", order), Read("s2")))
    yield Trace(lines, steps=(Read("s1"), Apply("s1", hunks[1:]), Read("s2")))


def _counted() -> Iterator[Trace]:
    """Lines about the limits of a byte and of what its overflow leaves, removed for one that costs little less."""
    for size in (127, 128, 254, 255, 256, 257, 3_000):
        for kept in (1, 60):
            removal = Apply("s1", (Hunk(0, 1, ("y" * kept,)),))
            yield Trace(("x" * size, "tail"), steps=(Read("s1"), removal, Read("s2")))


def _other_units() -> Iterator[Trace]:
    """Lines replaced by others that cost as much or more in bytes, and less in characters, units or a wrapped count.

    Each also with the claim of somebody who counts like that.
    """
    for old, new in (
        ("xxx", "\U0001f600"),
        ("x" * 12, "\u00e9" * 7),
        ("\u00e9" * 18, "\u4e2d" * 10 + "x" * 6),
        ("x" * 200, "\u00e9" * 128),
        ("x" * 1_500, "\u00e9" * 1_100),
    ):
        for claim in (None, Cost(len(old) + 2, len(new) + 1, 0)):
            yield Trace((old, "tail"), steps=(Read("s1"), Apply("s1", (Hunk(0, 1, (new,)),), claim), Read("s2")))


def _recomposed() -> Iterator[Trace]:
    """A text replaced by another that reads the same: composed and decomposed are two contents, both ways."""
    for one, other in (("\u00e9", "e\u0301"), ("e\u0301", "\u00e9"), ("\u212b", "\u00c5")):
        change = Apply("s1", (Hunk(0, 1, (other,)), Hunk(1, 2)))
        again = Apply("s1", (Hunk(0, 1),))
        yield Trace((one, _PAYS, "tail"), steps=(Read("s1"), change, Read("s2"), again, Read("s3")))


def _kept_and_removed(text: str) -> Iterator[Trace]:
    """A long line appended, read, and removed; and one that a patch puts in the place of a longer one."""
    last = (Read("s2"), Apply("s2", (Hunk(1, 2),)), Read("s3"))
    yield Trace(("head",), steps=(Read("s1"), Append((text,)), *last))
    yield Trace(("head",), steps=(Read("s0"), Read("s1"), Append((text,)), *last))
    yield Trace(("head", text + "."), steps=(Read("s1"), Apply("s1", (Hunk(1, 2, (text,)),)), *last))
