"""The incident every engine was surveyed with: a patch authored at revision 17, submitted at revision 18.

The author read twenty lines and deletes lines 9 and 10. Meanwhile somebody else wrote:

    Z  six lines below, nothing above
    A  six lines above, one of them equal to a line beside the target
    B  a copy of the target with two lines around it, above
    C  as B, and the target itself was updated
    D  as C, and the copy is only nearly one

What an engine makes of it is one letter for each variant:

    R  refused, nothing changed          S  stale, accepted, the lines that were meant are gone
    W  other lines changed, no error     F  lines that were updated meanwhile are gone, no error
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from basebound.model import Engine, Hunk, Patch, Reason, Rejected
from basebound.targets.adapters import ADAPTERS

STEPS = (
    *("goal", "plan", "user", "tool", "search", "result", "error", "retry", "note", "draft"),
    *("test", "build", "deploy", "review", "merge", "branch", "issue", "token", "cache", "index"),
)
R17 = tuple(f"{number:02d} {step}: what the {step} said" for number, step in enumerate(STEPS, 1))
DELETION = Hunk(8, 10)
INSERTION = Hunk(10, 10, ("a note on the draft",))
NEAR_COPY = (*R17[6:8], f"{R17[8]} again", R17[9].replace("said", "says"), *R17[10:12])
ABOVE = {
    "A": ("one", "two", R17[7], "three", "four", "five"),
    "B": R17[6:12],
    "C": R17[6:12],
    "D": NEAR_COPY,
}

CODES = {
    "gnu-patch": "SSSWR",
    "git-apply": "SSSRR",
    "diff-match-patch": "SSWWW",
    "patch-ng": "SWWWW",
    "jsonpatch-index": "SWWWW",
    "jsonpatch-lines": "SRRRR",
    "jsonpatch-document": "RRRRR",
    "openai-agents": "SSSRR",
    "anthropic-memory-str-replace": "SSRWR",
    "anthropic-memory-insert": "SSRWR",
    "langgraph-remove": "SSSFF",
    "git-update-ref": "RRRRR",
    "hash-edit": "RRRRR",
    "obstore": "RRRRR",
}
CODES_OF_TWO_LINES_OF_CONTEXT = {
    "gnu-patch": "SSWWR",
    "git-apply": "SSWWR",
    "patch-ng": "SWWWW",
    "openai-agents": "SSWWR",
}
CODES_OF_AN_INSERTION = {"anthropic-memory-insert": "SWWWW", "patch-ng": "SWWWW", "hash-edit": "RRRRR"}


def test_every_adapter_is_in_the_table() -> None:
    assert set(CODES) == {adapter.name for adapter in ADAPTERS}


@pytest.mark.parametrize(("name", "codes"), CODES.items(), ids=CODES)
def test_a_deletion_authored_before_others_wrote(name: str, codes: str, start: Callable[..., Engine]) -> None:
    assert "".join(code(start(name, R17), variant, DELETION) for variant in "ZABCD") == codes


@pytest.mark.parametrize(("name", "codes"), CODES_OF_TWO_LINES_OF_CONTEXT.items(), ids=CODES_OF_TWO_LINES_OF_CONTEXT)
def test_the_same_with_two_lines_of_context(name: str, codes: str, start: Callable[..., Engine]) -> None:
    assert "".join(code(start(name, R17, context=2), variant, DELETION) for variant in "ZABCD") == codes


@pytest.mark.parametrize(("name", "codes"), CODES_OF_AN_INSERTION.items(), ids=CODES_OF_AN_INSERTION)
def test_an_insertion_authored_before_others_wrote(name: str, codes: str, start: Callable[..., Engine]) -> None:
    assert "".join(code(start(name, R17), variant, INSERTION) for variant in "ZABCD") == codes


def code(engine: Any, variant: str, hunk: Hunk) -> str:
    """Plays one variant and says by one letter what became of the stale patch."""
    read = engine.snapshot()
    assert read.lines == R17
    meanwhile(engine, variant)
    live = engine.snapshot().lines
    shift = len(live) - len(R17) if variant != "Z" else 0
    meant = (*live[: hunk.start + shift], *hunk.insert, *live[hunk.end + shift :])
    reason = None
    try:
        engine.apply(Patch(read, (hunk,)))
    except Rejected as refused:
        reason = refused.reason
    now = engine.snapshot().lines
    assert (reason is Reason.STALE_BASE) == (now == live)
    if now == live:
        return "R"
    if now != meant:
        return "W"
    return "F" if variant in "CD" and hunk is DELETION else "S"


def meanwhile(engine: Any, variant: str) -> None:
    if variant == "Z":
        engine.append([f"later {number}" for number in range(6)])
        return
    engine.insert(3, ABOVE[variant])
    if variant in "CD":
        updated = tuple(f"{line} (updated)" for line in R17[8:10])
        engine.apply(Patch(engine.snapshot(), (Hunk(14, 16, updated),)))
        assert engine.snapshot().lines[14:16] == updated


# ------------------------------------------------------------------- one hunk of two that cannot be applied

WHOLE_PATCH = (
    *("git-apply", "jsonpatch-lines", "jsonpatch-document", "openai-agents"),
    *("git-update-ref", "hash-edit", "obstore"),
)
TWO = (Hunk(2, 3), Hunk(16, 17))


def submit_two_after_an_update_of_the_second(engine: Any) -> tuple[tuple[str, ...], tuple[str, ...], Reason]:
    """The buffer before and after a patch of two hunks whose second target has been rewritten, and the reason."""
    read = engine.snapshot()
    engine.apply(Patch(read, (Hunk(13, 20, ("#" * 40,) * 7),)))
    live = engine.snapshot()
    with pytest.raises(Rejected) as refused:
        engine.apply(Patch(read, TWO))
    now = engine.snapshot()
    assert (now.revision > live.revision) == (now.lines != live.lines)
    return live.lines, now.lines, refused.value.reason


def test_gnu_patch_refuses_hunk_by_hunk_and_leaves_half_of_the_patch_behind(start: Callable[..., Engine]) -> None:
    before, after, reason = submit_two_after_an_update_of_the_second(start("gnu-patch", R17))
    assert (after, reason) == (before[:2] + before[3:], Reason.STALE_BASE)


def test_diff_match_patch_removes_another_line_that_is_like_the_rewritten_one(start: Callable[..., Any]) -> None:
    engine = start("diff-match-patch", R17)
    read = engine.snapshot()
    engine.apply(Patch(read, (Hunk(13, 20, ("#" * 40,) * 7),)))
    engine.apply(Patch(read, TWO))
    assert engine.snapshot().lines == (*R17[:2], *R17[3:10], *R17[11:13], *("#" * 40,) * 7)


def test_diff_match_patch_keeps_what_matched_where_something_did_not(start: Callable[..., Any]) -> None:
    engine = start("diff-match-patch", ("abcdefghij", "." * 100, "0123456789"))
    read = engine.snapshot()
    engine.apply(Patch(read, (Hunk(2, 3, ("#" * 20,)),)))
    with pytest.raises(Rejected, match="stale-base"):
        engine.apply(Patch(read, (Hunk(0, 1), Hunk(2, 3))))
    assert engine.snapshot().lines == ("." * 100, "#" * 20)


@pytest.mark.parametrize("name", WHOLE_PATCH)
def test_a_refusal_of_the_whole_patch_leaves_the_buffer_alone(name: str, start: Callable[..., Engine]) -> None:
    before, after, reason = submit_two_after_an_update_of_the_second(start(name, R17))
    assert (after, reason) == (before, Reason.STALE_BASE)
