"""The oracle alone, against outcomes written by hand: what it allows, and which sentence it says is broken."""

from __future__ import annotations

import pytest

from basebound.core.meters import DEFAULT
from basebound.core.trace import Append, Apply, Emit, EndTurn, Insert, Read, Step, Trace
from basebound.model import Cost, Hunk, Reason, Receipt, Snapshot
from basebound.oracle import Oracle
from basebound.results.outcome import Malformed, Outcome, Raised, Refused, Returned

BASE = frozenset({"base"})
GUARDED = frozenset({"base", "protected"})
BUDGETED = frozenset({"base", "protected", "budget"})


class Story:
    """An oracle, and an engine that answers as the test says."""

    def __init__(self, *lines: str, claims: frozenset[str] = BASE, protected: tuple[str, ...] = ()) -> None:
        self.oracle = Oracle(Trace(lines, protected), DEFAULT.count, claims)

    def judge(self, step: Step, outcome: Outcome) -> list[str]:
        return [finding.requirement for finding in self.oracle.judge(step, outcome)]

    def read(self, name: str, *lines: str, base: str | None = None, revision: int = 0) -> list[str]:
        shown = Snapshot(lines, "|".join(lines) + f"#{len(lines)}" if base is None else base, revision)
        return self.judge(Read(name), Returned(shown))

    def wrote(self, step: Step) -> list[str]:
        return self.judge(step, Returned())

    def applied(self, base: str, *hunks: Hunk, claim: Cost | None = None, cost: Cost | None = None) -> list[str]:
        return self.judge(Apply(base, hunks, claim), Returned(Receipt("b", 1, cost)))

    def refused(self, base: str, reason: Reason, *hunks: Hunk, claim: Cost | None = None) -> list[str]:
        message = f"authored against {base}, live something: re-author"
        return self.judge(Apply(base, hunks, claim), Refused(reason, message))


DELETE_FIRST = Hunk(0, 1)


def must(found: list[str]) -> list[str]:
    return [name for name in found if name != "BASE-STALE-MESSAGE"]


def test_a_patch_on_its_own_base_must_be_accepted() -> None:
    story = Story("a", "b")
    assert story.read("s", "a", "b") == []
    assert story.refused("s", Reason.STALE_BASE, DELETE_FIRST) == ["BASE-FRESH-ACCEPTED"]


def test_a_patch_must_be_refused_after_an_append() -> None:
    story = Story("a", "b")
    story.read("s", "a", "b")
    story.wrote(Append(("c",)))
    assert "BASE-STALE-APPEND" in story.applied("s", DELETE_FIRST)


def test_a_stale_patch_must_be_refused_as_stale_even_if_its_hunk_is_bad() -> None:
    story = Story("a")
    story.read("s", "a")
    story.wrote(Append(("c",)))
    assert story.refused("s", Reason.BAD_HUNK, Hunk(0, 9)) == ["BASE-STALE-FIRST"]


def test_the_same_content_under_another_base_may_be_refused_or_accepted() -> None:
    for answer in ("refused", "applied"):
        story = Story("a", "b")
        story.read("s", "a", "b", base="one", revision=0)
        story.wrote(Append(("c",)))
        story.read("t", "a", "b", "c", base="two", revision=1)
        assert story.applied("t", Hunk(2, 3)) == []
        assert must(story.read("u", "a", "b", base="three", revision=2)) == ["BASE-RECEIPT"]
        if answer == "refused":
            assert must(story.refused("s", Reason.STALE_BASE, DELETE_FIRST)) == []
        else:
            assert story.applied("s", DELETE_FIRST) == []


def test_the_same_content_under_the_same_base_must_be_accepted() -> None:
    story = Story("a", "b")
    story.read("s", "a", "b", base="one", revision=0)
    story.wrote(Append(("c",)))
    story.read("t", "a", "b", "c", base="two", revision=1)
    story.judge(Apply("t", (Hunk(2, 3),)), Returned(Receipt("one", 2)))
    assert story.read("u", "a", "b", base="one", revision=2) == []
    assert story.refused("s", Reason.STALE_BASE, DELETE_FIRST) == ["BASE-FRESH-ACCEPTED"]


def test_a_patch_that_changes_nothing_must_be_accepted_without_a_budget_and_refused_with_one() -> None:
    plain = Story("a")
    plain.read("s", "a")
    assert plain.refused("s", Reason.NOT_FREED) == ["BASE-FRESH-ACCEPTED"]
    budgeted = Story("a", claims=BUDGETED)
    budgeted.read("s", "a")
    assert budgeted.applied("s") == ["BUDGET-NET-ZERO"]


