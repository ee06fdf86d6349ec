"""The command line in a folder of its own, as a job of CI runs it."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from basebound.cli import main

Done = subprocess.CompletedProcess[str]
Gate = Callable[..., Done]
QUICK = ("--effort", "quick", "--lens", "scenarios")


@pytest.fixture
def gate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Gate:
    """``gate("check", ...)``: one run of the program in ``tmp_path``; checks look through scenarios alone.

    It runs in this process, which spares the start of another; the target has processes of its own all the same.
    """
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> Done:
        out, err = io.StringIO(), io.StringIO()
        monkeypatch.setattr(sys, "argv", ["basebound", *quickly(arguments)])
        with redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as left, variables_kept():
            main()
        assert isinstance(left.value.code, int)
        return Done(arguments, left.value.code, out.getvalue(), err.getvalue())

    return run


@pytest.fixture(scope="session")
def run_in() -> Gate:
    """``run_in(FOLDER, "check", ...)``: the same as a command of its own."""

    def run(folder: Path, *arguments: str) -> Done:
        path = os.pathsep.join(entry for entry in sys.path if entry)
        command = [sys.executable, "-m", "basebound", *quickly(arguments)]
        environment = {**os.environ, "PYTHONPATH": path}
        return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, env=environment)

    return run


@contextmanager
def variables_kept() -> Iterator[None]:
    """The program tells its workers by variables how it was called; that ends with it."""
    before = dict(os.environ)
    try:
        yield
    finally:
        for name in os.environ.keys() - before.keys():
            del os.environ[name]
        os.environ.update(before)


def quickly(arguments: tuple[str, ...]) -> list[str]:
    return [*arguments, *(QUICK if arguments[0] == "check" and "--lens" not in arguments else ())]
