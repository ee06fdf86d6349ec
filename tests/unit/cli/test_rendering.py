"""What a reader sees, held fast as snapshots: stories, summaries and demonstrations."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from rich.console import Console
from syrupy.assertion import SnapshotAssertion

from basebound.demo import DEMOS
from basebound.report.story import plain_lines, story
from basebound.report.terminal import Terminal
from basebound.run.check import Options, check
from basebound.run.verdict import Verdict

BROKEN = {
    "no-guard": "BASE-STALE-ABOVE",
    "nothing-protected": "PROTECTED-REFUSED",
    "rationale-free": "BUDGET-CHARGE-RATIONALE",
    "retry-lets-through": "BASE-REFUSAL-FORGOTTEN",
}


def judged(target: str) -> Verdict:
    return check(target, Options(effort="quick", lenses=("scenarios",), jobs=1))


@pytest.mark.parametrize(("fault", "requirement"), BROKEN.items())
def test_a_counterexample_is_told_so_that_the_bug_is_seen(
    fault: str, requirement: str, snapshot: SnapshotAssertion
) -> None:
    rows = {row.requirement.id: row for row in judged(f"fault:{fault}").judged}
    found = rows[requirement].counterexample
    assert found is not None
    assert list(plain_lines(story(found), "basebound replay TRACE TARGET")) == snapshot


def test_the_terminal_report_of_a_conformant_engine(snapshot: SnapshotAssertion) -> None:
    verdict = judged("correct:one-hunk")
    out = io.StringIO()
    terminal = Terminal(Console(file=out, width=120, highlight=False, soft_wrap=True))
    terminal.end(verdict, {}, verbose=False)
    text = out.getvalue().replace(f"{verdict.elapsed:.1f} s", "N s")
    assert re.sub(r"\d+ histories, \d+ steps", "N histories, N steps", text) == snapshot


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
