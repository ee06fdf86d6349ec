"""Counterexamples as trace files, to replay and to keep."""

from __future__ import annotations

from pathlib import Path

from basebound.core.trace import ndjson
from basebound.results.verdict import Verdict


def place(folder: Path, requirement: str) -> Path:
    """The file of a requirement's counterexample in ``folder``."""
    return folder / f"{requirement}.ndjson"


def write(verdict: Verdict, folder: Path) -> dict[str, Path]:
    """Write each counterexample of ``verdict`` into ``folder``; gives the files by requirement id."""
    files: dict[str, Path] = {}
    for row in verdict.judged:
        if row.counterexample is not None:
            folder.mkdir(parents=True, exist_ok=True)
            path = files[row.requirement.id] = place(folder, row.requirement.id)
            path.write_text(ndjson(row.counterexample.rows()), encoding="utf-8")
    return files
