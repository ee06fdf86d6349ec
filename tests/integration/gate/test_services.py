"""The action, the hook and the snippets: read as their services read them, and their commands run in bash."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

yaml = pytest.importorskip("yaml", reason="the tests read YAML; install the extra dev")

ROOT = Path(__file__).parents[3]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text())
PAGE = (ROOT / "spec/basebound_spec/CI.md").read_text()
ENGINE = "from basebound_catalogue.plain import PlainEngine\n\n\nclass ContextAdapter(PlainEngine):\n    pass\n"
STALE = "    def is_stale(self, patch):\n        return len(patch.base.lines) != len(self.lines)\n"
ARGUMENTS = "--lens scenarios --jobs 1"


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout with an engine, and a path on which pip only says what it would do."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "context_adapter.py").write_text(ENGINE)
    bin = tmp_path / "bin"
    bin.mkdir()
    real = f"PYTHONPATH={shlex.quote(os.pathsep.join(filter(None, sys.path)))} exec {shlex.quote(sys.executable)}"
    script(bin / "python", f'if [ "$2" = pip ]; then echo "$@" >> {tmp_path}/pip.txt; exit 0; fi\n{real} "$@"')
    script(bin / "basebound", f'{real} -m basebound "$@"')
    monkeypatch.setenv("PATH", str(bin), prepend=os.pathsep)
    return tmp_path


def script(path: Path, text: str) -> None:
    path.write_text(f"#!/bin/bash\n{text}\n")
    path.chmod(0o755)


class Runner:
    """The part of a runner of GitHub's that a composite action needs: inputs, expressions, outputs, bash."""

    def __init__(self, folder: Path, **inputs: str) -> None:
        self.folder, self.outputs = folder, dict[str, str]()
        self.inputs = {name: entry["default"] for name, entry in ACTION["inputs"].items()} | inputs
        self.used: list[dict[str, Any]] = []
        self.summary = folder / "summary-of-the-job.md"

    def run(self) -> int:
        """The exit code of the first step that fails, or 0."""
        for step in ACTION["runs"]["steps"]:
            if not self._is_due(step.get("if", "")):
                continue
            if "uses" in step:
                self.used.append({key: self._filled(value) for key, value in step["with"].items()})
                continue
            code = self._bash(step)
            if code:
                return code
        return 0

    def _bash(self, step: dict[str, Any]) -> int:
        assert step["shell"] == "bash"
        assert "${{" not in step["run"], "an input in a script's text is a way in"
        file, output = self.folder / "step.sh", self.folder / "output.txt"
        file.write_text(step["run"])
        output.touch()
        given = {name: self._filled(value) for name, value in step["env"].items()}
        places = {"GITHUB_OUTPUT": str(output), "GITHUB_STEP_SUMMARY": str(self.summary)}
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(file)]
        done = subprocess.run(command, env={**os.environ, **given, **places}, capture_output=True, text=True)
        self.said = done.stdout + done.stderr
        if step.get("id") == "check":
            self.outputs = dict(line.split("=", 1) for line in output.read_text().splitlines())
        return done.returncode

    def _filled(self, text: str) -> str:
        return re.sub(r"\$\{\{ (.+?) \}\}", lambda match: self._value(match[1]), text)

    def _value(self, expression: str) -> str:
        kind, _, name = expression.rpartition(".")
        values = {"inputs": self.inputs, "steps.check.outputs": self.outputs, "github": {"action_path": str(ROOT)}}
        return values[kind][name]

    def _is_due(self, condition: str) -> bool:
        parts = [part.split() for part in condition.split(" && ") if part]
        for left, operator, right in parts:
            assert operator in ("==", "!=")
            if (self._value(left) == right.strip("'")) != (operator == "=="):
                return False
        return True


def test_the_action_reports_a_conformant_engine(workspace: Path) -> None:
    runner = Runner(workspace, target="context_adapter.py:ContextAdapter", effort="quick", arguments=ARGUMENTS)
    assert runner.run() == 0, runner.said
    assert runner.outputs == {"exit-code": "0", "verdict": "conformant"}
    assert (workspace / "pip.txt").read_text().split()[-1] == str(ROOT), "the suite this action is of"
    assert runner.summary.read_text() == (workspace / "basebound-reports/summary.md").read_text()
    names = {path.name for path in (workspace / "basebound-reports").iterdir()}
    assert names == {"report.json", "report.html", "report.sarif", "junit.xml", "summary.md"}
    assert runner.used == [{"name": "basebound", "path": "basebound-reports"}], "no upload to code scanning"


