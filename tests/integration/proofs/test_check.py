"""A whole check: children, bounds, reruns, traces, and targets that do what they should not."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from basebound.errors import TargetError
from basebound.lenses.proofs.proving import BOUNDS, Child, check
from basebound.lenses.proofs.results import Proved, Refuted, Report
from basebound.lenses.proofs.shapes import Effort
from basebound.run.replay import replay
from basebound.session.session import RunContext
from basebound.targets import loading

ODD = Path(__file__).parent / "odd_targets.py"


def looked_at(target: str, *shapes: str, seconds: float = 60.0, jobs: int = 1) -> Report:
    return check(target, "default", seconds=seconds, jobs=jobs, only=frozenset(shapes))


def odd(name: str, *shapes: str, seconds: float = 60.0) -> Report:
    return looked_at(f"{ODD}:{name}", *shapes, seconds=seconds)


def test_a_correct_apply_is_proved_and_its_bounds_are_told() -> None:
    report = looked_at("basebound_catalogue.mutants.pure:plain", "fresh-1", "stale-1-1", jobs=2)
    assert [type(result) for result in report.results] == [Proved, Proved]
    assert [result.bounds for result in report.results if isinstance(result, Proved)] == [
        "1 hunk anywhere that inserts 1 line, after another author's patch: 1→1 lines of 1 ASCII character",
        "1 hunk anywhere that inserts 1 line: 1 line of 1 ASCII character",
    ]
    assert "BASE-SPLICE-EXACT" in report.requirements_proved()
    assert report.refuted == ()
    assert "identity-2x1" in report.skipped


@pytest.mark.parametrize("name", ["logging", "telling"])
def test_a_target_that_writes_what_it_is_given_into_logs_or_messages_is_proved_all_the_same(name: str) -> None:
    assert [type(result) for result in odd(name, "fresh-1").results] == [Proved]


def test_the_reference_engine_is_proved_with_its_turns() -> None:
    report = looked_at("reference", "fresh-1", "two-attempts")
    assert [type(result) for result in report.results] == [Proved, Proved]
    assert {"BUDGET-CHARGE-ONCE", "BASE-HUNK-RANGE"} <= set(report.requirements_proved())


def replayed_findings(target: str, found: Refuted) -> set[str]:
    loaded = loading.load(target)
    return {finding.requirement for finding in replay(RunContext(loaded, loaded.profiles), found.trace).findings}


def test_a_counterexample_is_concrete_plain_and_breaks_the_same_requirement_when_its_trace_is_replayed() -> None:
    target = "basebound_catalogue.mutants.pure:unchecked"
    report = looked_at(target, "stale-1-1")
    length = next(found for found in report.refuted if "BASE-STALE-LENGTH" in found.requirements)
    assert length.inputs == "live ['a']; authored on ['b']; [0, 0) -> ['x']"
    assert length.explanation == "due: stale-base; seen: accepted, leaving ['x', 'a']"
    assert "BASE-STALE-LENGTH" in replayed_findings(target, length)
    assert "BASE-STALE-LENGTH" in report.requirements_refuted()


def test_a_counterexample_of_a_gate_is_one_gate_call() -> None:
    target = "basebound_catalogue.mutants.pure:at_zero"
    report = looked_at(target, "amounts-one")
    zero = next(found for found in report.refuted if "BUDGET-NET-ZERO" in found.requirements)
    assert [step.op for step in zero.trace.steps] == ["gate"]
    assert "BUDGET-NET-ZERO" in replayed_findings(target, zero)


def test_a_cut_hash_is_refuted_by_two_contents_whose_real_bases_agree() -> None:
    target = "basebound_catalogue.mutants.pure:prefix_compared"
    report = looked_at(target, "stale-1-1")
    (found,) = report.refuted
    pure = loading.load(target).factory
    first, second = (pure.digest((text,)) for text in ("87324", "1412"))  # type: ignore[attr-defined]
    assert first != second
    assert first[:8] == second[:8]
    assert found.inputs == "live ['87324']; authored on ['1412']; no hunks"
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
    report = looked_at(f"{file}:Hiding", "one-commit")
    assert report.refuted
    for found in report.refuted:
        assert "emit measurement of 4649" in found.inputs
        assert set(found.requirements) & replayed_findings(f"{file}:Hiding", found)


@pytest.mark.parametrize("fault", ["base-joined-by-newline", "base-joined-by-nothing", "base-joined-by-nul"])
def test_an_engine_whose_base_forgets_where_lines_end_is_refuted_by_the_same_text_in_other_lines(fault: str) -> None:
    report = looked_at(f"fault:{fault}", "split-2")
    assert "BASE-STALE-PATCH" in report.requirements_refuted()
    for found in report.refuted:
        assert replayed_findings(f"fault:{fault}", found) & set(found.requirements)


def test_a_deletion_that_takes_another_line_of_the_same_text_is_refuted() -> None:
    report = looked_at("fault:removes-first-equal-line", "fresh-3-letters-less")
    assert "BASE-SPLICE-EXACT" in report.requirements_refuted()


@pytest.mark.parametrize("name", ["monitor", "linked-list"])
def test_a_base_that_counts_may_call_stale_what_has_come_back(name: str) -> None:
    report = looked_at(f"correct:{name}", "stale-1-1")
    assert not report.refuted
    assert "did not" not in "".join(result.why for result in report.undecided)
    assert "could not be run again" not in "".join(result.why for result in report.undecided)


def test_the_same_text_in_other_lines_is_another_content_to_the_reference() -> None:
    assert "BASE-STALE-PATCH" in looked_at("reference", "split-2").requirements_proved()


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
    assert "its process ended with status 7" in left.why


def test_a_target_that_hangs_is_ended_in_time() -> None:
    report = odd("hanging", "stale-1-1", seconds=4.0)
    assert report.requirements_proved() == {}
    assert report.undecided


def test_a_target_that_outgrows_its_memory_is_not_proved() -> None:
    report = odd("outgrowing", "stale-1-1")
    assert report.requirements_proved() == {}


def test_what_a_target_prints_is_no_answer() -> None:
    report = odd("printing", "fresh-0")
    assert [type(result) for result in report.results] == [Proved]


def test_an_async_engine_is_unavailable_and_says_what_to_prove_instead() -> None:
    report = odd("AsyncEngine", "fresh-0")
    assert report.unavailable is not None
    assert "apply_function" in report.unavailable.fix


def test_an_engine_that_writes_elsewhere_is_undecided_never_refuted() -> None:
    report = odd("SqliteEngine", "appended-1-1")
    assert report.refuted == ()


def test_a_target_that_is_none_is_a_usage_error() -> None:
    with pytest.raises(TargetError, match="no_such_name"):
        odd("no_such_name")


def test_where_crosshair_does_not_work_nothing_is_proved_and_the_way_to_fix_it_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "crosshair").mkdir()
    (tmp_path / "crosshair" / "__init__.py").write_text("raise ImportError('built for another Python')")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    report = looked_at("basebound_catalogue.mutants.pure:plain", "fresh-0")
    assert report.unavailable is not None
    assert "built for another Python" in report.unavailable.what
    assert "crosshair-tool" in report.unavailable.fix
    assert report.requirements_proved() == {}


def test_a_shape_that_a_first_look_leaves_open_is_looked_at_again_when_the_others_have_had_theirs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[tuple[str, float]] = []
    ask = Child.ask

    def noted(child: Child, order: dict[str, Any], seconds: float) -> Any:
        if "seconds" in order:
            asked.append((order["shape"], order["seconds"]))
        return ask(child, order, seconds)

    monkeypatch.setattr(Child, "ask", noted)
    monkeypatch.setitem(BOUNDS, Effort.DEFAULT, replace(BOUNDS[Effort.DEFAULT], first=0.05))
    report = looked_at("basebound_catalogue.mutants.pure:plain", "fresh-2", "appended-1-1")
    assert asked == [("appended-1-1", 0.05), ("fresh-2", 0.05), ("fresh-2", BOUNDS[Effort.DEFAULT].shape)]
    assert [type(result) for result in report.results] == [Proved, Proved]


def test_when_the_time_is_used_up_the_rest_is_undecided() -> None:
    report = check("basebound_catalogue.mutants.pure:plain", "default", seconds=0.05, jobs=1)
    assert report.requirements_proved() == {}
    assert report.unavailable is not None or report.undecided
