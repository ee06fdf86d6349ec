"""Running ``git`` and ``patch`` with nothing of the user's in their environment."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import IO


def run(
    arguments: Sequence[str], stdin: bytes, directory: Path, refusals: frozenset[int] = frozenset()
) -> subprocess.CompletedProcess[bytes]:
    """Runs a program in ``directory`` until it ends.

    It ends with 0, or with one of ``refusals``, its ways to say no. Anything else is trouble of its own and
    raises ``RuntimeError`` with what it said.
    """
    ended = subprocess.run(
        arguments, input=stdin, capture_output=True, cwd=directory, env=_environment(directory), check=False
    )
    if ended.returncode != 0 and ended.returncode not in refusals:
        raise RuntimeError(f"{' '.join(arguments)} ended with {ended.returncode}: {said(ended)}")
    return ended


def start(arguments: Sequence[str], directory: Path) -> subprocess.Popen[bytes]:
    """Starts a program in ``directory`` that answers on its stdout what it is asked on its stdin."""
    return subprocess.Popen(
        arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=directory, env=_environment(directory)
    )


def ask(process: subprocess.Popen[bytes], line: str) -> tuple[str, IO[bytes]]:
    """Sends one line to a process of :func:`start`. Its answer's first line, and the stream the rest comes on."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(f"{line}\n".encode())
    process.stdin.flush()
    return process.stdout.readline().decode().removesuffix("\n"), process.stdout


def said(ended: subprocess.CompletedProcess[bytes]) -> str:
    """What a program printed, for a person."""
    return (ended.stdout + ended.stderr).decode("utf-8", "replace").strip()


def _environment(directory: Path) -> dict[str, str]:
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "LC_ALL": "C",  # what they say is read, so it has to be in one language
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CEILING_DIRECTORIES": str(directory.parent),  # a repository above the directory is not ours
    }
