"""The control: where nothing changed since its author read, every engine does exactly what the patch says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from basebound.model import Hunk, Patch
from basebound.targets.adapters import ADAPTERS

NAMES = [adapter.name for adapter in ADAPTERS]
TEN = tuple(f"line {number}" for number in range(10))

ONE_HUNK = {
    "replace in the middle": (TEN, Hunk(4, 6, ("x", "y", "z")), (*TEN[:4], "x", "y", "z", *TEN[6:])),
    "delete in the middle": (TEN, Hunk(4, 6), TEN[:4] + TEN[6:]),
    "insert in the middle": (TEN, Hunk(4, 4, ("x", "y")), (*TEN[:4], "x", "y", *TEN[4:])),
    "insert at the top": (TEN, Hunk(0, 0, ("x",)), ("x", *TEN)),
    "insert at the end": (TEN, Hunk(10, 10, ("x",)), (*TEN, "x")),
    "delete everything": (TEN, Hunk(0, 10), ()),
    "replace everything": (TEN, Hunk(0, 10, ("x",)), ("x",)),
    "insert into nothing": ((), Hunk(0, 0, ("x", "", "x")), ("x", "", "x")),
    "insert an empty line into nothing": ((), Hunk(0, 0, ("",)), ("",)),
    "delete the only empty line": (("",), Hunk(0, 1), ()),
    "blank lines at the end": (("a",), Hunk(1, 1, ("b", "", "")), ("a", "b", "", "")),
    "the second of three equal lines": (("a", "a", "a"), Hunk(1, 2, ("b",)), ("a", "b", "a")),
    "the last copy of a block": (("a", "b") * 4, Hunk(6, 8, ("x",)), (*("a", "b") * 3, "x")),
    "lines that look like a diff": (("a",), Hunk(1, 1, ("@@ -1 +1 @@", "--- a", "+b", "*** End of File")),
                                    ("a", "@@ -1 +1 @@", "--- a", "+b", "*** End of File")),
    "lines that look like a rendering": (("a",), Hunk(0, 1, ("1:ab|x", "- y", "\\1 %s")), ("1:ab|x", "- y", "\\1 %s")),
    "line breaks inside lines": (("a\nb", "a", "b"), Hunk(1, 2, ("c\r\nd",)), ("a\nb", "c\r\nd", "b")),
    "a line by itself": (TEN, Hunk(3, 4, TEN[3:4]), TEN),
    "nothing by nothing": (TEN, Hunk(3, 3), TEN),
}  # fmt: skip

TWO_HUNKS = {
    "far apart": (Hunk(1, 2, ("x", "y")), Hunk(8, 9)),
    "close": (Hunk(3, 4, ("x", "y")), Hunk(5, 6, ("z",))),
    "adjacent": (Hunk(3, 4, ("x", "y")), Hunk(4, 6, ("z",))),
    "from bottom to top": (Hunk(8, 9, ("z",)), Hunk(1, 2)),
    "two insertions at one point": (Hunk(5, 5, ("x",)), Hunk(5, 5, ("y",))),
    "an insertion at the start of a range": (Hunk(5, 7, ("y",)), Hunk(5, 5, ("x",))),
    "at both ends": (Hunk(0, 0, ("x",)), Hunk(10, 10, ("y",))),
}
AFTER_TWO = {
    "far apart": (TEN[0], "x", "y", *TEN[2:8], TEN[9]),
    "close": (*TEN[:3], "x", "y", TEN[4], "z", *TEN[6:]),
    "adjacent": (*TEN[:3], "x", "y", "z", *TEN[6:]),
    "from bottom to top": (TEN[0], *TEN[2:8], "z", TEN[9]),
    "two insertions at one point": (*TEN[:5], "x", "y", *TEN[5:]),
    "an insertion at the start of a range": (*TEN[:5], "x", "y", *TEN[7:]),
    "at both ends": ("x", *TEN, "y"),
}


@pytest.mark.parametrize("case", ONE_HUNK)
@pytest.mark.parametrize("name", NAMES)
def test_a_fresh_hunk_is_applied_exactly(name: str, case: str, start: Callable[..., Any]) -> None:
    lines, hunk, after = ONE_HUNK[case]
    engine = start(name, lines)
    read = engine.snapshot()
    receipt = engine.apply(Patch(read, (hunk,)))
    now = engine.snapshot()
    assert now.lines == after
    assert (receipt.base, receipt.revision) == (now.base, now.revision)
    assert now.revision > read.revision or after == lines
    assert now.base != read.base or after == lines


@pytest.mark.parametrize("case", TWO_HUNKS)
@pytest.mark.parametrize("name", NAMES)
def test_two_fresh_hunks_are_applied_exactly(name: str, case: str, start: Callable[..., Any]) -> None:
    engine = start(name, TEN)
    if getattr(engine, "max_hunks", 2) < 2:
        pytest.skip(f"{name} says that it takes at most {engine.max_hunks} hunk")
    engine.apply(Patch(engine.snapshot(), TWO_HUNKS[case]))
    assert engine.snapshot().lines == AFTER_TWO[case]


@pytest.mark.parametrize("name", NAMES)
def test_a_patch_without_hunks_is_accepted_and_changes_no_line(name: str, start: Callable[..., Any]) -> None:
    engine = start(name, TEN)
    engine.apply(Patch(engine.snapshot(), ()))
    assert engine.snapshot().lines == TEN


@pytest.mark.parametrize("name", NAMES)
def test_a_bad_hunk_is_refused_as_such_and_changes_nothing(name: str, start: Callable[..., Any]) -> None:
    engine = start(name, TEN)
    before = engine.snapshot()
    for bad in (Hunk(9, 11), Hunk(-1, 1), Hunk(5, 4)):
        with pytest.raises(Exception, match="bad-hunk"):
            engine.apply(Patch(before, (bad,)))
        assert engine.snapshot() == before


@pytest.mark.parametrize("name", NAMES)
def test_what_the_caller_passed_may_change_afterwards(name: str, start: Callable[..., Any]) -> None:
    engine = start(name, ("a",))
    more = ["b"]
    engine.append(more)
    more.append("c")
    read = engine.snapshot()
    engine.append(("d",))
    assert read.lines == ("a", "b")
    assert engine.snapshot().lines == ("a", "b", "d")
