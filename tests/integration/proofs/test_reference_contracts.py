"""CrossHair's own command line on the contracts of the reference: all hold, and one that does not is told."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from basebound.lenses.proofs import crosshair as room

CONTRACTS = Path(__file__).with_name("reference_contracts.py")
PLUGIN = Path(room.__file__).with_name("plugin.py")
FUNCTIONS = [
    line.partition("(")[0]
    for line in re.findall(r"^def (\w+\(.*)", CONTRACTS.read_text(), re.MULTILINE)
    if not line.startswith("ascii_points")
]


def crosshair(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "crosshair.main", "check", *arguments]
    path = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    options = ["--report_all", "--extra_plugin", str(PLUGIN), "--per_condition_timeout", "60"]
    return subprocess.run([*command, *options], capture_output=True, text=True, env=path, timeout=400, check=False)


@pytest.mark.slow
def test_every_contract_of_the_reference_is_confirmed_over_all_paths() -> None:
    done = crosshair(str(CONTRACTS))
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("Confirmed over all paths") == len(FUNCTIONS) == 7, done.stdout


def test_a_contract_that_does_not_hold_is_told_with_its_values(tmp_path: Path) -> None:
    text = CONTRACTS.read_text()
    changed = text.replace("GATE = gate_function(reference_gate)", "GATE = gate_function(generous)").replace(
        "APPLY = ",
        "def generous(freed, charges, edited, artifacts):\n"
        "    if freed != 7919:\n"
        "        reference_gate(freed, charges, edited, artifacts)\n\n\nAPPLY = ",
    )
    file = tmp_path / "changed.py"
    file.write_text(changed)
    line = changed[: changed.index("def only_a_gain_passes")].count("\n") + 1
    done = crosshair(f"{file}:{line + 4}")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "7919" in done.stdout
