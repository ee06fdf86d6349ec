"""Recording an engine in use: what is written is what happened, whoever called and however it ended."""

from __future__ import annotations

import asyncio
import contextlib
import io
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from basebound.core.trace import Append
from basebound.errors import UsageError
from basebound.history import CallHistory, Legal, Recorder, judge, load_history, parse_history
from basebound.model import Config, Hunk, Patch, Rejected
from basebound.results.outcome import Raised
from basebound_catalogue.mutants.atomic.content import appended
from basebound_catalogue.mutants.atomic.tasks import Awaiting
from basebound_catalogue.mutants.atomic.threaded import Locked

CONFIG = Config(("first", "second"))


def recorded(sink: io.StringIO) -> CallHistory:
    return parse_history(sink.getvalue().splitlines())


def busy(buffer: Any, client: int, rounds: int = 20) -> None:
    """Reads, appends and patches; some patches come too late."""
    for n in range(rounds):
        seen = buffer.snapshot()
        buffer.append([f"{client}-{n}"])
        base = seen if n % 3 else buffer.snapshot()
        with contextlib.suppress(Rejected):
            buffer.apply(Patch(base, (Hunk(0, min(2, len(base.lines)), (f"patch {client}-{n}",)),)))


def test_the_calls_of_many_threads_are_recorded_as_a_legal_history(tmp_path: Path) -> None:
    path = tmp_path / "history.ndjson"
    with Recorder(Locked(CONFIG), path) as buffer:
        threads = [threading.Thread(target=busy, args=(buffer, n), name=f"agent-{n}") for n in range(4)]
        for thread in threads:
            thread.start()
        buffer.flush()
        for thread in threads:
            thread.join()
    history = load_history(path)
    assert {operation.client for operation in history.operations} == {f"agent-{n}" for n in range(4)}
    assert len(history.operations) == 4 * (20 * 3 + 7)
    assert isinstance(judge(history), Legal)


def test_a_list_that_its_caller_changes_is_recorded_as_it_was() -> None:
    sink = io.StringIO()
    buffer = Recorder(Locked(CONFIG), sink)
    lines = ["x"]
    buffer.append(lines)
    lines[0] = "changed"
    buffer.finish()
    assert recorded(sink).operations[0].step == Append(("x",))


def test_an_exception_is_recorded_as_an_unknown_outcome_and_goes_on_to_the_caller() -> None:
    class Broken(Locked):
        def append(self, lines: Any) -> None:
            raise OSError("disk full")

    sink = io.StringIO()
    buffer = Recorder(Broken(CONFIG), sink)
    with pytest.raises(OSError, match="disk full"):
        buffer.append(["x"])
    buffer.finish()
    (operation,) = recorded(sink).operations
    assert operation.outcome == Raised("OSError", "disk full")
    assert not operation.answered


def test_a_call_that_has_not_ended_is_written_without_an_answer() -> None:
    hold, began = threading.Event(), threading.Event()

    class Slow(Locked):
        def append(self, lines: Any) -> None:
            super().append(lines)
            began.set()
            hold.wait(5)

    sink = io.StringIO()
    buffer = Recorder(Slow(CONFIG), sink)
    thread = threading.Thread(target=buffer.append, args=(["x"],))
    thread.start()
    assert began.wait(5)
    buffer.flush()
    assert '"append"' not in sink.getvalue()
    seen = buffer.snapshot()
    buffer.finish()
    hold.set()
    thread.join()
    history = recorded(sink)
    assert seen.lines[-1] == "x"
    assert [operation.answered for operation in history.operations] == [False, True]
    assert isinstance(judge(history), Legal)


def test_a_patch_authored_before_the_recording_is_recorded_with_its_base() -> None:
    engine = Locked(CONFIG)
    early = engine.snapshot()
    engine.append(["x"])
    sink = io.StringIO()
    buffer = Recorder(engine, sink)
    with pytest.raises(Rejected):
        buffer.apply(Patch(early, (Hunk(0, 1),)))
    buffer.finish()
    history = recorded(sink)
    assert history.lines == ("first", "second", "x")
    assert history.operations[0].authored == early
    assert isinstance(judge(history), Legal)


def test_tasks_are_recorded_and_a_cancelled_one_has_no_answer() -> None:
    class Carried(Awaiting):
        """Commits although its caller is cancelled."""

        async def append(self, lines: Any) -> None:
            self.state = appended(self.state, lines)
            await asyncio.sleep(1)

    async def run(sink: io.StringIO) -> None:
        engine = Carried(CONFIG)
        buffer = Recorder(engine, sink, start=await engine.snapshot())
        task = asyncio.create_task(buffer.append(["x"]), name="ada")
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        seen = await buffer.snapshot()
        await buffer.apply(Patch(seen, (Hunk(0, 1, ("s",)),)))
        buffer.finish()

    sink = io.StringIO()
    asyncio.run(run(sink))
    history = recorded(sink)
    assert (history.operations[0].client, history.operations[0].answered) == ("ada", False)
    assert len(history.operations) == 3
    assert isinstance(judge(history), Legal)


def test_an_async_engine_needs_its_start() -> None:
    with pytest.raises(UsageError, match=r"\[recorder-no-start\]"):
        Recorder(Awaiting(CONFIG), io.StringIO())


def test_the_recorder_has_what_its_engine_has_and_no_more() -> None:
    buffer = Recorder(Locked(CONFIG), io.StringIO())
    assert buffer.profiles == Locked.profiles
    assert not hasattr(buffer, "insert")
    assert not hasattr(buffer, "emit")


def test_clients_can_be_named() -> None:
    sink = io.StringIO()
    buffer = Recorder(Locked(CONFIG), sink, client=lambda: "the planner")
    buffer.append(["x"])
    buffer.finish()
    assert recorded(sink).operations[0].client == "the planner"


@pytest.mark.slow
def test_recording_a_call_costs_microseconds() -> None:
    def seconds(buffer: Any) -> float:
        begun = time.process_time()
        for _ in range(2_000):
            buffer.snapshot()
        return time.process_time() - begun

    bare = min(seconds(Locked(CONFIG)) for _ in range(5))
    behind = min(seconds(Recorder(Locked(CONFIG), io.StringIO())) for _ in range(5))
    assert (behind - bare) / 2_000 < 20e-6