@pytest.mark.parametrize(
    ("hunks", "rule"),
    [
        ((Hunk(0, 3),), "BASE-HUNK-RANGE"),
        ((Hunk(3, 3, ("x",)),), "BASE-HUNK-RANGE"),
        ((Hunk(-1, 1),), "BASE-HUNK-NEGATIVE"),
        ((Hunk(2, 1),), "BASE-HUNK-REVERSED"),
        ((Hunk(0, 2), Hunk(1, 2)), "BASE-HUNK-OVERLAP"),
        ((Hunk(0, 2), Hunk(1, 1, ("x",))), "BASE-HUNK-OVERLAP"),
    ],
)
def test_a_bad_hunk_must_be_refused_as_such(hunks: tuple[Hunk, ...], rule: str) -> None:
    accepted, misnamed, refused = Story("a", "b"), Story("a", "b"), Story("a", "b")
    for story in (accepted, misnamed, refused):
        story.read("s", "a", "b")
    assert rule in accepted.applied("s", *hunks)
    assert misnamed.refused("s", Reason.STALE_BASE, *hunks)[0] == rule
    assert refused.refused("s", Reason.BAD_HUNK, *hunks) == []


@pytest.mark.parametrize(
    "hunks",
    [
        (Hunk(0, 1), Hunk(1, 2)),
        (Hunk(1, 2), Hunk(0, 1)),
        (Hunk(1, 1, ("x",)), Hunk(1, 1, ("y",))),
        (Hunk(0, 0, ("x",)), Hunk(0, 2)),
        (Hunk(0, 2), Hunk(2, 2, ("x",))),
    ],
)
def test_hunks_that_only_touch_must_be_accepted(hunks: tuple[Hunk, ...]) -> None:
    story = Story("a", "b")
    story.read("s", "a", "b")
    assert story.refused("s", Reason.BAD_HUNK, *hunks) != []


def test_insertions_at_one_point_stand_in_the_order_of_the_patch_and_before_a_replacement() -> None:
    story = Story("a", "b")
    story.read("s", "a", "b", base="one")
    hunks = (Hunk(1, 2, ("r",)), Hunk(1, 1, ("x",)), Hunk(1, 1, ("y",)))
    story.judge(Apply("s", hunks), Returned(Receipt("two", 1)))
    assert story.read("t", "a", "x", "y", "r", base="two", revision=1) == []
    wrong = Story("a", "b")
    wrong.read("s", "a", "b", base="one")
    wrong.judge(Apply("s", hunks), Returned(Receipt("two", 1)))
    assert wrong.read("t", "a", "r", "x", "y", base="two", revision=1) == ["BASE-SPLICE-ORDER"]


def test_insertions_at_one_point_in_reverse_break_the_frame_or_the_order_and_both_are_told() -> None:
    story = Story("a", "b")
    story.read("s", "a", "b", base="one")
    story.applied("s", Hunk(1, 1, ("x",)), Hunk(1, 1, ("y",)))
    wrong = story.read("t", "a", "y", "x", "b", base="b", revision=1)
    assert wrong == ["BASE-SPLICE-FRAME", "BASE-SPLICE-ORDER"]


def test_a_protected_line_replaced_by_itself_is_removed() -> None:
    story = Story("a", "KEEP", claims=GUARDED, protected=("KEEP",))
    story.read("s", "a", "KEEP")
    assert "PROTECTED-REPLACED" in story.applied("s", Hunk(1, 2, ("KEEP",)))


def test_the_empty_marker_protects_every_line() -> None:
    story = Story("a", claims=GUARDED, protected=("",))
    story.read("s", "a")
    assert "PROTECTED-CONTAINMENT" in story.applied("s", DELETE_FIRST)


def test_markers_mean_nothing_to_an_engine_that_does_not_claim_protection() -> None:
    story = Story("KEEP", claims=BASE, protected=("KEEP",))
    story.read("s", "KEEP")
    assert story.refused("s", Reason.PROTECTED, DELETE_FIRST) == ["BASE-FRESH-ACCEPTED"]


def test_any_reason_that_holds_will_do_and_ranges_count_as_clipped() -> None:
    for reason in (Reason.BAD_HUNK, Reason.PROTECTED):
        story = Story("KEEP", claims=GUARDED, protected=("KEEP",))
        story.read("s", "KEEP")
        assert story.refused("s", reason, Hunk(0, 5)) == []


def test_a_net_of_zero_is_refused_and_a_net_of_one_is_accepted() -> None:
    zero = Story("xxx", claims=BUDGETED)
    zero.read("s", "xxx")
    assert "BUDGET-NET-ZERO" in zero.applied("s", Hunk(0, 1, ("yyy",)))
    one = Story("xxx", claims=BUDGETED)
    one.read("s", "xxx")
    assert one.refused("s", Reason.NOT_FREED, Hunk(0, 1, ("yy",)))[0] == "BUDGET-NET-ONE"


