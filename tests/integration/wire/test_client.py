"""The suite's end of the wire: pipelining, the meter callback, and what is left of a process when it is done."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from basebound.model import Config, Hunk, Patch, Rejected, Snapshot
from basebound.targets.wire import Client, WireFault, WireTarget
from basebound.targets.wire.messages import patch_params

HERE = Path(__file__).parent
FAKES = HERE / "fakes"


def command(name: str) -> list[str]:
    return [sys.executable, str(FAKES / f"{name}.py")]


@pytest.fixture
def start() -> Iterator[Callable[..., Client]]:
    """``start(name)`` is a client of that fake; all are killed at the end."""
    clients: list[Client] = []

    def start(name: str, bound: float = 10.0) -> Client:
        clients.append(Client(command(name), bound))
        return clients[-1]

    yield start
    for client in clients:
        client.kill()


def begin(client: Client, *lines: str) -> Snapshot:
    client.ask("reset", {"lines": list(lines), "protected": []})
    shown: Snapshot = client.ask("snapshot", {})
    return shown


def gone(pid: int) -> bool:
    """Whether no live process has that id; a zombie is not alive."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return True
    return state in "ZX"


def until(true: Callable[[], bool], seconds: float = 5.0) -> bool:
    deadline = time.monotonic() + seconds
    while not true() and time.monotonic() < deadline:
        time.sleep(0.02)
    return true()


@pytest.mark.parametrize("name", ["correct", "out_of_order", "notifies", "unescaped_utf8", "crlf_framing"])
def test_pipelined_requests_are_answered_each_by_its_id_with_the_times_of_both_ends(
    start: Callable[..., Client], name: str
) -> None:
    client = start(name)
    base = begin(client, "a", "b")
    requests = [
        ("append", {"lines": ["c\u2028"]}),
        ("apply", patch_params(Patch(base, (Hunk(0, 1),)), False)),
        ("snapshot", {}),
    ]
    appended, refused, read = client.pipeline(requests)
    assert appended.value() is None
    with pytest.raises(Rejected, match="stale-base"):
        refused.value()
    assert read.value().lines == ("a", "b", "c\u2028")
    assert all(answer.sent == appended.sent <= answer.received for answer in (appended, refused, read))


@pytest.mark.parametrize("name", ["counts_by_name", "counts_by_number"])
def test_a_rival_can_be_sent_when_the_engine_asks_for_a_count(start: Callable[..., Client], name: str) -> None:
    client = start(name)
    base = begin(client, "one", "two")
    rivals: list[int] = []
    asked: list[str] = []

    def counting(client: Client, line: str) -> None:
        asked.append(line)
        if not rivals:
            rivals.append(client.send("append", {"lines": ["rival"]}))

    client.counting = counting
    client.ask("apply", patch_params(Patch(base, (Hunk(0, 1),)), False))
    client.receive(rivals)
    assert "one" in asked
    assert client.ask("snapshot", {}).lines == ("two", "rival")


def test_a_meter_that_raises_is_told_as_an_error_and_the_engine_stays_usable(start: Callable[..., Client]) -> None:
    client = start("counts_by_name")
    base = begin(client, "one")

    def count(line: str) -> int:
        raise ValueError("no count today")

    client.count = count
    with pytest.raises(Exception, match="no count today"):
        client.ask("apply", patch_params(Patch(base, (Hunk(0, 1),)), False))
    assert client.ask("snapshot", {}) == base


def test_the_log_of_an_engine_is_kept_and_bounded(start: Callable[..., Client]) -> None:
    client = start("floods_stderr")
    begin(client, "one")
    assert "debug: handling" in client.process.printed.text
    assert len(client.process.printed.text) <= 4096 < 2**20 < client.process.printed.size


def test_after_a_fault_the_same_process_is_not_asked_again(start: Callable[..., Client]) -> None:
    client = start("answers_twice")
    with pytest.raises(WireFault, match="a second time"):
        begin(client, "one")
    with pytest.raises(WireFault, match="a second time"):
        client.ask("snapshot", {})
    assert not client.usable


def test_one_process_serves_engine_after_engine_and_another_after_a_crash() -> None:
    import shlex

    target = WireTarget(shlex.join(command("killed_mid_answer")))
    try:
        first = target(Config(("one",)))
        second = target(Config(("two",)))
        assert target.client().process.pid == first._client.process.pid
        pid = first._client.process.pid
        with pytest.raises(WireFault, match="SIGKILL"):
            second.apply(Patch(second.snapshot(), (Hunk(0, 1),)))
        third = target(Config(("three",)))
        assert third.snapshot().lines == ("three",)
        assert target.client().process.pid != pid
    finally:
        target.close()


@pytest.mark.parametrize("name", ["correct", "ignores_termination", "leaves_a_child", "stops_mid_answer"])
def test_a_killed_owner_leaves_no_engine_behind(name: str) -> None:
    """The owner is killed outright, so that nothing but the leash can end the engine and what it has started."""
    program = (
        "import sys, time; from basebound.targets.wire import Client\n"
        f"client = Client({command(name)!r}); print(client.process.pid, flush=True); time.sleep(60)"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    owner = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, env=environment)
    assert owner.stdout is not None
    engine = int(owner.stdout.readline())
    group = os.getpgid(engine)
    assert group != os.getpgid(owner.pid)
    owner.send_signal(signal.SIGKILL)
    owner.wait()
    owner.stdout.close()
    assert until(lambda: gone(engine))
    members = subprocess.run(["pgrep", "-g", str(group)], capture_output=True, text=True, check=False).stdout.split()
    assert until(lambda: all(gone(int(pid)) for pid in members))


def test_half_a_surrogate_pair_in_an_answer_is_a_fault() -> None:
    from basebound.targets.wire import messages

    with pytest.raises(WireFault, match="surrogate"):
        messages.parse(b'{"jsonrpc":"2.0","id":1,"result":{"lines":["\\ud83d"],"base":"","revision":0}}')


@pytest.mark.parametrize(
    ("result", "field"),
    [
        ('{"lines":["a",1],"base":"b","revision":0}', r"lines\[1\]"),
        ('{"lines":["a"],"base":null,"revision":0}', "base"),
        ('{"lines":["a"],"base":"b","revision":1.0}', "revision"),
        ('{"lines":["a"],"base":"b","revision":true}', "revision"),
        ('{"lines":["a"],"base":"b","revision":9007199254740992}', "revision"),
        ('["a"]', "result"),
    ],
)
def test_a_result_of_the_wrong_shape_names_its_field(result: str, field: str) -> None:
    from basebound.targets.wire import messages

    message = messages.parse(f'{{"jsonrpc":"2.0","id":1,"result":{result}}}'.encode())
    with pytest.raises(WireFault, match=f"^{field} of the answer to snapshot"):
        messages.value("snapshot", message)


def test_an_engine_may_ask_for_any_number_of_counts_in_one_call(start: Callable[..., Client]) -> None:
    client = start("counts_by_name", 60.0)
    base = begin(client, *[""] * 12_000)
    client.ask("apply", patch_params(Patch(base, (Hunk(0, 12_000),)), False))
    assert client.ask("snapshot", {}).lines == ()
