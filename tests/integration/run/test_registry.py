"""The registry of lenses: whatever is declared is run, for a target it fits, and gives the evidence it declares."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from basebound import lenses
from basebound.lenses.box.families import FAMILIES, WORLDS, Scope, cases
from basebound.lenses.efforts import AMOUNTS, EFFORTS
from basebound.lenses.registry import LENSES, lens, units
from basebound.model import PROFILES
from basebound.results.unit import Finished, Unit
from basebound.run.judging import judge, tally
from basebound.run.work import Work, described
from basebound.targets.driver import Unwatched
from basebound.targets.loading import load

PURE = "basebound_catalogue.mutants.pure"
LOOKS = (
    ("reference", "quick", ("schedules", "scenarios", "box", "search", "types")),
    (f"{PURE}:plain_gate", "quick", ("box",)),
    (f"{PURE}:plain_gate", "default", ("scenarios", "proofs")),
    (f"{PURE}:magic_freed", "quick", ("proofs",)),
)
"""Targets that between them fit every unit, each with an effort and the lenses it is looked at through."""


@pytest.fixture(scope="module")
def finished() -> list[tuple[str, list[Finished]]]:
    """What every unit came to, by target."""
    return [(target, list(_finished(target, effort, chosen))) for target, effort, chosen in LOOKS]


def _finished(name: str, effort: str, chosen: tuple[str, ...]) -> Iterator[Finished]:
    told: list[object] = []
    work = Work(load(name), Unwatched(), told.append)
    for unit in units(effort, 0, chosen):
        work.do(unit)
    yield from (event for event in told if isinstance(event, Finished))


def test_every_folder_of_a_lens_is_declared_under_its_name() -> None:
    (root,) = lenses.__path__
    folders = {path.parent.name for path in Path(root).glob("*/__init__.py")}
    assert folders == set(LENSES) == {lens(name).name for name in LENSES}


def test_all_lenses_are_loaded_before_the_first_unit_so_that_no_unit_changes_what_another_draws() -> None:
    check = (
        "import sys; from basebound.run.work import Work; from basebound.targets.driver import Unwatched;"
        "from basebound.targets.loading import load; Work(load('reference'), Unwatched(), print);"
        "print(*(name for name in sys.modules if name.startswith('basebound.lenses.')))"
    )
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert {f"basebound.lenses.{name}.lens" for name in LENSES} <= set(done.stdout.split())


@pytest.mark.parametrize("effort", EFFORTS)
def test_every_lens_has_units_of_its_own_at_every_effort(effort: str) -> None:
    assert effort in AMOUNTS
    for name in LENSES:
        found = lens(name).units(effort, 0, "hypothesis")
        assert found
        assert {(unit.lens, unit.effort) for unit in found} == {(name, effort)}
        assert len(set(found)) == len(found)
    assert {unit.lens for unit in units(effort, 0)} == set(LENSES)


def test_every_unit_is_carried_out_for_a_target_it_fits(finished: list[tuple[str, list[Finished]]]) -> None:
    done: set[Unit] = {one.unit for _, ended in finished for one in ended if one.runs or one.vouched}
    assert [unit for unit in units("quick", 0) if unit not in done] == []


@pytest.mark.parametrize("effort", EFFORTS)
def test_every_family_of_the_box_has_a_unit_and_cases_for_some_target(effort: str) -> None:
    asked = [
        Scope(WORLDS[effort], frozenset(PROFILES), gate, piped) for gate, piped in product((False, True), repeat=2)
    ]
    assert [one.name for one in FAMILIES if not any(next(cases(one, each), None) for each in asked)] == []
    assert [unit.shard for unit in units(effort, 0, ("box",))] == [family.name for family in FAMILIES]


def test_every_kind_of_evidence_that_is_declared_appears(finished: list[tuple[str, list[Finished]]]) -> None:
    seen = set()
    for name, ended in finished:
        target = described(load(name))
        rows = judge(target, target.profiles, tally(ended), {})
        seen |= {(entry["lens"], entry["kind"]) for row in rows for entry in row.evidence}
    declared = {(name, lens(name).goals) for name in LENSES if lens(name).plays}
    declared |= {(name, vouches.kind) for name in LENSES if (vouches := lens(name).vouches) is not None}
    assert seen == declared
