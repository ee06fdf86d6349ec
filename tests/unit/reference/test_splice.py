"""The splice against a model that shares nothing with it, and the check that would catch a wrong one."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from contract_model import fits, removed, splice
from hypothesis import given
from hypothesis import strategies as st

from basebound_reference import (
    BadHunkError,
    ContextBuffer,
    CorruptSpliceError,
    Hunk,
    RewritePatch,
    apply,
    digest,
    rewrite,
)
from basebound_reference.context import Line

LINES = st.lists(st.sampled_from(["", "a", "b", "a\nb", "\\1", "{x}", " ", "é"]), max_size=6).map(tuple)


@st.composite
def patches(draw: st.DrawFn) -> tuple[tuple[str, ...], tuple[Hunk, ...]]:
    """A content and hunks near its bounds; about half of them fit."""
    lines = draw(LINES)
    bounds = st.integers(-1, len(lines) + 1) if draw(st.integers(0, 3)) == 0 else st.integers(0, len(lines))
    hunks = []
    for _ in range(draw(st.integers(0, 3))):
        start, end = draw(bounds), draw(bounds)
        if draw(st.booleans()):
            start, end = min(start, end), max(start, end)
        hunks.append(Hunk(start, end, draw(LINES)[:2]))
    return lines, tuple(hunks)


@given(patches())
def test_a_patch_that_fits_is_the_walk_over_its_base_and_any_other_is_refused(
    case: tuple[tuple[str, ...], tuple[Hunk, ...]],
) -> None:
    lines, hunks = case
    if fits(len(lines), hunks):
        assert apply(lines, digest(lines), hunks) == splice(lines, hunks)
    else:
        with pytest.raises(BadHunkError):
            apply(lines, digest(lines), hunks)


@given(patches())
def test_every_kept_line_is_the_same_line_and_every_inserted_one_is_new(
    case: tuple[tuple[str, ...], tuple[Hunk, ...]],
) -> None:
    texts, hunks = case
    if not fits(len(texts), hunks):
        return
    lines = tuple(Line(text) for text in texts)
    kept = [line for line in lines if line not in removed(lines, hunks)]
    result = rewrite.splice(lines, hunks)
    assert [line for line in result if line in set(lines)] == kept
    assert len(result) == len(kept) + sum(len(hunk.insert) for hunk in hunks)


Splice = Callable[[tuple[Line, ...], Sequence[Hunk]], tuple[Line, ...]]
RIGHT: Splice = rewrite.splice


def one_after_the_other(lines: tuple[Line, ...], hunks: Sequence[Hunk]) -> tuple[Line, ...]:
    for hunk in sorted(hunks, key=lambda hunk: (hunk.start, hunk.end)):
        lines = RIGHT(lines, [hunk])
    return lines


BROKEN: dict[str, Splice] = {
    "one line too few": lambda lines, hunks: RIGHT(lines, [Hunk(h.start, h.end - 1, h.insert) for h in hunks]),
    "the last line lost": lambda lines, hunks: RIGHT(lines, hunks)[:-1],
    "nothing done": lambda lines, hunks: lines,
    "only the first hunk": lambda lines, hunks: RIGHT(lines, hunks[:1]),
    "hunks moved by earlier ones": one_after_the_other,
    "insertions in reverse": lambda lines, hunks: RIGHT(lines, hunks[::-1]),
    "inserted text stripped": lambda lines, hunks: RIGHT(
        lines, [Hunk(h.start, h.end, tuple(text.strip() for text in h.insert)) for h in hunks]
    ),
    "line breaks split": lambda lines, hunks: tuple(
        Line(part) for line in RIGHT(lines, hunks) for part in line.text.split("\n")
    ),
}


@pytest.mark.parametrize("fault", BROKEN)
def test_a_wrong_splice_is_caught_before_it_is_published(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    buffer = ContextBuffer(["first line", "second line", "third line", "fourth line", "last"])
    before = buffer.snapshot()
    hunks = (Hunk(1, 2, (" x",)), Hunk(3, 3, ("1",)), Hunk(3, 3, ("2",)), Hunk(3, 4, ("y\nz",)))
    patch = RewritePatch(before.base, hunks, before.revision)
    with monkeypatch.context() as broken:
        broken.setattr(rewrite, "splice", BROKEN[fault])
        with pytest.raises(CorruptSpliceError):
            buffer.apply(patch)
    assert buffer.snapshot() == before
    buffer.apply(patch)
    assert buffer.snapshot().lines == ("first line", " x", "third line", "1", "2", "y\nz", "last")
