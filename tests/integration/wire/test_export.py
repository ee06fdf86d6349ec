"""The exported scenarios: plain files that a project vendors and runs without Python."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator

import basebound_spec
from basebound.cli.export import export


@pytest.fixture
def vendored(tmp_path: Path) -> Path:
    """A folder the scenarios were exported to."""
    folder = tmp_path / "vendor" / "basebound"
    done = CliRunner().invoke(export, ["scenarios", str(folder)], standalone_mode=False)
    assert done.exception is None, done.output
    return folder


def test_every_scenario_is_exported_as_it_is_and_follows_the_schema_beside_it(vendored: Path) -> None:
    ours = {path.name: path.read_bytes() for path in (basebound_spec.ROOT / "scenarios").iterdir()}  # type: ignore[attr-defined]
    theirs = {path.name: path.read_bytes() for path in (vendored / "scenarios").iterdir()}
    assert theirs == {name: text for name, text in ours.items() if name.endswith(".ndjson")}
    schema = Draft202012Validator(json.loads((vendored / "trace.schema.json").read_text(encoding="utf-8")))
    rows = [row for text in theirs.values() for row in text.decode().splitlines()]
    assert all(schema.is_valid(json.loads(row)) for row in rows[:400])


def test_the_page_says_how_to_run_them_without_python(vendored: Path) -> None:
    page = (vendored / "README.md").read_text(encoding="utf-8")
    assert "node run-traces.mjs scenarios" in page
    assert "trace.schema.json" in page


def test_what_the_headers_refer_to_is_exported_with_them(vendored: Path) -> None:
    assert "#### BASE-IDENTITY\n" in (vendored / "SPEC.md").read_text(encoding="utf-8")
    assert "| 27 | " in (vendored / "incidents.md").read_text(encoding="utf-8")


def test_the_command_of_the_page_passes_on_the_reference(
    vendored: Path, node: str, commands: Callable[[str], list[str]]
) -> None:
    assert len((vendored / "run-traces.mjs").read_text().splitlines()) <= 60
    command = [node, "run-traces.mjs", "scenarios", *commands("javascript")]
    done = subprocess.run(command, cwd=vendored, capture_output=True, text=True, timeout=120, check=False)
    passed, failed = done.stdout.splitlines()[-1].split(", ")[:2]
    assert (done.returncode, failed) == (0, "0 failed"), done.stdout
    assert int(passed.split()[0]) > 100


def test_a_folder_that_cannot_be_written_is_a_usage_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    command = [sys.executable, "-m", "basebound", "export", "scenarios", str(tmp_path / "file" / "folder")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "[cannot-write]" in done.stderr
