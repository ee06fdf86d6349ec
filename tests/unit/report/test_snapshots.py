"""What the reports of a fixed verdict look like, held fast as snapshots."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

from basebound import __version__
from basebound.report import junit, markdown, sarif
from basebound.report.badge import badge
from basebound.report.json import report
from basebound.report.story import text
from basebound.run.verdict import Verdict

HERE = Path(__file__).parent


class _File(SingleFileSnapshotExtension):
    """A file of its own for each, so that it is read as what it is."""

    _write_mode = WriteMode.TEXT


def extension(name: str) -> type[SingleFileSnapshotExtension]:
    return type(name, (_File,), {"file_extension": name})


def here(told: str) -> str:
    """``told`` without the places and the version of this checkout."""
    told = re.sub(r"file://[^\"#]*/SPEC\.md", "file:///SPEC.md", told)
    told = told.replace(HERE.as_uri(), "file:///here").replace(str(HERE), "/here")
    return told.replace(f'value="{__version__}"', 'value="VERSION"')


@pytest.fixture
def at_home(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reports name sources from the working directory."""
    monkeypatch.chdir(HERE)


@pytest.mark.usefixtures("at_home")
@pytest.mark.parametrize(("form", "write"), [("xml", junit.write), ("md", markdown.write)])
def test_a_report_as_text(
    form: str,
    write: Callable[[Verdict, Path], None],
    verdict: Verdict,
    written: Callable[[Callable[[Verdict, Path], None], Verdict], Path],
    snapshot: SnapshotAssertion,
) -> None:
    told = written(write, verdict).read_text(encoding="utf-8")
    assert here(told) == snapshot(extension_class=extension(form))


def test_the_results_of_a_log(verdict: Verdict, snapshot: SnapshotAssertion) -> None:
    results = sarif.log(verdict, HERE)["runs"][0]["results"]
    assert here(json.dumps(results, indent=1)) == snapshot(extension_class=extension("json"))


@pytest.mark.parametrize("name", ["verdict", "conformant", "complained"])
def test_a_badge(name: str, request: pytest.FixtureRequest, snapshot: SnapshotAssertion) -> None:
    drawn = badge(report(request.getfixturevalue(name)))
    assert drawn == snapshot(extension_class=extension("svg"))


def test_a_story(verdict: Verdict, snapshot: SnapshotAssertion) -> None:
    stories = [text(row.counterexample) for row in verdict.judged if row.counterexample is not None]
    assert here("\n".join(stories)) == snapshot(extension_class=extension("txt"))
