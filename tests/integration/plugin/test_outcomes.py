"""What a test says: the story of a broken requirement, and words of its own for what is neither."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

WAIVER = '[[waiver]]\nid = "{}"\nreason = "known"\nowner = "team"\nexpires = {}\n'
MET = ["BASE-STALE-APPEND", "BASE-STALE-ABOVE", "BASE-STALE-PATCH", "BASE-STALE-LENGTH", "BASE-STALE-RETURN"]
BROKEN = [*MET, "BASE-STALE-DUPLICATE", "BASE-STALE-FIRST", "BASE-REPLAY"]


def test_the_story_is_the_failures_text_and_inconclusive_is_red_in_a_word_of_its_own(project: Path, run) -> None:
    result = run("--basebound", "engines.py:Unguarded", "-v", "-k", "BASE-STALE-APPEND or BASE-FRESH-ACCEPTED")
    text = result.stdout.str()
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert "::BASE-FRESH-ACCEPTED PASSED" in text
    assert "::BASE-STALE-APPEND FAILED" in text
    assert "<- the author never saw this line" in text
    assert "replay: basebound replay .basebound/engines.py-Unguarded/BASE-STALE-APPEND.ndjson" in text
    assert "Traceback" not in text
    assert "Error" not in text
    assert (project / ".basebound/engines.py-Unguarded/BASE-STALE-APPEND.ndjson").is_file()


def test_what_was_not_exercised_is_red_until_the_project_says_otherwise(
    project: Path, pytester: pytest.Pytester, run
) -> None:
    # An engine that does nothing never comes to the refusal that is due.
    arguments = ("--basebound", "free-pass:do-nothing", "-v", "-k", "BASE-STALE-APPEND")
    red = run(*arguments)
    assert "::BASE-STALE-APPEND INCONCLUSIVE" in red.stdout.str()
    assert "1 inconclusive" in red.outlines[-1]
    assert red.ret == pytest.ExitCode.TESTS_FAILED
    assert "basebound: not exercised" in red.stdout.str()
    pytester.makeini("[pytest]\nbasebound_inconclusive = warn\n")
    yellow = run(*arguments)
    assert "::BASE-STALE-APPEND INCONCLUSIVE" in yellow.stdout.str()
    assert yellow.ret == pytest.ExitCode.OK


def test_a_should_that_is_not_met_is_advice(project: Path, run) -> None:
    result = run("--basebound", "engines.py:Terse", "-v", "-k", "BASE-STALE-MESSAGE")
    assert "::BASE-STALE-MESSAGE ADVICE" in result.stdout.str()
    assert result.ret == pytest.ExitCode.OK
    assert "1 advice" in result.outlines[-1]
    strict = run("--basebound", "engines.py:Terse", "-k", "BASE-STALE-MESSAGE", "--runxfail")
    assert strict.ret == pytest.ExitCode.TESTS_FAILED


def test_waived_breaks_pass_under_their_own_word_and_a_stale_waiver_fails(project: Path, run) -> None:
    file = project / "waivers.toml"
    file.write_text("\n".join(WAIVER.format(name, "2999-01-01") for name in BROKEN))
    given = ("--basebound-waivers", "waivers.toml", "-m", "basebound_must or not basebound_should")
    waived = run("--basebound", "engines.py:Unguarded", *given)
    assert waived.ret == pytest.ExitCode.OK, waived.stdout.str()
    assert f"{len(BROKEN)} waived" in waived.outlines[-1]
    assert "waived until 2999-01-01 by team: known" in waived.stdout.str()
    stale = run("--basebound", "engines.py:Guarded", *given)
    stale.assert_outcomes(failed=1, passed=_passed(waived) + len(BROKEN) - 1, deselected=1)
    assert "::waivers" in stale.stdout.str()
    assert "the waiver of BASE-REPLAY matches nothing any more" in stale.stdout.str()


def _passed(result: pytest.RunResult) -> int:
    return result.parseoutcomes()["passed"]


def test_a_malformed_file_of_waivers_fails_every_test_with_its_message(project: Path, run) -> None:
    (project / "waivers.toml").write_text('[[waiver]]\nid = "BASE-REPLAY"\n')
    result = run("--basebound", "engines.py:Guarded", "--basebound-waivers", "waivers.toml", "-k", "BASE-REPLAY")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert "has no reason and no owner and no expires" in result.stdout.str()
