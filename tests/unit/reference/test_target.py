"""The reference as a target of the suite: its refusals become the contract's, word for word."""

from __future__ import annotations

import pytest

from basebound.model import BudgetedEngine, Charge, Config, Cost, Hunk, Patch, Reason, Receipt, Rejected
from basebound.targets.reference import ReferenceEngine, reference_apply, reference_digest, reference_gate

LINES = ("PIN", "a long line of filler", "b")
CONFIG = Config(LINES, protected=("PIN",), count_tokens=len)


def test_it_is_a_budgeted_engine_and_says_what_it_claims() -> None:
    engine = ReferenceEngine(CONFIG)
    assert isinstance(engine, BudgetedEngine)
    assert engine.profiles == {"base", "protected", "budget", "atomic"}


def test_a_commit_answers_with_the_base_the_revision_and_the_cost() -> None:
    engine = ReferenceEngine(CONFIG)
    engine.emit("measurement", ["m"])
    seen = engine.snapshot()
    receipt = engine.apply(Patch(seen, (Hunk(1, 2, ("x",)),), Cost(1, 1, 1)))
    now = engine.snapshot()
    assert now.lines == ("PIN", "x", "b", "m")
    assert receipt == Receipt(now.base, now.revision, Cost(21, 1, 1))


@pytest.mark.parametrize(
    ("reason", "hunks", "claim"),
    [
        (Reason.BAD_HUNK, (Hunk(0, 9),), None),
        (Reason.PROTECTED, (Hunk(0, 1),), None),
        (Reason.SELF_REFERENCE, (Hunk(3, 4),), None),
        (Reason.UNPROVEN, (Hunk(1, 2),), Cost(None, 0, 0)),
        (Reason.NOT_FREED, (Hunk(2, 3),), None),
    ],
)
def test_every_refusal_becomes_a_rejection_with_its_reason_and_message(
    reason: Reason, hunks: tuple[Hunk, ...], claim: Cost | None
) -> None:
    engine = ReferenceEngine(CONFIG)
    engine.emit("rationale", ["r"])
    with pytest.raises(Rejected) as caught:
        engine.apply(Patch(engine.snapshot(), hunks, claim))
    assert caught.value.reason is reason
    assert caught.value.message == str(caught.value.__cause__)
    assert str(caught.value) == f"{reason}: {caught.value.message}"


def test_a_stale_patch_is_rejected_with_a_message_for_its_author() -> None:
    engine = ReferenceEngine(CONFIG)
    seen = engine.snapshot()
    engine.append(["late"])
    engine.insert(0, ["above"])
    with pytest.raises(Rejected, match=f"{seen.base[:8]} .revision 0.*re-author") as caught:
        engine.apply(Patch(seen, (Hunk(1, 2),)))
    assert caught.value.reason is Reason.STALE_BASE
    engine.end_turn()
    assert engine.snapshot().lines == ("above", *LINES, "late")


def test_the_pure_shapes_take_and_refuse_plain_values() -> None:
    base = reference_digest(list(LINES))
    assert reference_apply(LINES, base, [Hunk(1, 2, ("x",))], ("PIN",)) == ("PIN", "x", "b")
    with pytest.raises(Rejected) as stale:
        reference_apply(LINES[:2], base, [Hunk(1, 2)], ())
    assert stale.value.reason is Reason.STALE_BASE
    reference_gate(3, [Charge("insert", 1), Charge("error", 1)], frozenset({"a"}), frozenset({"b"}))
    with pytest.raises(Rejected) as unpaid:
        reference_gate(2, [Charge("insert", 1), Charge("error", 1)], frozenset(), frozenset())
    assert unpaid.value.reason is Reason.NOT_FREED
