"""The JUnit report as another program reads it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from basebound.report.junit import write
from basebound.report.story import text
from basebound.results.verdict import Verdict

junitparser = pytest.importorskip("junitparser", reason="needs the package junitparser, which reads the report back")

Writer = Callable[[Callable[[Verdict, Path], None], Verdict], Path]


def cases(path: Path) -> dict[str, Any]:
    (suite,) = junitparser.JUnitXml.fromfile(str(path))
    return {case.name: case for case in suite}


def outcome(case: Any) -> str:
    return type(case.result[0]).__name__ if case.result else "passed"


def test_each_verdict_has_its_outcome(verdict: Verdict, written: Writer) -> None:
    read = cases(written(write, verdict))
    assert {name: outcome(case) for name, case in read.items()} == {
        "BASE-STALE-APPEND": "Failure",
        "BASE-STALE-LENGTH": "Failure",
        "BASE-STALE-MESSAGE": "Skipped",
        "BASE-REPLAY": "passed",
        "BASE-HUNK-RANGE": "Failure",
        "BASE-INSERT-EXACT": "Error",
        "PROTECTED-REFUSED": "Skipped",
        "PROTECTED-REST": "Skipped",
        "BUDGET-CHARGE-RATIONALE": "Failure",
        "BUDGET-NET-ONE": "passed",
    }
    assert {case.classname for case in read.values()} == {"base", "protected", "budget"}


def test_a_failure_is_the_story(verdict: Verdict, written: Writer) -> None:
    (failure,) = cases(written(write, verdict))["BASE-STALE-APPEND"].result
    found = verdict.judged[0].counterexample
    assert found is not None
    assert failure.text == text(found)
    assert failure.message == f"{verdict.judged[0].requirement.sentence} seen: applied"


def test_what_is_skipped_says_why(verdict: Verdict, written: Writer) -> None:
    read = cases(written(write, verdict))
    assert read["PROTECTED-REST"].result[0].message == "not-claimed: the target does not claim protected"
    assert read["PROTECTED-REFUSED"].result[0].message == (
        "waived: waived until 2031-05-01 by ada: the old store has no markers; seen: applied"
    )
    assert read["BASE-STALE-MESSAGE"].result[0].message == "advice: seen: applied"
    found = verdict.judged[6].counterexample
    assert found is not None
    assert read["PROTECTED-REFUSED"].system_out == text(found)


def test_the_suite_counts_and_names_the_run(verdict: Verdict, written: Writer) -> None:
    (suite,) = junitparser.JUnitXml.fromfile(str(written(write, verdict)))
    assert (suite.tests, suite.failures, suite.errors, suite.skipped) == (10, 4, 1, 3)
    told = {one.name: one.value for one in suite.properties()}
    assert {"seed": "7", "effort": "quick", "spec": "1.0", "target": "engine.py:Engine"}.items() <= told.items()
    assert told["verdict"] == "violations"
    suite.update_statistics()
    assert (suite.tests, suite.failures, suite.errors, suite.skipped) == (10, 4, 1, 3)


def test_a_waiver_that_must_go_is_an_error(complained: Verdict, written: Writer) -> None:
    read = cases(written(write, complained))
    (waiver,) = [case for case in read.values() if case.classname == "waivers"]
    assert outcome(waiver) == "Error"
    assert "matches nothing any more" in waiver.result[0].message


def test_a_conformant_run_is_green(conformant: Verdict, written: Writer) -> None:
    assert {outcome(case) for case in cases(written(write, conformant)).values()} == {"passed"}


def test_no_word_of_an_engine_breaks_the_file(hostile: Verdict, written: Writer) -> None:
    read = cases(written(write, hostile))
    (failure,) = read["BASE-STALE-APPEND"].result
    assert "</script><script>document.title='owned'</script>" in failure.message
    assert "nul \\u0000 bell \\u0007 escape \\u001b[31m" in failure.message
    assert "\\ud800" in failure.text


def test_cases_point_at_the_source(verdict: Verdict, written: Writer, monkeypatch: pytest.MonkeyPatch) -> None:
    assert verdict.target.source is not None
    file, line = verdict.target.source
    monkeypatch.chdir(Path(file).parents[1])
    attributes = cases(written(write, verdict))["BASE-STALE-APPEND"]._elem.attrib
    assert (attributes["file"], attributes["line"]) == ("report/engine.py", str(line))
    nowhere = replace(verdict, target=replace(verdict.target, source=None))
    assert "file" not in cases(written(write, nowhere))["BASE-STALE-APPEND"]._elem.attrib


@pytest.mark.slow
def test_the_report_of_a_real_adapter_is_read_back(real: Verdict, written: Writer) -> None:
    read = cases(written(write, real))
    assert outcome(read["BASE-STALE-APPEND"]) == "Failure"
    assert [case.name for case in read.values()] == [row.requirement.id for row in real.judged]
