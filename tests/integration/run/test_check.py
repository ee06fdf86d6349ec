"""A whole check: verdicts, evidence, profiles, limits, jobs and seeds."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest
from tiers import slow_unless

from basebound.core.trace import Append, Apply, Read, Trace
from basebound.errors import UsageError
from basebound.model import Hunk
from basebound.report.json import report
from basebound.results.counterexample import Counterexample
from basebound.results.outcome import Refused
from basebound.results.verdict import FAIL, INCONCLUSIVE, NOT_CLAIMED, PASS, Verdict
from basebound.run.check import Options, check
from basebound.run.explain import counterexamples
from basebound.session.session import RunContext, run
from basebound.targets.loading import load
from basebound_catalogue import VACUOUS

BAD = Path(__file__).parents[2] / "support" / "bad_targets.py"


def verdicts(verdict: Verdict) -> dict[str, str]:
    return {row.requirement.id: row.verdict for row in verdict.judged}


@cache
def judged(target: str, jobs: int = 1, **options: object) -> Verdict:
    """A verdict is never changed, so tests that ask for the same one share it."""
    return check(target, Options(effort="quick", jobs=jobs, **options))  # type: ignore[arg-type]


def test_the_reference_is_conformant_and_every_pass_names_its_evidence() -> None:
    verdict = judged("reference", lenses=("scenarios", "box", "schedules"))
    assert verdict.name == "conformant"
    assert {row.verdict for row in verdict.judged} == {PASS}
    assert all(row.evidence for row in verdict.judged)


def test_content_guardrails_and_base_identity_have_verdicts_of_their_own() -> None:
    stale = verdicts(judged("fault:no-guard", lenses=("scenarios", "box")))
    assert stale["BASE-STALE-APPEND"] == FAIL
    assert {verdict for name, verdict in stale.items() if name.startswith("PROTECTED")} == {PASS}
    unguarded = verdicts(judged("fault:nothing-protected", lenses=("scenarios", "box")))
    assert unguarded["PROTECTED-REFUSED"] == FAIL
    assert {verdict for name, verdict in unguarded.items() if name.startswith("BASE-STALE")} == {PASS}


def test_what_is_not_claimed_is_neither_passed_nor_exercised() -> None:
    verdict = judged(f"{BAD}:Plain", lenses=("scenarios",))
    found = verdicts(verdict)
    assert found["PROTECTED-REFUSED"] == NOT_CLAIMED
    assert found["BUDGET-NET-ZERO"] == NOT_CLAIMED
    assert found["BASE-INSERT-EXACT"] == NOT_CLAIMED
    assert verdict.exit_code == 0


def test_a_limit_is_kept_to_and_named() -> None:
    rows = {row.requirement.id: row for row in judged("correct:one-hunk", lenses=("scenarios",)).judged}
    assert rows["BASE-SPLICE-FRAME"].verdict == NOT_CLAIMED
    assert "at most 1 hunk" in rows["BASE-SPLICE-FRAME"].note


def test_goals_that_were_not_reached_make_a_requirement_inconclusive_and_exit_3() -> None:
    verdict = judged(f"{BAD}:Plain", lenses=("box",))
    assert verdicts(verdict)["BASE-STALE-RETURN"] == INCONCLUSIVE
    assert verdict.exit_code == 3


def test_only_the_profiles_asked_for_are_judged() -> None:
    found = verdicts(judged("reference", lenses=("scenarios",), profiles=("budget",)))
    assert found["BASE-STALE-APPEND"] == NOT_CLAIMED
    assert found["BUDGET-NET-ZERO"] == PASS


def test_a_profile_the_target_does_not_claim_cannot_be_asked_for() -> None:
    with pytest.raises(UsageError, match=r"\[profile-not-claimed\]"):
        judged(f"{BAD}:Plain", profiles=("budget",))


def test_the_number_of_jobs_does_not_change_what_is_found() -> None:
    found = []
    for jobs in ({}, {"jobs": 3}):
        rows = report(judged("fault:no-guard", lenses=("scenarios", "box"), **jobs))["requirements"]
        found.append(json.dumps([{key: row[key] for key in ("id", "verdict", "counterexample")} for row in rows]))
    assert found[0] == found[1]


def test_a_counterexample_replays() -> None:
    from basebound.core.trace import from_rows
    from basebound.run.pool import Died
    from basebound.run.replay import replay_on

    rows = report(judged("fault:no-guard", lenses=("scenarios",)))["requirements"]
    row = next(row for row in rows if row["id"] == "BASE-STALE-APPEND")
    trace = from_rows(row["counterexample"]["trace"])
    said: list[str] = []
    broken = replay_on("fault:no-guard", trace, 5.0, said.append)
    assert not isinstance(broken, Died)
    assert "BASE-STALE-APPEND" in {finding.requirement for finding in broken.findings}
    assert broken.unmet
    held = replay_on("reference", trace, 5.0, said.append)
    assert not isinstance(held, Died)
    assert (held.findings, held.unmet) == ((), ())


def test_a_refusal_that_is_not_forgotten_is_told_apart() -> None:
    found = verdicts(judged("fault:retry-lets-through", lenses=("scenarios", "box")))
    assert found["BASE-REFUSAL-FORGOTTEN"] == FAIL


def test_a_refusal_is_not_blamed_where_the_break_is_there_without_it() -> None:
    target = load("fault:no-guard")
    context = RunContext(target, target.profiles)
    steps = (Read("s"), Apply("s", (Hunk(0, 9),)), Append(("b",)), Apply("s", (Hunk(0, 1),)))
    history = run(context, Trace(("a",), steps=steps))
    assert isinstance(history.steps[1].outcome, Refused)
    (finding,) = [one for one in history.findings if one.requirement == "BASE-STALE-APPEND"]
    found = Counterexample(finding.requirement, history.trace, (), finding, "search", 4)
    names = [one.requirement for one in counterexamples(context, found, seconds=0.0)]
    assert names == ["BASE-STALE-APPEND"]


def test_an_engine_may_have_a_method_called_gate() -> None:
    found = verdicts(judged(f"{BAD}:HasAGate", lenses=("box",)))
    assert FAIL not in found.values()


@pytest.mark.parametrize("name", slow_unless(["echo"], [engine.id for engine in VACUOUS]))
def test_an_engine_that_does_no_work_passes_nothing(name: str) -> None:
    verdict = judged(f"free-pass:{name}", lenses=("scenarios", "box"))
    assert [row.requirement.id for row in verdict.judged if row.verdict == PASS] == []
    assert verdict.exit_code == 1


def test_a_profile_without_requirements_is_inconclusive_at_once_and_says_so() -> None:
    verdict = judged(f"{BAD}:Compacts")
    assert (verdict.name, verdict.exit_code) == ("inconclusive", 3)
    assert verdict.tallies == {}
    assert any("no requirement of compaction yet" in note for note in verdict.notes)


@pytest.mark.parametrize("bits", slow_unless([64], [16, 32, 64]))
def test_a_gate_whose_net_wraps_around_is_found(tmp_path: Path, bits: int) -> None:
    file = tmp_path / "wraps.py"
    file.write_text(
        "import ctypes\n"
        "from basebound_catalogue.mutants.pure import gating\n"
        f"pure = gating(pays=lambda freed, spent: ctypes.c_int{bits}(freed - spent).value > 0)\n"
    )
    assert verdicts(judged(f"{file}:pure", lenses=("box",)))["BUDGET-NET-NEGATIVE"] == FAIL


def test_a_gate_that_counts_in_floats_is_found_where_a_token_is_lost(tmp_path: Path) -> None:
    file = tmp_path / "floats.py"
    file.write_text(
        "from basebound import Reason, Rejected, gate_function\n"
        "from basebound_catalogue.mutants.pure import plain_gate\n"
        "def gate(freed, charges, edited, artifacts):\n"
        "    if freed and freed > 2**50 and float(freed) <= float(sum(c.tokens for c in charges)):\n"
        "        raise Rejected(Reason.NOT_FREED, 'it frees too little')\n"
        "    plain_gate.gate(freed, charges, edited, artifacts)\n"
        "pure = gate_function(gate)\n"
    )
    assert verdicts(judged(f"{file}:pure", lenses=("box",)))["BUDGET-NET-ONE"] == FAIL
    assert verdicts(judged("basebound_catalogue.mutants.pure:plain_gate", lenses=("box",)))["BUDGET-NET-ONE"] == PASS