@pytest.mark.parametrize("kind", ["rationale", "tool-call", "measurement", "error"])
def test_every_kind_of_emission_is_charged(kind: str) -> None:
    story = Story("xxx", claims=BUDGETED)
    story.wrote(Emit(kind, ("yyy",)))
    story.read("s", "xxx", "yyy", revision=1)
    assert f"BUDGET-CHARGE-{kind.upper()}" in story.applied("s", DELETE_FIRST)


def test_a_refused_attempt_stays_charged_until_the_turn_ends() -> None:
    story = Story("xxxx", "b", claims=BUDGETED)
    story.wrote(Emit("rationale", ("yyyy",)))
    story.read("s", "xxxx", "b", "yyyy", revision=1)
    assert story.refused("s", Reason.NOT_FREED, DELETE_FIRST) == []
    assert "BUDGET-CHARGE-REFUSED" in story.applied("s", DELETE_FIRST)
    fresh = Story("xxxx", "b", claims=BUDGETED)
    fresh.wrote(Emit("rationale", ("yyyy",)))
    fresh.wrote(EndTurn())
    fresh.read("s", "xxxx", "b", "yyyy", revision=1)
    assert fresh.refused("s", Reason.NOT_FREED, DELETE_FIRST)[:1] == ["BUDGET-NET-ONE"]


def test_what_a_commit_paid_for_is_not_paid_again() -> None:
    story = Story("x" * 20, "yyyy", "keep", claims=BUDGETED)
    story.wrote(Emit("rationale", ("z" * 9,)))
    story.read("s", "x" * 20, "yyyy", "keep", "z" * 9, revision=1, base="one")
    cost = Cost(21, 10, 0)
    assert story.judge(Apply("s", (DELETE_FIRST,)), Returned(Receipt("two", 2, cost))) == []
    assert story.read("t", "yyyy", "keep", "z" * 9, revision=2, base="two") == []
    assert "BUDGET-CHARGE-ONCE" in story.refused("t", Reason.NOT_FREED, DELETE_FIRST)


def test_an_artifact_is_a_line_and_not_a_position_or_a_text() -> None:
    story = Story("a" * 40, claims=BUDGETED)
    story.wrote(Emit("rationale", ("plan",)))
    story.wrote(Insert(0, ("plan",)))
    story.read("s", "plan", "a" * 40, "plan", revision=2)
    assert "BUDGET-ARTIFACT-LINES" in story.refused("s", Reason.SELF_REFERENCE, Hunk(0, 2))
    assert "BUDGET-ARTIFACT-LOCKED" in story.applied("s", Hunk(1, 3))


def test_an_insertion_between_two_lines_of_an_artifact_edits_no_line() -> None:
    story = Story("a" * 40, claims=BUDGETED)
    story.wrote(Emit("rationale", ("one", "two")))
    story.read("s", "a" * 40, "one", "two", revision=1)
    assert story.refused("s", Reason.SELF_REFERENCE, DELETE_FIRST, Hunk(2, 2, ("x",))) != []


@pytest.mark.parametrize(
    "claim", [Cost(None, 0, 0), Cost(9, None, 0), Cost(9, 0, None), Cost(-1, 0, 0), Cost(9, 0, -1)]
)
def test_an_incomplete_or_negative_claim_is_unproven(claim: Cost) -> None:
    story = Story("xxx", claims=BUDGETED)
    story.read("s", "xxx")
    rule = "BUDGET-UNPROVEN" if None in (claim.freed, claim.rewrite, claim.measurement) else "BUDGET-NEGATIVE"
    assert rule in story.applied("s", DELETE_FIRST, claim=claim)


def test_claims_mean_nothing_to_an_engine_without_a_budget() -> None:
    story = Story("xxx")
    story.read("s", "xxx")
    assert story.refused("s", Reason.UNPROVEN, DELETE_FIRST, claim=Cost(None, 0, 0)) == ["BASE-FRESH-ACCEPTED"]


def test_a_receipt_must_show_what_the_next_read_shows() -> None:
    story = Story("a", "b")
    story.read("s", "a", "b", base="one")
    story.judge(Apply("s", (DELETE_FIRST,)), Returned(Receipt("elsewhere", 1)))
    assert story.read("t", "b", base="two", revision=1) == ["BASE-RECEIPT"]


def test_a_receipt_may_have_no_cost_but_a_cost_must_be_right() -> None:
    for cost, broken in ((None, []), (Cost(4, 0, 0), []), (Cost(4, 1, 0), ["BUDGET-RECEIPT"])):
        story = Story("xxx", "b", claims=BUDGETED)
        story.read("s", "xxx", "b")
        assert story.applied("s", DELETE_FIRST, cost=cost) == broken


