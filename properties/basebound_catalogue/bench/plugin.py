"""What the pytest plugin costs: ``pytest --basebound TARGET`` beside ``basebound check TARGET``, in one run."""

from __future__ import annotations

import importlib.metadata
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from basebound.errors import SuiteError


@dataclass(frozen=True)
class Spent:
    """Seconds on the clock, and seconds of processor time of a command with all its children."""

    clock: float
    processor: float


@dataclass(frozen=True)
class Cost:
    """Each round's ``basebound check`` and ``pytest``, the same work in both."""

    check: tuple[Spent, ...]
    pytest: tuple[Spent, ...]

    @property
    def clock_ratio(self) -> float:
        """The median over the rounds of pytest / check, taken round by round."""
        return statistics.median(b.clock / a.clock for a, b in zip(self.check, self.pytest, strict=True))

    @property
    def processor_ratio(self) -> float:
        return statistics.median(b.processor / a.processor for a, b in zip(self.check, self.pytest, strict=True))


def cost(target: str, effort: str, rounds: int, jobs: int) -> Cost:
    """Run both in turn, ``rounds`` times, each in an empty folder, so that nothing kept from before is replayed.

    Each has run once before, with little to do, so that neither compiles modules while it is timed. The first of the
    two changes from round to round.
    """
    check = ["-m", "basebound", "check", target, "--jobs", str(jobs)]
    plugin = ["-m", "pytest", *_loading(), "-q", "-p", "no:cacheprovider", "--basebound", target]
    plugin += ["--basebound-jobs", str(jobs)]
    _spent([*check, "--effort", "quick", "--lens", "scenarios"])
    _spent([*plugin, "--basebound-effort", "quick", "--basebound-lens", "scenarios"])
    both = (([*check, "--effort", effort], list[Spent]()), ([*plugin, "--basebound-effort", effort], list[Spent]()))
    for number in range(rounds):
        for command, spent in both if number % 2 == 0 else reversed(both):
            spent.append(_spent(command))
    return Cost(tuple(both[0][1]), tuple(both[1][1]))


def _loading() -> list[str]:
    """What loads the plugin where the installation does not."""
    installed = importlib.metadata.entry_points(group="pytest11", name="basebound")
    return [] if installed else ["-p", "basebound.pytest_plugin"]


def _spent(command: list[str]) -> Spent:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPATH"] = os.pathsep.join(str(Path(entry).resolve()) for entry in sys.path if entry)
    with tempfile.TemporaryDirectory(prefix="basebound-bench-") as folder:
        before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        done = subprocess.run([sys.executable, *command], cwd=folder, capture_output=True, text=True, env=environment)
        clock, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in ((0, 1, 3) if "check" in command else (0, 1)):
        raise SuiteError(f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return Spent(clock, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
