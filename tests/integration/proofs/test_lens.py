"""The lens in a whole check: evidence with its bounds, counterexamples like any other, and what it never says."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from basebound.cli import program
from basebound.core.register import PureFunction, requirements
from basebound.core.trace import Trace
from basebound.lenses.proofs.lens import bounds
from basebound.lenses.proofs.results import Proved
from basebound.lenses.registry import units
from basebound.report.json import report
from basebound.results.claims import Described
from basebound.results.counterexample import Counterexample
from basebound.results.finding import Finding
from basebound.results.verdict import FAIL, INCONCLUSIVE, Judged, Tally, Verdict
from basebound.run.check import Options, check
from basebound.run.judging import judge


def judged(target: str, effort: str = "default", lenses: tuple[str, ...] = ("proofs",)) -> Verdict:
    return check(target, Options(effort, lenses=lenses, jobs=1))


def row(verdict: Verdict, requirement: str) -> Judged:
    return next(row for row in verdict.judged if row.requirement.id == requirement)


def proved(verdict: Verdict) -> list[str]:
    return [one.requirement.id for one in verdict.judged for entry in one.evidence if entry["kind"] == "proved"]


@pytest.fixture(scope="module")
def gate() -> Verdict:
    return judged("basebound_catalogue.mutants.pure:plain_gate", lenses=("scenarios", "proofs"))


def test_a_proof_is_evidence_with_its_bounds(gate: Verdict) -> None:
    entry = next(entry for entry in row(gate, "BUDGET-NET-ZERO").evidence if entry["kind"] == "proved")
    assert entry["shapes"] > 3
    assert "charges of any kind, amounts of any size: freed + 2 charges" in entry["bounds"]


@pytest.mark.slow
def test_proofs_alone_pass_nothing_and_are_called_none_since_histories_go_on_where_bounds_end() -> None:
    verdict = judged("basebound_catalogue.mutants.pure:plain_gate")
    assert row(verdict, "BUDGET-NET-ZERO").verdict == INCONCLUSIVE
    assert verdict.name == "inconclusive"
    assert proved(verdict) == []
    (note,) = verdict.notes
    assert "breaks 13 requirements (BASE-ANSWER-TYPED, BUDGET-ARTIFACT-LOCKED" in note
    assert "add --lens scenarios" in note


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["fault:deletions-unchecked", "fault:retry-lets-through"])
@pytest.mark.parametrize("lenses", [("proofs",), ("scenarios", "proofs")])
def test_nothing_is_proved_of_an_engine_whose_fault_lies_beyond_the_bounds(fault: str, lenses: tuple[str, ...]) -> None:
    verdict = judged(fault, lenses=lenses)
    assert proved(verdict) == []
    assert not any("nothing was proved" in note for note in verdict.notes)


def test_a_report_and_explain_name_the_bounds(gate: Verdict) -> None:
    told = {entry["id"]: entry["evidence"] for entry in report(gate)["requirements"]}
    assert [entry["kind"] for entry in told["BUDGET-NET-ONE"]] == ["proved", "scenario"]
    done = CliRunner().invoke(program, ["explain", "BUDGET-NET-ZERO"], standalone_mode=False)
    assert "CrossHair can prove it for all values of:" in done.output
    assert "amounts of any size: freed + insert + rationale + tool-call + measurement + error" in done.output


def test_of_an_engine_a_proof_says_that_the_engine_was_new() -> None:
    commit = "turns of lines of 0 to 1,000,000 tokens: an emission of each kind and then a commit"
    of_engine = Proved("one-commit", ("BUDGET-RECEIPT",), 5, 0.1, "on a new engine")
    assert bounds([of_engine]) == f"on a new engine: {commit}"
    assert bounds([replace(of_engine, setting="")]) == commit


def test_bounds_stand_in_the_order_of_the_battery_whichever_was_proved_first() -> None:
    proofs = [Proved(shape, (), 1, 0.1) for shape in ("fresh-2", "stale-2-1", "fresh-0")]
    assert bounds(proofs) == bounds(reversed(proofs))


def test_bounds_that_differ_in_size_alone_are_told_together_and_each_by_its_own_size() -> None:
    shapes = ("fresh-0", "fresh-2", "fresh-3-letters", "two-hunks-1", "two-hunks-1-falling", "stale-2-1")
    assert bounds([Proved(shape, (), 1, 0.1) for shape in shapes]).split("; ") == [
        "1 hunk anywhere that inserts 1 line, after another author's patch: 2→1 lines of 1 ASCII character",
        "1 hunk anywhere that inserts 1 line: 0 or 2 lines of 1 ASCII character",
        "1 hunk anywhere that inserts 2 lines: 3 lines of 1 lower-case letter",
        "2 hunks anywhere that insert 1 and 2 lines: 1 line of 1 ASCII character",
        "2 hunks anywhere that insert 2 and 1 lines: 1 line of 1 ASCII character",
    ]


def test_what_is_refuted_is_a_violation_with_a_trace_that_replays(tmp_path: Path) -> None:
    target = "basebound_catalogue.mutants.pure:magic_freed"
    verdict = judged(target)
    broken = row(verdict, "BUDGET-NET-NEGATIVE")
    assert (verdict.exit_code, broken.verdict) == (1, FAIL)
    assert broken.counterexample is not None
    assert broken.counterexample.lens == "proofs"
    assert broken.counterexample.rows()[1]["freed"] == 990_003
    assert proved(verdict) == []
    file = tmp_path / "found.ndjson"
    file.write_text("".join(json.dumps(line) + "\n" for line in broken.counterexample.rows()))
    assert CliRunner().invoke(program, ["replay", str(file), target], standalone_mode=False).return_value == 1


@pytest.mark.parametrize("breaks", [True, False])
def test_where_another_lens_finds_a_break_nothing_is_called_proved(breaks: bool) -> None:
    target = Described("gate", frozenset({"budget"}), False, None, False, PureFunction.GATE, None)
    proof = Proved("amounts-one", ("BUDGET-NET-ONE",), 9, 0.1)
    goals = {(one.id, goal.name) for one in requirements() for goal in one.goals}
    tallies = {"proofs": Tally(vouched=[proof]), "box": Tally(9, 9, goals)}
    finding = Finding("BUDGET-NET-ZERO", 0, "refused", "applied")
    found = Counterexample("BUDGET-NET-ZERO", Trace(), (), finding, "box", 1)
    rows = judge(target, target.profiles, tallies, {"BUDGET-NET-ZERO": found} if breaks else {})
    (one,) = (row for row in rows if row.requirement.id == "BUDGET-NET-ONE")
    assert [entry["kind"] for entry in one.evidence] == (["searched"] if breaks else ["proved", "searched"])


@pytest.mark.slow
def test_at_quick_effort_what_is_false_is_found_and_nothing_is_called_proved() -> None:
    assert row(judged("basebound_catalogue.mutants.pure:at_zero", "quick"), "BUDGET-NET-ZERO").verdict == FAIL
    right = judged("basebound_catalogue.mutants.pure:plain_gate", "quick")
    assert not [entry for one in right.judged for entry in one.evidence]


def test_where_crosshair_does_not_work_the_check_says_so_and_passes_nothing_by_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "crosshair").mkdir()
    (tmp_path / "crosshair" / "__init__.py").write_text("raise ImportError('built for another Python')")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    verdict = judged("basebound_catalogue.mutants.pure:plain_gate")
    assert verdict.exit_code == 3
    assert not [entry for one in verdict.judged for entry in one.evidence]
    assert any("built for another Python" in note and "crosshair-tool" in note for note in verdict.notes)


def test_an_engine_in_another_process_is_not_looked_at(tmp_path: Path) -> None:
    engine = Path(__file__).parent.parent / "wire" / "fakes" / "correct.py"
    verdict = judged(f"wire:{sys.executable} {engine}")
    assert verdict.notes == ()
    assert not [entry for one in verdict.judged for entry in one.evidence]


def test_the_parts_of_a_battery_are_units_of_work_and_cover_all_of_it() -> None:
    assert [unit.shard for unit in units("default", 0, ("proofs",))] == ["1 of 2", "2 of 2"]
    assert [unit.lens for unit in units("quick", 0, ("proofs",))] == ["proofs"]
