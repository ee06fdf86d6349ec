"""The second invariant on the live buffer: what is charged, to whom, and when it is paid."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from basebound_reference import (
    Charge,
    Claim,
    ContextBuffer,
    Cost,
    Hunk,
    RewriteBudgetViolation,
    RewritePatch,
    RewriteRefused,
    SelfReferenceError,
    StaleRewriteBaseError,
    UnprovenCostError,
    gate,
)


def authored(buffer: ContextBuffer, *hunks: Hunk) -> RewritePatch:
    seen = buffer.snapshot()
    return RewritePatch(seen.base, hunks, seen.revision)


def buffer_of(*lines: str) -> ContextBuffer:
    """Measured in characters."""
    return ContextBuffer(lines, count_tokens=len)


def test_a_net_of_one_commits_and_a_net_of_zero_does_not() -> None:
    buffer = buffer_of("12345", "12345")
    with pytest.raises(RewriteBudgetViolation) as caught:
        buffer.apply(authored(buffer, Hunk(0, 1, ("abcde",))))
    assert (caught.value.freed, caught.value.spent) == (5, 5)
    assert buffer.apply(authored(buffer, Hunk(0, 1, ("abcd",)))).cost == Cost(5, 4, 0)


def test_a_patch_that_changes_nothing_frees_nothing() -> None:
    buffer = buffer_of("a", "b")
    for hunks in ((), (Hunk(0, 0),), (Hunk(0, 1, ("a",)),), (Hunk(0, 1), Hunk(2, 2, ("a",)))):
        with pytest.raises(RewriteBudgetViolation):
            buffer.apply(authored(buffer, *hunks))


@pytest.mark.parametrize(
    ("kind", "cost"),
    [
        ("rationale", Cost(10, 9, 0)),
        ("tool-call", Cost(10, 9, 0)),
        ("error", Cost(10, 9, 0)),
        ("measurement", Cost(10, 3, 6)),
    ],
)
def test_every_kind_of_emission_is_charged_and_attributed(kind: str, cost: Cost) -> None:
    buffer = buffer_of("x" * 9, "x" * 10)
    buffer.emit(kind, ["abc", "def"])
    with pytest.raises(RewriteBudgetViolation):
        buffer.apply(authored(buffer, Hunk(0, 1, ("123",))))
    assert buffer.apply(authored(buffer, Hunk(1, 2, ("123",)))).cost == cost


def test_an_unknown_kind_of_emission_is_a_mistake_of_the_caller() -> None:
    buffer = buffer_of("a")
    with pytest.raises(ValueError, match="the kinds are rationale, tool-call, measurement, error"):
        buffer.emit("thought", ["x"])
    assert buffer.snapshot().lines == ("a",)


def test_a_refused_attempt_stays_charged_until_a_commit_pays_once() -> None:
    buffer = buffer_of("x" * 10, "y" * 10, "z" * 3)
    buffer.emit("rationale", ["r" * 6])
    stale = authored(buffer, Hunk(0, 1))
    buffer.emit("error", ["e" * 4])
    with pytest.raises(StaleRewriteBaseError):
        buffer.apply(stale)
    with pytest.raises(RewriteBudgetViolation):
        buffer.apply(authored(buffer, Hunk(0, 1)))
    assert buffer.apply(authored(buffer, Hunk(0, 2))).cost == Cost(20, 10, 0)
    assert buffer.apply(authored(buffer, Hunk(0, 1))).cost == Cost(3, 0, 0)


def test_what_is_unpaid_is_dropped_when_the_turn_ends_and_nothing_else_changes() -> None:
    buffer = buffer_of("x" * 5)
    buffer.emit("rationale", ["r" * 50])
    patch = authored(buffer, Hunk(0, 1))
    before = buffer.snapshot()
    buffer.end_turn()
    assert buffer.snapshot() == before
    assert buffer.apply(patch).cost == Cost(5, 0, 0)


def test_a_foreign_write_is_never_charged() -> None:
    buffer = buffer_of("x")
    buffer.append(["tool" * 100])
    buffer.insert(0, ["tool" * 100])
    assert buffer.apply(authored(buffer, Hunk(1, 2))).cost == Cost(1, 0, 0)


@pytest.mark.parametrize("part", ["freed", "rewrite", "measurement"])
@pytest.mark.parametrize("amount", [None, -1])
def test_a_claim_with_a_missing_or_negative_part_is_unproven(part: str, amount: int | None) -> None:
    buffer = buffer_of("x" * 5)
    amounts: dict[str, int | None] = {"freed": 5, "rewrite": 0, "measurement": 0, part: amount}
    with pytest.raises(UnprovenCostError):
        buffer.apply(authored(buffer, Hunk(0, 1)), Claim(**amounts))
    assert buffer.snapshot().lines == ("x" * 5,)


def test_a_complete_claim_changes_nothing() -> None:
    buffer = buffer_of("12345", "12345")
    with pytest.raises(RewriteBudgetViolation):
        buffer.apply(authored(buffer, Hunk(0, 1, ("abcde",))), Claim(1100, 0, 0))
    assert buffer.apply(authored(buffer, Hunk(0, 1)), Claim(0, 1100, 1100)).cost == Cost(5, 0, 0)


def test_an_artifact_is_locked_as_a_line_and_not_as_a_position_or_a_text() -> None:
    buffer = buffer_of("x" * 90, "plan", "y" * 90)
    buffer.emit("rationale", ["plan", "plan"])
    buffer.apply(authored(buffer, Hunk(0, 1)))  # pays, and moves the artifacts up by one
    buffer.append(["late"])
    for artifact in (2, 3):
        with pytest.raises(SelfReferenceError):
            buffer.apply(authored(buffer, Hunk(artifact, artifact + 1)))
    buffer.apply(authored(buffer, Hunk(4, 5, ("",)), Hunk(3, 3, ("|",))))  # where one stood, and between two
    buffer.apply(authored(buffer, Hunk(0, 1)))  # an equal text
    assert buffer.snapshot().lines == ("y" * 90, "plan", "|", "plan", "")
    buffer.end_turn()
    buffer.apply(authored(buffer, Hunk(1, 2)))
    assert buffer.snapshot().lines == ("y" * 90, "|", "plan", "")


def test_every_emission_of_the_turn_stays_locked_and_not_only_the_latest() -> None:
    buffer = buffer_of("x" * 90)
    buffer.emit("rationale", ["first"])
    buffer.emit("measurement", ["second"])
    for artifact in (1, 2):
        with pytest.raises(SelfReferenceError):
            buffer.apply(authored(buffer, Hunk(0, 1), Hunk(artifact, artifact + 1)))
    buffer.apply(authored(buffer, Hunk(0, 1)))
    assert buffer.snapshot().lines == ("first", "second")


def test_a_line_inserted_by_the_patch_that_removed_an_equal_text_is_no_artifact() -> None:
    buffer = buffer_of("z" * 90)
    buffer.emit("error", ["plan"])
    buffer.apply(authored(buffer, Hunk(0, 1, ("plan",))))
    buffer.apply(authored(buffer, Hunk(0, 1)))
    assert buffer.snapshot().lines == ("plan",)


def test_a_meter_that_raises_changes_nothing_and_leaves_the_buffer_usable() -> None:
    failing = False

    def meter(text: str) -> int:
        if failing:
            raise RuntimeError("no tokenizer")
        return len(text)

    buffer = ContextBuffer(["abc", "de"], count_tokens=meter)
    buffer.emit("error", ["x"])
    before = buffer.snapshot()
    failing = True
    with pytest.raises(RuntimeError, match="no tokenizer"):
        buffer.emit("rationale", ["y"])
    with pytest.raises(RuntimeError, match="no tokenizer"):
        buffer.apply(authored(buffer, Hunk(0, 1)))
    assert buffer.snapshot() == before
    failing = False
    assert buffer.apply(authored(buffer, Hunk(0, 1))).cost == Cost(3, 1, 0)


def test_a_meter_that_measures_below_zero_proves_nothing() -> None:
    buffer = ContextBuffer(["abc"], count_tokens=lambda text: -len(text))
    with pytest.raises(UnprovenCostError, match="what is freed"):
        buffer.apply(authored(buffer, Hunk(0, 1)))


@pytest.mark.parametrize(
    ("freed", "tokens", "refused"),
    [
        (1, (), None),
        (0, (), RewriteBudgetViolation),
        (6, (2, 3), None),
        (5, (2, 3), RewriteBudgetViolation),
        (None, (), UnprovenCostError),
        (-1, (), UnprovenCostError),
        (9, (1, None), UnprovenCostError),
        (9, (-1, 1), UnprovenCostError),
    ],
)
def test_the_gate_judges_figures_alone(
    freed: int | None, tokens: tuple[int | None, ...], refused: type[RewriteRefused] | None
) -> None:
    charges = [Charge("insert", amount) for amount in tokens]
    if refused is None:
        gate(freed, charges, {"l1"}, {"l2"})
    else:
        with pytest.raises(refused):
            gate(freed, charges, {"l1"}, {"l2"})


def test_the_gate_refuses_an_edited_artifact() -> None:
    with pytest.raises(SelfReferenceError):
        gate(9, [], {"l1", "l2"}, {"l2"})


TEXTS = st.lists(st.text(alphabet="ab\n", max_size=4), max_size=3)
OPERATIONS = st.lists(
    st.one_of(
        st.tuples(st.just("append"), TEXTS),
        st.tuples(st.just("insert"), TEXTS),
        st.tuples(st.sampled_from(["rationale", "tool-call", "measurement", "error"]), TEXTS),
        st.tuples(st.just("apply"), st.tuples(st.integers(0, 8), st.integers(0, 8), TEXTS)),
        st.tuples(st.just("end_turn"), st.none()),
    ),
    max_size=12,
)


@given(st.lists(st.text(alphabet="ab\n", max_size=9), max_size=5), OPERATIONS)
def test_at_every_commit_the_turn_has_shrunk_the_buffer_by_the_sum_of_its_nets(
    lines: list[str], operations: list[tuple[str, object]]
) -> None:
    """Sizes are read off snapshots; nothing is taken from the engine's books but the receipts under test."""
    buffer = ContextBuffer(lines, count_tokens=lambda text: len(text) + 1)

    def size() -> int:
        return sum(len(text) + 1 for text in buffer.snapshot().lines)

    start, foreign, nets = size(), 0, 0
    for name, given_ in operations:
        before = size()
        match name, given_:
            case "append", list(texts):
                buffer.append(texts)
                foreign += size() - before
            case "insert", list(texts):
                buffer.insert(len(buffer.snapshot().lines) // 2, texts)
                foreign += size() - before
            case "apply", (int(one), int(other), list(texts)):
                top = len(buffer.snapshot().lines)
                first, last = sorted((min(one, top), min(other, top)))
                try:
                    cost = buffer.apply(authored(buffer, Hunk(first, last, tuple(texts)))).cost
                except RewriteRefused:
                    assert size() == before
                else:
                    net = cost.freed - cost.rewrite - cost.measurement
                    assert net > 0
                    nets += net
                    assert start + foreign - size() == nets
            case "end_turn", _:
                buffer.end_turn()
                start, foreign, nets = before, 0, 0
            case kind, list(texts):
                buffer.emit(kind, texts)
