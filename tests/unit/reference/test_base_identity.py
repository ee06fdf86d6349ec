"""The first invariant on the live buffer: what is fresh, what is stale, and what a refusal leaves."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest

from basebound_reference import (
    BadHunkError,
    ContextBuffer,
    Hunk,
    ProtectedLineError,
    RewritePatch,
    RewriteRefused,
    StaleRewriteBaseError,
    digest,
)

LINES = ("keep", "drop me please", "", "keep")


def authored(buffer: ContextBuffer, *hunks: Hunk) -> RewritePatch:
    seen = buffer.snapshot()
    return RewritePatch(seen.base, hunks, seen.revision)


def test_a_fresh_patch_is_applied_exactly() -> None:
    buffer = ContextBuffer(LINES)
    receipt = buffer.apply(authored(buffer, Hunk(1, 2, ("x",))))
    now = buffer.snapshot()
    assert now.lines == ("keep", "x", "", "keep")
    assert (receipt.base, receipt.revision) == (now.base, now.revision)
    assert now.revision > 0


@pytest.mark.parametrize(
    "foreign_write",
    [
        lambda buffer: buffer.append(["tool: done"]),
        lambda buffer: buffer.append([""]),
        lambda buffer: buffer.insert(0, ["tool: above"]),
        lambda buffer: buffer.insert(4, ["drop me please"]),
        lambda buffer: buffer.emit("rationale", ["because"]),
        lambda buffer: buffer.apply(authored(buffer, Hunk(3, 4))),
    ],
    ids=["append", "append of an empty line", "insert above", "insert of a copy", "emission", "another patch"],
)
def test_a_stale_patch_is_refused_and_changes_nothing(foreign_write) -> None:  # type: ignore[no-untyped-def]
    buffer = ContextBuffer(LINES)
    patch = authored(buffer, Hunk(1, 2))
    foreign_write(buffer)
    before = buffer.snapshot()
    with pytest.raises(StaleRewriteBaseError):
        buffer.apply(patch)
    assert buffer.snapshot() == before


@pytest.mark.parametrize(
    "altered",
    [
        lambda base: base[:-1] + ("0" if base[-1] != "0" else "1"),
        str.upper,
        lambda base: base + " ",
        lambda base: base[:8],
    ],
    ids=["another last digit", "upper case", "a trailing space", "a prefix"],
)
def test_a_base_that_is_nearly_the_live_one_is_stale(altered: Callable[[str], str]) -> None:
    buffer = ContextBuffer(LINES)
    with pytest.raises(StaleRewriteBaseError):
        buffer.apply(RewritePatch(altered(buffer.snapshot().base), (Hunk(1, 2),)))
    assert buffer.snapshot().lines == LINES


def test_a_committed_patch_is_stale_when_it_is_submitted_again() -> None:
    buffer = ContextBuffer(("same", "same", "same"))
    patch = authored(buffer, Hunk(0, 1))
    buffer.apply(patch)
    with pytest.raises(StaleRewriteBaseError):
        buffer.apply(patch)
    assert buffer.snapshot().lines == ("same", "same")


def test_a_patch_is_fresh_again_when_its_content_has_returned() -> None:
    buffer = ContextBuffer(("a", "bb"))
    patch = authored(buffer, Hunk(1, 2))
    buffer.append(["guest"])
    buffer.apply(authored(buffer, Hunk(2, 3)))
    buffer.apply(patch)
    assert buffer.snapshot().lines == ("a",)
    buffer.append(["c"])
    with pytest.raises(StaleRewriteBaseError):
        buffer.apply(patch)


def test_a_stale_message_names_both_bases_and_revisions_and_says_to_re_author() -> None:
    buffer = ContextBuffer(LINES)
    patch = authored(buffer, Hunk(1, 2))
    buffer.append(["tool: done"])
    live = buffer.snapshot()
    with pytest.raises(StaleRewriteBaseError) as caught:
        buffer.apply(patch)
    message = caught.value.message
    for expected in (patch.base[:8], "revision 0", live.base[:8], "revision 1", "re-author"):
        assert expected in message
    assert str(caught.value) == message


def test_a_stale_message_names_no_revision_that_the_author_did_not_give() -> None:
    buffer = ContextBuffer(LINES)
    with pytest.raises(StaleRewriteBaseError) as caught:
        buffer.apply(RewritePatch("0" * 64, ()))
    assert "00000000" in caught.value.message
    assert "revision" not in caught.value.message


def test_a_stale_base_takes_precedence_over_every_other_defect() -> None:
    buffer = ContextBuffer(LINES, protected=("keep",))
    patch = authored(buffer, Hunk(-1, 99), Hunk(0, 1))
    buffer.append(["tool: done"])
    with pytest.raises(StaleRewriteBaseError):
        buffer.apply(patch)


@pytest.mark.parametrize(
    "hunks",
    [
        (Hunk(3, 5),),
        (Hunk(5, 5, ("x",)),),
        (Hunk(-1, 1),),
        (Hunk(-1, -1, ("x",)),),
        (Hunk(2, 1),),
        (Hunk(0, 2), Hunk(1, 3)),
        (Hunk(0, 2), Hunk(0, 1)),
        (Hunk(0, 2), Hunk(0, 2)),
        (Hunk(1, 1, ("x",)), Hunk(0, 2)),
        (Hunk(0, 1), Hunk(3, 9)),
    ],
    ids=str,
)
def test_a_hunk_that_does_not_fit_refuses_the_whole_patch(hunks: tuple[Hunk, ...]) -> None:
    buffer = ContextBuffer(LINES)
    before = buffer.snapshot()
    for order in (hunks, hunks[::-1]):
        with pytest.raises(BadHunkError):
            buffer.apply(authored(buffer, *order))
        assert buffer.snapshot() == before


def test_a_bad_hunk_is_named_and_told_what_would_fit() -> None:
    buffer = ContextBuffer(LINES)
    with pytest.raises(BadHunkError, match=r"the hunk \[-1, 2\) does not fit: choose 0 <= start <= end <= 4"):
        buffer.apply(authored(buffer, Hunk(-1, 2)))
    with pytest.raises(BadHunkError, match=r"the hunk \[1, 3\) reaches into another hunk: merge the two"):
        buffer.apply(authored(buffer, Hunk(1, 3), Hunk(0, 2)))


def test_adjacent_hunks_and_insertions_at_their_edges_do_not_overlap() -> None:
    buffer = ContextBuffer(("a" * 9, "b" * 9, "c" * 9))
    buffer.apply(
        authored(
            buffer, Hunk(2, 3, ("C",)), Hunk(1, 1, ("1",)), Hunk(0, 1, ("A",)), Hunk(1, 2, ("B",)), Hunk(1, 1, ("2",))
        )
    )
    assert buffer.snapshot().lines == ("A", "1", "2", "B", "C")


@pytest.mark.parametrize(
    "hunks",
    [(Hunk(0, 1),), (Hunk(0, 1, ("the PIN",)),), (Hunk(1, 3), Hunk(0, 1), Hunk(3, 3, ("the PIN",)))],
    ids=["deleted", "replaced by itself", "moved"],
)
def test_a_protected_line_is_not_removed_whatever_replaces_it(hunks: tuple[Hunk, ...]) -> None:
    buffer = ContextBuffer(("the PIN", "some filler", "some more filler"), protected=("no such", "PIN"))
    before = buffer.snapshot()
    with pytest.raises(ProtectedLineError):
        buffer.apply(authored(buffer, *hunks))
    assert buffer.snapshot() == before


def test_lines_beside_a_protected_one_are_removable_and_late_lines_are_protected_too() -> None:
    buffer = ContextBuffer(("above", "PIN", "below"), protected=("PIN",))
    buffer.apply(authored(buffer, Hunk(0, 1), Hunk(2, 3, ("x",))))
    assert buffer.snapshot().lines == ("PIN", "x")
    buffer.append(["late PIN"])
    with pytest.raises(ProtectedLineError):
        buffer.apply(authored(buffer, Hunk(2, 3)))


def test_the_empty_marker_protects_every_line_and_no_insertion() -> None:
    buffer = ContextBuffer(("", "a"), protected=("",))
    for at in (0, 1):
        with pytest.raises(ProtectedLineError):
            buffer.apply(authored(buffer, Hunk(at, at + 1)))


def test_no_two_small_contents_share_a_base() -> None:
    words = ("", "a", "A", "\n", "a\n", "\na", " ", "a ", "\r\n", "\0", "é", "e\u0301", "1:a", "\0\0\0\0\0\0\0\1a")
    contents = [lines for length in range(4) for lines in product(words, repeat=length)]
    assert len({digest(lines) for lines in contents}) == len(contents)


def test_a_buffer_holds_its_lines_whatever_they_hold() -> None:
    odd = ("", " a ", "\n", "x\r\ny", "", "\\1 {x} %s", "e\u0301", "\0")
    buffer = ContextBuffer(odd)
    assert buffer.snapshot().lines == odd
    buffer.append(odd)
    buffer.insert(0, odd)
    assert buffer.snapshot().lines == odd * 3
    assert ContextBuffer().snapshot().lines == ()


def test_what_goes_in_is_copied_and_what_comes_out_is_a_value() -> None:
    given = ["one", "two"]
    buffer = ContextBuffer(given)
    seen = buffer.snapshot()
    given.append("three")
    more = ["four"]
    buffer.append(more)
    more[0] = "changed"
    assert seen.lines == ("one", "two")
    assert buffer.snapshot().lines == ("one", "two", "four")


def test_a_line_that_utf_8_cannot_hold_is_refused_before_anything_changes() -> None:
    buffer = ContextBuffer(LINES)
    before = buffer.snapshot()
    for write in (buffer.append, lambda lines: buffer.insert(0, lines), lambda lines: buffer.emit("error", lines)):
        with pytest.raises(UnicodeEncodeError):
            write(["fine", "\ud800"])
        assert buffer.snapshot() == before
    with pytest.raises(UnicodeEncodeError):
        buffer.apply(authored(buffer, Hunk(1, 2, ("\ud800",))))
    assert buffer.snapshot() == before


def test_a_foreign_insert_stands_before_the_line_it_names_and_nowhere_outside() -> None:
    buffer = ContextBuffer(("a", "b"))
    buffer.insert(0, ["top"])
    buffer.insert(2, ["middle"])
    buffer.insert(4, ["end"])
    assert buffer.snapshot().lines == ("top", "a", "middle", "b", "end")
    before = buffer.snapshot()
    for at in (-1, 6):
        with pytest.raises(IndexError, match="choose 0 to 5"):
            buffer.insert(at, ["x"])
    assert buffer.snapshot() == before


def test_the_revision_rises_with_every_change_and_stays_without_one() -> None:
    buffer = ContextBuffer(LINES)
    revisions = [buffer.snapshot().revision]
    for change in (
        lambda: buffer.append(["x"]),
        lambda: buffer.insert(0, ["y"]),
        lambda: buffer.emit("error", ["z"]),
        lambda: buffer.apply(authored(buffer, Hunk(2, 3))),
    ):
        change()
        revisions.append(buffer.snapshot().revision)
    assert revisions == sorted(set(revisions))
    buffer.append([])
    buffer.insert(0, [])
    buffer.end_turn()
    with pytest.raises(RewriteRefused):
        buffer.apply(authored(buffer))
    assert buffer.snapshot().revision == revisions[-1]
