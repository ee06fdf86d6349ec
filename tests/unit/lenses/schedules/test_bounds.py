"""Whatever an engine does, a run ends, and what was done to find out is undone."""

from __future__ import annotations

import asyncio
import sys
import threading
import time
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

import pytest

from basebound.core.trace import Apply
from basebound.lenses.schedules import ConcurrentFinding, faults, finding, interleave, pauses, rival, stress, survey
from basebound.lenses.schedules.harness import Factory, Trouble, asleep, traits_of
from basebound.lenses.schedules.programs import BY_NAME, PROGRAMS, START
from basebound.lenses.schedules.tracing import Level, code_of
from basebound.model import BudgetedEngine, Config, Patch, Receipt, Rejected, Snapshot
from basebound.targets.reference import ReferenceEngine
from basebound_catalogue.mutants.atomic.tasks import Awaiting
from basebound_catalogue.mutants.atomic.threaded import Locked, LockOrder, ReleasedBetween
from basebound_reference import ContextBuffer


class Sleeper(Locked):
    """Never comes back from a patch."""

    def apply(self, patch: Patch) -> Receipt:
        threading.Event().wait()
        raise AssertionError


class AsyncSleeper:
    """Never comes back from an append."""

    profiles = frozenset({"base", "atomic"})

    def __init__(self, config: Config) -> None:
        self.inner = Locked(config)

    async def snapshot(self) -> Snapshot:
        return self.inner.snapshot()

    async def append(self, lines: Sequence[str]) -> None:
        await asyncio.get_running_loop().create_future()

    async def apply(self, patch: Patch) -> Receipt:
        return self.inner.apply(patch)


class Spinner(Locked):
    """Waits for a flag that a rival would have to set, without ever sleeping."""

    def append(self, lines: Sequence[str]) -> None:
        until = time.monotonic() + 0.05
        while time.monotonic() < until:
            pass
        super().append(lines)


class Crasher(Locked):
    """Fails for having met another."""

    busy = False

    def append(self, lines: Sequence[str]) -> None:
        if self.busy:
            raise RuntimeError("dictionary changed size during iteration")
        self.busy = True
        super().append(lines)
        self.busy = False


class OneHunk(Locked):
    """Takes one hunk a patch, and says so."""

    max_hunks = 1

    def apply(self, patch: Patch) -> Receipt:
        assert len(patch.hunks) <= 1, "more hunks than the engine takes"
        return super().apply(patch)


@pytest.mark.parametrize("engine", [Sleeper, AsyncSleeper])
def test_an_engine_that_hangs_is_told_in_bounded_time(engine: Factory) -> None:
    found = survey(engine, "quick", limit_s=0.3)
    assert {"ATOMIC-INTERRUPTED-USABLE", "ATOMIC-PROGRESS"} & set(found.findings)


def test_a_deadlock_names_where_each_client_waits() -> None:
    run = next(run for run in interleave.runs(LockOrder, limit_s=0.5) if run.trouble)
    assert run.trouble is Trouble.HANG
    assert "subject in apply" in run.where
    assert "rival in append" in run.where


def test_an_engine_that_fails_for_having_met_another_breaks_progress() -> None:
    found = survey(Crasher, until="ATOMIC-PROGRESS").findings["ATOMIC-PROGRESS"]
    assert "RuntimeError" in found.broken[0].sentence


def test_an_engine_that_spins_does_not_stop_the_sweep() -> None:
    runs = list(interleave.runs(Spinner, programs=PROGRAMS[:1], seconds=5))
    assert len(runs) > 5
    assert not [run.schedule for run in runs if isinstance(finding(run), ConcurrentFinding)]


def test_a_limit_of_one_hunk_is_kept_to() -> None:
    found = survey(OneHunk, "quick")
    assert not found.findings
    assert found.runs["interleave line"] > 20


def test_a_budgeted_engine_is_given_patches_that_free_tokens() -> None:
    assert isinstance(ReferenceEngine(Config()), BudgetedEngine)
    found = survey(ReferenceEngine, "quick")
    assert not found.findings
    assert {"stale-beside", "rival-inside"} <= found.reached
    runs = list(interleave.runs(ReferenceEngine, programs=PROGRAMS[:1]))
    assert any(op.receipt for run in runs for op in run.history.operations)


def test_the_code_of_what_an_engine_is_made_of_is_traced_and_the_standard_library_is_not() -> None:
    where = code_of(ReferenceEngine, ReferenceEngine(Config()))
    assert where(ContextBuffer.append.__code__)
    assert where(ReferenceEngine.append.__code__)
    assert not where(threading.Thread.start.__code__)


def test_no_patch_of_a_program_grows_the_buffer() -> None:
    for program in PROGRAMS:
        for step in (*program.subject, *program.rival):
            if isinstance(step, Apply):
                assert step.base == START
                for hunk in step.hunks:
                    assert sum(map(len, program.lines[hunk.start : hunk.end])) > sum(map(len, hunk.insert))


def test_tracing_and_switching_are_put_back() -> None:
    interval = sys.getswitchinterval()
    for run in interleave.runs(Locked):
        assert run.history.operations
        break
    for run in stress.runs(Locked, rounds=2):
        assert run.history.operations
    assert sys.getswitchinterval() == interval
    assert sys.gettrace() is None
    assert threading.gettrace() is None
    if sys.version_info >= (3, 12):
        assert sys.monitoring.get_tool(4) is None


