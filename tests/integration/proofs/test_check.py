"""A whole check: children, bounds, reruns, traces, and targets that do what they should not."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from basebound.core.trace import Apply, Emit
from basebound.errors import TargetError
from basebound.lenses.proofs.lens import bounds
from basebound.lenses.proofs.proving import BOUNDS, JsonChild, check
from basebound.lenses.proofs.results import ProofReport, Proved, Refuted
from basebound.lenses.proofs.shapes import Depth
from basebound.model import Hunk
from basebound.run.replay import replay
from basebound.session.session import RunContext
from basebound.targets import loading

ODD = Path(__file__).parent / "odd_targets.py"


def checked(target: str, *shapes: str, seconds: float = 60.0, jobs: int = 1) -> ProofReport:
    """The report on a target where CrossHair works, so that what is not in it is not there for a reason."""
    report = check(target, "default", seconds=seconds, jobs=jobs, only=frozenset(shapes))
    assert report.unavailable is None
    return report


def odd(name: str, *shapes: str, seconds: float = 60.0) -> ProofReport:
    return checked(f"{ODD}:{name}", *shapes, seconds=seconds)


def test_a_correct_apply_is_proved_and_its_bounds_are_told() -> None:
    report = checked("basebound_catalogue.mutants.pure:plain", "fresh-1", "stale-1-1", jobs=2)
    assert [type(result) for result in report.results] == [Proved, Proved]
    assert [result.shape for result in report.results if isinstance(result, Proved)] == ["stale-1-1", "fresh-1"]
    assert bounds(report.requirements_proved()["BASE-SPLICE-EXACT"]).split("; ") == [
        "1 hunk anywhere that inserts 1 line, after another author's patch: 1→1 lines of 1 ASCII character",
        "1 hunk anywhere that inserts 1 line: 1 line of 1 ASCII character",
    ]
    assert report.refuted == ()


@pytest.mark.parametrize("name", ["logging", "telling"])
def test_a_target_that_writes_what_it_is_given_into_logs_or_messages_is_proved_all_the_same(name: str) -> None:
    assert [type(result) for result in odd(name, "fresh-1").results] == [Proved]


def test_the_reference_engine_is_proved_with_its_turns() -> None:
    report = checked("reference", "fresh-1", "two-attempts")
    assert [type(result) for result in report.results] == [Proved, Proved]
    assert {"BUDGET-CHARGE-ONCE", "BASE-HUNK-RANGE"} <= set(report.requirements_proved())


def replayed_findings(target: str, found: Refuted) -> set[str]:
    loaded = loading.load(target)
    return {finding.requirement for finding in replay(RunContext(loaded, loaded.profiles), found.trace).findings}


def test_a_counterexample_is_concrete_plain_and_breaks_the_same_requirement_when_its_trace_is_replayed() -> None:
    target = "basebound_catalogue.mutants.pure:unchecked"
    report = checked(target, "stale-1-1")
    length = next(found for found in report.refuted if "BASE-STALE-LENGTH" in found.requirements)
    assert length.trace.lines == ("b",)
    assert [step for step in length.trace.steps if isinstance(step, Apply)] == [
        Apply("author", (Hunk(0, 1, ("a",)),), expect="applied"),
        Apply("author", (Hunk(0, 0, ("x",)),), expect="stale-base"),
    ]
    assert "BASE-STALE-LENGTH" in replayed_findings(target, length)
    assert "BASE-STALE-LENGTH" in report.requirements_refuted()


def test_a_counterexample_of_a_gate_is_one_gate_call() -> None:
    target = "basebound_catalogue.mutants.pure:at_zero"
    report = checked(target, "amounts-one")
    zero = next(found for found in report.refuted if "BUDGET-NET-ZERO" in found.requirements)
    assert [step.op for step in zero.trace.steps] == ["gate"]
    assert "BUDGET-NET-ZERO" in replayed_findings(target, zero)


def test_a_cut_hash_is_refuted_by_two_contents_whose_real_bases_agree() -> None:
    target = "basebound_catalogue.mutants.pure:prefix_compared"
    report = checked(target, "stale-1-1")
    (found,) = report.refuted
    pure = loading.load(target).factory
    (live,) = next(step.hunks[0].insert for step in found.trace.steps if isinstance(step, Apply))
    first, second = (pure.digest(lines) for lines in (found.trace.lines, (live,)))  # type: ignore[attr-defined]
    assert first != second
    assert first[:8] == second[:8]
    assert "BASE-STALE-LENGTH" in replayed_findings(target, found)


def test_a_hidden_fault_of_an_engine_is_refuted_through_its_methods(tmp_path: Path) -> None:
    file = tmp_path / "hiding.py"
    file.write_text(
        "from basebound.targets.reference import ReferenceEngine\n"
        "class Hiding(ReferenceEngine):\n"
        "    def emit(self, kind, lines):\n"
        "        super().emit(kind, lines)\n"
        "        if kind == 'measurement' and self._buffer._count_tokens(lines[0]) == 4649:\n"
        "            self._buffer.end_turn()\n"
    )
    report = checked(f"{file}:Hiding", "one-commit")
    assert report.refuted
    for found in report.refuted:
        assert 4649 in [len(step.lines[0]) for step in found.trace.steps if isinstance(step, Emit)]
        assert set(found.requirements) & replayed_findings(f"{file}:Hiding", found)


@pytest.mark.parametrize("fault", ["base-joined-by-newline", "base-joined-by-nothing", "base-joined-by-nul"])
def test_an_engine_whose_base_forgets_where_lines_end_is_refuted_by_the_same_text_in_other_lines(fault: str) -> None:
    report = checked(f"fault:{fault}", "split-2")
    assert "BASE-STALE-PATCH" in report.requirements_refuted()
    for found in report.refuted:
        assert replayed_findings(f"fault:{fault}", found) & set(found.requirements)


def test_a_deletion_that_takes_another_line_of_the_same_text_is_refuted() -> None:
    report = checked("fault:removes-first-equal-line", "fresh-3-letters-less")
    assert "BASE-SPLICE-EXACT" in report.requirements_refuted()


@pytest.mark.parametrize("name", ["monitor", "linked-list"])
def test_a_base_that_counts_may_call_stale_what_has_come_back(name: str) -> None:
    report = checked(f"correct:{name}", "stale-1-1")
    assert not report.refuted
    assert "did not" not in "".join(result.why for result in report.undecided)
    assert "could not be run again" not in "".join(result.why for result in report.undecided)


def test_the_same_text_in_other_lines_is_another_content_to_the_reference() -> None:
    assert "BASE-STALE-PATCH" in checked("reference", "split-2").requirements_proved()


def test_what_does_not_repeat_outside_is_not_reported_and_not_proved() -> None:
    report = odd("two_faced", "fresh-1")
    assert report.refuted == ()
    (left,) = report.undecided
    assert "did not repeat outside CrossHair" in left.why
    assert not report.requirements_proved()


def test_a_target_that_ends_its_process_leaves_only_its_shape_undecided() -> None:
    report = odd("ending", "fresh-0", "stale-1-1")
    assert [result.shape for result in report.results if isinstance(result, Proved)] == ["fresh-0"]
    (left,) = report.undecided
    assert left.shape == "stale-1-1"
    assert "its process ended with exit code 7" in left.why


def test_a_target_that_hangs_is_ended_in_time() -> None:
    report = odd("hanging", "stale-1-1", seconds=8.0)
    assert report.requirements_proved() == {}
    assert report.undecided


def test_a_target_that_outgrows_its_memory_is_not_proved() -> None:
    report = odd("outgrowing", "stale-1-1")
    assert report.requirements_proved() == {}
    assert report.undecided


def test_what_a_target_prints_is_no_answer() -> None:
    report = odd("printing", "fresh-0")
    assert [type(result) for result in report.results] == [Proved]


def test_an_async_engine_is_unavailable_and_says_what_to_prove_instead() -> None:
    report = check(f"{ODD}:AsyncEngine", only=frozenset({"fresh-0"}))
    assert report.unavailable is not None
    assert "apply_function" in report.unavailable.fix


def test_an_engine_that_writes_elsewhere_is_undecided_never_refuted() -> None:
    report = odd("SqliteEngine", "appended-1-1")
    assert report.refuted == ()
    assert report.undecided


def test_a_target_that_is_none_is_a_usage_error() -> None:
    with pytest.raises(TargetError, match=r"\[no-such-attribute\]"):
        odd("no_such_name")


def test_where_crosshair_does_not_work_nothing_is_proved_and_the_way_to_fix_it_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "crosshair").mkdir()
    (tmp_path / "crosshair" / "__init__.py").write_text("raise ImportError('built for another Python')")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    report = check("basebound_catalogue.mutants.pure:plain", only=frozenset({"fresh-0"}))
    assert report.unavailable is not None
    assert "built for another Python" in report.unavailable.what
    assert "crosshair-tool" in report.unavailable.fix
    assert report.requirements_proved() == {}


def test_a_shape_that_a_first_analysis_leaves_open_is_analyzed_again_when_the_others_have_had_theirs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[tuple[str, float]] = []
    ask = JsonChild.ask

    def noted(child: JsonChild, order: dict[str, Any], seconds: float) -> Any:
        if "seconds" in order:
            asked.append((order["shape"], order["seconds"]))
        return ask(child, order, seconds)

    monkeypatch.setattr(JsonChild, "ask", noted)
    monkeypatch.setitem(BOUNDS, Depth.DEFAULT, replace(BOUNDS[Depth.DEFAULT], first=0.05))
    report = checked("basebound_catalogue.mutants.pure:plain", "fresh-2", "appended-1-1")
    assert asked == [("appended-1-1", 0.05), ("fresh-2", 0.05), ("fresh-2", BOUNDS[Depth.DEFAULT].shape)]
    assert [type(result) for result in report.results] == [Proved, Proved]


def test_when_the_time_is_used_up_the_rest_is_undecided() -> None:
    report = check("basebound_catalogue.mutants.pure:plain", "default", seconds=0.05, jobs=1)
    assert report.requirements_proved() == {}
    assert report.undecided or "did not start" in getattr(report.unavailable, "what", "")
