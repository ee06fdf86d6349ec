"""Small histories with a known verdict, and the sentence of the spec each of the illegal ones breaks."""

from __future__ import annotations

from dataclasses import replace

import pytest

from basebound.core.trace import Append, Apply, EndTurn, Insert, Read, Step
from basebound.history import CallHistory, Illegal, Legal, Operation, Undecided, blame, judge
from basebound.history.facts import ONE_BASE, ONE_REVISION, RISES
from basebound.model import Hunk, Reason, Receipt, Snapshot
from basebound.results.outcome import Outcome, Raised, Refused, Returned

START = ("a", "b")


def state(revision: int, *lines: str) -> Snapshot:
    return Snapshot(lines, "base of " + " ".join(lines), revision)


FIRST = state(0, *START)


def op(
    client: str, t0: int, t1: int | None, step: Step, outcome: Outcome | None, on: Snapshot | None = None
) -> Operation:
    return Operation(client, t0, t1, step, outcome, on)


def read(client: str, t0: int, t1: int, seen: Snapshot) -> Operation:
    return op(client, t0, t1, Read("r"), Returned(seen))


def append(client: str, t0: int, t1: int, *lines: str) -> Operation:
    return op(client, t0, t1, Append(lines), Returned())


def patch(client: str, t0: int, t1: int, on: Snapshot, left: Snapshot | Reason, hunk: Hunk) -> Operation:
    outcome = Refused(left) if isinstance(left, Reason) else Returned(Receipt(left.base, left.revision))
    return op(client, t0, t1, Apply("on", (hunk,)), outcome, on)


SUMMARY = Hunk(0, 1, ("s",))
PATCHED = state(1, "s", "b")


def judged(*operations: Operation) -> Illegal | Legal | Undecided:
    return judge(CallHistory.of(START, operations))


def broken(*operations: Operation) -> set[str]:
    verdict = judged(*operations)
    assert isinstance(verdict, Illegal)
    return {row.requirement.removeprefix("ATOMIC-") for row in blame(verdict)}


# -- legal


def test_nothing_is_legal() -> None:
    assert isinstance(judged(), Legal)


def test_a_patch_refused_beside_an_append_is_legal_in_either_order() -> None:
    assert isinstance(judged(append("a", 0, 9, "x"), patch("b", 1, 8, FIRST, Reason.STALE_BASE, SUMMARY)), Legal)
    assert isinstance(judged(append("a", 0, 9, "x"), patch("b", 1, 8, FIRST, PATCHED, SUMMARY)), Legal)


def test_a_stale_refusal_is_legal_when_the_content_came_back_at_another_revision() -> None:
    back = (
        read("a", 0, 1, FIRST),
        patch("a", 2, 3, FIRST, PATCHED, SUMMARY),
        patch("a", 4, 5, PATCHED, state(2, *START), Hunk(0, 1, ("a",))),
    )
    assert isinstance(judged(*back, patch("b", 6, 7, FIRST, Reason.STALE_BASE, SUMMARY)), Legal)


def test_a_call_without_an_answer_may_have_taken_effect_late_or_never() -> None:
    lost = op("a", 0, None, Append(("x",)), None)
    assert isinstance(judged(lost, read("b", 5, 6, FIRST)), Legal)
    assert isinstance(judged(lost, read("b", 5, 6, FIRST), read("b", 7, 8, state(1, "a", "b", "x"))), Legal)


def test_an_unexpected_exception_says_nothing_about_the_effect() -> None:
    raised = op("a", 0, 1, Append(("x",)), Raised("OSError", "disk"))
    assert isinstance(judged(raised, read("b", 5, 6, FIRST)), Legal)
    assert isinstance(judged(raised, read("b", 5, 6, state(3, "a", "b", "x"))), Legal)


def test_a_lost_patch_may_explain_what_is_read_later() -> None:
    lost = op("a", 0, None, Apply("on", (SUMMARY,)), None, FIRST)
    assert isinstance(judged(lost, read("b", 5, 6, state(4, "s", "b"))), Legal)


def test_equal_appends_are_told_apart_by_time_only() -> None:
    both = state(2, "a", "b", "x", "x")
    assert isinstance(judged(append("a", 0, 9, "x"), append("b", 1, 2, "x"), read("b", 3, 4, both)), Legal)
    once = state(1, "a", "b", "x")
    assert isinstance(judged(append("a", 0, 9, "x"), append("b", 1, 2, "x"), read("b", 3, 4, once)), Legal)
    assert isinstance(judged(append("a", 0, 2, "x"), append("b", 1, 2, "x"), read("b", 3, 4, once)), Illegal)


def test_an_insert_counts_from_what_is_live_when_it_takes_effect() -> None:
    insert = op("a", 0, 9, Insert(3, ("i",)), Returned())
    assert isinstance(judged(insert, append("b", 1, 8, "x"), read("b", 10, 11, state(2, "a", "b", "x", "i"))), Legal)
    assert isinstance(judged(insert, append("b", 1, 8, "x"), read("b", 10, 11, state(2, "a", "b", "i", "x"))), Illegal)


def test_the_end_of_a_turn_orders_nothing() -> None:
    assert isinstance(judged(op("a", 0, 1, EndTurn(), Returned()), read("a", 2, 3, FIRST)), Legal)


# -- illegal, and why


