"""The command line in this process, which spares the start of another; targets have their own processes as ever."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from unittest.mock import patch

import pytest

from basebound.cli import main

Done = subprocess.CompletedProcess[str]


def basebound(folder: Path, *arguments: str) -> Done:
    """One run of the program in ``folder``. A check has one process for its target: the tests share the cores."""
    out, err = io.StringIO(), io.StringIO()
    given = on_one_core(arguments)
    with (
        patch.object(sys, "argv", ["basebound", *given]),
        chdir(folder),
        variables_kept(),
        redirect_stdout(out),
        redirect_stderr(err),
        pytest.raises(SystemExit) as left,
    ):
        main()
    assert isinstance(left.value.code, int)
    return Done(given, left.value.code, out.getvalue(), err.getvalue())


def on_one_core(arguments: tuple[str, ...]) -> tuple[str, ...]:
    return (*arguments, "--jobs", "1") if arguments[0] == "check" and "--jobs" not in arguments else arguments


@contextmanager
def variables_kept() -> Iterator[None]:
    """The program tells its workers by variables how it was called; that ends with it."""
    with patch.dict(os.environ):
        yield
