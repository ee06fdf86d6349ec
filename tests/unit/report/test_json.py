"""The JSON report against its published schema."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # no stubs are installed
from referencing import Registry, Resource

import basebound_spec
from basebound.report.json import report, write
from basebound.results.outcome import Refused
from basebound.results.verdict import Verdict
from basebound.run.check import Options, check

SCHEMA = json.loads((basebound_spec.ROOT / "report.schema.json").read_text(encoding="utf-8"))
TRACE = json.loads((basebound_spec.ROOT / "trace.schema.json").read_text(encoding="utf-8"))
REGISTRY = Registry().with_resource("urn:basebound:trace:1", Resource.from_contents(TRACE))
VERDICTS = ("verdict", "conformant", "complained", "hostile", pytest.param("real", marks=pytest.mark.slow))


def complaints(told: object, schema: object = SCHEMA) -> list[str]:
    validator = Draft202012Validator(schema, registry=REGISTRY)
    return [f"{error.json_path}: {error.message[:200]}" for error in validator.iter_errors(told)]


def closed(schema: Any) -> Any:
    """The schema with no field allowed that it does not describe."""
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: closed(part) for key, part in schema.items()}
    if "object" in str(made.get("type")) and "properties" in made:
        made.setdefault("additionalProperties", False)
    return made


def test_it_is_a_schema_of_2020_12() -> None:
    assert SCHEMA["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("target", ["fault:rationale-free", "reference"])
def test_the_reports_of_real_runs_are_valid(target: str) -> None:
    verdict = check(target, Options(effort="quick", lenses=("scenarios",), jobs=1))
    assert complaints(report(verdict), closed(SCHEMA)) == []


@pytest.mark.parametrize("name", VERDICTS)
def test_every_report_is_valid_and_every_field_of_it_described(name: str, request: pytest.FixtureRequest) -> None:
    told = report(request.getfixturevalue(name))
    assert complaints(told) == []
    assert complaints(told, closed(SCHEMA)) == []


@pytest.mark.parametrize(
    "change",
    [
        {"basebound": "report/2"},
        {"verdict": "passed"},
        {"profiles": ["basic"]},
        {"seed": "0"},
        {"requirements": [{"id": "X", "level": "MAY", "profile": "base", "verdict": "pass", "evidence": []}]},
    ],
)
def test_another_shape_is_not_valid(change: dict[str, Any], conformant: Verdict) -> None:
    assert complaints(report(conformant) | change)


def test_a_pass_without_evidence_and_a_failure_without_a_counterexample_are_not_valid(verdict: Verdict) -> None:
    told = report(verdict)
    for row in told["requirements"]:
        row["evidence"] = []
        row["counterexample"] = None
    wrong = {line.split(":")[0] for line in complaints(told)}
    unproven = {
        f"$.requirements[{n}].{'evidence' if row['verdict'] == 'pass' else 'counterexample'}"
        for n, row in enumerate(told["requirements"])
        if row["verdict"] in ("pass", "fail", "waived")
    }
    assert wrong == unproven


def test_the_changes_of_a_history_lead_to_what_was_told(verdict: Verdict) -> None:
    for row, written in zip(verdict.judged, report(verdict)["requirements"], strict=True):
        if row.counterexample is None:
            continue
        lines = list(row.counterexample.trace.lines)
        for entry, step in zip(row.counterexample.steps, written["counterexample"]["history"], strict=True):
            if step["change"] is not None:
                at, removed = step["change"]["at"], step["change"]["removed"]
                lines[at : at + removed] = step["change"]["inserted"]
            assert tuple(lines) == entry.lines


def test_the_proof_of_a_fresh_patch_is_measured(verdict: Verdict) -> None:
    rows = {row["id"]: row for row in report(verdict)["requirements"]}
    proofs = [step["proof"] for step in rows["BUDGET-CHARGE-RATIONALE"]["counterexample"]["history"]]
    assert proofs == [None, None, {"freed": 26, "inserted": 13, "unpaid": 16, "net": -3}]
    stale = rows["BASE-STALE-APPEND"]["counterexample"]["history"]
    assert [step["proof"] for step in stale] == [None, None, None]


def test_a_message_that_is_no_unicode_is_kept(
    verdict: Verdict, written: Callable[[Callable[[Verdict, Path], None], Verdict], Path]
) -> None:
    row = verdict.judged[4]
    assert row.counterexample is not None
    entries = list(row.counterexample.steps)
    assert isinstance(entries[1].outcome, Refused)
    entries[1] = replace(entries[1], outcome=replace(entries[1].outcome, message="half \udc80"))
    found = replace(row.counterexample, steps=tuple(entries))
    told = replace(verdict, judged=(replace(row, counterexample=found),))
    read = json.loads(written(write, told).read_text(encoding="utf-8"))
    assert read["requirements"][0]["counterexample"]["history"][1]["saw"]["message"] == "half \udc80"
