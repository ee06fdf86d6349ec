"""What a reader sees of a run on the command line; its wording is held fast as snapshots."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console
from syrupy.assertion import SnapshotAssertion

from basebound.demo import DEMOS
from basebound.report.story import story
from basebound.report.terminal import Terminal
from basebound.results.verdict import Verdict
from basebound.run.check import Options, check

BROKEN = [
    ("no-guard", "BASE-STALE-ABOVE", "snapshot insert apply", "stale-base", "+ "),
    ("nothing-protected", "PROTECTED-REFUSED", "snapshot apply", "protected", "-"),
    ("rationale-free", "BUDGET-CHARGE-RATIONALE", "emit snapshot apply", "not-freed", "- "),
    ("retry-lets-through", "BASE-REFUSAL-FORGOTTEN", "snapshot append apply apply", "stale-base", "- "),
]
"""A fault, what it breaks, the ops of the shortest history, the reason that is due, and the signs of the buffer."""


def judged(target: str) -> Verdict:
    return check(target, Options(effort="quick", lenses=("scenarios",), jobs=1))


@pytest.mark.parametrize(("fault", "requirement", "ops", "reason", "signs"), BROKEN)
def test_a_counterexample_is_told_so_that_the_bug_is_seen(
    fault: str, requirement: str, ops: str, reason: str, signs: str
) -> None:
    rows = {row.requirement.id: row for row in judged(f"fault:{fault}").judged}
    found = rows[requirement].counterexample
    assert found is not None
    assert " ".join(entry.step.op for entry in found.steps) == ops
    assert found.steps[found.finding.step].expected == reason
    told = story(found)
    assert [scene.breaks for scene in told.scenes] == [False] * (len(found.steps) - 1) + [True]
    assert "".join(row.sign for row in told.rows) == signs


def run(folder: Path, *arguments: str) -> str:
    command = [sys.executable, "-m", "basebound", *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, timeout=300).stdout


def test_the_trace_that_a_failing_check_names_is_replayed_step_by_step(
    snapshot: SnapshotAssertion, tmp_path: Path
) -> None:
    target = "fault:nothing-protected"
    first, *checked = run(tmp_path, "check", target, "--effort", "quick", "--lens", "scenarios", "-v").splitlines()
    assert target in first
    assert checked[-1].startswith(f"violations: {target}, ")
    replayed, *_ = [line.split()[1:] for line in checked if line.startswith("  replay: ")]
    assert run(tmp_path, *replayed[1:]).splitlines() == snapshot


def test_a_limit_that_leaves_requirements_out_is_named() -> None:
    verdict = judged("correct:one-hunk")
    out = io.StringIO()
    terminal = Terminal(Console(file=out, width=120, highlight=False, soft_wrap=True))
    terminal.end(verdict, {}, verbose=False)
    (base,) = [line for line in out.getvalue().splitlines() if line.split()[:1] == ["base"]]
    (limit,) = {row.note for row in verdict.judged if row.requirement.profile == "base" and row.note}
    assert limit in base
    assert str(sum(row.note == limit for row in verdict.judged if row.requirement.level == "MUST")) in base


def test_the_terminal_report_names_the_trace_to_replay() -> None:
    out = io.StringIO()
    terminal = Terminal(Console(file=out, width=120, highlight=False, soft_wrap=True))
    terminal.end(judged("fault:nothing-protected"), {"PROTECTED-REFUSED": Path("x.ndjson")}, verbose=False)
    assert "replay: basebound replay x.ndjson fault:nothing-protected" in out.getvalue()


@pytest.mark.parametrize("name", DEMOS)
def test_the_demonstrations(name: str, snapshot: SnapshotAssertion) -> None:
    assert list(DEMOS[name]()) == snapshot


def test_the_budget_demonstration_loses_three_percent_a_turn_and_then_swings_between_88_and_91() -> None:
    lines = list(DEMOS["budget"]())
    assert any("it loses 3.0% of the budget a turn" in line for line in lines)
    assert any("it swings between 88% and 91%" in line for line in lines)
