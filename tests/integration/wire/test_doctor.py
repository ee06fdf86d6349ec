"""The ladder of a wire engine: every fake stops at its rung, with words of its own, in bounded time."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from test_fakes import LEGAL

from basebound.cli.wire_doctor import wire_doctor

FAKES = Path(__file__).parent / "fakes"
TIMEOUT = 2.0

STOPPED = {
    # fake: the rung it stops at, the kind of the diagnosis, and words of what was seen, of the cause and of the fix.
    "exits_at_once": ("initialize", "exit", ("exit code 1", "no module named 'engine'")),
    "silent": ("initialize", "silence", ("was not answered within 2 s", "waits for more than one line")),
    "does_not_flush": ("initialize", "flush", ("only when stdin was closed", "flush=True")),
    "log_line_first": ("initialize", "json", ("[engine] ready", "a forgotten log line", "log to stderr")),
    "garbage": ("initialize", "json", (r"\xff\xfe", "another encoding than UTF-8")),
    "lsp_headers": ("initialize", "json", ("Content-Length", "language server")),
    "pretty_printed": ("initialize", "json", ("'{'", "without indent")),
    "wrong_id": ("initialize", "id", ("has the id 1000, and open is 1", "give back the request's id")),
    "answers_twice": ("reset", "twice", ("a second time", "one answer for each request")),
    "exits_after_initialize": ("reset", "exit", ("exit code 0 while reset waited",)),
    "lines_a_string": ("reset", "shape", ("lines of the answer to snapshot", "an array of strings")),
    "revision_a_string": ("reset", "shape", ("revision of the answer to snapshot is '0'", "a whole number")),
    "asks_unasked": ("reset", "asks", ("asks the suite for 'roots/list'", "count_tokens only")),
    "floods_stdout": ("reset", "flood", ("debug: still thinking", "stdout is flooded")),
    "endless_line": ("reset", "flood", ("stdout is flooded", "let stdout carry answers only")),
    "ignores_reset": ("reset again", "reset", ("a second reset changes nothing", "build a new engine")),
    "leaks_lines": ("reset again", "leak", ("['of now', 'late']", "state that all engines share")),
    "leaks_markers": ("markers", "leak", ("is refused as protected", "build everything anew")),
    "missing_base": ("apply", "shape", ("base of the answer to apply is missing", "left out")),
    "hangs_on_apply": ("apply", "hang", ("apply was not answered within 2 s", "holds a lock, loops")),
    "log_line_at_apply": ("apply", "json", ("applying 1 hunks", "a forgotten log line")),
    "killed_mid_answer": ("apply", "exit", ("SIGKILL", "in the middle of an answer")),
    "stops_mid_answer": ("apply", "hang", ("an answer has begun", "the process is stopped")),
    "refusal_without_reason": ("refusal", "reason", ("its data is missing", "stale-base, bad-hunk")),
    "unknown_reason": ("refusal", "reason", ("'conflict'", "reasons of its own")),
    "error_for_refusal": ("refusal", "refusal", ("JSON-RPC error -32000", "refusals need the code -32001")),
    "stays_after_shutdown": ("shutdown", "shutdown", ("still there 2 s later", "exit code 0")),
    "ignores_termination": ("shutdown", "shutdown", ("still there 2 s later",)),
    "ends_with_one": ("shutdown", "shutdown", ("ended with 1, not with 0",)),
    "leaves_a_child": ("shutdown", "shutdown", ("left others behind", "end what you have started")),
}


def doctor(command: str, timeout: float = TIMEOUT) -> tuple[int, list[str]]:
    """The exit code, and the lines of the output."""
    done = CliRunner().invoke(wire_doctor, ["--wire", command, "--timeout", str(timeout)], standalone_mode=False)
    if done.exception is not None:
        raise done.exception
    return done.return_value, done.output.splitlines()


def fake(name: str) -> str:
    return shlex.join([sys.executable, str(FAKES / f"{name}.py")])


@pytest.mark.parametrize("name", STOPPED)
def test_a_fake_stops_at_its_rung_with_words_of_its_own(name: str) -> None:
    rung, kind, words = STOPPED[name]
    code, lines = doctor(fake(name))
    said = "\n".join(lines[-3:])
    assert lines[-3].split()[:2] == ["FAIL", rung.split()[0]], said
    assert f" {kind}: " in lines[-3]
    assert [word for word in words if word not in said] == []
    assert code == (2 if rung == "initialize" else 1)
    assert all(line.startswith("ok") for line in lines[:-3])


def test_every_fake_with_a_fault_has_its_rung() -> None:
    fakes = {file.stem for file in FAKES.glob("*.py")} - {"counting"}
    assert set(STOPPED) | set(LEGAL) == fakes


@pytest.mark.parametrize("name", LEGAL)
def test_a_legal_fake_climbs_every_rung(name: str) -> None:
    code, lines = doctor(fake(name), timeout=10.0)
    assert [line for line in lines if line.startswith("FAIL")] == []
    assert code == 0


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("no-such-program --at all", "'no-such-program' does not start: No such file"),
        ("/", "does not start: Permission denied"),
    ],
)
def test_a_command_that_does_not_start_says_so(command: str, said: str) -> None:
    code, lines = doctor(command)
    assert code == 2
    assert said in lines[0]
    assert "fix" in lines[-1]


def test_the_reference_in_javascript_climbs_every_rung(node: str) -> None:
    engine = Path(__file__).parents[3] / "reference" / "javascript" / "engine.mjs"
    assert doctor(shlex.join([node, str(engine)]), timeout=10.0)[0] == 0
