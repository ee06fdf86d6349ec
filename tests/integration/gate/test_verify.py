"""A report is checked again: what differs is said, and only what holds becomes a statement."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path

import pytest

from basebound.errors import UsageError
from basebound.gate import verify
from basebound.gate.statement import statement

ENGINE = """\
from basebound_catalogue.plain import PlainEngine


class Engine(PlainEngine):
    def is_stale(self, patch):
        return len(patch.base.lines) != len(self.lines)
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, run_in) -> Path:
    """A folder with an engine that breaks a few requirements, and its report."""
    folder = tmp_path_factory.mktemp("made")
    (folder / "engine.py").write_text(ENGINE)
    assert run_in(folder, "check", "engine.py:Engine", "--report", "json=report.json").returncode == 1
    return folder


@pytest.fixture
def report(made: Path, tmp_path: Path, gate) -> Path:
    """A copy of it, in this folder."""
    for name in ("engine.py", "report.json"):
        shutil.copy(made / name, tmp_path)
    return tmp_path / "report.json"


def test_an_unchanged_target_is_the_same_and_becomes_a_statement(report: Path, gate) -> None:
    done = gate("verify", "report.json", "engine.py:Engine", "--statement", "statement.json")
    assert done.returncode == 0, done.stdout
    assert "same: " in done.stdout
    made = json.loads(Path("statement.json").read_text())
    assert made["_type"] == "https://in-toto.io/Statement/v1"
    assert made["predicateType"] == "https://in-toto.io/attestation/test-result/v0.1"
    digest = hashlib.sha256(ENGINE.encode()).hexdigest()
    assert made["subject"] == [{"name": "engine.py", "digest": {"sha256": digest}}]
    predicate = made["predicate"]
    assert predicate["result"] == "FAILED"
    assert "BASE-STALE-LENGTH" in predicate["failedTests"]
    assert "BASE-STALE-APPEND" in predicate["passedTests"]
    assert predicate["configuration"][0]["digest"] == {"sha256": hashlib.sha256(report.read_bytes()).hexdigest()}


def test_a_fixed_target_differs_in_its_source_and_its_verdicts(report: Path, gate) -> None:
    Path("engine.py").write_text(ENGINE.replace("len(patch.base.lines) != len(self.lines)", "super().is_stale(patch)"))
    done = gate("verify", "report.json", "engine.py:Engine", "--statement", "statement.json")
    assert done.returncode == 1
    assert "source: the file engine.py has changed" in done.stdout
    assert "verdict: BASE-STALE-LENGTH: the report says fail, this run says pass" in done.stdout
    assert not Path("statement.json").exists()


def test_another_spec_and_another_suite_are_said(report: Path, gate) -> None:
    data = json.loads(report.read_text())
    data["record"]["suite"] = "0.9"
    data["record"]["spec"]["scenarios"] = "0" * 64
    data["record"]["packages"] = {"hash-edit": "0.1.0"}
    gone, changed = data["requirements"].pop(), data["requirements"][0]
    changed["sha256"] = "0" * 64
    data["requirements"].append({**gone, "id": "BASE-OF-OLD"})
    report.write_text(json.dumps(data))
    done = gate("verify", "report.json", "engine.py:Engine")
    assert done.returncode == 1
    said = [line for line in done.stdout.splitlines() if line.startswith(("spec", "suite", "packages", "verdict"))]
    assert said == [
        "spec: BASE-OF-OLD is no requirement any more",
        f"spec: the text of {changed['id']} has changed",
        f"spec: {gone['id']} is a requirement the report does not know",
        "spec: the scenarios have changed",
        "suite: the report was made by basebound 0.9, this is 1.0.0",
        "packages: the package hash-edit is no longer part of the target",
    ]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda data: "{", "report-unreadable"),
        (lambda data: json.dumps([]), "not-a-report"),
        (lambda data: json.dumps({**data, "seed": "7"}), "report-wrong-type"),
        (lambda data: json.dumps({**data, "record": None}), "report-wrong-type"),
        (lambda data: json.dumps({**data, "record": {**data["record"], "source": 7}}), "report-wrong-type"),
        (lambda data: json.dumps({**data, "requirements": [{"id": "BASE-REPLAY"}]}), "report-wrong-type"),
    ],
)
def test_a_report_that_is_none_is_an_error_of_usage(change, code: str, report: Path) -> None:
    report.write_text(change(json.loads(report.read_text())))
    with pytest.raises(UsageError) as caught:
        verify.load(Path("report.json"))
    assert caught.value.code == code


def test_the_program_exits_2_where_report_or_target_cannot_be_used(report: Path, gate) -> None:
    missing = gate("verify", "nothing.json", "engine.py:Engine")
    assert missing.returncode == 2
    assert "[report-unreadable]" in missing.stderr
    other = gate("verify", "report.json", "engine.py:Nothing")
    assert other.returncode == 2
    assert "[no-such-attribute]" in other.stderr


def test_waived_is_warned_and_not_exercised_is_failed(report: Path) -> None:
    data = json.loads(report.read_text())
    words = {"BASE-STALE-LENGTH": "waived", "BASE-REPLAY": "inconclusive", "BASE-STALE-MESSAGE": "fail"}
    for row in data["requirements"]:
        row["verdict"] = words.get(row["id"], "pass" if row["verdict"] != "not-claimed" else "not-claimed")
    made = statement(verify.Verification(report, "0" * 64, data))["predicate"]
    assert set(made["warnedTests"]) == {"BASE-STALE-LENGTH", "BASE-STALE-MESSAGE"}
    assert made["failedTests"] == ["BASE-REPLAY"]
    claimed = [row["id"] for row in data["requirements"] if row["verdict"] != "not-claimed"]
    assert len(made["passedTests"]) == len(claimed) - 3


def test_a_target_without_source_has_no_statement(report: Path) -> None:
    data = json.loads(report.read_text())
    data["record"]["source"] = {}
    with pytest.raises(UsageError, match=r"\[report-no-source\]"):
        statement(verify.Verification(report, "0" * 64, data))
