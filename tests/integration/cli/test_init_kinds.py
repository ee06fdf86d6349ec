"""What ``basebound init`` writes for each kind of engine conforms as it is written."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest
from tiers import slow_unless

from basebound.run.check import Options, check
from basebound.scaffold import KINDS, write
from basebound.targets.loading import load


@pytest.mark.parametrize("kind", KINDS)
def test_a_started_adapter_conforms_and_is_of_its_kind(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr(sys, "modules", dict(sys.modules))
    made = write(f"shop.{kind}_context:Context", Path("."), None, kind)
    verdict = check(made.target, Options(effort="quick", lenses=("scenarios",), jobs=1))
    assert verdict.name == "conformant", [row.requirement.id for row in verdict.judged if row.verdict == "fail"]
    loaded = load(made.target)
    assert loaded.stated
    assert loaded.asynchronous == (kind == "async")
    assert (loaded.pure is not None) == (kind == "function")


@pytest.mark.parametrize("kind", slow_unless(("class",), KINDS))
def test_a_started_test_has_a_case_for_each_requirement(kind: str, tmp_path: Path) -> None:
    made = write("shop:Context", tmp_path, None, kind)
    loading = [] if entry_points(group="pytest11", name="basebound") else ["-p", "basebound.pytest_plugin"]
    command = [sys.executable, "-m", "pytest", *loading, "-q", "-p", "no:cacheprovider", "--collect-only"]
    listed = subprocess.run([*command, made.test.name], capture_output=True, text=True, cwd=tmp_path, timeout=120)
    assert listed.returncode == 0, listed.stdout + listed.stderr
    assert "BASE-STALE-APPEND" in listed.stdout
    assert "PROTECTED-REFUSED" in listed.stdout
