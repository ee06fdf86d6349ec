"""Every fake does what its docstring says, so that what is tested with them is tested."""

from __future__ import annotations

import json
import os
import re
import select
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from signal import SIGKILL, SIGTERM

import pytest
from client import Client, Failed, NoAnswer, Refused, WrongShape, check

FAKES = Path(__file__).parent / "fakes"
BOUND = 10.0

LEGAL = [
    "correct",
    "base_lines",
    "counts_by_name",
    "counts_by_number",
    "crlf_framing",
    "extra_fields",
    "floods_stderr",
    "notifies",
    "one_hunk",
    "out_of_order",
    "slow",
    "unescaped_utf8",
]


def command(name: str) -> list[str]:
    return [sys.executable, str(FAKES / f"{name}.py")]


@pytest.fixture
def fake(request: pytest.FixtureRequest) -> Iterator[Client]:
    with Client(command(request.param), bound=BOUND) as client:
        yield client


def on(*names: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("fake", names, indirect=True)


def last_words(fake: Client) -> int:
    """Everything is said; the exit code."""
    assert fake.process.stdin is not None
    fake.process.stdin.close()
    return fake.process.wait(BOUND)


@pytest.mark.parametrize("name", LEGAL)
def test_a_legal_fake_is_a_correct_engine(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    with Client(command(name), bound=BOUND) as client:
        about = client.ask("initialize", protocol="1", meter="utf8-bytes")
        client.base_lines = "base_lines" in about["needs"]
        base = client.start("pin é", "two", "three", protected=["pin"])
        requests = [client.encoded("append", {"lines": ["four\u2028"]}), client.encoded("snapshot", {})]
        client.write(b"".join(text for _, text in requests))
        live = client.answer(requests[1][0])
        assert live["lines"] == ["pin é", "two", "three", "four\u2028"]
        for authored, hunk, reason in [
            (base, (1, 2), "stale-base"),
            (live, (0, 2), "protected"),
            (live, (3, 5), "bad-hunk"),
        ]:
            with pytest.raises(Refused, match=reason):
                client.apply(authored, (*hunk, []))
            assert client.snapshot() == live
        receipt = client.apply(live, (1, 3, ["2"]))
        assert receipt["cost"] in (None, {"freed": 10, "rewrite": 2, "measurement": 0})
        assert client.snapshot()["lines"] == ["pin é", "2", "four\u2028"]
        assert client.start("fresh")["lines"] == ["fresh"]
        client.write(b'{"jsonrpc":"2.0","id":"x","method":"no_such","params":{}}\n')
        with pytest.raises(Failed, match="-32601"):
            client.answer("x")
        client.ask("shutdown")
        assert client.process.wait(client.bound) == 0
    capfd.readouterr()


def test_the_answers_of_out_of_order_come_in_the_reverse_order() -> None:
    with Client(command("out_of_order"), bound=BOUND) as client:
        requests = [client.encoded("snapshot", {}) for _ in range(3)]
        client.write(b"".join(text for _, text in requests))
        assert [json.loads(client.line())["id"] for _ in requests] == [3, 2, 1]


@pytest.mark.parametrize(("name", "ids"), [("counts_by_name", ["count 0"]), ("counts_by_number", [1])])
def test_the_ids_of_counting_fakes_are_their_own(name: str, ids: list[int | str]) -> None:
    with Client(command(name), bound=BOUND) as client:
        client.send("apply", **client.patch(client.start("one"), (0, 1, [])))
        message = json.loads(client.line())
        assert (message["method"], [message["id"]], message["params"]) == ("count_tokens", ids, {"line": "one"})
        read = client.send("snapshot")
        client.write(b'{"jsonrpc":"2.0","id":' + json.dumps(ids[0]).encode() + b',"error":{"code":1,"message":"no"}}\n')
        with pytest.raises(Failed, match="-32603"):
            client.answer(read - 1)
        assert client.answer(read)["lines"] == ["one"]


@on("exits_at_once")
def test_an_engine_that_ends_before_it_has_read_anything(fake: Client) -> None:
    assert fake.process.wait(BOUND) == 1


@on("exits_after_initialize")
def test_an_engine_that_ends_after_initialize(fake: Client) -> None:
    assert fake.ask("initialize", protocol="1", meter="utf8-bytes")["engine"]["name"] == "fake"
    assert fake.process.wait(BOUND) == 0


@on("silent", "does_not_flush")
def test_an_engine_that_does_not_answer(fake: Client) -> None:
    fake.send("snapshot")
    fake.bound = 0.5
    with pytest.raises(NoAnswer, match="nothing within"):
        fake.line()


@on("hangs_on_apply")
def test_an_engine_that_hangs(fake: Client) -> None:
    fake.send("apply", **fake.patch(fake.start("one"), (0, 1, [])))
    fake.bound = 0.5
    with pytest.raises(NoAnswer, match="nothing within"):
        fake.line()


@on("does_not_flush")
def test_what_was_not_flushed_comes_at_the_end(fake: Client) -> None:
    number = fake.send("snapshot")
    assert last_words(fake) == 0
    assert json.loads(fake.line())["id"] == number


@on("log_line_first")
def test_a_log_line_at_the_start(fake: Client) -> None:
    assert fake.line() == b"[engine] ready, 0 lines loaded\n"
    assert fake.start("one")["lines"] == ["one"]


@on("log_line_at_apply")
def test_a_log_line_at_a_patch(fake: Client) -> None:
    fake.send("apply", **fake.patch(fake.start("one"), (0, 1, [])))
    assert fake.line() == b"applying 1 hunks\n"


@on("garbage", "lsp_headers", "pretty_printed")
def test_lines_that_are_no_json(fake: Client) -> None:
    fake.send("snapshot")
    with pytest.raises(ValueError, match=r"codec|Expecting|Extra"):
        json.loads(fake.line().decode("utf-8"))


@on("wrong_id")
def test_an_answer_under_another_id(fake: Client) -> None:
    fake.send("snapshot")
    assert json.loads(fake.line())["id"] == 1000


@on("answers_twice")
def test_an_answer_that_comes_twice(fake: Client) -> None:
    fake.send("snapshot")
    assert fake.line() == fake.line()


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("lines_a_string", "lines: 'one'"),
        ("revision_a_string", "revision: '0'"),
        ("missing_base", "'base' is a required"),
    ],
)
def test_a_result_of_another_shape(name: str, said: str) -> None:
    with Client(command(name), bound=BOUND) as client:
        client.ask("reset", lines=["one"], protected=[])
        method = "apply" if name == "missing_base" else "snapshot"
        patch = client.patch({"base": '["one"]', "revision": 0}, (0, 1, []))
        client.send(method, **(patch if method == "apply" else {}))
        result = json.loads(client.line())["result"]
    with pytest.raises(WrongShape, match=re.escape(said)):
        check(f"{method}_result", result)


