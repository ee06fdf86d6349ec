"""A file of waivers: what it may hold, what it covers, and what makes one of its entries a complaint."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from basebound.core.register import requirements
from basebound.core.trace import Append, Read, Trace
from basebound.errors import UsageError
from basebound.gate import waivers
from basebound.results.claims import Described
from basebound.results.counterexample import Counterexample
from basebound.results.finding import Finding
from basebound.results.verdict import FAIL, INCONCLUSIVE, PASS, WAIVED, Judged, Verdict
from basebound.results.waiver import Waiver
from basebound.run.judging import judge

TODAY = date(2030, 6, 15)
ENTRY = '[[waiver]]\nid = "BASE-REPLAY"\nreason = "known"\nowner = "team"\nexpires = 2030-06-15\n'
DESCRIBED = Described("engine", frozenset({"base", "protected"}), True, None, False, None, None)


def broken(name: str, lens: str = "search", trace: Trace | None = None) -> Counterexample:
    trace = trace or Trace(("a",), (), "utf8-bytes", (Read("s1"), Append(("b",))))
    finding = Finding(name, 1, "a refusal", "applied: 'yes', \\ said\x7fit\nso")
    return Counterexample(name, trace, (), finding, lens, 2)


def verdict(failing: dict[str, str], profiles: frozenset[str] = DESCRIBED.profiles) -> Verdict:
    """One in which everything claimed passes but what is given, by id its verdict."""
    rows = tuple(
        row if row.verdict == "not-claimed" else _row(row, failing.get(row.requirement.id, PASS))
        for row in judge(DESCRIBED, profiles, {}, {})
    )
    return Verdict(DESCRIBED, "quick", 0, profiles, rows, {}, 1.0)


def _row(row: Judged, word: str) -> Judged:
    found = broken(row.requirement.id) if word == FAIL else None
    return replace(row, verdict=word, counterexample=found, unreached=row.unreached if word == INCONCLUSIVE else ())


def waiver(name: str = "BASE-REPLAY", days: int = 0) -> Waiver:
    return Waiver(name, "known", "team", TODAY + timedelta(days=days))


def test_a_waived_break_is_no_violation_and_is_counted() -> None:
    found = waivers.waive(verdict({"BASE-REPLAY": FAIL}), [waiver()], TODAY)
    assert (found.name, found.exit_code) == ("conformant", 0)
    assert [(row.requirement.id, row.verdict) for row in found.waived] == [("BASE-REPLAY", WAIVED)]
    assert found.waived[0].note == "waived until 2030-06-15 by team: known"
    assert found.waived[0].counterexample is not None, "it is shown all the same"


def test_another_break_is_a_violation_still() -> None:
    found = waivers.waive(verdict({"BASE-REPLAY": FAIL, "BASE-STALE-PATCH": FAIL}), [waiver()], TODAY)
    assert (found.name, len(found.waived)) == ("violations", 1)


def test_the_day_after_it_expires_a_waiver_covers_nothing_and_is_a_complaint() -> None:
    found = waivers.waive(verdict({"BASE-REPLAY": FAIL}), [waiver(days=-1)], TODAY)
    assert (found.name, found.waived) == ("violations", ())
    assert "expired on 2030-06-14 (owner team)" in found.complaints[0]


def test_a_waiver_of_what_passes_is_a_complaint_and_a_violation() -> None:
    found = waivers.waive(verdict({}), [waiver()], TODAY)
    assert (found.name, found.exit_code) == ("violations", 1)
    assert "matches nothing any more, the requirement passes" in found.complaints[0]


def test_a_waiver_of_what_is_not_claimed_matches_nothing_unless_it_was_not_asked_for() -> None:
    budget, pinned = (next(row.id for row in requirements() if row.profile == name) for name in ("budget", "protected"))
    claimed = waivers.waive(verdict({}), [waiver(budget)], TODAY)
    assert "the target does not claim budget" in claimed.complaints[0]
    narrowed = waivers.waive(verdict({}, frozenset({"base"})), [waiver(pinned)], TODAY)
    assert narrowed.complaints == ()


def test_a_waiver_does_not_cover_what_was_not_exercised() -> None:
    found = waivers.waive(verdict({"BASE-REPLAY": INCONCLUSIVE}), [waiver()], TODAY)
    assert (found.name, found.exit_code, found.complaints) == ("inconclusive", 3, ())


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("[[waiver]\n", "waivers-not-toml"),
        ('waiver = "BASE-REPLAY"\n', "waivers-unknown-content"),
        ('[waivers]\nid = "BASE-REPLAY"\n', "waivers-unknown-content"),
        (ENTRY.replace('owner = "team"\n', ""), "waiver-missing-field"),
        (ENTRY.replace('"known"', '" "'), "waiver-wrong-type"),
        (ENTRY.replace("2030-06-15", '"2030-06-15"'), "waiver-wrong-type"),
        (ENTRY.replace("2030-06-15", "2030-06-15T12:00:00"), "waiver-wrong-type"),
        (ENTRY.replace("2030-06-15", "2030-06-31"), "waivers-not-toml"),
        (ENTRY.replace("BASE-REPLAY", "BASE-REPLY"), "unknown-requirement"),
        (ENTRY + "ticket = 7\n", "waiver-unknown-field"),
        (ENTRY + 'trace = ["{}"]\n', "trace-no-header"),
        (ENTRY + "trace = 7\n", "waiver-wrong-type"),
        (ENTRY + ENTRY, "waiver-twice"),
    ],
)
def test_a_malformed_file_is_an_error_of_usage_that_says_what_to_fix(
    text: str, code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("waivers.toml").write_text(text)
    with pytest.raises(UsageError) as caught:
        waivers.load(Path("waivers.toml"))
    assert caught.value.code == code
    assert "waivers.toml" in caught.value.what
    assert caught.value.fix


def test_a_started_file_reads_back_as_waivers_of_the_violations(tmp_path: Path) -> None:
    path = tmp_path / "waivers.toml"
    should = next(row.id for row in requirements() if row.level == "SHOULD" and row.profile == "base")
    started = waivers.start(verdict({"BASE-REPLAY": FAIL, "BASE-STALE-PATCH": FAIL, should: FAIL}), path, TODAY)
    assert set(started) == {"BASE-REPLAY", "BASE-STALE-PATCH"}
    for read in waivers.load(path):
        assert read.expires == TODAY + timedelta(days=waivers.DAYS)
        assert read.reason == "broken on 2030-06-15: allowed is a refusal, seen was applied: 'yes', \\ said\x7fit\nso"
        assert read.owner.strip()
        assert read.trace == broken(read.id).trace


@pytest.mark.parametrize(
    "text", ["", "'", '"', "'\"\\", "\x7f\t\n\x00", "é😀\u2028", "C:\\temp", "{\"a\": 'b'}", "'''"]
)
def test_any_text_survives_as_a_string_of_the_file(text: str) -> None:
    import tomllib

    assert tomllib.loads(f"text = {waivers._string(text)}") == {"text": text}


GULLIBLE = """\
from basebound_catalogue.plain import PlainEngine


