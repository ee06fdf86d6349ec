"""What a reader sees of a violation."""

from __future__ import annotations

from basebound.core.trace import Append, Apply, Read
from basebound.history import CallHistory, Illegal, Operation, draw, judge
from basebound.model import Hunk, Receipt, Snapshot
from basebound.results.outcome import Returned

START = Snapshot(("a", "b"), "base-0", 0)


def drawn(*operations: Operation) -> str:
    verdict = judge(CallHistory.of(START.lines, operations))
    assert isinstance(verdict, Illegal)
    return draw(verdict)


def test_culprits_stand_out_from_what_happened_beside_them() -> None:
    text = drawn(
        Operation("ada", 0, 10, Append(("x",)), Returned()),
        Operation("bob", 5, 15, Append(("y",)), Returned()),
        Operation("ada", 20, 30, Read("r"), Returned(Snapshot(("a", "b", "y"), "base-1", 1))),
    )
    assert text.splitlines() == [
        "start: ['a', 'b']",
        "",
        "ada  [1====]   [3=]",
        "bob     [2---]",
        "",
        "*  1 ada: append ['x'] -> done",
        "   2 bob: append ['y'] -> done",
        "*  3 ada: snapshot r -> ['a', 'b', 'y'] at revision 1, base base-1",
        "",
        "* these 2 operations have no order, whatever the others did; without any one of them there is one",
    ]


def test_a_client_with_calls_at_once_has_several_lanes_and_a_lost_answer_an_open_end() -> None:
    text = drawn(
        Operation("ada", 0, None, Append(("lost",)), None),
        Operation("ada", 1, 4, Append(("x",)), Returned()),
        Operation("ada", 6, 7, Read("r"), Returned(START)),
    )
    lanes = text.splitlines()[2:4]
    assert lanes[0].startswith("ada  [1--")
    assert lanes[0].endswith("->")
    assert lanes[1] == "        [2=] [3=]"


def test_a_broken_law_is_named() -> None:
    torn = Snapshot(("s", "b"), "base-0", 0)
    commit = Operation("bob", 2, 9, Apply("r", (Hunk(0, 1, ("s",)),)), Returned(Receipt("base-1", 1)), START)
    text = drawn(
        Operation("ada", 0, 1, Read("r"), Returned(START)), commit, Operation("ada", 3, 4, Read("t"), Returned(torn))
    )
    assert text.splitlines()[-1].startswith("* ")
    assert "apply on r: [0,1) -> ['s'] -> committed as revision 1" in text


def test_long_contents_are_cut_in_the_middle() -> None:
    many = tuple(f"line {n}" for n in range(40))
    text = drawn(Operation("ada", 0, 1, Read("r"), Returned(Snapshot(many, "other", 4))))
    assert "['line 0', 'line 1', 'line 2', ... 33 more ..., 'line 36', 'line 37', 'line 38', 'line 39']" in text


def test_what_is_not_drawn_is_counted() -> None:
    quiet = [Operation(f"c{n}", 10 * n, 10 * n + 5, Append((f"l{n}",)), Returned()) for n in range(30)]
    lines = (*START.lines, *(f"l{n}" for n in range(29)))
    verdict = judge(
        CallHistory.of(START.lines, [*quiet, Operation("z", 400, 410, Read("r"), Returned(Snapshot(lines, "b", 29)))])
    )
    assert isinstance(verdict, Illegal)
    assert "more operations of this part are not drawn)" in draw(verdict, most=5)
