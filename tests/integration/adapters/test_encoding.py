"""What an engine is sent says exactly what the patch says: encodings are injective, diffs carry the hunks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from basebound.model import Config, Hunk, Patch, Reason, Rejected, Snapshot
from basebound.targets.adapters import ADAPTERS
from basebound.targets.adapters.edits import Edit, edited, edits_of
from basebound.targets.adapters.encoding import escape, join, split, unescape
from basebound.targets.adapters.unified import unified_hunks

NAMES = [adapter.name for adapter in ADAPTERS]
ODD = (
    *("", " ", "a", "a ", "A", "\n", "a\nb", "\r", "\r\n", "\0", "\ufeff", "\ufeffa", "\x85", "\u2028", "é", "e\u0301"),
    *("\\", "\\n", "\\\\n", "\\b", "\\1 %s {x}"),
    *("- a", "context:", "1:ab|a", "@@", "+a", "-a", "--- a", "*** End of File"),
)
LINE = st.one_of(st.sampled_from(ODD), st.text(st.characters(exclude_categories=["Cs"]), max_size=8))
LINES = st.lists(LINE, max_size=6).map(tuple)


def authored(lines: tuple[str, ...], *hunks: Hunk) -> Patch:
    return Patch(Snapshot(lines, "base", 0), hunks)


@given(LINE)
def test_a_line_survives_its_escape(line: str) -> None:
    text = escape(line)
    assert unescape(text) == line
    assert not set("\n\r\0\ufeff") & set(text)


@given(st.text("\\nrb0a\n\r\0\ufeff", max_size=6), st.text("\\nrb0a\n\r\0\ufeff", max_size=6))
@example("\\n", "\n")
def test_two_lines_never_share_an_escape(one: str, other: str) -> None:
    assert (escape(one) == escape(other)) == (one == other)


@given(st.text("\\nrb0a", max_size=6))
def test_whatever_an_engine_left_can_be_shown(text: str) -> None:
    assert isinstance(unescape(text), str)


@given(LINES)
@example(())
@example(("",))
def test_lines_survive_as_a_text(lines: tuple[str, ...]) -> None:
    assert tuple(map(unescape, split(join(map(escape, lines))))) == lines


@pytest.mark.parametrize("name", NAMES)
def test_odd_lines_are_read_back_as_they_were_written(name: str, factory_of: Callable[[str], Any]) -> None:
    factory = factory_of(name)

    @settings(max_examples=25, deadline=None, database=None)
    @given(LINES, LINES, st.data())
    def read_back(initial: tuple[str, ...], more: tuple[str, ...], data: st.DataObject) -> None:
        at = data.draw(st.integers(0, len(initial)))
        engine = factory(Config(lines=initial))
        try:
            assert engine.snapshot().lines == initial
            engine.insert(at, more)
            engine.append(list(more))
            assert engine.snapshot().lines == (*initial[:at], *more, *initial[at:], *more)
        finally:
            getattr(engine, "close", lambda: None)()

    read_back()


@pytest.mark.parametrize("name", NAMES)
def test_every_change_of_an_odd_line_has_another_base(name: str, start: Callable[..., Any]) -> None:
    engine = start(name, ())
    seen = {engine.snapshot().base}
    for line in ODD:
        now = engine.snapshot()
        engine.apply(Patch(now, (Hunk(0, len(now.lines), (line,)),)))
        assert engine.snapshot().lines == (line,)
        seen.add(engine.snapshot().base)
    assert len(seen) == len(ODD) + 1


# ------------------------------------------------------------------------------------------------- hunks


@pytest.mark.parametrize(
    "hunks",
    [
        (Hunk(0, 4),),
        (Hunk(4, 4, ("x",)),),
        (Hunk(-1, 1),),
        (Hunk(2, 1),),
        (Hunk(0, 2), Hunk(1, 3)),
        (Hunk(0, 2), Hunk(1, 1, ("x",))),
        (Hunk(0, 2), Hunk(1, 1)),
        (Hunk(0, 1), Hunk(0, 1)),
    ],
)
def test_hunks_that_cannot_be_written_down_are_bad(hunks: tuple[Hunk, ...]) -> None:
    with pytest.raises(Rejected) as refused:
        edits_of(authored(("a", "b", "c"), *hunks))
    assert refused.value.reason is Reason.BAD_HUNK


@pytest.mark.parametrize(
    ("hunks", "edits"),
    [
        ((), ()),
        ((Hunk(1, 1),), ()),
        ((Hunk(2, 3), Hunk(0, 1, ("x",))), (Edit(0, 1, ("x",)), Edit(2, 3, ()))),
        ((Hunk(1, 2, ("y",)), Hunk(0, 1, ("x",))), (Edit(0, 2, ("x", "y")),)),
        ((Hunk(1, 1, ("x",)), Hunk(1, 1, ("y",))), (Edit(1, 1, ("x", "y")),)),
        ((Hunk(1, 3, ("y",)), Hunk(1, 1, ("x",))), (Edit(1, 3, ("x", "y")),)),
        ((Hunk(1, 3, ("y",)), Hunk(3, 3, ("z",))), (Edit(1, 3, ("y", "z")),)),
    ],
)
def test_hunks_become_edits_apart_from_each_other(hunks: tuple[Hunk, ...], edits: tuple[Edit, ...]) -> None:
    assert edits_of(authored(("a", "b", "c"), *hunks)) == edits


def test_edits_are_made_from_the_top_down() -> None:
    assert edited(("a", "b", "c", "d"), (Edit(0, 1, ("x", "y")), Edit(2, 3, ()))) == ("x", "y", "b", "d")


# --------------------------------------------------------------------------------------------- diff forms


def test_a_unified_diff_has_the_hunks_and_their_context() -> None:
    lines = [str(number) for number in range(20)]
    assert unified_hunks(lines, [Edit(1, 2, ("x", "y")), Edit(15, 15, ("z",))], 1) == (
        "@@ -1,3 +1,4 @@\n 0\n-1\n+x\n+y\n 2\n@@ -15,2 +16,3 @@\n 14\n+z\n 15\n"
    )


def test_hunks_whose_context_meets_are_one_in_a_unified_diff() -> None:
    assert (
        unified_hunks(["a", "b", "c"], [Edit(0, 1, ()), Edit(2, 3, ("x",))], 1) == "@@ -1,3 +1,2 @@\n-a\n b\n-c\n+x\n"
    )


def test_a_unified_diff_of_an_empty_text_names_the_line_above() -> None:
    assert unified_hunks([], [Edit(0, 0, ("a",))]) == "@@ -0,0 +1,1 @@\n+a\n"


def test_the_old_text_of_a_replacement_is_unique_for_its_author(factory_of: Callable[[str], object]) -> None:
    factory_of("anthropic-memory-str-replace")
    from basebound.targets.adapters.anthropic_memory import str_replace

    command = str_replace(["a", "b", "a", "c"], Edit(2, 3, ("x",)))
    assert (command["old_str"], command["new_str"]) == ("b\na\nc\n", "b\nx\nc\n")


def test_copies_that_overlap_are_not_unique(factory_of: Callable[[str], object]) -> None:
    factory_of("anthropic-memory-str-replace")
    from basebound.targets.adapters.anthropic_memory import str_replace

    assert str_replace(["a", "a", "a"], Edit(1, 2, ()))["old_str"] == "a\na\na\n"


def test_a_v4a_section_means_one_place_for_its_author(factory_of: Callable[[str], object]) -> None:
    factory_of("openai-agents")
    from basebound.targets.adapters.openai_v4a import v4a

    assert v4a(["a", "b", "a", "c"], [Edit(2, 3, ("x",))], 0) == "@@\n b\n-a\n+x\n"
