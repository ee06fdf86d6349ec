"""Functions that cannot be called as the contract calls them are refused where the target is made."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from basebound import apply_function, gate_function
from basebound.errors import TargetError
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
    ("make", "what", "mend"),
    [
        (lambda: apply_function(awaits, digest), "the apply given to apply_function is an `async def`", "plain `def`"),
        (lambda: apply_function(apply, awaits), "the digest given to apply_function is an `async def`", "plain `def`"),
        (lambda: gate_function(awaits), "the gate given to gate_function is an `async def`", "plain `def`"),
        (lambda: gate_function(Awaits()), "is an `async def`", "plain `def`"),
        (lambda: gate_function(functools.partial(awaits, 1)), "is an `async def`", "plain `def`"),
        (lambda: apply_function(3, digest), "is given 3 as its apply", "apply(live_lines, authored_base"),  # type: ignore[arg-type]
        (lambda: apply_function(digest, digest), "cannot be called as the contract does", "by position"),  # type: ignore[arg-type]
        (lambda: gate_function(digest), "cannot be called as the contract does", "gate(freed, charges"),  # type: ignore[arg-type]
    ],
)
def test_what_is_no_pure_function_of_the_contract_is_refused(make: Callable[[], object], what: str, mend: str) -> None:
    with pytest.raises(TargetError) as refused:
        make()
    assert what in refused.value.what
    assert mend in refused.value.mend


def test_a_file_whose_target_awaits_is_answered_with_that_and_not_with_a_failed_import(tmp_path: Path) -> None:
    file = tmp_path / "awaiting_gate.py"
    file.write_text(
        "from basebound import gate_function\n\n\nasync def gate(*given): ...\n\n\ntarget = gate_function(gate)\n"
    )
    with pytest.raises(TargetError) as refused:
        load(f"{file}:target")
    assert refused.value.what.startswith("the gate given to gate_function")


@pytest.mark.parametrize(
    "made", [gate_function(lambda freed, charges, edited, artifacts: None), apply_function(apply, digest)]
)
def test_what_is_one_is_taken(made: Any) -> None:
    assert describe("made", made).covers


def test_a_pure_apply_is_assumed_to_protect_unless_it_says_what_it_claims() -> None:
    assumed, told = apply_function(apply, digest), apply_function(apply, digest, profiles={"base"})
    assert (describe("assumed", assumed).profiles, describe("assumed", assumed).stated) == (
        {"base", "protected"},
        False,
    )
    assert (describe("told", told).profiles, describe("told", told).stated) == ({"base"}, True)
