"""The wording of each report, held fast as one snapshot of a fixed verdict; other tests assert values."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

from basebound import __version__
from basebound.report import html, junit, markdown, sarif
from basebound.report.badge import badge
from basebound.report.json import report
from basebound.report.story import text
from basebound.report.terminal import Terminal
from basebound.results.verdict import Verdict

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


class _Words(HTMLParser):
    """The text of a page, a line for each part of it, but for the stories in plain text; and its scripts."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []
        self.scripts: list[str] = []
        self._tag = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._tag = tag

    def handle_endtag(self, tag: str) -> None:
        self._tag = ""

    def handle_data(self, data: str) -> None:
        if self._tag == "script":
            self.scripts.append(data)
        elif self._tag not in ("style", "pre") and data.strip():
            self.lines.append(data.strip())


def test_a_page(verdict: Verdict, snapshot: SnapshotAssertion) -> None:
    words = _Words()
    words.feed(html.render(verdict).replace(f"basebound {__version__}", "basebound VERSION"))
    for case in json.loads(words.scripts[0]):
        words.lines += ["", f"{case['id']}: {case['broke']}", *_panes(case)]
    assert here("\n".join(words.lines) + "\n") == snapshot(extension_class=extension("page.txt"))


def _panes(case: dict[str, Any]) -> Iterator[str]:
    """What stands in the panes of a case, step by step."""
    for number, step in enumerate(case["steps"]):
        yield f"step {number + 1}: {step['who']} {step['what']}: {step['outcome']} ({step['came']})"
        for pane in (case["panes"][at] for at in step["panes"]):
            remarks = [row["remark"] for row in pane["rows"] or () if "remark" in row]
            yield f"  {pane['title']}: {pane['gloss']}; {'; '.join(remarks) or 'no remarks'}"
        yield f"  {case['ledger']['steps'][number]['books']}"


def test_a_terminal(verdict: Verdict, complained: Verdict, snapshot: SnapshotAssertion) -> None:
    out = io.StringIO()
    terminal = Terminal(Console(file=out, width=120, highlight=False, soft_wrap=True))
    told = replace(verdict, complaints=complained.complaints)
    terminal.begin(verdict.target.name, verdict.effort, verdict.seed)
    terminal.end(told, {"BASE-STALE-APPEND": Path("x.ndjson")}, verbose=True)
    terminal.wrote("json", Path("report.json"))
    terminal.started(Path("waivers.toml"), ("BASE-STALE-APPEND",))
    assert here(out.getvalue()) == snapshot(extension_class=extension("terminal.txt"))


def test_a_story(verdict: Verdict, snapshot: SnapshotAssertion) -> None:
    stories = [text(row.counterexample) for row in verdict.judged if row.counterexample is not None]
    assert here("\n".join(stories)) == snapshot(extension_class=extension("txt"))
