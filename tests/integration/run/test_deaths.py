"""A target that ends or hangs its process: what it breaks by that, and whether the break repeats."""

from __future__ import annotations

from pathlib import Path

import pytest

from basebound.results.verdict import FAIL, Judged
from basebound.run.check import Options, check

HEAD = """
import os
import time
from basebound import apply_function, gate_function
from basebound.targets.reference import reference_apply, reference_digest, reference_gate
"""
APPLY = """
def apply(live_lines, authored_base, hunks, protected):
    lines = reference_apply(live_lines, authored_base, hunks, protected)
    {ends}
    return lines
target = apply_function(apply, reference_digest)
"""
GATE = """
def gate(freed, charges, edited, artifacts):
    reference_gate(freed, charges, edited, artifacts)
    {ends}
target = gate_function(gate)
"""
REFUSING_GATE = """
def gate(freed, charges, edited, artifacts):
    try:
        reference_gate(freed, charges, edited, artifacts)
    except Exception:
        {ends}
target = gate_function(gate)
"""


def broken(tmp_path: Path, text: str, lens: str = "scenarios") -> dict[str, Judged]:
    file = tmp_path / "ends.py"
    file.write_text(HEAD + text)
    verdict = check(f"{file}:target", Options("quick", lenses=(lens,), jobs=1, seconds=1.0))
    assert verdict.exit_code == 1
    return {row.requirement.id: row for row in verdict.judged if row.verdict == FAIL}


@pytest.mark.parametrize(
    ("ends", "lens"), [("os._exit(0)", "scenarios"), ("os._exit(7)", "box"), ("raise KeyboardInterrupt", "scenarios")]
)
def test_a_gate_that_ends_its_process_breaks_what_it_was_due_to_decide(tmp_path: Path, ends: str, lens: str) -> None:
    (row,) = broken(tmp_path, GATE.format(ends=ends), lens).values()
    assert row.requirement.id == "BUDGET-NET-ONE"
    assert row.counterexample is not None
    assert row.counterexample.finding.seen.startswith("it ended the process")
    assert row.counterexample.repeats == "always"


def test_a_gate_that_hangs_breaks_what_it_was_due_to_decide(tmp_path: Path) -> None:
    (row,) = broken(tmp_path, GATE.format(ends="time.sleep(60)")).values()
    assert row.requirement.id == "BUDGET-NET-ONE"
    assert row.counterexample is not None
    assert "did not come back within 1 s" in row.counterexample.finding.seen


def test_a_gate_that_ends_its_process_in_place_of_a_refusal_breaks_the_refusal(tmp_path: Path) -> None:
    found = broken(tmp_path, REFUSING_GATE.format(ends="os._exit(1)"))
    assert found
    assert {row.counterexample.finding.allowed[:10] for row in found.values() if row.counterexample} == {"refused as"}


@pytest.mark.parametrize("ends", ["os._exit(0)", "raise KeyboardInterrupt"])
def test_an_apply_that_ends_its_process_every_time_is_told_as_one_that_does(tmp_path: Path, ends: str) -> None:
    (row,) = broken(tmp_path, APPLY.format(ends=ends)).values()
    assert row.requirement.id == "BASE-ANSWER-BOUNDED"
    assert row.counterexample is not None
    assert row.counterexample.repeats == "always"
    assert [step.op for step in row.counterexample.trace.steps] == ["snapshot", "apply"]
