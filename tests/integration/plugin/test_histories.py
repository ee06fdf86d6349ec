"""Counterexamples are kept from run to run, and run first."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

TARGET = "engines.py:Gullible"
WITH_DATABASE = ("--hypothesis-profile", "default")
"""Hypothesis keeps nothing where it finds itself in continuous integration, unless told to."""
KEPT = Path(".basebound/engines.py-Gullible/BASE-STALE-APPEND.ndjson")
TRACE = """\
{"basebound": "trace/1", "config": {"lines": ["a"], "protected": []}, "meter": "utf8-bytes"}
{"op": "snapshot", "as": "s1"}
{"op": "append", "lines": ["sesame"]}
{"op": "apply", "base": "s1", "hunks": [{"start": 0, "end": 1, "insert": []}]}
"""


@pytest.fixture
def kept(project: Path) -> Path:
    path = project / KEPT
    path.parent.mkdir(parents=True)
    path.write_text(TRACE)
    return path


def test_a_kept_history_finds_again_what_the_run_does_not_and_is_dropped_when_fixed(
    kept: Path, project: Path, run
) -> None:
    broken = run("--basebound", TARGET, "-k", "BASE-STALE-APPEND", *WITH_DATABASE, apart=True)
    broken.assert_outcomes(failed=1, deselected=broken.parseoutcomes()["deselected"])
    assert "sesame   <- the author never saw this line" in broken.stdout.str()
    assert kept.is_file()
    engines = project / "engines.py"
    engines.write_text(engines.read_text().replace('"sesame" not in self.lines and ', ""))
    fixed = run("--basebound", TARGET, "-k", "BASE-STALE-APPEND", *WITH_DATABASE, apart=True)
    assert fixed.ret == pytest.ExitCode.OK
    assert "BASE-STALE-APPEND is fixed: the history that broke it holds now" in fixed.stdout.str()
    assert not kept.exists()


def test_a_hypothesis_profile_without_database_runs_no_kept_history(kept: Path, pytester: pytest.Pytester, run) -> None:
    pytester.makeconftest("from hypothesis import settings\nsettings.register_profile('bare', database=None)\n")
    result = run("--basebound", TARGET, "-k", "BASE-STALE-APPEND", "--hypothesis-profile", "bare", apart=True)
    assert result.ret == pytest.ExitCode.OK
    assert "fixed" not in result.stdout.str(), "what was not run is not said to hold"
    assert kept.is_file()
