"""Runs ``basebound check`` on an engine of the wire, as somebody at a terminal does."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FAKES = Path(__file__).parent / "fakes"


@dataclass(frozen=True)
class Checked:
    """``failed``: the requirements that were broken, each with its counterexample. Without a report there is none."""

    code: int
    output: str
    report: dict[str, Any] | None

    @property
    def failed(self) -> dict[str, dict[str, Any]]:
        rows = self.report["requirements"] if self.report is not None else []
        return {row["id"]: row["counterexample"] for row in rows if row["verdict"] == "fail"}


def start_check(command: Sequence[str], folder: Path, *options: str) -> subprocess.Popen[str]:
    """The check under way; its report goes to ``report.json`` in ``folder``, where it runs."""
    arguments = [sys.executable, "-m", "basebound", "check", "--wire", shlex.join(command), *options]
    arguments += ["--report", "json=report.json"]
    pipe = subprocess.PIPE
    return subprocess.Popen(arguments, stdout=pipe, stderr=subprocess.STDOUT, text=True, cwd=folder)


def finish(process: subprocess.Popen[str], folder: Path, bound: float) -> Checked:
    output, _ = process.communicate(timeout=bound)
    path = folder / "report.json"
    report = json.loads(path.read_text(encoding="utf-8")) if path.exists() else None
    return Checked(process.returncode, output, report)


def check(command: Sequence[str], folder: Path, *options: str, bound: float = 300.0) -> Checked:
    return finish(start_check(command, folder, *options), folder, bound)


def fake(name: str) -> list[str]:
    return [sys.executable, str(FAKES / f"{name}.py")]
