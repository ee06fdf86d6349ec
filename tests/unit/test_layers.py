"""The layers of the suite: imports run one way, in no circle, as pyproject.toml has it and CONTRIBUTING.md draws it."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_no_import_runs_up_or_in_a_circle() -> None:
    check = "from importlinter.cli import lint_imports; raise SystemExit(lint_imports(no_cache=True))"
    done = subprocess.run([sys.executable, "-c", check], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"[1-9]\d* kept, 0 broken", done.stdout)


def test_contributing_draws_the_layers_that_are_held() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    held = [layer.split(" | ") for layer in contracts[0]["layers"]]
    _, table = (ROOT / "CONTRIBUTING.md").read_text().split("| packages | role |\n|---|---|\n")
    rows = table.partition("\n\n")[0].splitlines()
    assert [re.findall(r"`(\w+)`", row.split("|")[1]) for row in rows] == held


def test_the_catalogue_is_loaded_only_when_an_engine_of_it_is_asked_for() -> None:
    check = (
        "import sys, basebound.cli, basebound.run.worker, basebound.pytest_plugin.collect;"
        "raise SystemExit('basebound_catalogue' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", check], check=False).returncode == 0
