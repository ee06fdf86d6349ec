"""The supervisor of child processes: how one ended is a value, and nothing that was started is left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from basebound.core.trace import Append, Trace
from basebound.run.messages import Event, Replay
from basebound.run.pool import Died, Pool
from basebound.targets.process import Child, Closed, Ending, How, Lines, TooLate, ours, theirs

STAYS = "import subprocess, sys; subprocess.Popen(['sleep', '60']); print('ready', flush=True); sys.stdin.read()"
ENGINE = """
import os, sys, time
from basebound.targets.reference import ReferenceEngine

class Target(ReferenceEngine):
    def append(self, lines):
        {ends}
"""


def started(program: str) -> Lines:
    return Lines([sys.executable, "-c", program], ours())


def gone(group: int) -> bool:
    listed = subprocess.run(["ps", "-o", "stat=", "-g", str(group)], capture_output=True, text=True, check=False)
    return all(state.startswith("Z") for state in listed.stdout.split())


def until(true: Callable[[], bool], seconds: float = 10.0) -> bool:
    deadline = time.monotonic() + seconds
    while not true() and time.monotonic() < deadline:
        time.sleep(0.02)
    return true()


@pytest.mark.parametrize(
    ("program", "seconds", "ending"),
    [
        ("raise SystemExit(7)", 60.0, Ending(How.EXITED, 7)),
        ("import os; os.kill(os.getpid(), 11)", 60.0, Ending(How.SIGNALLED, -11)),
        ("import time; time.sleep(60)", 0.5, Ending(How.HUNG, seconds=0.5)),
    ],
)
def test_a_child_that_is_waited_for_ends_in_one_of_three_ways(program: str, seconds: float, ending: Ending) -> None:
    assert Child([sys.executable, "-c", program], ours()).finish(seconds) == ending


def test_the_end_of_a_child_is_the_end_of_what_it_has_started() -> None:
    child = started(STAYS)
    assert child.line(time.monotonic() + 20) == b"ready"
    assert not gone(child.pid)
    assert child.end() == Ending(How.SIGNALLED, -9)
    assert until(lambda: gone(child.pid))


def test_a_child_that_has_exited_keeps_its_number_until_what_it_left_is_ended() -> None:
    child = started("import subprocess; subprocess.Popen(['sleep', '60'])")
    assert child.wait(20) == 0
    assert child.others_left()
    assert child.end() == Ending(How.EXITED, 0)
    assert until(lambda: gone(child.pid))


def test_a_child_does_not_outlive_an_owner_that_is_killed() -> None:
    program = (
        "import sys, time; from basebound.targets.process import Child, ours\n"
        "print(Child(['sleep', '60'], ours()).pid, flush=True); time.sleep(60)"
    )
    owner = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, env=ours())
    assert owner.stdout is not None
    child = int(owner.stdout.readline())
    owner.send_signal(signal.SIGKILL)
    owner.wait()
    owner.stdout.close()
    assert until(lambda: gone(child))


def test_a_line_has_a_deadline_and_its_child_is_seen_to_end() -> None:
    child = started(
        "import sys; print('one'); sys.stdout.flush(); sys.stdin.read(); print('last words', file=sys.stderr)"
    )
    assert child.line(time.monotonic() + 20) == b"one"
    with pytest.raises(TooLate):
        child.line(time.monotonic() + 0.1)
    child.close_input()
    with pytest.raises(Closed):
        child.line(time.monotonic() + 20)
    assert child.last_words() == 0
    assert child.printed.last_line == "last words"
    child.end()


def test_an_engine_is_started_in_the_environment_the_suite_was_started_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", "/of/the/user")
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)
    before = dict(os.environ)
    for name, value in ours(PYTHONUNBUFFERED="1").items():
        monkeypatch.setenv(name, value)
    assert os.environ["PYTHONPATH"] != "/of/the/user"
    assert theirs() == before


@pytest.mark.parametrize(
    ("ends", "how"),
    [
        ("os._exit(3)", How.EXITED),
        ("os.kill(os.getpid(), 9)", How.SIGNALLED),
        ("time.sleep(60)", How.HUNG),
        ("sum(range(10 ** 12))", How.HELD),
        ("print('x' * 2 ** 27); time.sleep(3)", How.FLOODED),
    ],
)
def test_how_a_target_ends_its_worker_is_a_value(ends: str, how: How, tmp_path: Path) -> None:
    (tmp_path / "ends.py").write_text(ENGINE.format(ends=ends))
    died: list[Event | Died] = []
    with Pool(f"{tmp_path / 'ends.py'}:Target", 1, 2.0) as pool:
        pool.describe()
        pool.run([Replay(Trace(steps=(Append(("line",)),)))], lambda event: bool(died.append(event)))
    (one,) = died
    assert isinstance(one, Died)
    assert one.ending.how is how
    assert one.ending.late == (how in (How.HUNG, How.HELD))
    assert one.trace is not None
    assert one.trace.steps == (Append(("line",)),)
