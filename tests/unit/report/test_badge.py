"""The badge: what it says, and that it can be read."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from basebound.cli.badge import badge as command
from basebound.errors import UsageError
from basebound.report.badge import _COLOURS, badge, load, message
from basebound.report.json import report
from basebound.results.verdict import Verdict

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("verdict", "4 broken"),
        ("conformant", "conformant: base, protected, budget"),
        ("complained", "expired or unused waivers"),
    ],
)
def test_it_says_what_the_verdict_is_worth(name: str, told: str, request: pytest.FixtureRequest) -> None:
    drawn = ElementTree.fromstring(badge(report(request.getfixturevalue(name))))
    assert [text.text for text in drawn.iter(f"{SVG}text")] == ["basebound 1.0", told]
    assert drawn.attrib["aria-label"] == f"basebound 1.0: {told}"


def test_it_counts_what_was_waived_or_not_exercised(verdict: Verdict) -> None:
    told = report(verdict)
    told["verdict"] = "inconclusive"
    assert message(told) == "1 not exercised"
    told["verdict"] = "conformant"
    assert message(told) == "conformant: base, protected, budget; 1 waived"


def test_its_texts_fit_and_stand_in_its_width(conformant: Verdict) -> None:
    drawn = ElementTree.fromstring(badge(report(conformant)))
    left, right = drawn.iter(f"{SVG}text")
    assert float(left.attrib["x"]) + float(left.attrib["textLength"]) < float(right.attrib["x"])
    assert float(right.attrib["x"]) + float(right.attrib["textLength"]) < float(drawn.attrib["width"])


@pytest.mark.parametrize("colour", _COLOURS.values())
def test_white_text_stands_out_on_its_colours(colour: str) -> None:
    def luminance(hexes: str) -> float:
        parts = [int(hexes[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    assert 1.05 / (luminance(colour) + 0.05) >= 5


def test_the_command_writes_it(conformant: Verdict, tmp_path: Path) -> None:
    source, drawn = tmp_path / "report.json", tmp_path / "badge.svg"
    source.write_text(json.dumps(report(conformant)), encoding="utf-8")
    run = CliRunner().invoke(command, [str(source), "-o", str(drawn)], standalone_mode=False)
    assert (run.return_value, run.output) == (0, f"badge: {drawn}\n")
    assert drawn.read_text(encoding="utf-8") == badge(report(conformant))
    assert CliRunner().invoke(command, [str(source)], standalone_mode=False).output == badge(report(conformant))


@pytest.mark.parametrize("content", ["", "[]", '{"basebound": "trace/1"}', '{"basebound": "report/1", "verdict": "?"}'])
def test_what_is_no_report_is_refused(content: str, tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(UsageError) as refused:
        load(path)
    assert refused.value.code == ("not-a-report" if content else "report-unreadable")
    assert str(path) in refused.value.what
    assert refused.value.fix


def test_a_file_that_cannot_be_written_is_an_error_of_usage(conformant: Verdict, tmp_path: Path) -> None:
    source = tmp_path / "report.json"
    source.write_text(json.dumps(report(conformant)), encoding="utf-8")
    run = CliRunner().invoke(command, [str(source), "-o", str(tmp_path / "no" / "badge.svg")], standalone_mode=False)
    assert isinstance(run.exception, UsageError)
    assert run.exception.code == "cannot-write"
