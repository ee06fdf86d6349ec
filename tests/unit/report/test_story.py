"""How a counterexample is told: in words that read, of what happened and of nothing else."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from rich.console import Console

from basebound.core.trace import Append, Apply, Expect, Insert, Read, Step, Trace
from basebound.model import Hunk, Reason, Receipt, Snapshot
from basebound.report.evidence import phrase
from basebound.report.story import lines, plain_lines, scenes, scenes_of, shown, story
from basebound.report.terminal import Terminal
from basebound.results.counterexample import ConcurrentHistory, Counterexample
from basebound.results.finding import Finding
from basebound.results.outcome import Refused, Returned
from basebound.results.steps import ExecutedStep
from basebound.results.verdict import Verdict
from basebound.run.check import Options, check


def what(step: Step) -> str:
    """What the story says is done in ``step``."""
    return next(scenes(Trace(), (ExecutedStep(step, Returned(), ()),), set())).what


@pytest.mark.parametrize(
    ("step", "said"),
    [
        (Insert(2, ("a", "b")), "inserts 2 lines before line 2: 'a', 'b'"),
        (Insert(0, ()), "inserts no lines before line 0"),
        (Append(("a",)), "appends 1 line: 'a'"),
        (Append(tuple("abcdefgh")), "appends 8 lines: 'a', 'b', 'c', 'd', 'e', 'f', ..."),
        (Append(("x" * 100,)), f"appends 1 line: '{'x' * 40}...' (100 characters)"),
        (Apply("s", (Hunk(3, 3, ("a",)),)), "submits a patch: insert 1 line at 3: 'a'"),
        (Apply("s", (Hunk(3, 4, ("a", "")),)), "submits a patch: replace [3, 4) by 2 lines: 'a', ''"),
    ],
)
def test_a_count_stands_beside_what_it_counts(step: Step, said: str) -> None:
    assert what(step) == said


def test_a_long_line_that_needs_quotes_is_cut_inside_them() -> None:
    assert shown("\n" * 50) == "'" + "\\n" * 20 + "...' (50 characters)"
    assert shown("it's " * 20) == '"' + "it's " * 8 + '..." (100 characters)'
    assert shown("x" * 50) == "x" * 50


def stale(live: tuple[str, ...], after: tuple[str, ...] | None, *hunks: Hunk) -> Counterexample:
    """An author saw ``x, a``; a patch of ``hunks`` was applied to ``live`` and left ``after``."""
    seen = ("x", "a")
    steps = (
        ExecutedStep(Read("s1"), Returned(Snapshot(seen, "b0", 0)), seen),
        ExecutedStep(Insert(0, ("new",)), Returned(), live),
        ExecutedStep(Apply("s1", hunks), Returned(Receipt("b2", 2)), live),
    )
    finding = Finding("BASE-STALE-ABOVE", 2, "refused as stale-base", "applied")
    trace = Trace(seen, steps=tuple(entry.step for entry in steps))
    return Counterexample("BASE-STALE-ABOVE", trace, steps, finding, "box", 3, after)


def taken(found: Counterexample) -> list[str]:
    return [row.text for row in story(found).rows if "took it away" in row.remark]


def test_of_an_engine_that_looks_for_its_target_the_lines_that_went_are_marked_and_not_those_the_patch_named() -> None:
    assert taken(stale(("new", "x", "a"), ("new", "a"), Hunk(0, 1))) == ["x"]
    assert taken(stale(("new", "x", "a"), ("x", "a"), Hunk(0, 1))) == ["new"]


def test_of_equal_lines_the_one_the_patch_named_went_where_that_explains_the_effect() -> None:
    rows = story(stale(("a", "a", "a"), ("a", "a"), Hunk(1, 2))).rows
    assert [row.number for row in rows if "took it away" in row.remark] == [1]


def test_what_an_engine_left_is_marked_only_where_it_was_read() -> None:
    assert not taken(stale(("new", "x", "a"), None, Hunk(0, 1)))
    found = stale(("new", "x", "a"), None, Hunk(0, 1))
    later = ExecutedStep(Expect(()), Returned(Snapshot(("new", "a"), "b2", 2)), ("new", "a"))
    assert taken(replace(found, steps=(*found.steps, later))) == ["x"]


def test_nothing_is_said_of_steps_whose_outcome_is_not_known_but_that_one_did_not_end() -> None:
    steps = (Read("s1"), Apply("s1", (Hunk(0, 1),)), Apply("s1", (Hunk(0, 0, ("b",)),)))
    finding = Finding("BASE-ANSWER-BOUNDED", 2, "an answer", "it ended the process, status 5")
    found = Counterexample("BASE-ANSWER-BOUNDED", Trace(("a",), steps=steps), (), finding, "search", 3)
    assert [scene.outcome for scene in scenes_of(found)] == ["", "", "it ended the process, status 5"]
    told = (
        ExecutedStep(steps[0], Returned(Snapshot(("a",), "b", 0)), ("a",)),
        ExecutedStep(steps[1], Returned(Receipt("c", 1)), ()),
        ExecutedStep(steps[2], Returned(), ()),
    )
    reduced = [scene.outcome for scene in scenes_of(replace(found, steps=told))]
    assert reduced[1:] == ["applied at revision 1", "it ended the process, status 5"]


def test_a_break_that_was_seen_once_is_told_as_it_was_seen_and_that_a_re_run_may_differ() -> None:
    found = stale(("new", "x", "a"), None, Hunk(0, 1))
    later = replace(found.steps[2], outcome=Refused(Reason.STALE_BASE, "told later"))
    told = "\n".join(plain_lines(story(replace(found, steps=(*found.steps[:2], later), repeats="once"))))
    assert "applied, when it was found" in told
    assert "told later" not in told
    assert "a re-run may differ" in told
    assert "replay it several times, or check again with --seed random" in told


def test_what_clients_did_at_once_starts_where_its_drawing_says_and_nowhere_else() -> None:
    drawing = "start: ['a']\n\nmain  [1]\n\n   1 main: append ['b'] -> done"
    trace = Trace(("a",), about={"schedule": "x"})
    finding = Finding("ATOMIC-ONE-WINNER", -1, "an order", "none")
    found = Counterexample(
        "ATOMIC-ONE-WINNER", trace, (), finding, "schedules", 4, concurrent=ConcurrentHistory((), drawing, "x", ())
    )
    told = list(plain_lines(story(found)))
    assert not any("the engine starts with" in line for line in told)
    assert "  start: ['a']" in told


def test_the_evidence_of_concurrent_clients_counts_runs_and_no_steps() -> None:
    entry = {"kind": "schedules", "lens": "schedules", "runs": 1094, "steps": 0, "goals": []}
    assert phrase(entry) == "schedules: 1,094 runs of concurrent clients"
    searched = {"kind": "searched", "lens": "box", "runs": 2, "steps": 7, "goals": []}
    assert phrase(searched) == "searched: box, 2 runs, 7 steps"


def printed(verdict: Verdict, width: int, *, terminal: bool) -> list[str]:
    out = io.StringIO()
    console = Console(file=out, width=width, force_terminal=terminal, no_color=True, highlight=False, soft_wrap=True)
    Terminal(console).end(verdict, {}, verbose=True)
    text = out.getvalue()
    for code in ("\x1b[0m", "\x1b[1m", "\x1b[2m"):
        text = text.replace(code, "")
    return text.splitlines()


def test_a_terminal_gets_lines_that_fit_and_go_on_under_their_own_text(verdict: Verdict) -> None:
    narrow = printed(verdict, 80, terminal=True)
    assert max(map(len, narrow)) <= 80
    at = next(number for number, line in enumerate(narrow) if line.startswith("  fix:    "))
    assert narrow[at + 1].startswith(" " * 10)
    whole = printed(verdict, 80, terminal=False)
    assert max(map(len, whole)) > 80, "what is read by a program is not wrapped"
    assert " ".join(" ".join(narrow).split()) == " ".join(" ".join(whole).split())


def test_a_command_to_copy_is_never_wrapped() -> None:
    out = io.StringIO()
    found = stale(("new", "x", "a"), None, Hunk(0, 1))
    command = f"basebound replay .basebound/{'x' * 90}.ndjson engine.py:Engine"
    Terminal(Console(file=out, width=60, force_terminal=True, no_color=True, soft_wrap=True)).story(
        story(found), command
    )
    assert f"  replay: {command}\n" in out.getvalue()


def test_a_story_that_is_not_headed_says_neither_the_sentence_nor_the_fix() -> None:
    told = story(stale(("new", "x", "a"), None, Hunk(0, 1)))
    bare = [line.text for line in lines(told, headed=False)]
    whole = [line.text for line in lines(told)]
    assert bare == whole[3 : 3 + len(bare)]
    assert not any(told.sentence in line or told.fix in line for line in bare)
    assert any(told.sentence in line for line in whole)
    assert any(told.fix in line for line in whole)


def test_the_shown_figures_of_a_real_check_are_said_once_and_each_requirement_names_its_lenses() -> None:
    verdict = check("correct:one-hunk", Options(effort="quick", lenses=("scenarios",), jobs=1))
    told = printed(verdict, 120, terminal=False)
    assert sum("runs" in line for line in told) == 1
    assert any(line.split() == ["pass", "BASE-REPLAY", "scenarios"] for line in told)
