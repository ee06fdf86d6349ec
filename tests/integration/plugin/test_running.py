"""Options, Hypothesis' settings, and several processes at once."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

COUNTED = """\
import basebound
from basebound_catalogue.plain import PlainEngine


class Counted(PlainEngine):
    def __init__(self, config):
        super().__init__(config)
        with open("started.txt", "a") as file:
            file.write("x")


class TestCounted(basebound.Conformance):
    def engine(self, config):
        return Counted(config)


class TestPlain(basebound.Conformance):
    target = "basebound_catalogue.plain:PlainEngine"
    profiles = ("protected",)
"""


def started(folder: Path) -> int:
    """How many engines have been started since the last time."""
    file = folder / "started.txt"
    size = file.stat().st_size
    file.unlink()
    return size


@pytest.mark.parametrize("spread", ["load", pytest.param("loadgroup", marks=pytest.mark.slow)])
def test_the_suite_runs_once_however_the_tests_are_spread(spread: str, pytester: pytest.Pytester, run) -> None:
    pytest.importorskip("xdist")
    pytester.makepyfile(test_it=COUNTED)
    alone = run()
    engines = started(pytester.path)
    passed = alone.parseoutcomes()["passed"]
    together = run("-n2", "--dist", spread, apart=True)
    together.assert_outcomes(passed=passed)
    assert started(pytester.path) == engines
    lines = [line for line in together.outlines if line.startswith(("test_it.py:", "basebound_catalogue.plain:"))]
    assert len(lines) == 2, "a line for each target"


def test_the_seed_and_the_effort_are_hypothesis_own(project: Path, pytester: pytest.Pytester, run) -> None:
    pytester.makeconftest("from hypothesis import settings\nsettings.register_profile('long', max_examples=1000)\n")
    arguments = ("--basebound", "engines.py:Guarded", "--hypothesis-seed", "7", "--hypothesis-profile", "long")
    told = run(*arguments, "-k", "BASE-REPLAY", effort="default", apart=True).stdout.str()
    assert "effort default, seed 7" in told
    told = run(*arguments, "-k", "BASE-REPLAY", effort="", apart=True).stdout.str()
    assert "effort thorough, seed 7" in told


def test_an_engine_that_ends_its_process_fails_one_requirement(project: Path, pytester: pytest.Pytester, run) -> None:
    with (project / "engines.py").open("a") as file:
        file.write(
            "\n\nclass Exiting(PlainEngine):\n    def append(self, lines):\n        import os\n        os._exit(9)\n"
        )
    result = run("--basebound", "engines.py:Exiting", "-k", "BASE-ANSWER-BOUNDED")
    result.assert_outcomes(failed=1, deselected=result.parseoutcomes()["deselected"])
    assert "it ended the process, status 9" in result.stdout.str()