@on("refusal_without_reason", "unknown_reason")
def test_a_refusal_of_another_shape(fake: Client) -> None:
    with pytest.raises(WrongShape):
        fake.apply(fake.start("one"), (0, 2, []))


@on("error_for_refusal")
def test_an_error_in_the_place_of_a_refusal(fake: Client) -> None:
    with pytest.raises(Failed, match="-32000"):
        fake.apply(fake.start("one"), (0, 2, []))


@on("ignores_reset")
def test_a_reset_that_does_nothing(fake: Client) -> None:
    assert fake.start("one")["lines"] == ["one"]
    assert fake.start("two")["lines"] == ["one"]


@on("leaks_lines")
def test_a_reset_that_leaves_lines_behind(fake: Client) -> None:
    fake.start("one")
    fake.ask("append", lines=["late"])
    assert fake.start("two")["lines"] == ["two", "late"]


@on("leaks_markers")
def test_a_reset_that_leaves_markers_behind(fake: Client) -> None:
    fake.start("one", protected=["one"])
    with pytest.raises(Refused, match="protected"):
        fake.apply(fake.start("one"), (0, 1, []))


@pytest.mark.parametrize("name", ["floods_stdout", "endless_line"])
def test_an_engine_that_floods_its_stdout(name: str) -> None:
    with subprocess.Popen(command(name), stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"snapshot","params":{}}\n')
        process.stdin.flush()
        flood = process.stdout.read(2**20)
        process.kill()
    assert (b"\n" in flood) == (name == "floods_stdout")
    assert b'"base"' not in flood


@on("asks_unasked")
def test_a_request_that_nobody_has_offered_to_answer(fake: Client) -> None:
    fake.send("snapshot")
    assert json.loads(fake.line())["method"] == "roots/list"


@on("stays_after_shutdown", "ignores_termination")
def test_an_engine_that_stays_after_shutdown(fake: Client) -> None:
    assert fake.ask("shutdown") == {}
    with pytest.raises(subprocess.TimeoutExpired):
        fake.process.wait(0.3)
    fake.process.terminate()
    if "ignores" in str(fake.process.args):
        with pytest.raises(subprocess.TimeoutExpired):
            fake.process.wait(0.3)
    else:
        assert fake.process.wait(BOUND) == -SIGTERM


@on("ends_with_one")
def test_an_engine_that_ends_with_another_exit_code(fake: Client) -> None:
    assert fake.ask("shutdown") == {}
    assert fake.process.wait(BOUND) == 1


@on("killed_mid_answer")
def test_an_engine_that_is_killed_in_the_middle_of_an_answer(fake: Client) -> None:
    fake.send("apply", **fake.patch(fake.start("one"), (0, 1, [])))
    assert not fake.line().endswith(b"\n")
    assert fake.process.wait(BOUND) == -SIGKILL


@on("stops_mid_answer")
def test_an_engine_that_is_stopped_in_the_middle_of_an_answer(fake: Client) -> None:
    fake.send("apply", **fake.patch(fake.start("one"), (0, 1, [])))
    fake.bound = 0.5
    with pytest.raises(NoAnswer, match="nothing within"):
        fake.line()
    assert fake.process.poll() is None


def test_an_engine_that_leaves_a_child_with_its_pipes() -> None:
    request = b'{"jsonrpc":"2.0","id":1,"method":"shutdown","params":{}}\n'
    pipe = subprocess.PIPE
    process = subprocess.Popen(command("leaves_a_child"), stdin=pipe, stdout=pipe, start_new_session=True)
    try:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(request)
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["result"] == {}
        assert process.wait(BOUND) == 0
        readable, _, _ = select.select([process.stdout], [], [], 0.3)
        assert readable == []
    finally:
        os.killpg(process.pid, SIGKILL)
    assert process.stdout.read() == b""


def test_every_fake_is_tested() -> None:
    here = Path(__file__).read_text(encoding="utf-8")
    fakes = {file.stem for file in FAKES.glob("*.py")} - {"counting"}
    assert fakes == {name for name in fakes if f'"{name}"' in here} | set(LEGAL)
