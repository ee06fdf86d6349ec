"""A check leaves in the folder it is run from what it says, and nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

BAD = Path(__file__).parents[2] / "support" / "bad_targets.py"


def checked(folder: Path, name: str, *options: str) -> subprocess.CompletedProcess[str]:
    """``name`` of a file in ``folder``, checked from there by a Python that writes bytecode where it may."""
    (folder / "engines.py").write_text(BAD.read_text())
    command = [sys.executable, "-m", "basebound", "check", f"engines.py:{name}", "--effort", "quick", *options]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, env=environment, timeout=300)


def test_a_check_of_a_conformant_engine_leaves_nothing_behind(tmp_path: Path) -> None:
    done = checked(tmp_path, "Plain")
    assert done.returncode == 0, done.stdout + done.stderr
    assert sorted(file.name for file in tmp_path.iterdir()) == ["engines.py"]


def test_a_check_that_finds_a_violation_leaves_its_counterexamples_and_a_report_that_was_asked_for(
    tmp_path: Path,
) -> None:
    done = checked(tmp_path, "RaisesKeyError", "--lens", "scenarios", "--report", "json=report.json")
    assert done.returncode == 1, done.stdout + done.stderr
    assert sorted(file.name for file in tmp_path.iterdir()) == [".basebound", "engines.py", "report.json"]
    assert all(file.suffix == ".ndjson" for file in (tmp_path / ".basebound").iterdir())


@pytest.mark.slow
def test_the_search_starts_in_a_fraction_of_its_time_where_nothing_is_cached(tmp_path: Path) -> None:
    """Hypothesis tabulates the characters of a codec for seconds, which is more than a quick search has."""
    timed = (
        "import time; from basebound.lenses.search.machine import SearchPlan, search; "
        "from basebound.session.session import RunContext;"
        "from basebound.targets.loading import load; context = RunContext(load('reference'), frozenset({'base'}));"
        "began = time.process_time(); search(context, SearchPlan(2, 5, 60.0), 0, lambda history: False);"
        "print(time.process_time() - began)"
    )
    done = subprocess.run([sys.executable, "-c", timed], capture_output=True, text=True, cwd=tmp_path, timeout=120)
    assert float(done.stdout) < 2, done.stderr
    assert not list(tmp_path.iterdir())
