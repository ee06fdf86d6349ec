"""``basebound bench wire``: steps over the wire are not much slower than bare messages over the same pipe."""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Callable

import pytest

from basebound_catalogue.bench.wire import Part, Throughput, throughput


def test_the_ratio_is_the_median_of_the_parts() -> None:
    parts = (Part(10, 2.0, 3.0, 1.0), Part(10, 1.0, 1.0, 0.8), Part(10, 1.0, 1.0, 0.7))
    assert Throughput((parts[:2], parts[2:])).ratio == 0.7


@pytest.mark.slow
def test_the_bare_exchange_repeats_the_messages_of_the_steps(commands: Callable[[str], list[str]]) -> None:
    found = throughput(f"wire:{shlex.join(commands('javascript'))}", 1)
    assert sum(part.messages for part in found.rounds[0]) > 10_000
    assert all(part.messages and part.bare and part.driven for part in found.rounds[0])


@pytest.mark.slow
def test_steps_reach_seven_tenths_of_a_bare_exchange(commands: Callable[[str], list[str]]) -> None:
    command = [sys.executable, "-m", "basebound", "bench", "wire", "--wire", shlex.join(commands("javascript"))]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
