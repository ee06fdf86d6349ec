"""The register: its form, and that an id once given stays."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

import basebound
import basebound_spec
from basebound.core.register import Requirement, Role, requirements, spec_version
from basebound.model import PROFILES

IDS = Path(__file__).with_name("ids.txt")
AREAS = {"base": "BASE", "protected": "PROTECTED", "budget": "BUDGET", "atomic": "ATOMIC", "compaction": "COMPACTION"}

JUDGES = ("oracle/", "history/blame.py", "lenses/schedules/", "lenses/proofs/")
"""What sees a requirement broken names it; everything else finds what it has to know of one in the register."""

every_requirement = pytest.mark.parametrize("requirement", requirements(), ids=lambda requirement: requirement.id)


def recorded_ids() -> list[str]:
    return [line for line in IDS.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]


def test_the_register_has_the_version_of_the_spec() -> None:
    assert spec_version() == basebound_spec.VERSION


def test_ids_are_unique() -> None:
    assert [name for name, count in Counter(row.id for row in requirements()).items() if count > 1] == []


def test_an_id_that_was_given_is_never_taken_away() -> None:
    gone = set(recorded_ids()) - {row.id for row in requirements()}
    assert gone == set(), "an id is immutable: keep a requirement that falls away as withdrawn"


def test_every_id_is_recorded() -> None:
    new = [row.id for row in requirements() if row.id not in recorded_ids()]
    assert new == [], f"add the new ids to {IDS.name}; from then on they stay"


def test_the_record_of_ids_is_sorted_and_has_no_repetition() -> None:
    assert recorded_ids() == sorted(set(recorded_ids()))


@every_requirement
def test_an_id_is_upper_case_kebab_and_begins_with_its_profiles_area(requirement: Requirement) -> None:
    assert re.fullmatch(r"[A-Z]+(-[A-Z]+)*", requirement.id)
    assert requirement.profile in PROFILES
    assert requirement.id.split("-")[0] == AREAS[requirement.profile]


@every_requirement
def test_a_requirement_has_a_known_level_and_whole_sentences(requirement: Requirement) -> None:
    assert requirement.level in ("MUST", "SHOULD")
    assert re.fullmatch(r"\S.*\.", requirement.sentence)
    assert not requirement.sentence.startswith(requirement.id)
    assert re.fullmatch(r"\S.*\.", requirement.why)
    assert re.fullmatch(r"\S.*\.", requirement.fix)
    assert requirement.origin


@every_requirement
def test_a_requirement_has_goals_of_its_own_names(requirement: Requirement) -> None:
    names = [goal.name for goal in requirement.goals]
    assert names
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"[a-z]+(-[a-z]+)*", name) for name in names)
    assert all(goal.means for goal in requirement.goals)


@every_requirement
def test_a_goal_needs_only_known_abilities(requirement: Requirement) -> None:
    needs = {goal.needs for goal in requirement.goals} - {None}
    assert all(re.fullmatch(r"insert|async|budget|asks-meter|measures|hunks>=[2-9]", str(need)) for need in needs)


def test_every_role_is_that_of_one_requirement() -> None:
    assert sorted(row.role for row in requirements() if row.role is not None) == sorted(Role)


def ids_named_in(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and re.fullmatch(rf"({'|'.join(AREAS.values())})-[A-Z-]*", str(node.value)):
            yield str(node.value)


def test_only_what_judges_a_run_names_requirements() -> None:
    package = Path(basebound.__file__).parent
    named = {(str(file.relative_to(package)), name) for file in package.rglob("*.py") for name in ids_named_in(file)}
    known = {row.id for row in requirements()}
    assert {(file, name) for file, name in named if not file.startswith(JUDGES)} == set()
    assert {name for _, name in named} <= known | {"BUDGET-CHARGE-"}
    assert named
