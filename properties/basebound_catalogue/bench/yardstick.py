"""What the naive machine finds of the faults: a process for each, so that one that hangs ends alone."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from basebound.core.register import by_id
from basebound.targets.loading import load
from basebound_catalogue import FAULTS, Fault
from basebound_catalogue.bench.naive import naive

_BOUND_S: Final = 120.0
PROFILES: Final = ("base", "protected")
"""What the machine's model knows of: it would take a budget's refusals for faults."""


@dataclass(frozen=True)
class Walk:
    """One fault: whether the machine noticed anything, of whatever kind, and the steps up to it where it lived."""

    fault: Fault
    found: bool
    steps: int | None


def walks(runs: int, moves: int, jobs: int, faults: Iterable[Fault] = FAULTS) -> list[Walk]:
    """Let the machine do ``runs`` runs of ``moves`` moves on each plain engine of the profiles it knows."""
    chosen = [fault for fault in faults if by_id()[fault.requirement].profile in PROFILES and _is_plain(fault)]
    with ThreadPoolExecutor(jobs) as pool, tempfile.TemporaryDirectory(prefix="basebound-") as folder:
        return list(pool.map(partial(_walk, Path(folder), runs, moves), chosen))


def _is_plain(fault: Fault) -> bool:
    target = load(f"fault:{fault.id}")
    return not target.asynchronous and "budget" not in target.profiles


def _walk(folder: Path, runs: int, moves: int, fault: Fault) -> Walk:
    """In the folder of all, where Hypothesis keeps what it tabulates of Unicode."""
    answer = folder / fault.id
    command = [sys.executable, "-m", __spec__.name, fault.id, str(runs), str(moves), str(answer)]
    silent = subprocess.DEVNULL
    with suppress(subprocess.TimeoutExpired):
        subprocess.run(command, cwd=folder, stdout=silent, stderr=silent, timeout=_BOUND_S, check=False)
    if not answer.is_file():
        return Walk(fault, True, None)
    steps, found = answer.read_text().split()
    return Walk(fault, found == "found", int(steps) if found == "found" else None)


def main(fault: str, runs: str, moves: str, answer: str) -> None:
    steps, found = naive(load(f"fault:{fault}"), int(runs), int(moves), seed=0)
    Path(answer).write_text(f"{steps} {'found' if found else 'nothing'}")


if __name__ == "__main__":
    main(*sys.argv[1:])
