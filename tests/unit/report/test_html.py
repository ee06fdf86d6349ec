"""The page as a file: self-contained, safe, small, and telling everything without its script."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from html.parser import HTMLParser
from typing import Any

import pytest

from basebound.core.trace import Apply, Insert, Read, Trace, loads
from basebound.model import Hunk, Receipt, Snapshot
from basebound.report.difference import codes
from basebound.report.html import render
from basebound.report.replayer import Frame, effect, frames
from basebound.report.stepper import room, stepper
from basebound.results.counterexample import Counterexample
from basebound.results.outcome import Returned
from basebound.results.steps import ExecutedStep
from basebound.results.verdict import Verdict

VERDICTS = ("verdict", "conformant", "complained", "hostile", "sixty")


@dataclass
class Page(HTMLParser):
    """Elements with their attributes, and the text of scripts, styles and the rest."""

    elements: list[tuple[str, dict[str, str | None]]] = field(default_factory=list)
    text: dict[str, list[str]] = field(default_factory=dict)
    open: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag in ("script", "style"):
            self.open.append(tag)
            self.text.setdefault(tag, []).append("")

    def handle_endtag(self, tag: str) -> None:
        if self.open and self.open[-1] == tag:
            self.open.pop()

    def handle_data(self, data: str) -> None:
        kind = self.open[-1] if self.open else "page"
        parts = self.text.setdefault(kind, [""])
        parts[-1] += data

    def attributes(self, name: str) -> list[str]:
        return [value for _, attributes in self.elements if (value := attributes.get(name)) is not None]


def read(verdict: Verdict) -> Page:
    page = Page()
    page.feed(render(verdict))
    return page


def data(page: Page) -> list[dict[str, Any]]:
    told: list[dict[str, Any]] = json.loads(page.text["script"][0])
    return told


@pytest.mark.parametrize("name", VERDICTS)
def test_a_page_refers_to_nothing_outside(name: str, request: pytest.FixtureRequest) -> None:
    page = read(request.getfixturevalue(name))
    assert page.attributes("src") == []
    assert {value.partition(":")[0] for value in page.attributes("href") if not value.startswith("#")} == {"data"}
    assert {tag for tag, _ in page.elements} & {"img", "iframe", "object", "embed", "base", "form"} == set()
    assert "@import" not in page.text["style"][0]
    assert "http" not in page.text["style"][0]


@pytest.mark.parametrize("name", VERDICTS)
def test_a_page_may_run_its_own_script_and_no_other(name: str, request: pytest.FixtureRequest) -> None:
    page = read(request.getfixturevalue(name))
    (policy,) = [value for value in page.attributes("content") if "default-src" in value]
    told, script = page.text["script"]
    assert json.loads(told) is not None
    for kind, text in (("script-src", script), ("style-src", page.text["style"][0])):
        digest = base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
        assert f"{kind} 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none';")
    assert page.attributes("style") == page.attributes("onclick") == []


@pytest.mark.parametrize("name", VERDICTS)
def test_ids_are_unique_and_links_lead_to_them(name: str, request: pytest.FixtureRequest) -> None:
    page = read(request.getfixturevalue(name))
    ids = page.attributes("id")
    assert len(ids) == len(set(ids))
    assert {value[1:] for value in page.attributes("href") if value.startswith("#")} <= set(ids)
    named = [value for name in ("aria-labelledby", "aria-describedby") for value in page.attributes(name)]
    assert set(named) <= set(ids)


def test_the_words_of_an_engine_stay_text(hostile: Verdict) -> None:
    page = read(hostile)
    assert len(page.text["script"]) == 2
    assert page.text["script"][1] == read_script()
    (case,) = data(page)
    assert "</script><script>document.title='owned'</script>" in case["texts"]
    assert "<script>document.title='owned'</script>" in page.text["page"][0]


def read_script() -> str:
    from importlib.resources import files

    return files("basebound.report").joinpath("assets", "page.js").read_text(encoding="utf-8")


def test_the_page_tells_all_of_it_without_its_script(verdict: Verdict) -> None:
    told = read(verdict).text["page"][0]
    for row in verdict.judged:
        assert row.requirement.id in told
        assert row.requirement.sentence in told
        if row.counterexample is not None:
            assert row.counterexample.finding.allowed in told
            assert row.note in told


def test_requirements_of_one_history_are_one_case(verdict: Verdict) -> None:
    page = read(verdict)
    cases = [
        "BASE-STALE-APPEND",
        "BASE-HUNK-RANGE",
        "BUDGET-CHARGE-RATIONALE",
        "PROTECTED-REFUSED",
        "BASE-STALE-MESSAGE",
    ]
    assert [case["id"] for case in data(page)] == cases
    named = [attributes["id"] for _, attributes in page.elements if attributes.get("class") in ("case", "anchor")]
    assert named == ["BASE-STALE-APPEND", "BASE-STALE-LENGTH", *cases[1:]]


def test_the_trace_of_a_case_replays_it(verdict: Verdict) -> None:
    case = data(read(verdict))[0]
    assert verdict.judged[0].counterexample is not None
    assert loads(case["trace"]) == verdict.judged[0].counterexample.trace


def test_a_page_of_60_counterexamples_is_below_3_megabytes(sixty: Verdict) -> None:
    page = render(sixty)
    assert len(page.encode("utf-8")) < 3_000_000
    told = Page()
    told.feed(page)
    assert len(data(told)) == 60
    assert all(case["steps"] for case in data(told))


def started_with(found: Counterexample, lines: tuple[str, ...]) -> Counterexample:
    """``found`` with more lines before those it began with."""
    steps = tuple(replace(entry, lines=(*lines, *entry.lines)) for entry in found.steps)
    return replace(found, steps=steps, trace=replace(found.trace, lines=(*lines, *found.trace.lines)))


def test_a_case_is_cut_to_its_size_and_its_trace_whole_or_left_out(verdict: Verdict) -> None:
    found = verdict.judged[0].counterexample
    assert found is not None
    offered = []
    for length in (1_000, 10_000, 100_000):
        case = stepper(started_with(found, ("x" * length,)), True, 30_000)
        assert len(json.dumps(case)) <= 30_000
        assert case["steps"]
        offered.append(case["trace"] is not None and "x" * length in case["trace"])
    assert offered == [True, True, False]
    assert stepper(started_with(found, ("x" * 50,) * 20_000), True, 30_000)["steps"] == []
    assert [room(cases) for cases in (0, 1, 9, 60)] == [200_000, 200_000, 200_000, 30_000]


def test_a_long_buffer_is_written_once_however_many_steps_show_it(sixty: Verdict) -> None:
    found = sixty.judged[0].counterexample
    assert found is not None
    case = stepper(found, False, 200_000)
    assert len(case["steps"]) == 40
    assert len(case["texts"]) == 62, "the start, the line that arrived, the line of the patch"
    assert len(case["panes"]) < 45


def shown(case: dict[str, Any], number: int) -> list[list[tuple[str, str]]]:
    """The kind and the text of each line, by pane, that step ``number`` shows."""
    return [
        [
            (row.get("kind", ""), text)
            for row in case["panes"][pane]["rows"]
            for start, count in row["lines"]
            for text in case["texts"][start : start + count]
        ]
        for pane in case["steps"][number]["panes"]
    ]


def test_a_case_shows_what_was_live_at_each_step(verdict: Verdict) -> None:
    found = verdict.judged[0].counterexample
    assert found is not None
    case = stepper(found, True, 200_000)
    assert shown(case, 0) == [[("", "plan"), ("", "result: ok")]]
    assert shown(case, 1) == [[("", "plan"), ("", "result: ok"), ("new", "result: failed")]]
    assert shown(case, 2) == [
        [("", "plan"), ("gone", "result: ok"), ("new", "summary")],
        [("", "plan"), ("", "result: ok"), ("unseen", "result: failed")],
        [("", "plan"), ("gone", "result: ok"), ("gone", "result: failed"), ("new", "summary")],
    ]


def copied() -> Iterator[Frame]:
    """An author saw ``a``; a copy of it arrives above, and the patch is applied."""
    steps = (
        ExecutedStep(Read("s1"), Returned(Snapshot(("a",), "b", 0)), ("a",)),
        ExecutedStep(Insert(0, ("a",)), Returned(), ("a", "a")),
        ExecutedStep(Apply("s1", (Hunk(0, 1),)), Returned(Receipt("c", 2)), ("a", "a")),
    )
    return frames(Trace(("a",)), steps)


def test_a_copy_of_a_line_its_author_saw_is_a_line_it_never_saw() -> None:
    *_, patch = copied()
    assert patch.unseen() == [("insert", 0, 0, 0, 1), ("equal", 0, 1, 1, 2)]


def test_the_effect_of_a_patch_is_told_by_its_hunks_where_they_explain_it() -> None:
    live = ["a", "a", "b"]
    assert effect(live, ["a", "b"], [Hunk(0, 1)])[:2] == [("equal", 0, 0, 0, 0), ("replace", 0, 1, 0, 0)]
    assert effect(live, ["a"], [Hunk(0, 1)]) == [("equal", 0, 1, 0, 1), ("delete", 1, 3, 1, 1)]


def test_comparing_is_exact_and_bounded() -> None:
    import random

    draw = random.Random(0)
    for _ in range(300):
        old, new = ([draw.choice("ab") for _ in range(draw.randrange(6))] for _ in range(2))
        rebuilt: list[str] = []
        at = 0
        for tag, i, j, k, m in codes(old, new):
            assert i == at
            at = j
            rebuilt += old[i:j] if tag == "equal" else new[k:m]
            assert tag != "equal" or old[i:j] == new[k:m]
        assert (rebuilt, at) == (new, len(old))
    many = ["x"] * 30_000
    assert codes(["a", *many], [*many, "b"]) == [("replace", 0, 30_001, 0, 30_001)]
