"""What the pages, the register and the code refer to is there: incidents, sections, pages and links."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

import basebound_spec
from basebound.core.register import requirements
from basebound.lenses.scenarios.scenarios import scenarios
from basebound_catalogue.catalogue import FAULTS
from basebound_catalogue.mutants.pure import PURE_FAULTS

ROOT = Path(__file__).parents[3]
FOLDER = Path(basebound_spec.__file__).parent
PAGES = sorted(path for part in ("", "spec", "properties") for path in ROOT.glob(f"{part}/**/*.md" if part else "*.md"))
SOURCES = sorted(path for part in ("properties", "reference") for path in (ROOT / part).rglob("*.py"))
NUMBER = r"\d+(?:\.\d+)?"
SECTIONS = rf"sections?\s+({NUMBER})(?:\s+(?:and|to)\s+({NUMBER}))?"

ORIGINS = {
    **{row.id: row.origin for row in requirements()},
    **{scenario.about["name"]: scenario.about["origin"] for scenario in scenarios()},
    **{f"fault:{fault.id}": fault.origin for fault in FAULTS},
    **{f"pure fault {fault.id}": fault.origin for fault in PURE_FAULTS},
}

every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))


def prose(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@cache
def rows(heading: str) -> dict[str, list[str]]:
    """The rows of all tables under a heading of ``incidents.md``, by their first cell."""
    level = heading.partition(" ")[0]
    _, _, after = prose(FOLDER / "incidents.md").partition(f"\n{heading}\n")
    text = re.split(rf"^#{{1,{len(level)}}} ", after, maxsplit=1, flags=re.MULTILINE)[0]
    cells = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in text.splitlines() if line[:1] == "|"]
    return {first.strip("` "): rest for first, *rest in cells}


def incidents() -> dict[int, list[str]]:
    both = rows("## Stale bases and misplaced edits") | rows("## Budgets and accounting")
    return {int(number): rest for number, rest in both.items() if number.isdigit()}


def is_explained(part: str) -> bool:
    """Whether ``incidents.md`` says what one part of an origin means."""
    if numbers := re.fullmatch(r"incidents? (\d+(?:, \d+)*)", part):
        return {int(number) for number in numbers[1].split(", ")} <= set(incidents())
    tried = rows("## Engines that were tried")
    if field := re.fullmatch(r"field: (.*)", part):
        return field[1] in tried
    if variant := re.fullmatch(r"the r17/r18 incident, variant (.)", part):
        return variant[1] in tried
    return part in rows("## Other origins")


def test_incidents_are_numbered_without_a_gap_and_each_names_a_public_source() -> None:
    assert sorted(incidents()) == list(range(1, len(incidents()) + 1))
    source = re.compile(r"[\w.-]+/[\w.-]+#\d+|\]\(https://")
    bare = [
        number for number, (what, where) in incidents().items() if not what.endswith(".") or not source.search(where)
    ]
    assert bare == []


def test_every_origin_is_explained_in_what_is_shipped() -> None:
    unknown = {name: origin for name, origin in ORIGINS.items() if not all(map(is_explained, origin.split("; ")))}
    assert unknown == {}


@cache
def headings(page: Path) -> list[str]:
    return re.findall(r"^#+ (.*)$", prose(page), flags=re.MULTILINE)


def numbered() -> set[str]:
    found = [re.match(rf"({NUMBER})\.? ", heading) for heading in headings(FOLDER / "SPEC.md")]
    return {match[1] for match in found if match}


def test_every_section_that_is_referred_to_exists() -> None:
    own = re.findall(SECTIONS, prose(FOLDER / "SPEC.md")) + [
        (number, "") for number in re.findall(rf"[Ee]xample ({NUMBER})", prose(FOLDER / "SPEC.md"))
    ]
    others = [
        found
        for path in (*PAGES, *SOURCES, FOLDER / "requirements.toml")
        for found in re.findall(rf"SPEC\.md(?:\]\([^)]*\)|``)?,\s+{SECTIONS}", prose(path))
    ]
    assert others, "nothing refers to SPEC.md: the pattern is wrong"
    assert {number for pair in (*own, *others) for number in pair if number} - numbered() == set()


@every_page
def test_a_page_names_only_requirements_of_the_register(page: Path) -> None:
    named = set(re.findall(r"\b(?:BASE|PROTECTED|BUDGET|ATOMIC)-[A-Z]+(?:-[A-Z]+)*\b", prose(page)))
    assert named - {row.id for row in requirements()} - {"BASE-STALE"} == set()


def test_only_pages_that_are_shipped_are_named() -> None:
    known = {page.name for page in PAGES} | {"summary.md"}
    elsewhere = re.compile(r"\binterface,? (?:page|section)|\bincident survey|\bfield survey")
    wrong = {
        (str(path.relative_to(ROOT)), name)
        for path in (*PAGES, *SOURCES)
        for name in (*re.findall(r"\b[A-Za-z]+\.md\b", prose(path)), *elsewhere.findall(prose(path)))
        if name not in known
    }
    assert wrong == set()


def slug(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


@every_page
def test_a_link_leads_to_a_file_and_a_heading_that_exist(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
        if target.startswith("https://"):
            continue
        name, _, anchor = target.partition("#")
        file = (page.parent / name).resolve() if name else page
        assert file.exists(), f"{page.name} links to {target}"
        assert not anchor or anchor in map(slug, headings(file)), f"{page.name} links to {target}"