def test_a_turn_that_ends_before_the_next_read_takes_the_sums_of_its_commits_with_it() -> None:
    story = Story("a", "b", claims=BUDGETED)
    story.read("s", "a", "b", base="one", revision=0)
    story.wrote(Emit("measurement", ("m",)))
    story.read("t", "a", "b", "m", base="two", revision=1)
    story.wrote(EndTurn())
    assert story.applied("t", DELETE_FIRST, cost=Cost(2, 0, 0)) == []
    story.wrote(EndTurn())
    assert must(story.read("u", "b", "m", base="b", revision=1)) == ["BASE-REVISION-RISES"]


def test_a_commit_that_leaves_more_than_its_nets_is_not_conserved_also_where_its_lines_are_wrong() -> None:
    story = Story("a long line", "b", claims=BUDGETED)
    story.read("s", "a long line", "b", base="one")
    story.applied("s", DELETE_FIRST, cost=Cost(12, 0, 0))
    assert "BUDGET-CONSERVED" in story.read("t", "b", "a note", base="b", revision=1)


def test_the_revision_rises_by_any_stride_with_every_change_and_never_otherwise() -> None:
    story = Story("a")
    story.read("s", "a", revision=-5)
    story.wrote(Append(("b",)))
    assert story.read("t", "a", "b", revision=70) == []
    assert story.read("u", "a", "b", revision=71) == ["BASE-REVISION-STILL", "BASE-SNAPSHOT-PURE"]
    story.wrote(Append(("c",)))
    assert story.read("v", "a", "b", "c", revision=71) == ["BASE-REVISION-RISES"]


def test_the_revision_may_stay_or_rise_on_an_append_of_nothing() -> None:
    for revision in (3, 4):
        story = Story("a")
        story.read("s", "a", base="one", revision=3)
        story.wrote(Append(()))
        assert story.read("t", "a", base="one", revision=revision) == []


def test_two_contents_may_not_share_a_base() -> None:
    story = Story("a")
    story.read("s", "a", base="one", revision=0)
    story.wrote(Append(("b",)))
    assert story.read("t", "a", "b", base="one", revision=1) == ["BASE-IDENTITY"]


def test_a_refusal_that_changes_the_lines_is_not_pure() -> None:
    story = Story("a")
    story.read("s", "a")
    story.refused("s", Reason.BAD_HUNK, Hunk(0, 9))
    assert story.read("t", "a", "error: bad hunk", revision=1)[0] == "BASE-REFUSAL-PURE"


def test_another_exception_breaks_the_sentence_that_was_due() -> None:
    story = Story("a")
    story.read("s", "a")
    assert story.judge(Apply("s", (Hunk(0, 9),)), Raised("IndexError")) == ["BASE-ANSWER-TYPED", "BASE-HUNK-RANGE"]
    assert Story("a").judge(Read("s"), Malformed("a dict")) == ["BASE-ANSWER-TYPED"]


def test_after_a_break_the_oracle_goes_on_from_what_the_engine_holds() -> None:
    story = Story("a", "b")
    story.read("s", "a", "b", base="one")
    story.wrote(Append(("c",)))
    assert story.read("t", "a", "b", base="one", revision=0) != []
    assert story.read("u", "a", "b", base="one", revision=0) == []
    assert story.refused("u", Reason.STALE_BASE, DELETE_FIRST) == ["BASE-FRESH-ACCEPTED"]


def test_after_a_break_the_live_base_is_the_one_that_was_read() -> None:
    story = Story("a", "b")
    story.read("s", "a", "b", base="one")
    assert story.applied("s", Hunk(0, 9)) == ["BASE-HUNK-RANGE"]
    assert story.read("t", "a", "b", base="two", revision=1) == []
    assert must(story.refused("s", Reason.STALE_BASE, DELETE_FIRST)) == []


def test_goals_do_not_count_for_an_engine_that_never_changes() -> None:
    story = Story("a")
    story.read("s", "a")
    story.read("t", "a")
    assert story.oracle.goals == set()
    story.wrote(Append(("b",)))
    story.read("u", "a", "b", revision=1)
    assert ("BASE-SNAPSHOT-PURE", "tried") in story.oracle.goals


def test_an_empty_base_cannot_be_named_and_is_not_missed_in_a_message() -> None:
    """An engine whose base is its content, empty at first."""
    story = Story()
    story.read("s", base="")
    story.wrote(Append(("a",)))
    story.read("t", "a", base="61;", revision=1)
    message = "authored against , live is 61;: read again and re-author"
    assert story.judge(Apply("s", ()), Refused(Reason.STALE_BASE, message)) == []
    assert story.judge(Apply("s", ()), Refused(Reason.STALE_BASE, "read again")) == ["BASE-STALE-MESSAGE"]
