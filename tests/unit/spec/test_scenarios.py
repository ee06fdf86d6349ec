"""The scenario files: their form, their headers, and that each is about what it says."""

from __future__ import annotations

import json
import re
from itertools import chain
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # no stubs are installed
from limited_engines import CLAIMS, Limits
from playing import play

import basebound_spec
from basebound.core.register import by_id
from basebound.core.trace import Append, Apply, Emit, Expect, Insert, Read, Trace, load, to_rows
from basebound.lenses.scenarios.scenarios import scenarios
from basebound.model import PROFILES

FOLDER = Path(basebound_spec.__file__).parent
FILES = sorted((FOLDER / "scenarios").iterdir())
SCHEMA = Draft202012Validator(json.loads((FOLDER / "trace.schema.json").read_text(encoding="utf-8")))
FIELDS = {"name", "title", "profiles", "unless", "requirements", "origin"}
INCIDENT = {
    "incident-lines-added-below",
    "incident-context-duplicated",
    "incident-hunk-copied",
    "incident-target-changed",
    "incident-near-copy",
}

every_scenario = pytest.mark.parametrize("scenario", scenarios(), ids=lambda scenario: scenario.about.get("name", "?"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_a_scenario_file_is_ndjson_of_the_trace_schema(file: Path) -> None:
    assert file.suffix == ".ndjson"
    text = file.read_text(encoding="utf-8")
    rows = [json.loads(line) for line in text.removesuffix("\n").split("\n")]
    assert text.isascii(), "other characters are escaped, so that no editor normalises them"
    assert [error.message for row in rows for error in SCHEMA.iter_errors(row)] == []
    assert to_rows(load(file)) == rows


@every_scenario
def test_a_header_says_what_the_scenario_is(scenario: Trace) -> None:
    about = scenario.about
    assert set(about) - {"unless"} == FIELDS - {"unless"}
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", about["name"])
    assert re.fullmatch(r"[A-Z].*\.", about["title"])
    assert about["profiles"]
    assert set(about["profiles"]) <= set(PROFILES)
    assert set(about.get("unless", ())) <= set(PROFILES) - set(about["profiles"])
    assert about["origin"]


@every_scenario
def test_a_scenario_names_requirements_that_exist_and_apply_to_it(scenario: Trace) -> None:
    about = scenario.about
    assert about["requirements"]
    assert len(set(about["requirements"])) == len(about["requirements"])
    assert {by_id()[name].profile for name in about["requirements"]} <= {"base", *about["profiles"]}


def test_a_scenario_is_named_as_its_file() -> None:
    assert [scenario.about["name"] for scenario in scenarios()] == [file.stem for file in FILES]


@every_scenario
def test_what_matters_in_a_scenario_is_read_back(scenario: Trace) -> None:
    steps = scenario.steps
    assert any(isinstance(step, Expect) for step in steps) or scenario.about["name"] == "return-to-what-was-read"
    assert isinstance(steps[-1], (Expect, Read)), "what the last step did is never looked at"


@every_scenario
def test_a_scenario_tries_the_requirement_it_names_first(scenario: Trace) -> None:
    without = set(scenario.about.get("unless", ()))
    claims = next(claims for claims in CLAIMS if not without & set(claims))
    done = play(Limits(claims).target(), [scenario])
    assert scenario.about["requirements"][0] in {rule for rule, _ in done.reached}


def test_the_incident_is_told_in_five_variants_on_one_buffer() -> None:
    told = [scenario for scenario in scenarios() if scenario.about["name"] in INCIDENT]
    assert {scenario.about["name"] for scenario in told} == INCIDENT
    assert {scenario.lines for scenario in told} == {told[0].lines}
    assert len(told[0].lines) == 20
    for scenario in told:
        added = next(step.lines for step in scenario.steps if isinstance(step, (Append, Insert)))
        applies = [step for step in scenario.steps if isinstance(step, Apply) and step.base in ("r17", "r18")]
        assert len(added) == 6
        assert [(step.hunks[0].start, step.hunks[0].end) for step in applies[:1]] == [(8, 10)]
        assert [step.expect for step in applies] == ["stale-base", "applied"]


def test_the_budget_incident_has_the_incidents_proportions() -> None:
    scenario = next(scenario for scenario in scenarios() if scenario.about["name"] == "budget-incident")

    def size(lines: tuple[str, ...]) -> int:
        return sum(len(line.encode()) + 1 for line in lines)

    emitted = {step.kind: size(step.lines) for step in scenario.steps[:2] if isinstance(step, Emit)}
    plan = next(step for step in scenario.steps if isinstance(step, Apply))
    assert size(scenario.lines) == 910
    assert emitted == {"measurement": 20, "rationale": 70}
    assert plan.claim is not None
    assert plan.claim.freed == size(scenario.lines[plan.hunks[0].start : plan.hunks[0].end]) == 110
    assert 110 - size(plan.hunks[0].insert) - sum(emitted.values()) == -5
    assert plan.expect == "not-freed"


def test_some_scenarios_are_large() -> None:
    lines = [*chain.from_iterable(scenario.lines for scenario in scenarios())]
    assert max(map(len, lines)) >= 70_000
    assert max(len(scenario.lines) for scenario in scenarios()) >= 300
    assert max(sum(isinstance(step, Append) for step in scenario.steps) for scenario in scenarios()) >= 40
