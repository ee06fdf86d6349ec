"""Functions that cannot be called as the contract calls them are refused where the target is made."""

from __future__ import annotations

import functools
from collections import UserList, deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from basebound import apply_function, gate_function
from basebound.core.register import PureFunction, requirements
from basebound.core.trace import Apply, Gate, Read, Trace
from basebound.errors import TargetError
from basebound.model import Config
from basebound.results.outcome import Malformed, Returned
from basebound.session.session import RunContext, run
from basebound.targets.driver import Driver, Loop, Unwatched
from basebound.targets.loading import describe, load


def apply(live: tuple[str, ...], base: str, hunks: Sequence[object], protected: tuple[str, ...]) -> tuple[str, ...]:
    return live


def digest(lines: tuple[str, ...]) -> str:
    return repr(lines)


async def awaits(*given: object) -> Any:
    return given


class Awaits:
    async def __call__(self, *given: object) -> Any:
        return given


@pytest.mark.parametrize(
    ("make", "code", "named"),
    [
        (lambda: apply_function(awaits, digest), "async-function", "the apply given to apply_function"),
        (lambda: apply_function(apply, awaits), "async-function", "the digest given to apply_function"),
        (lambda: gate_function(awaits), "async-function", "the gate given to gate_function"),
        (lambda: gate_function(Awaits()), "async-function", "the gate given to gate_function"),
        (lambda: gate_function(functools.partial(awaits, 1)), "async-function", "the gate given to gate_function"),
        (lambda: apply_function(3, digest), "not-a-function", "given 3 as its apply"),  # type: ignore[arg-type]
        (lambda: apply_function(digest, digest), "wrong-signature", "the apply given to apply_function"),  # type: ignore[arg-type]
        (lambda: gate_function(digest), "wrong-signature", "the gate given to gate_function"),  # type: ignore[arg-type]
        (lambda: apply_function(apply, digest, profiles="base"), "wrong-profiles", "profiles='base'"),
        (lambda: apply_function(apply, digest, profiles=3), "wrong-profiles", "profiles=3"),  # type: ignore[arg-type]
    ],
)
def test_what_is_no_pure_function_of_the_contract_is_refused(make: Callable[[], object], code: str, named: str) -> None:
    with pytest.raises(TargetError) as refused:
        make()
    assert refused.value.code == code
    assert named in refused.value.what
    assert refused.value.fix


def test_a_file_whose_target_awaits_is_answered_with_that_and_not_with_a_failed_import(tmp_path: Path) -> None:
    file = tmp_path / "awaiting_gate.py"
    file.write_text(
        "from basebound import gate_function\n\n\nasync def gate(*given): ...\n\n\ntarget = gate_function(gate)\n"
    )
    with pytest.raises(TargetError) as refused:
        load(f"{file}:target")
    assert refused.value.code == "async-function"


@pytest.mark.parametrize(
    "made", [gate_function(lambda freed, charges, edited, artifacts: None), apply_function(apply, digest)]
)
def test_what_is_one_is_taken(made: Any) -> None:
    assert describe("made", made).pure


def test_a_pure_apply_is_assumed_to_protect_unless_it_says_what_it_claims() -> None:
    assumed, told = apply_function(apply, digest), apply_function(apply, digest, profiles={"base"})
    assert (describe("assumed", assumed).profiles, describe("assumed", assumed).stated) == (
        {"base", "protected"},
        False,
    )
    assert (describe("told", told).profiles, describe("told", told).stated) == ({"base"}, True)


