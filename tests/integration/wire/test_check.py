"""A check over the wire: faults are findings of the right requirement, and nothing hangs or is left behind."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from checking import Checked, check, fake, finish, start_check
from faulty_engines import CORRECT, FAULTY, WireEngine
from test_client import gone, until
from test_fakes import LEGAL
from test_faulty_engines import command  # noqa: F401  (a fixture)
from tiers import slow_unless

HERE = Path(__file__).parent
QUICK = ("--effort", "quick", "--lens", "scenarios", "--timeout", "2", "--jobs", "1")
ALL = ("--effort", "quick", "--timeout", "4", "--jobs", "1")
MEETINGS = ("--effort", "quick", "--lens", "schedules", "--timeout", "4", "--jobs", "1")
ATOMIC = [engine for engine in FAULTY if str(engine.breaks).startswith("ATOMIC-")]
ONE_EACH = ("window_meter", "lost_append", "half_commit", "late_charge")
"""Of each requirement an engine: the fast ones."""

DURING = {
    "hangs_on_apply": ("BASE-ANSWER-BOUNDED", "apply was not answered"),
    "killed_mid_answer": ("BASE-ANSWER-BOUNDED", "SIGKILL"),
    "stops_mid_answer": ("BASE-ANSWER-BOUNDED", "an answer has begun"),
    "log_line_at_apply": ("BASE-ANSWER-TYPED", "a forgotten log line"),
    "missing_base": ("BASE-ANSWER-TYPED", "base of the answer to apply is missing"),
    "unknown_reason": ("BASE-ANSWER-TYPED", "'conflict'"),
    "error_for_refusal": ("BASE-ANSWER-TYPED", "JSON-RPC error -32000"),
    "revision_a_string": ("BASE-ANSWER-TYPED", "revision of the answer to snapshot"),
    "ignores_reset": ("BASE-START-EXACT", ""),
    "leaks_lines": ("BASE-START-EXACT", ""),
}
FAST = ("hangs_on_apply", "killed_mid_answer", "log_line_at_apply")
BEFORE = {
    "exits_at_once": "no module named 'engine'",
    "silent": "initialize was not answered",
    "does_not_flush": "only when stdin was closed",
    "wrong_id": "has the id 1000",
    "log_line_first": "[engine] ready",
}


def by_name(engine: WireEngine) -> str:
    return engine.name


@pytest.mark.parametrize("name", slow_unless(FAST, DURING))
def test_a_fault_during_a_check_is_a_finding_with_its_diagnosis(name: str, tmp_path: Path) -> None:
    requirement, words = DURING[name]
    checked = check(fake(name), tmp_path, *QUICK, bound=120)
    assert checked.code == 1, checked.output
    assert requirement in checked.failed
    assert words in checked.output


@pytest.mark.parametrize("name", slow_unless(("exits_at_once", "silent"), BEFORE))
def test_an_engine_that_cannot_be_initialized_exits_2_with_cause_and_fix(name: str, tmp_path: Path) -> None:
    checked = check(fake(name), tmp_path, *QUICK, bound=60)
    assert checked.code == 2, checked.output
    assert BEFORE[name] in checked.output
    assert "likely cause" in checked.output
    assert "fix" in checked.output
    assert checked.report is None


def test_a_program_that_is_not_there_exits_2(tmp_path: Path) -> None:
    checked = check(["no-such-engine"], tmp_path, *QUICK, bound=60)
    assert checked.code == 2
    assert "[wire-fault]" in checked.output


def test_more_than_one_target_is_refused(tmp_path: Path) -> None:
    checked = check(fake("correct"), tmp_path, "reference", bound=60)
    assert checked.code == 2
    assert "[several-targets]" in checked.output


@pytest.mark.parametrize("name", slow_unless(("correct",), LEGAL))
def test_a_legal_fake_breaks_nothing(name: str, tmp_path: Path) -> None:
    checked = check(fake(name), tmp_path, "--effort", "quick", "--lens", "scenarios", "--lens", "box", bound=400)
    assert checked.failed == {}, checked.output
    slow = name in ("slow", "floods_stderr")  # on a busy machine they do not get round to everything
    assert checked.code in ((0, 3) if slow else (0,)), checked.output


@pytest.mark.slow
@pytest.mark.parametrize("engine", FAULTY, ids=by_name)
def test_a_faulty_engine_is_caught_by_the_requirement_it_names(
    engine: WireEngine,
    command: Callable[[WireEngine], list[str]],  # noqa: F811
    tmp_path: Path,
) -> None:
    checked = check(command(engine), tmp_path, *ALL, bound=400)
    assert checked.code == 1, checked.output
    assert engine.breaks in checked.failed, checked.output


@pytest.mark.slow
@pytest.mark.parametrize("engine", CORRECT, ids=by_name)
def test_a_correct_engine_of_the_faulty_ones_kind_is_not_accused(
    engine: WireEngine,
    command: Callable[[WireEngine], list[str]],  # noqa: F811
    tmp_path: Path,
) -> None:
    checked = check(command(engine), tmp_path, *ALL, bound=400)
    assert checked.failed == {}, checked.output
    assert checked.code == 0, checked.output


@pytest.mark.parametrize("engine", slow_unless(ONE_EACH, ATOMIC, "name"), ids=by_name)
def test_a_window_between_check_and_commit_is_found_by_requests_under_way_at_once(
    engine: WireEngine,
    command: Callable[[WireEngine], list[str]],  # noqa: F811
    tmp_path: Path,
) -> None:
    checked = check(command(engine), tmp_path, *MEETINGS, bound=100)
    assert engine.breaks in checked.failed, checked.output


@pytest.mark.parametrize("engine", slow_unless(("mutex_meter",), CORRECT, "name"), ids=by_name)
def test_an_engine_without_a_window_passes_every_requirement_of_atomic(
    engine: WireEngine,
    command: Callable[[WireEngine], list[str]],  # noqa: F811
    tmp_path: Path,
) -> None:
    checked = check(command(engine), tmp_path, *MEETINGS, bound=100)
    judged = checked.report["requirements"] if checked.report else []
    assert {row["verdict"] for row in judged if row["profile"] == "atomic"} == {"pass"}, checked.output


@pytest.mark.slow
@pytest.mark.parametrize("name", ["javascript", "rust"])
def test_a_reference_engine_is_conformant(name: str, commands: Callable[[str], list[str]], tmp_path: Path) -> None:
    checked = check(commands(name), tmp_path, *ALL, bound=400)
    assert checked.code == 0, checked.output
    claimed = {row["profile"] for row in checked.report["requirements"] if row["verdict"] == "pass"}  # type: ignore[index]
    assert claimed == {"base", "protected", "budget", "atomic"}


WATCHED = """
import os, pathlib, sys, time
pathlib.Path({folder!r}, str(os.getpid())).touch()
sys.path.insert(0, {fakes!r})
from correct import serve
serve()
"""


class Watched:
    """A correct engine that leaves its process id in a folder, so that a test can get at it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "pids"
        self.folder.mkdir()
        script = folder / "watched.py"
        script.write_text(WATCHED.format(folder=str(self.folder), fakes=str(HERE / "fakes")))
        self.command = [sys.executable, str(script)]

    def seen(self) -> list[int]:
        return [int(path.name) for path in self.folder.iterdir()]

    def live(self) -> list[int]:
        return [pid for pid in self.seen() if not gone(pid)]

    def all_gone(self) -> bool:
        return not self.live()


