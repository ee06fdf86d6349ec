"""A project gates on basebound with an engine of its own: red, then waived, then fixed."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from basebound.gate.waivers import load

SAMPLE = Path(__file__).with_name("sample")
TARGET = "adapter.py:NotebookAdapter"
BY_LENGTH = "return len(seen) == len(self.notes)"
BY_CONTENT = "return fingerprint == self.fingerprint()"


@pytest.fixture
def notebook(tmp_path: Path) -> Path:
    for file in SAMPLE.glob("*.py"):
        shutil.copy(file, tmp_path)
    return tmp_path / "notebook.py"


def change(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert text.count(old) == 1
    file.write_text(text.replace(old, new))


@pytest.fixture
def job(notebook: Path, run_in, monkeypatch: pytest.MonkeyPatch):
    """A command of the project's job."""
    monkeypatch.chdir(notebook.parent)
    return lambda *arguments: run_in(notebook.parent, *arguments)


def test_red_then_waived_then_new_then_fixed_then_without_waivers(notebook: Path, job) -> None:
    red = job("check", TARGET, "--write-waivers", "waivers.toml")
    assert red.returncode == 1
    waived = {waiver.id for waiver in load(Path("waivers.toml"))}
    assert "BASE-STALE-LENGTH" in waived
    assert "BASE-STALE-APPEND" not in waived, "a line more is noticed"

    known = job("check", TARGET, "--waivers", "waivers.toml")
    assert known.returncode == 0, known.stdout
    assert f"conformant, {len(waived)} waived" in known.stdout
    assert "broken, and waived" in known.stdout

    change(notebook, "self.changes += notes != self.notes", "self.changes = 7")
    new = job("check", TARGET, "--waivers", "waivers.toml")
    assert new.returncode == 1
    assert f"violations, {len(waived)} waived" in new.stdout
    assert "\nBASE-REVISION-RISES (MUST, base) is broken" in new.stdout, "the story of what is new"
    assert "\nBASE-STALE-LENGTH  MUST, base" not in new.stdout, "none of what is waived"

    change(notebook, "self.changes = 7", "self.changes += notes != self.notes")
    change(notebook, BY_LENGTH, BY_CONTENT)
    fixed = job("check", TARGET, "--waivers", "waivers.toml")
    assert fixed.returncode == 1
    assert fixed.stdout.count("matches nothing any more") == len(waived)

    free = job("check", TARGET)
    assert free.returncode == 0
    assert "conformant: adapter.py:NotebookAdapter" in free.stdout


@pytest.mark.slow
def test_the_same_gate_under_pytest(notebook: Path, job) -> None:
    def run(*options: str) -> subprocess.CompletedProcess[str]:
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            "-p",
            "no:hypothesispytest",
            *_loading(),
            *options,
        ]
        return subprocess.run([*command, "notebook_conformance.py"], capture_output=True, text=True, timeout=300)

    red = run()
    assert red.returncode == pytest.ExitCode.TESTS_FAILED
    assert "FAILED notebook_conformance.py::TestNotebook::BASE-STALE-LENGTH" in red.stdout
    job("check", TARGET, "--write-waivers", "waivers.toml")
    lenses = 'lenses = ("scenarios",)\n'
    change(notebook.with_name("notebook_conformance.py"), lenses, f'{lenses}    waivers = "waivers.toml"\n')
    waived = run()
    assert waived.returncode == pytest.ExitCode.OK, waived.stdout
    assert f"{len(load(Path('waivers.toml')))} waived" in waived.stdout
    change(notebook, BY_LENGTH, BY_CONTENT)
    fixed = run()
    assert fixed.returncode == pytest.ExitCode.TESTS_FAILED
    assert "BASE-STALE-LENGTH is fixed" in fixed.stdout
    assert "1 failed" in fixed.stdout.splitlines()[-1]
    assert "FAILED notebook_conformance.py::TestNotebook::waivers" in fixed.stdout
    change(notebook.with_name("notebook_conformance.py"), '    waivers = "waivers.toml"\n', "")
    assert run().returncode == pytest.ExitCode.OK


def _loading() -> list[str]:
    from importlib.metadata import entry_points

    return [] if entry_points(group="pytest11", name="basebound") else ["-p", "basebound.pytest_plugin"]
