"""The command line in a folder of its own, as a job of CI runs it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from program import Done, basebound, on_one_core

Gate = Callable[..., Done]
QUICK = ("--effort", "quick", "--lens", "scenarios")


@pytest.fixture
def gate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Gate:
    """``gate("check", ...)``: one run of the program in ``tmp_path``; checks look through scenarios alone."""
    monkeypatch.chdir(tmp_path)
    return lambda *arguments: basebound(tmp_path, *quickly(arguments))


@pytest.fixture(scope="session")
def run_in() -> Gate:
    """``run_in(FOLDER, "check", ...)``: the same as a command of its own."""

    def run(folder: Path, *arguments: str) -> Done:
        path = os.pathsep.join(entry for entry in sys.path if entry)
        command = [sys.executable, "-m", "basebound", *on_one_core(quickly(arguments))]
        environment = {**os.environ, "PYTHONPATH": path}
        return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, env=environment)

    return run


def quickly(arguments: tuple[str, ...]) -> tuple[str, ...]:
    return (*arguments, *(QUICK if arguments[0] == "check" and "--lens" not in arguments else ()))
