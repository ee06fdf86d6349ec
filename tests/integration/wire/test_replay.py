"""Traces travel: a counterexample found on one engine is replayed on another, in Python or over the wire."""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from checking import check, fake

import basebound_spec

SCENARIO = str(basebound_spec.ROOT / "scenarios" / "incident-target-changed.ndjson")


def replay(*arguments: str) -> tuple[int, str]:
    command = [sys.executable, "-m", "basebound", "replay", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("name", ["javascript", "rust"])
def test_a_scenario_replays_over_the_wire(name: str, commands: Callable[[str], list[str]]) -> None:
    code, output = replay(SCENARIO, "--wire", shlex.join(commands(name)))
    assert code == 0, output
    assert "every step had an outcome that is allowed" in output


def test_a_counterexample_of_a_wire_engine_replays_on_it_by_the_name_the_report_gives_and_not_on_the_reference(
    tmp_path: Path,
) -> None:
    options = ("--effort", "quick", "--lens", "scenarios", "--jobs", "1", "--timeout", "2")
    checked = check(fake("error_for_refusal"), tmp_path, *options)
    trace = str(tmp_path / ".basebound" / "BASE-ANSWER-TYPED.ndjson")
    assert checked.report is not None
    code, output = replay(trace, checked.report["target"]["name"])
    assert code == 1, output
    assert "BASE-ANSWER-TYPED" in output
    code, output = replay(trace, "reference")
    assert code == 0, output


def test_a_meeting_that_breaks_a_wire_engine_replays_on_it(node: str, tmp_path: Path) -> None:
    engine = [node, str(Path(__file__).parent / "engines" / "window_meter.mjs")]
    checked = check(engine, tmp_path, "--effort", "quick", "--lens", "schedules", "--jobs", "1")
    assert checked.report is not None
    trace = str(tmp_path / ".basebound" / "ATOMIC-CHECK-COMMIT.ndjson")
    for _ in range(3):
        code, output = replay(trace, checked.report["target"]["name"])
        assert code == 1, output
        assert "ATOMIC-CHECK-COMMIT" in output


def test_a_trace_that_an_engine_does_not_survive_says_how_it_ended() -> None:
    code, output = replay(SCENARIO, "--wire", shlex.join(fake("killed_mid_answer")), "--timeout", "2")
    assert code == 1
    assert "signal 9" in output