def disturbed(tmp_path: Path, after: float, how: signal.Signals, times: int = 1) -> tuple[Checked, Watched]:
    """A check whose engines are sent a signal ``after`` seconds from the first one's start."""
    watched = Watched(tmp_path)
    process = start_check(watched.command, tmp_path, "--effort", "quick", "--timeout", "2")
    assert until(lambda: bool(watched.seen()), 30)
    for _ in range(times):
        time.sleep(after)
        for pid in watched.live():
            os.kill(pid, how)
    return finish(process, tmp_path, 180), watched


@pytest.mark.parametrize(
    ("after", "how"),
    [
        (2.5, signal.SIGKILL),
        pytest.param(4.0, signal.SIGKILL, marks=pytest.mark.slow),
        pytest.param(2.5, signal.SIGSTOP, marks=pytest.mark.slow),
        pytest.param(5.0, signal.SIGSTOP, marks=pytest.mark.slow),
        pytest.param(3.0, signal.SIGSEGV, marks=pytest.mark.slow),
    ],
)
def test_a_signal_to_the_engine_at_any_moment_leaves_a_verdict_and_no_orphan(
    after: float, how: signal.Signals, tmp_path: Path
) -> None:
    checked, watched = disturbed(tmp_path, after, how)
    assert checked.report is not None, checked.output
    assert checked.code in (0, 1), checked.output  # 0 where it fell between two engines: the next one is a new process
    assert set(checked.failed) <= {"BASE-ANSWER-BOUNDED", "BASE-ANSWER-TYPED", "BASE-FRESH-ACCEPTED"}
    assert until(watched.all_gone)


@pytest.mark.slow
def test_engines_killed_over_and_over_end_the_check_early(tmp_path: Path) -> None:
    checked, watched = disturbed(tmp_path, 1.0, signal.SIGKILL, times=15)
    assert checked.code == 1, checked.output
    assert "BASE-ANSWER-BOUNDED" in checked.failed
    assert until(watched.all_gone)


@pytest.mark.parametrize("how", [signal.SIGINT, pytest.param(signal.SIGKILL, marks=pytest.mark.slow)])
def test_a_check_that_is_ended_leaves_no_engine_behind(how: signal.Signals, tmp_path: Path) -> None:
    watched = Watched(tmp_path)
    process = start_check(watched.command, tmp_path, "--effort", "quick")
    assert until(lambda: bool(watched.seen()), 30)
    time.sleep(1.5)
    process.send_signal(how)
    process.communicate(timeout=30)
    assert until(watched.all_gone, 15)