class Gullible(PlainEngine):
    def is_stale(self, patch):
        return "sesame" not in self.lines and super().is_stale(patch)
"""
TRACE = """\
trace = [
  '{"basebound": "trace/1", "config": {"lines": ["a"]}, "meter": "utf8-bytes"}',
  '{"op": "snapshot", "as": "s1"}',
  '{"op": "append", "lines": ["sesame"]}',
  '{"op": "apply", "base": "s1", "hunks": [{"start": 0, "end": 1, "insert": []}]}',
]
"""


def test_a_kept_history_says_that_a_break_is_still_there(tmp_path: Path, gate) -> None:
    (tmp_path / "engine.py").write_text(GULLIBLE)
    entry = ENTRY.replace("2030-06-15", "2999-01-01").replace("BASE-REPLAY", "BASE-STALE-APPEND")
    (tmp_path / "bare.toml").write_text(entry)
    (tmp_path / "kept.toml").write_text(entry + TRACE)
    missed = gate("check", "engine.py:Gullible", "--waivers", "bare.toml")
    assert missed.returncode == 1, "no lens comes across it, so that it seems fixed"
    kept = gate("check", "engine.py:Gullible", "--waivers", "kept.toml")
    assert kept.returncode == 0, kept.stdout
    assert "conformant, 1 waived" in kept.stdout
    fixed = gate("check", "basebound_catalogue.plain:PlainEngine", "--waivers", "kept.toml")
    assert fixed.returncode == 1
    assert "matches nothing any more" in fixed.stdout


def test_the_command_line_refuses_a_bad_file_and_never_overwrites_one(tmp_path: Path, gate) -> None:
    (tmp_path / "bad.toml").write_text(ENTRY.replace("BASE-REPLAY", "BASE-REPLY"))
    bad = gate("check", "reference", "--waivers", "bad.toml")
    assert bad.returncode == 2
    assert "[unknown-requirement]" in bad.stderr
    again = gate("check", "reference", "--write-waivers", "bad.toml")
    assert again.returncode == 2
    assert "[file-exists]" in again.stderr
    nowhere = gate("check", "reference", "--write-waivers", "no/such/folder.toml")
    assert nowhere.returncode == 2
    assert "[no-such-folder]" in nowhere.stderr
    assert not (tmp_path / "no").exists()


@pytest.mark.slow
def test_the_history_kept_of_a_race_is_its_schedule(tmp_path: Path, gate) -> None:
    lens = ("--effort", "quick", "--lens", "schedules")
    assert gate("check", "fault:atomic-two-locks", *lens, "--write-waivers", "waivers.toml").returncode == 1
    started = waivers.load(tmp_path / "waivers.toml")
    assert "schedule" in next(one for one in started if one.id == "ATOMIC-WRITE-KEPT").trace.about
    later = gate("check", "fault:atomic-two-locks", "--waivers", "waivers.toml")
    assert "ATOMIC-WRITE-KEPT: waived until" in later.stdout, "scenarios alone run no threads at once"
