"""The runner in JavaScript: the scenarios of the spec on any engine of the wire, without Python."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

import basebound_spec

HERE = Path(__file__).parent
RUNNER = Path(str(basebound_spec.ROOT)) / "run-traces.mjs"
SCENARIOS = str(basebound_spec.ROOT / "scenarios")
APPLY = {"op": "apply", "base": "s", "hunks": [{"start": 0, "end": 1}]}

Run = Callable[[str | Path, Sequence[str]], tuple[int, list[str]]]


@pytest.fixture
def run(node: str) -> Run:
    """``run(folder, command)``: the exit code, and the lines of the output."""

    def run(folder: str | Path, command: Sequence[str]) -> tuple[int, list[str]]:
        arguments = [node, str(RUNNER), str(folder), *command]
        done = subprocess.run(arguments, capture_output=True, text=True, timeout=60, check=False)
        return done.returncode, done.stdout.splitlines()

    return run


def traced(folder: Path, name: str, *steps: dict[str, Any], **header: Any) -> None:
    head = {
        "basebound": "trace/1",
        "config": {"lines": ["one", "two"], "protected": []},
        "meter": "utf8-bytes",
        **header,
    }
    (folder / f"{name}.ndjson").write_text("\n".join(json.dumps(row) for row in (head, *steps)) + "\n")


def test_the_runner_has_at_most_sixty_lines() -> None:
    assert len(RUNNER.read_text().splitlines()) <= 60


@pytest.mark.parametrize("name", ["javascript", "rust", "javascript-template", "rust-template"])
def test_the_scenarios_pass_on_every_engine(run: Run, commands: Callable[[str], list[str]], name: str) -> None:
    code, lines = run(SCENARIOS, commands(name))
    assert [line for line in lines if line.startswith("FAILED")] == []
    assert code == 0
    assert int(lines[-1].split()[0]) > (40 if "template" in name else 100)


@pytest.mark.parametrize("name", ["base_lines", "counts_by_name", "counts_by_number", "one_hunk"])
def test_the_scenarios_pass_on_engines_with_needs_and_limits(run: Run, name: str) -> None:
    code, lines = run(SCENARIOS, [sys.executable, str(HERE / "fakes" / f"{name}.py")])
    assert (code, [line for line in lines if line.startswith("FAILED")]) == (0, [])
    assert int(lines[-1].split()[0]) > 30


def test_a_faulty_engine_fails_scenarios(run: Run, node: str) -> None:
    code, lines = run(SCENARIOS, [node, str(HERE / "engines" / "id_object.mjs")])
    assert code == 1
    assert "FAILED  upper-hunk-grows.ndjson" in "\n".join(lines)


def test_a_line_for_each_trace_and_the_sums(run: Run, commands: Callable[[str], list[str]], tmp_path: Path) -> None:
    read = {"op": "snapshot", "as": "s"}
    traced(tmp_path, "a", read, APPLY | {"expect": "applied"}, {"op": "expect", "lines": ["two"]})
    traced(tmp_path, "b", read, APPLY | {"expect": "stale-base"})
    traced(tmp_path, "c", {"op": "expect", "lines": ["one", "three"]})
    traced(tmp_path, "d", {"op": "expect", "lines": ["one"]})
    traced(tmp_path, "e", read, profiles=["compaction"])
    traced(tmp_path, "f", read, unless=["base"])
    traced(tmp_path, "g", read, meter="words")
    assert run(tmp_path, commands("javascript")) == (
        1,
        [
            "passed  a.ndjson",
            "FAILED  b.ndjson  step 2: expected stale-base, saw applied",
            'FAILED  c.ndjson  step 1: line 1: expected "three", saw "two"',
            'FAILED  d.ndjson  step 1: line 1: expected undefined, saw "two"',
            "skipped  e.ndjson",
            "skipped  f.ndjson",
            "skipped  g.ndjson",
            "1 passed, 3 failed, 3 skipped",
        ],
    )


@pytest.mark.parametrize("command", [["no-such-program"], [sys.executable, "-c", "raise SystemExit(3)"]])
def test_an_engine_that_ends_fails_every_trace(run: Run, command: list[str], tmp_path: Path) -> None:
    traced(tmp_path, "a", {"op": "end_turn"})
    assert run(tmp_path, command) == (1, ["FAILED  a.ndjson  step 0: the engine has ended", "0 passed, 1 failed"])


def test_no_trace_is_no_pass(run: Run, commands: Callable[[str], list[str]], tmp_path: Path) -> None:
    assert run(tmp_path, commands("javascript")) == (1, ["0 passed, 0 failed"])
