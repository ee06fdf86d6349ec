"""What the recorded kill matrix says of the catalogue: who stands for what, and what a new fault has to add."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys

import pytest

from basebound_catalogue import FAULTS, KILLS, Fault
from basebound_catalogue.bench.kills import kills
from basebound_catalogue.signatures import newcomers, recorded, representatives, superfluous

JOBS = os.cpu_count() or 1


def test_importing_the_catalogue_imports_none_of_its_engines() -> None:
    said = "import basebound_catalogue, sys; print([name for name in sys.modules if 'basebound' in name])"
    ran = subprocess.run([sys.executable, "-c", said], capture_output=True, text=True, check=True)
    assert ran.stdout == "['basebound_catalogue']\n"


def test_every_recorded_fault_is_in_the_catalogue_under_the_requirement_it_names() -> None:
    named = {fault.id: fault.requirement for fault in FAULTS}
    assert [row for row in recorded().values() if named.get(row.fault) != row.signature.requirement] == []


def test_the_recorded_figures_are_those_of_the_rows() -> None:
    figures = json.loads(KILLS.read_text(encoding="utf-8"))
    steps = [row.steps for row in recorded().values() if row.steps is not None]
    assert figures["of"] == len(figures["faults"]) == len(recorded())
    assert figures["caught"] == sum(row["caught"] == row["seeds"] for row in figures["faults"])
    assert (figures["median_steps"], figures["worst_steps"]) == (statistics.median(steps), max(steps))


def test_each_signature_is_represented_once_by_the_fault_that_takes_the_fewest_steps() -> None:
    rows = [recorded()[fault.id] for fault in representatives()]
    assert sorted(row.signature for row in rows) == sorted({row.signature for row in recorded().values()})
    for row in rows:
        assert row.cost == min(other.cost for other in recorded().values() if other.signature == row.signature)


def test_a_new_fault_earns_its_place_by_a_signature_that_no_other_has() -> None:
    found = kills("default", [0], JOBS, faults=newcomers())
    assert superfluous((kill.fault, kill.lens) for kill in found) == []


@pytest.mark.parametrize(
    ("requirement", "lens", "said"),
    [
        ("BASE-STALE-APPEND", "schedules", []),
        ("BASE-STALE-APPEND", "scenarios", ["new: BASE-STALE-APPEND by scenarios, as "]),
        ("BASE-STALE-APPEND", None, ["new: no lens sees BASE-STALE-APPEND broken. "]),
    ],
)
def test_a_fault_that_adds_nothing_is_told_what_to_change(requirement: str, lens: str | None, said: list[str]) -> None:
    fault = Fault("new", requirement, "malice", "", FAULTS[0].make)
    told = superfluous([(fault, lens)])
    assert [line[: len(start)] for line, start in zip(told, said, strict=True)] == said


def test_of_two_new_faults_of_one_signature_the_first_earns_its_place() -> None:
    first, second = (Fault(id, "BASE-STALE-APPEND", "malice", "", FAULTS[0].make) for id in ("one", "two"))
    (told,) = superfluous([(first, "schedules"), (second, "schedules")])
    assert told.startswith("two: BASE-STALE-APPEND by schedules, as one is caught already")
