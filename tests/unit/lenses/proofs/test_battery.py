"""The battery says of itself what is true: names, domains, and a witness for every requirement it covers."""

from __future__ import annotations

import random
from typing import Any

import pytest

from basebound.lenses.proofs.battery import BY_NAME, SHAPES, battery
from basebound.lenses.proofs.cases import Case, Contents, Gating, Rewrite, Turns
from basebound.lenses.proofs.contracts import CONTENTS, ENGINE, GATE, REQUIREMENTS, REWRITE, TURNS, Contract
from basebound.lenses.proofs.meaning import moments
from basebound.lenses.proofs.shapes import (
    ENGINES,
    Alphabet,
    Character,
    Depth,
    Number,
    Parameter,
    Shape,
    Text,
    build,
    in_domain,
)
from basebound.lenses.proofs.subject import Kind

PURE_OR_GATE = [shape for shape in SHAPES if not shape.hunt]


def value_of(parameter: Parameter, dice: random.Random) -> Any:
    if isinstance(parameter, Text):
        return dice.choice(["", "a", "ab!", "%%!"])
    if isinstance(parameter, Character):
        some = "ak" if parameter.alphabet is Alphabet.LETTERS else "abk!#"
        return dice.choice([*map(ord, some), *([-1] if parameter.or_none else [])])
    low = parameter.low if parameter.low is not None else -1
    high = min(parameter.high if parameter.high is not None else 7, 9)
    if parameter.optional and dice.random() < 0.2:
        return None
    return dice.randint(max(low, 0), min(high, 1)) if dice.random() < 0.5 else dice.randint(low, high)


def drawn(shape: Shape, dice: random.Random) -> dict[str, Any]:
    return {parameter.name: value_of(parameter, dice) for parameter in shape.parameters}


def met_by(case: Case) -> set[str]:
    """The requirements whose precondition some row says is met."""

    def of(table: tuple[Contract, ...], given: object) -> set[str]:
        return {row.requirement for row in table if row.applies(given)}

    if isinstance(case, Contents):
        return of(CONTENTS, case)
    if isinstance(case, Gating):
        return of(GATE, case)
    if isinstance(case, Turns):
        return set().union(*[of(TURNS, moment) for moment in moments(case)])
    return of(REWRITE, case)


@pytest.mark.parametrize("shape", PURE_OR_GATE, ids=lambda shape: shape.name)
def test_a_shape_has_a_witness_for_every_requirement_it_covers(shape: Shape) -> None:
    dice, missing = random.Random(7), set(shape.covers)
    for _ in range(20_000):
        values = drawn(shape, dice)
        if in_domain(shape, values):
            missing -= met_by(build(shape, values, budgeted=False))
        if not missing:
            return
    pytest.fail(f"nothing drawn for {shape.name} meets the precondition of {sorted(missing)}")


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
def test_a_shape_builds_cases_of_its_kind_and_a_hunt_covers_nothing(shape: Shape) -> None:
    dice = random.Random(1)
    case = build(shape, drawn(shape, dice), budgeted=False)
    expected: dict[Kind, tuple[type, ...]] = {
        Kind.GATE: (Gating,),
        Kind.APPLY: (Contents, Rewrite),
        Kind.ENGINE: (Rewrite, Turns),
    }
    assert all(isinstance(case, expected[kind]) for kind in shape.kinds)
    assert bool(shape.covers) != shape.hunt
    assert shape.bounds.calls
    assert shape.bounds.size


def test_no_two_shapes_tell_the_same_bounds() -> None:
    told = [(shape.bounds, shape.kinds) for shape in SHAPES]
    assert len(set(told)) == len(told)


def test_names_are_unique_and_each_effort_includes_the_one_before() -> None:
    assert len(BY_NAME) == len(SHAPES)
    for kind in Kind:
        quick, default, thorough = ({shape.name for shape in battery(kind, effort)} for effort in Depth)
        assert quick < default < thorough


def test_two_hunks_in_one_patch_are_among_the_shapes_of_every_effort_that_proves() -> None:
    for effort in (Depth.DEFAULT, Depth.THOROUGH):
        assert any(shape.needs == {"hunks>=2"} for shape in battery(Kind.APPLY, effort))


def test_every_requirement_with_a_contract_is_covered_by_a_shape_of_the_default_effort() -> None:
    of_engines = {row.requirement for row in ENGINE} - {row.requirement for row in (*REWRITE, *CONTENTS, *GATE, *TURNS)}
    covered = {name for kind in Kind for shape in battery(kind, Depth.DEFAULT) for name in shape.covers}
    assert covered.issuperset(set(REQUIREMENTS) - of_engines - {"BASE-RECEIPT", "BASE-REFUSAL-PURE"})


def test_with_a_budget_a_deletion_and_a_small_replacement_pay() -> None:
    shape = BY_NAME["fresh-2"]
    values = {"live0": ord("a"), "live1": ord("b"), "new0": ord("c"), "start0": 0, "end0": 1}
    case = build(shape, values, budgeted=True)
    assert isinstance(case, Rewrite)
    assert case.live == ("a--", "b--")
    assert case.live is case.authored
    assert case.budgeted


def test_the_domain_keeps_surrogates_and_other_alphabets_out() -> None:
    unicode = BY_NAME["stale-1-1-unicode"]
    values = {"live0": 0xD800, "seen0": 0x10FFFF, "new0": ord("x"), "start0": 0, "end0": 0}
    assert not in_domain(unicode, values)
    assert in_domain(unicode, {**values, "live0": 0xE000})
    letters = BY_NAME["fresh-3-letters"]
    fine = dict.fromkeys([parameter.name for parameter in letters.parameters], ord("z"))
    assert in_domain(letters, fine)
    assert not in_domain(letters, {**fine, "live0": ord("A")})


def test_turns_are_for_engines_with_a_budget_only() -> None:
    of_turns = [shape for shape in SHAPES if "budget" in shape.needs]
    cases = {shape.name: build(shape, drawn(shape, random.Random(1)), budgeted=False) for shape in SHAPES}
    assert [shape.name for shape in of_turns] == [name for name, case in cases.items() if isinstance(case, Turns)]
    assert all(shape.kinds == ENGINES for shape in of_turns)
    assert all(isinstance(p, Number) and p.low == 0 for shape in of_turns for p in shape.parameters)
