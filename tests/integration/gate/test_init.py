"""What ``basebound init`` writes runs as it is written, and writes over nothing."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from basebound import scaffold
from basebound.errors import UsageError


def test_the_adapter_and_the_test_run_as_written(tmp_path: Path, gate) -> None:
    made = gate("init", "shop.context:ContextBuffer", "--folder", "checks")
    assert made.returncode == 0, made.stderr
    target = "checks/context_buffer_adapter.py:ContextBufferAdapter"
    assert f"next: basebound check {target}" in made.stdout
    checked = gate("check", target)
    assert checked.returncode == 0, checked.stdout
    assert "advice" not in checked.stdout
    loading = [] if entry_points(group="pytest11", name="basebound") else ["-p", "basebound.pytest_plugin"]
    command = [
        sys.executable,
        "-m",
        "pytest",
        *loading,
        "-q",
        "-p",
        "no:cacheprovider",
        "--basebound-lens",
        "scenarios",
    ]
    tested = subprocess.run(
        [*command, "checks/test_context_buffer_conformance.py"], capture_output=True, text=True, timeout=300
    )
    assert tested.returncode == 0, tested.stdout
    assert "passed" in tested.stdout


def test_nothing_is_overwritten_and_then_nothing_is_written(tmp_path: Path, gate) -> None:
    (tmp_path / "test_my_engine_conformance.py").write_text("mine\n")
    done = gate("init")
    assert done.returncode == 2
    assert "[file-exists]" in done.stderr
    assert [path.name for path in tmp_path.rglob("*")] == ["test_my_engine_conformance.py"]
    assert (tmp_path / "test_my_engine_conformance.py").read_text() == "mine\n"


def test_the_jobs_are_workflows_whose_commands_name_what_was_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    yaml = pytest.importorskip("yaml", reason="the test reads YAML; install the extra dev")
    monkeypatch.chdir(tmp_path)
    hub = scaffold.write("engine", Path("."), "github")
    steps = yaml.safe_load(hub.job.read_text())["jobs"]["conformance"]["steps"]
    commands = "\n".join(step.get("run", "") for step in steps)
    lab = scaffold.write("shop.other", Path("."), "gitlab")
    lines = "\n".join(yaml.safe_load(lab.job.read_text())["basebound"]["script"])
    for made, text in ((hub, commands), (lab, lines)):
        assert f"basebound check {made.target} " in text
        assert f"pytest {made.test}" in text


@pytest.mark.parametrize("name", ["", "a b", "../up", "shop.", "shop:", "1shop", "shop:a.b"])
def test_a_name_that_is_none_is_refused(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match=r"\[not-an-import-name\]"):
        scaffold.write(name, Path("."), None)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("name", "adapter"),
    [
        ("shop.context", "context_adapter.py:ContextAdapter"),
        ("shop.context:HTTPBuffer2", "httpbuffer2_adapter.py:Httpbuffer2Adapter"),
        ("_", "engine_adapter.py:EngineAdapter"),
    ],
)
def test_the_adapter_is_named_after_the_engine(
    name: str, adapter: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert scaffold.write(name, Path("."), None).target == adapter