DECIDED = {
    PureFunction.APPLY: """
        BASE-STALE-APPEND BASE-STALE-ABOVE BASE-STALE-PATCH BASE-STALE-LENGTH BASE-STALE-RETURN BASE-STALE-DUPLICATE
        BASE-STALE-FIRST BASE-REPLAY BASE-STALE-MESSAGE BASE-FRESH-ACCEPTED BASE-REFUSAL-PURE BASE-REFUSAL-FORGOTTEN
        BASE-SPLICE-EXACT BASE-SPLICE-LITERAL BASE-SPLICE-FRAME BASE-SPLICE-ORDER BASE-SPLICE-ALL BASE-HUNK-RANGE
        BASE-HUNK-NEGATIVE BASE-HUNK-REVERSED BASE-HUNK-OVERLAP BASE-HUNK-ADJACENT BASE-IDENTITY BASE-IDENTITY-STABLE
        BASE-ANSWER-TYPED BASE-ANSWER-BOUNDED PROTECTED-REFUSED PROTECTED-ANY-HUNK PROTECTED-CONTAINMENT
        PROTECTED-REPLACED PROTECTED-LATE PROTECTED-REST
    """,
    PureFunction.GATE: """
        BUDGET-NET-NEGATIVE BUDGET-NET-ZERO BUDGET-NET-ONE BUDGET-CHARGE-INSERT BUDGET-CHARGE-RATIONALE
        BUDGET-CHARGE-TOOL-CALL BUDGET-CHARGE-MEASUREMENT BUDGET-CHARGE-ERROR BUDGET-UNPROVEN BUDGET-NEGATIVE
        BUDGET-ARTIFACT-LOCKED BUDGET-REORDER
    """,
}


@pytest.mark.parametrize("function", PureFunction)
def test_a_pure_function_is_judged_by_what_it_decides_alone(function: PureFunction) -> None:
    assert [row.id for row in requirements() if row.is_decided_by(function)] == DECIDED[function].split()


def test_a_whole_engine_decides_everything() -> None:
    assert all(row.is_decided_by(None) for row in requirements())


def answered(answer: Callable[[], object]) -> object:
    """What a patch comes to whose apply gives ``answer``."""
    made = apply_function(lambda live, base, hunks, protected: answer(), digest)  # type: ignore[arg-type, return-value]
    driver = Driver(describe("made", made), Config(("a",)), Loop(), Unwatched())
    driver.perform(Read("s"))
    return driver.perform(Apply("s", ()))


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda: (line for line in ["b"]), "apply returned a generator, not a sequence of lines"),
        (lambda: iter(["b"]), "apply returned a list_iterator, not a sequence of lines"),
        (lambda: {"b": 1}, "apply returned a dict, not a sequence of lines"),
        (lambda: {"b"}, "apply returned a set, not a sequence of lines"),
        (lambda: "b", "apply returned a str, not a sequence of lines"),
        (lambda: None, "apply returned None, not a sequence of lines"),
        (lambda: ["b", b"c"], "apply returned a list whose line 1 is a bytes, not a str"),
    ],
)
def test_an_answer_that_is_no_sequence_of_lines_is_told_as_what_it_is(answer: Callable[[], object], said: str) -> None:
    outcome = answered(answer)
    assert isinstance(outcome, Malformed)
    assert outcome.what.startswith(said)


@pytest.mark.parametrize("kind", [tuple, list, deque, UserList])
def test_any_sequence_of_lines_is_an_answer(kind: Callable[[list[str]], object]) -> None:
    assert isinstance(answered(lambda: kind(["b", "c"])), Returned)


@pytest.mark.parametrize(
    ("answer", "remark"),
    [(False, "the gate returned False; a gate refuses by raising Rejected"), (None, "")],
)
def test_a_gate_that_returns_a_value_where_it_has_to_refuse_is_told_what_it_returned(
    answer: object, remark: str
) -> None:
    made = gate_function(lambda freed, charges, edited, artifacts: answer)  # type: ignore[arg-type]
    target = describe("made", made)
    called = run(
        RunContext(target, target.profiles), Trace((), (), "utf8-bytes", (Gate(0, (), frozenset(), frozenset()),))
    )
    patched = run(RunContext(target, target.profiles), Trace(("a",), (), "utf8-bytes", (Read("s"), Apply("s", ()))))
    seen = [finding.seen for history in (called, patched) for finding in history.findings]
    said = f" ({remark})" if remark else ""
    assert seen
    assert set(seen) == {f"let through{said}", f"applied{said}"}