def test_a_lost_append_breaks_write_kept() -> None:
    assert "WRITE-KEPT" in broken(append("a", 0, 1, "x"), read("b", 2, 3, FIRST))


def test_a_patch_committed_over_an_append_that_was_read_breaks_check_commit() -> None:
    history = (
        patch("a", 0, 9, FIRST, state(2, "s", "b", "x"), SUMMARY),
        append("b", 1, 2, "x"),
        read("b", 3, 4, state(1, "a", "b", "x")),
        read("c", 10, 11, state(2, "s", "b", "x")),
    )
    assert "CHECK-COMMIT" in broken(*history)


def test_two_commits_on_one_base_break_one_winner() -> None:
    history = (
        patch("a", 0, 9, FIRST, PATCHED, SUMMARY),
        patch("b", 1, 8, FIRST, state(2, "s", "t"), Hunk(1, 2, ("t",))),
        read("c", 10, 11, state(2, "s", "t")),
    )
    assert {"CHECK-COMMIT", "ONE-WINNER"} <= broken(*history)


def test_new_lines_under_the_old_base_break_snapshot_whole() -> None:
    torn = Snapshot(("s", "b"), FIRST.base, 0)
    history = (read("b", 0, 1, FIRST), patch("a", 2, 9, FIRST, PATCHED, SUMMARY), read("b", 3, 4, torn))
    assert "SNAPSHOT-WHOLE" in broken(*history)


def test_what_a_later_read_shows_as_well_was_no_torn_snapshot() -> None:
    lost = state(1, "a", "b", "y")
    history = (
        append("a", 0, 9, "x"),
        append("b", 1, 8, "y"),
        read("c", 2, 7, lost),
        read("c", 10, 11, lost),
    )
    found = broken(*history)
    assert "WRITE-KEPT" in found
    assert "SNAPSHOT-WHOLE" not in found


def test_a_receipt_of_somebody_elses_write_breaks_receipt_own() -> None:
    later = state(2, "s", "b", "x")
    history = (
        patch("a", 0, 9, FIRST, later, SUMMARY),
        append("b", 1, 8, "x"),
        read("b", 10, 11, later),
    )
    assert broken(*history) == {"RECEIPT-OWN", "LINEARIZABLE"}


def test_two_contents_of_one_revision_break_revision_rises() -> None:
    history = (
        append("a", 0, 9, "x"),
        append("b", 1, 8, "y"),
        read("a", 10, 11, state(1, "a", "b", "x")),
        read("b", 10, 12, state(1, "a", "b", "x", "y")),
    )
    assert "REVISION-RISES" in broken(*history)


def test_a_stale_refusal_while_nothing_was_written_breaks_refusal_true() -> None:
    history = (read("a", 0, 1, FIRST), patch("a", 2, 3, FIRST, Reason.STALE_BASE, SUMMARY))
    assert "REFUSAL-TRUE" in broken(*history)


def test_a_refusal_for_another_reason_needs_a_live_base() -> None:
    history = (append("a", 0, 1, "x"), patch("b", 2, 3, FIRST, Reason.BAD_HUNK, Hunk(5, 6)))
    assert isinstance(judged(*history), Illegal)


def test_a_read_of_the_past_breaks_linearizable_and_no_more_than_revisions() -> None:
    history = (append("a", 0, 1, "x"), read("a", 2, 3, state(1, "a", "b", "x")), read("b", 4, 5, FIRST))
    assert "LINEARIZABLE" in broken(*history)


def test_a_commit_of_hunks_that_fit_nothing_is_illegal_by_itself() -> None:
    verdict = judged(append("b", 0, 1, "x"), patch("a", 0, 9, FIRST, PATCHED, Hunk(5, 6)))
    assert isinstance(verdict, Illegal)
    assert [culprit.client for culprit in verdict.culprits] == ["a"]


@pytest.mark.parametrize(
    ("other", "law"),
    [
        (Snapshot(("z",), FIRST.base, 3), ONE_BASE),
        (Snapshot(("z",), "other", 0), ONE_REVISION),
        (replace(FIRST, base="other"), ONE_REVISION),
        (state(-1, *START), RISES),
    ],
)
def test_contradicting_answers_name_their_law(other: Snapshot, law: str) -> None:
    written = append("c", 0, 9, "z")
    verdict = judged(read("a", 0, 1, FIRST), written, read("b", 2, 3, other))
    assert isinstance(verdict, Illegal)
    assert verdict.law in (law, "no order")
    assert written not in verdict.culprits


# -- honesty


def test_a_search_that_ends_early_says_so_and_names_its_budget() -> None:
    chunks = [("x",), ("x", "x"), ("x", "x", "x")] * 4
    writes = [append(f"c{n}", 0, 100, *chunk) for n, chunk in enumerate(chunks)]
    impossible = read("r", 101, 102, state(50, "a", "b", *["x"] * 23))
    verdict = judge(CallHistory.of(START, [*writes, impossible]), budget=50)
    assert isinstance(verdict, Undecided)
    assert "budget of 50" in verdict.why
    assert verdict.placements <= 50 + len(writes) + 1


def test_a_call_answered_before_it_began_is_no_history() -> None:
    with pytest.raises(ValueError, match="before its call"):
        append("a", 5, 4, "x")


def test_a_patch_says_what_it_was_authored_on() -> None:
    with pytest.raises(ValueError, match="authored"):
        op("a", 0, 1, Apply("on", ()), Returned(Receipt("b", 1)))