def test_the_action_keeps_its_reports_and_fails_with_the_exit_code(workspace: Path) -> None:
    with (workspace / "context_adapter.py").open("a") as file:
        file.write(STALE)
    inputs = {"target": "context_adapter.py:ContextAdapter", "effort": "quick", "profiles": "base protected"}
    runner = Runner(workspace, **inputs, arguments=ARGUMENTS, reports="out", sarif="true", install="basebound==1.0")
    assert runner.run() == 1
    assert runner.outputs == {"exit-code": "1", "verdict": "violations"}
    assert (workspace / "pip.txt").read_text().split()[-1] == "basebound==1.0"
    assert (workspace / "out/traces/BASE-STALE-LENGTH.ndjson").is_file()
    assert runner.used[0] == {"sarif_file": "out/report.sarif", "category": "basebound"}
    assert json.loads((workspace / "out/report.sarif").read_text())["version"] == "2.1.0"


def test_the_action_has_no_verdict_of_what_cannot_be_judged(workspace: Path) -> None:
    runner = Runner(workspace, target="nothing.py:Nothing; touch owned", effort="quick")
    assert runner.run() == 2
    assert runner.outputs == {"exit-code": "2", "verdict": ""}
    assert not (workspace / "owned").exists()
    assert set(ACTION["outputs"]) == set(runner.outputs)


def blocks(kind: str, heading: str) -> list[str]:
    """The code blocks of one kind in one section of the page."""
    section = re.search(rf"^## {heading}\n(.*?)(?=^## |\Z)", PAGE, re.M | re.S)
    assert section, f"the page has no section {heading}"
    return re.findall(rf"^```{kind}\n(.*?)^```$", section[1], re.M | re.S)


def quick(command: str) -> str:
    """The command as it is written, with less to do."""
    return command.replace("basebound check ", f"basebound check {ARGUMENTS} ", 1)


def bash(command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["bash", "-eo", "pipefail", "-c", command], capture_output=True, text=True, timeout=300)


@pytest.fixture
def waived(workspace: Path) -> Path:
    """A file of waivers that fits an engine which breaks what the page waives."""
    (workspace / "context_adapter.py").write_text(
        ENGINE + "    def is_stale(self, patch):\n        return patch.base.lines[-1:] != self.lines[-1:]\n"
    )
    done = bash(quick("basebound check context_adapter.py:ContextAdapter --effort quick --write-waivers waivers.toml"))
    assert done.returncode == 1
    return workspace


def test_the_gitlab_job_runs(waived: Path) -> None:
    (job,) = (yaml.safe_load(block)["basebound"] for block in blocks("yaml", "GitLab"))
    for command in job["before_script"] + job["script"]:
        done = bash(quick(command))
        assert done.returncode == 0, done.stdout + done.stderr
    assert "conformant, " in done.stdout
    assert (waived / job["artifacts"]["reports"]["junit"]).is_file()


def test_the_pre_commit_hooks_run(waived: Path) -> None:
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    used, local = (yaml.safe_load(block)["repos"][0]["hooks"][0] for block in blocks("yaml", "pre-commit"))
    assert used["id"] == hook["id"]
    assert not hook["pass_filenames"]
    assert not local["pass_filenames"]
    for command in (shlex.join([*shlex.split(hook["entry"]), *used["args"]]), local["entry"]):
        done = bash(quick(command))
        assert done.returncode == 0, done.stdout + done.stderr
        assert "conformant, " in done.stdout


def test_the_pages_own_action_is_used_with_inputs_there_are() -> None:
    (job,) = (yaml.safe_load(block)["jobs"]["conformance"] for block in blocks("yaml", "GitHub"))
    assert set(job["steps"][-1]["with"]) <= set(ACTION["inputs"])
    own = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text())["jobs"]
    assert set(own["action"]["steps"][-2]["with"]) <= set(ACTION["inputs"])


def test_the_workflow_runs_every_shard_of_the_slow_tests() -> None:
    own = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text())["jobs"]
    (names,) = re.findall(r"^names=\((.*)\)$", (ROOT / ".ci/slow").read_text(), re.M)
    assert own["slow"]["strategy"]["matrix"]["shard"] == names.split()


def test_the_pages_waivers_read_as_they_are_written(workspace: Path) -> None:
    from basebound.gate.waivers import load

    (text,) = blocks("toml", "Waivers")
    (workspace / "page.toml").write_text(text)
    assert [waiver.id for waiver in load(workspace / "page.toml")] == ["BASE-STALE-ABOVE"]


def test_the_pages_class_and_its_report_hold(workspace: Path) -> None:
    (text,) = blocks("python", "pytest")
    (workspace / "test_context.py").write_text(text)
    options = "-q -p no:hypothesispytest --basebound-lens scenarios"
    from importlib.metadata import entry_points

    loading = "" if entry_points(group="pytest11", name="basebound") else "-p basebound.pytest_plugin"
    done = bash(f"python -m pytest {loading} {options} test_context.py")
    assert done.returncode == 0, done.stdout
    (commands,) = blocks("sh", "A report that can be checked again")
    for command in commands.splitlines():
        done = bash(quick(command) + (" --effort quick" if " check " in command else ""))
        assert done.returncode == 0, done.stdout + done.stderr
    assert json.loads((workspace / "statement.json").read_text())["predicate"]["result"] == "PASSED"