def test_each_kind_looks_only_at_the_engines_it_can() -> None:
    assert not list(pauses.runs(Locked))
    assert not list(interleave.runs(AsyncSleeper))
    assert traits_of(AsyncSleeper).asynchronous
    assert not traits_of(Locked).asynchronous
    assert list(rival.runs(Locked))


def test_what_is_wrong_without_an_interruption_is_not_blamed_on_one() -> None:
    class Forgetful(Locked):
        def append(self, lines: Sequence[str]) -> None:
            pass

    runs = list(faults.runs(Forgetful))
    assert {run.schedule.split()[1] for run in runs} == {"refused"}


def test_a_refusal_is_an_outcome_and_not_a_failure() -> None:
    class Refuses(Locked):
        def apply(self, patch: Patch) -> Receipt:
            raise Rejected("protected", "no")

    run = next(iter(interleave.runs(Refuses)))
    assert finding(run) is None


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs /proc")
def test_a_thread_that_waits_is_seen_asleep() -> None:
    gate = threading.Event()
    thread = threading.Thread(target=gate.wait, daemon=True)
    thread.start()
    until = time.monotonic() + 5
    while not asleep(thread.native_id) and time.monotonic() < until:
        time.sleep(0.001)
    assert asleep(thread.native_id)
    gate.set()
    thread.join()
    assert asleep(None) is None


def test_a_finding_says_which_step_slipped_in_where() -> None:
    found = survey(ReleasedBetween, until="ATOMIC-CHECK-COMMIT").findings["ATOMIC-CHECK-COMMIT"]
    text = found.drawn()
    assert "subject asking the meter in cost_of, line" in text
    assert "called by apply, line" in text
    assert "`cost = cost_of(patch, self.count_tokens)`" in text
    assert 'rival: append ["rival\'s line"] -> done' in text


def test_a_hang_is_drawn_with_its_open_calls() -> None:
    run = next(run for run in interleave.runs(LockOrder, limit_s=0.5) if run.trouble)
    found = finding(run)
    assert isinstance(found, ConcurrentFinding)
    rows = found.drawn().splitlines()
    assert sum(row.endswith(">") and row.startswith(("subject", "rival")) for row in rows) == 2
    assert sum(row.startswith("*") and row.endswith("no answer") for row in rows) == 2


class Looping(Locked):
    """Correct, with a loop whose compiled form has instructions that belong to no line."""

    def apply(self, patch: Patch) -> Receipt:
        self.examine(patch.base.lines)
        return super().apply(patch)

    def examine(self, lines: Sequence[str]) -> None:
        for line in lines:
            if self.is_odd(line):
                self.refuse()

    def is_odd(self, line: str) -> bool:
        return any(marker in line for marker in tuple[str, ...]())

    def refuse(self) -> None:
        raise Rejected("protected", "an odd line")


class Traced:
    """Correct, its calls plain functions that hand on coroutines, as a decorator leaves them."""

    profiles = frozenset({"base", "atomic"})

    def __init__(self, config: Config) -> None:
        self.inner = Locked(config)

    def snapshot(self) -> Coroutine[None, None, Snapshot]:
        return self._later(self.inner.snapshot)

    def append(self, lines: Sequence[str]) -> Coroutine[None, None, None]:
        return self._later(self.inner.append, tuple(lines))

    def apply(self, patch: Patch) -> Coroutine[None, None, Receipt]:
        return self._later(self.inner.apply, patch)

    async def _later(self, call: Callable[..., Any], *given: object) -> Any:
        await asyncio.sleep(0)
        return call(*given)


@pytest.mark.parametrize("level", ["line", "opcode"])
def test_an_instruction_of_no_line_is_a_place_to_pause_like_any_other(level: Level) -> None:
    runs = list(interleave.runs(Looping, level, (BY_NAME["apply/append"],), seconds=60))
    assert len(runs) > 10
    assert [found for run in runs if (found := finding(run)) is not None] == []


def test_calls_that_hand_on_coroutines_run_on_a_loop() -> None:
    found = survey(Traced, "quick")
    assert found.findings == {}
    assert {"apply-append", "append-append", "stale-beside"} <= found.reached


class UnreadableLater(Locked):
    """A refusal leaves it unable to show anything."""

    broken = False

    def snapshot(self) -> Snapshot:
        if self.broken:
            raise RuntimeError("the last operation failed")
        return super().snapshot()

    def apply(self, patch: Patch) -> Receipt:
        try:
            return super().apply(patch)
        except Rejected:
            self.broken = True
            raise


class AwaitedUnreadableLater(Awaiting):
    broken = False

    async def snapshot(self) -> Snapshot:
        if self.broken:
            raise RuntimeError("the last operation failed")
        return await super().snapshot()

    async def apply(self, patch: Patch) -> Receipt:
        try:
            return await super().apply(patch)
        except Rejected:
            self.broken = True
            raise


@pytest.mark.filterwarnings("error::pytest.PytestUnhandledThreadExceptionWarning")
@pytest.mark.parametrize("engine", [UnreadableLater, AwaitedUnreadableLater])
def test_an_engine_that_can_no_longer_be_read_is_told_of_and_nothing_is_authored_on_what_was_not_read(
    engine: Factory, capfd: pytest.CaptureFixture[str]
) -> None:
    found = survey(engine, "quick").findings
    assert "ended as it must not" in found["ATOMIC-INTERRUPTED-USABLE"].broken[0].sentence
    assert "Traceback" not in capfd.readouterr().err
