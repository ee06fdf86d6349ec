"""Families of shapes for the budget: questions to a pure gate, and turns of a whole engine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from basebound.lenses.proofs.cases import Attempt, Case, Emission, Gating, TurnEnd, Turns
from basebound.lenses.proofs.shapes import (
    ENGINES,
    GATES,
    TYPED,
    Bounds,
    Depth,
    Number,
    Shape,
    Text,
    Values,
    characters,
    counted,
    one_character_lines,
)
from basebound.model import CHARGE_KINDS, EMISSION_KINDS, Charge

NET = ("BUDGET-NET-NEGATIVE", "BUDGET-NET-ZERO", "BUDGET-NET-ONE")


# ------------------------------------------------------------------------------------------ gates


def amounts(name: str, depth: Depth, kinds: tuple[str, ...], optional: bool) -> Shape:
    """Charges of fixed kinds and any size, attributed or (``optional``) not."""
    names = [f"tokens{nth}" for nth in range(len(kinds))]

    def build(values: Values, tail: str) -> Case:
        charges = [Charge(kind, values[tokens]) for kind, tokens in zip(kinds, names, strict=True)]
        return Gating(values["freed"], tuple(charges))

    return Shape(
        name,
        GATES,
        depth,
        (Number("freed", optional=optional), *[Number(tokens, optional=optional) for tokens in names]),
        build,
        Bounds(
            f"a question to the gate, amounts of any size{' or missing' if optional else ''}",
            " + ".join(["freed", *kinds]),
        ),
        (
            *TYPED,
            *(NET if kinds else NET[1:]),
            "BUDGET-NEGATIVE",
            *(["BUDGET-UNPROVEN"] if optional else []),
            *dict.fromkeys(_charged(kind) for kind in kinds),
            *(["BUDGET-CHARGE-ONCE"] if kinds else []),
        ),
    )


def any_kinds(name: str, depth: Depth, count: int) -> Shape:
    """So many charges, each of any kind and any size."""

    def build(values: Values, tail: str) -> Case:
        charges = [Charge(_kind(values[f"kind{nth}"]), values[f"tokens{nth}"]) for nth in range(count)]
        return Gating(values["freed"], tuple(charges))

    kinds = [Number(f"kind{nth}", 0, len(CHARGE_KINDS) - 1) for nth in range(count)]
    return Shape(
        name,
        GATES,
        depth,
        (Number("freed"), *[Number(f"tokens{nth}") for nth in range(count)], *kinds),
        build,
        Bounds("a question to the gate, charges of any kind, amounts of any size", f"freed + {count} charges"),
        (*TYPED, *NET, "BUDGET-NEGATIVE", *map(_charged, CHARGE_KINDS), "BUDGET-CHARGE-ONCE"),
    )


def _kind(nth: int) -> str:
    """Each kind is a path of its own: a kind that is open itself would be compared character by character."""
    for at, kind in enumerate(CHARGE_KINDS):
        if nth == at:
            return kind
    return CHARGE_KINDS[-1]


def _charged(kind: str) -> str:
    return f"BUDGET-CHARGE-{kind.upper()}"


def line_ids(name: str, depth: Depth, edited: int, artifacts: int) -> Shape:
    """Any ids of one character; equal ids are among them."""

    def build(values: Values, tail: str) -> Case:
        return Gating(
            values["freed"],
            (Charge("insert", values["tokens"]),),
            frozenset(one_character_lines(values, "edited", edited)),
            frozenset(one_character_lines(values, "artifact", artifacts)),
        )

    return Shape(
        name,
        GATES,
        depth,
        (Number("freed"), Number("tokens"), *characters("edited", edited), *characters("artifact", artifacts)),
        build,
        Bounds(
            "a question to the gate, freed + insert of any size, ids of 1 ASCII character",
            f"{edited} edited against {counted(artifacts, 'artifact')}",
        ),
        (*TYPED, "BUDGET-ARTIFACT-LOCKED", *NET),
    )


def hunt_ids(name: str, depth: Depth) -> Shape:
    def build(values: Values, tail: str) -> Case:
        return Gating(1, (), frozenset([values["text"]]), frozenset([values["text"]]))

    bounds = Bounds("an edited artifact", "any id")
    return Shape(name, GATES, depth, (Text("text"),), build, bounds, (), hunt=True)


# ------------------------------------------------------------------------------------------ turns

MOST_TOKENS: Final = 1_000_000
"""The largest line of a turn, so that a counterexample can be written down as a trace."""


def _turns(
    name: str,
    depth: Depth,
    calls: str,
    script: Callable[[Values], Turns],
    sizes: tuple[str, ...],
    covers: tuple[str, ...],
) -> Shape:
    return Shape(
        name,
        ENGINES,
        depth,
        tuple(Number(size, 0, MOST_TOKENS) for size in sizes),
        lambda values, tail: script(values),
        Bounds(f"turns of lines of 0 to {MOST_TOKENS:,} tokens", calls),
        (*NET, *covers),
        needs=frozenset({"budget"}),
    )


def one_commit(name: str, depth: Depth) -> Shape:
    names = {kind: kind.replace("-", "_") for kind in EMISSION_KINDS}

    def script(values: Values) -> Turns:
        emissions = [Emission(kind, f"emitted {kind}", values[size]) for kind, size in names.items()]
        lines = (("old", values["old"]), ("kept", values["kept"]))
        return Turns(lines, (*emissions, Attempt("old", "new", values["new"])))

    sizes = ("old", "kept", "new", *names.values())
    covers = (*map(_charged, CHARGE_KINDS), "BUDGET-RECEIPT")
    return _turns(name, depth, "an emission of each kind and then a commit", script, sizes, covers)


def two_attempts(name: str, depth: Depth) -> Shape:
    def script(values: Values) -> Turns:
        return Turns(
            (("old", values["old"]), ("older", values["older"])),
            (
                Emission("rationale", "why", values["why"]),
                Attempt("old", "new", values["new"]),
                Emission("error", "what went wrong", values["error"]),
                Attempt("older"),
            ),
        )

    sizes = ("old", "older", "why", "new", "error")
    covers = ("BUDGET-CHARGE-REFUSED", "BUDGET-CHARGE-ONCE", "BUDGET-CHARGE-RATIONALE", "BUDGET-CHARGE-ERROR")
    return _turns(name, depth, "two attempts in one turn with emissions before each", script, sizes, covers)


def artifact(name: str, depth: Depth) -> Shape:
    def script(values: Values) -> Turns:
        return Turns(
            (("old", values["old"]),),
            (
                Emission("rationale", "why", values["why"]),
                Attempt("why", "new", values["new"]),
                TurnEnd(),
                Attempt("why", "newer", values["newer"]),
            ),
        )

    sizes, covers = ("old", "why", "new", "newer"), ("BUDGET-ARTIFACT-LOCKED", "BUDGET-ARTIFACT-RELEASED")
    return _turns(name, depth, "an emission edited in its turn and after it", script, sizes, covers)


def dropped(name: str, depth: Depth) -> Shape:
    def script(values: Values) -> Turns:
        emission = Emission("measurement", "how much", values["measured"])
        return Turns((("old", values["old"]),), (emission, TurnEnd(), Attempt("old", "new", values["new"])))

    calls = "a turn that ends unpaid before one that commits"
    return _turns(name, depth, calls, script, ("old", "measured", "new"), ("BUDGET-DROPPED",))
