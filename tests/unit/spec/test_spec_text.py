"""SPEC.md explains exactly the requirements of the register, in their own words."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

import basebound_spec
from basebound.core.register import Requirement, requirements
from basebound.lenses.scenarios.scenarios import scenarios
from basebound.model import EMISSION_KINDS, PROFILES, Reason

FOLDER = Path(basebound_spec.__file__).parent
ID = re.compile(r"\b(?:BASE|PROTECTED|BUDGET|ATOMIC|COMPACTION)-[A-Z]+(?:-[A-Z]+)*\b")

every_requirement = pytest.mark.parametrize("requirement", requirements(), ids=lambda requirement: requirement.id)


@cache
def spec() -> str:
    return (FOLDER / "SPEC.md").read_text(encoding="utf-8")


@cache
def sections() -> dict[str, str]:
    """The text under each heading that is an id."""
    found = {}
    for part in re.split(r"^#+ ", spec(), flags=re.MULTILINE)[1:]:
        heading, _, text = part.partition("\n")
        if ID.fullmatch(heading):
            assert heading not in found, f"{heading} has two sections"
            found[heading] = text.strip()
    return found


def test_spec_has_a_section_for_exactly_the_ids_of_the_register() -> None:
    assert set(sections()) == {requirement.id for requirement in requirements()}


def test_spec_names_no_id_that_the_register_does_not_have() -> None:
    assert set(ID.findall(spec())) - {requirement.id for requirement in requirements()} == set()


@every_requirement
def test_a_section_quotes_its_sentence_verbatim(requirement: Requirement) -> None:
    quoted, _, _ = sections()[requirement.id].partition("\n\n")
    assert quoted == f"> {requirement.sentence}"


@every_requirement
def test_a_section_explains_and_states_its_level(requirement: Requirement) -> None:
    _, _, explanation = sections()[requirement.id].partition("\n\n")
    assert len(explanation) >= 60
    assert explanation.startswith("SHOULD. ") == (requirement.level == "SHOULD")


@every_requirement
def test_a_section_stands_in_the_chapter_of_its_profile(requirement: Requirement) -> None:
    chapters = re.split(r"^## ", spec(), flags=re.MULTILINE)
    chapter = next(text for text in chapters if f"\n#### {requirement.id}\n" in text)
    assert chapter.partition("\n")[0].endswith(f"Requirements: profile `{requirement.profile}`")


def test_spec_has_the_version_of_the_register() -> None:
    assert f"\nVersion {basebound_spec.VERSION}\n" in spec()
    assert f"This is version {basebound_spec.VERSION}." in spec()


def test_spec_names_every_profile_reason_and_kind_of_emission() -> None:
    words = [*PROFILES, *(reason.value for reason in Reason), *EMISSION_KINDS]
    assert [word for word in words if f"`{word}`" not in spec()] == []


def test_a_scenario_named_in_a_section_exists() -> None:
    known = {scenario.about["name"] for scenario in scenarios()}
    for text in [*sections().values(), spec().partition("## 4.")[0]]:
        cited = re.findall(r"\(((?:scenario )?`[^()]*`)\)", text)
        names = re.findall(r"`([a-z0-9-]+\*?)`", " ".join(cited))
        for name in names:
            stem = name.removesuffix("*")
            assert any(other.startswith(stem) if name.endswith("*") else other == name for other in known), name


def test_the_sections_cite_most_scenarios() -> None:
    cited = {
        scenario.about["name"]
        for scenario in scenarios()
        if any(f"`{scenario.about['name']}`" in text for text in sections().values())
        or scenario.about["name"].startswith("identity-")
    }
    assert len(cited) > len(scenarios()) / 2
