"""The markdown report: small enough, and not formatted by what it quotes."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from basebound.report.markdown import LIMIT, code, fenced, page
from basebound.results.verdict import Judged, Verdict

READER = MarkdownIt("commonmark").enable("table")


def flat(tokens: list[Token]) -> list[Token]:
    return [one for token in tokens for one in (token, *flat(token.children or []))]


def prose(told: str) -> str:
    """The text of a page that is neither code nor HTML."""
    return "\n".join(one.content for one in flat(READER.parse(told)) if one.type == "text")


def tags(told: str) -> list[str]:
    shown = [one.content for one in flat(READER.parse(told)) if one.type in ("html_block", "html_inline")]
    return re.findall(r"</?[a-z]+", "".join(shown))


@pytest.mark.parametrize("name", ["verdict", "conformant", "complained", "hostile", "sixty"])
def test_a_page_is_below_the_limit(name: str, request: pytest.FixtureRequest) -> None:
    told = page(request.getfixturevalue(name))
    assert 0 < len(told) < LIMIT
    assert tags(told).count("<details") == tags(told).count("</details")


def test_what_does_not_fit_is_said_to_be_missing(sixty: Verdict) -> None:
    told = page(sixty)
    shown = told.count("\n<details")
    (missing,) = re.findall(r"(\d+) more counterexamples do not fit here", told)
    assert shown + int(missing) == 60
    assert len(told) > LIMIT * 0.9


def test_a_page_of_boundless_words_is_below_the_limit(verdict: Verdict) -> None:
    row = verdict.judged[0]
    assert row.counterexample is not None
    finding = replace(row.counterexample.finding, seen="`|" * 100_000)
    trace = replace(row.counterexample.trace, lines=("x" * 1_000_000,) * 5)
    loud = replace(row, counterexample=replace(row.counterexample, finding=finding, trace=trace), note="n" * 100_000)
    many: tuple[Judged, ...] = (loud,) * 500
    target = replace(verdict.target, name="t" * 100_000)
    loudest = replace(verdict, target=target, judged=many, complaints=("c" * 9_999,) * 500, notes=("n" * 9_999,) * 9)
    told = page(loudest)
    assert len(told) < LIMIT
    assert "more do not fit here" in told


def test_the_page_tells_what_broke(verdict: Verdict) -> None:
    told = page(verdict)
    assert told.startswith("## ❌ ")
    assert "`engine.py:Engine`" in told.partition("\n")[0]
    assert "| base | 1 | 3 | 1 |  |\n" in told
    assert "<code>BASE-STALE-LENGTH</code>" in told
    assert "| `PROTECTED-REFUSED` | " in told.partition("### Waived")[2]


def test_a_conformant_page_says_so(conformant: Verdict) -> None:
    assert page(conformant).startswith("## ✅ ")
    assert "| base | 1 |  |  |  |\n" in page(conformant)


def test_nothing_an_engine_said_leaves_its_quotes(hostile: Verdict) -> None:
    told = page(hostile)
    for word in ("@team", "owned", "onerror", "task", "CDATA"):
        assert word in told
        assert word not in prose(told)
    assert set(tags(told)) <= {"<details", "</details", "<summary", "</summary", "<code", "</code"}
    assert not [one for one in flat(READER.parse(told)) if one.type == "heading_open" and one.tag == "h1"]


@pytest.mark.parametrize("told", ["`", "``` x", "a `` b", "`start and end`", "pipe | pipe", "one\ntwo", "x" * 500])
def test_a_code_span_holds_what_it_is_given(told: str) -> None:
    table = f"| a |\n| --- |\n| {code(told)} |\n"
    (span,) = [one for one in flat(READER.parse(table)) if one.type == "code_inline"]
    shown = told.replace("\n", " ")
    assert span.content.strip() == (shown if len(shown) <= 160 else f"{shown[:160]}…")


@pytest.mark.parametrize("told", ["```", "~~~\n````\n", "plain", "</details>\n\n# x"])
def test_a_fence_holds_what_it_is_given(told: str) -> None:
    (block,) = READER.parse(fenced(told))
    assert block.type == "fence"
    assert block.content.rstrip("\n") == told.rstrip()
