"""What can go wrong with an engine on the wire: what was seen, the likely cause, and how to fix it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Literal, TypeAlias

from basebound.targets.process import Ending, How, Tail

PROTOCOL = "spec/basebound_spec/WIRE.md"
_SHOWN = 100
# fmt: off
FaultKind: TypeAlias = Literal[
    "start", "exit", "silence", "hang", "flush", "flood",  # no answer
    "json", "id", "twice", "error", "asks", "shape", "reason",  # no answer of the protocol
    "reset", "leak", "append", "text", "apply", "refusal", "pipeline", "shutdown",  # a wrong one
]
# fmt: on


class WireFault(Exception):
    """The engine does not keep to the protocol, or is no longer there.

    ``ending`` says how the call, and perhaps the process, ended where no answer came (BASE-ANSWER-BOUNDED); where it
    is None the answer is of the wrong kind (BASE-ANSWER-TYPED).
    """

    def __init__(self, kind: FaultKind, seen: str, cause: str, fix: str, ending: Ending | None = None) -> None:
        self.kind, self.seen, self.cause, self.fix, self.ending = kind, seen, cause, fix, ending
        super().__init__(seen)

    def __str__(self) -> str:
        return f"{self.seen}. Likely cause: {self.cause}. Fix: {self.fix}"

    def brief(self, most: int) -> str:
        """The same in at most ``most`` characters, as far as cause and fix leave room for what was seen."""
        rest = f". Likely cause: {self.cause}. Fix: {self.fix}"
        return self.seen[: max(60, most - len(rest))] + rest


class ErrorAnswer(Exception):
    """A JSON-RPC error that is no refusal. The engine lives, and may be asked again."""

    def __init__(self, code: object, message: object) -> None:
        self.code = code
        super().__init__(f"JSON-RPC error {code}: {message}")


def not_started(command: Sequence[str], error: OSError) -> WireFault:
    return WireFault(
        "start",
        f"{command[0]!r} does not start: {error.strerror or error}",
        "it is not installed, not executable, or not found from here",
        "name a program on the PATH or by its path; the command is split into words as a shell does, and no shell runs",
    )


def ended(method: str, ending: Ending, half: bytes, log: Tail) -> WireFault:
    """The output has come to its end while an answer was expected; ``half`` is what came of a last line."""
    begun = f", in the middle of an answer: {_quoted(half)}" if half else ""
    cause = "it takes some input for the end of it: a scanner with a limit, one read and no loop"
    if ending.how is How.CLOSED:
        cause = "the program closes its stdout, or hands it to nobody"
    elif ending.how is How.SIGNALLED:
        cause = "a crash in native code, a limit of memory, or somebody who ended it"
    if log.last_line:
        cause = f"its log ends: {log.last_line[-200:]!r}"
    return WireFault(
        "exit",
        f"{ending.of('the engine')} while {method} waited for its answer{begun}",
        cause,
        "catch what a request can raise and answer with an error; read on until shutdown or the end of stdin",
        ending,
    )


def silent(method: str, seconds: float, half: bytes, log: Tail, asked: int = 0) -> WireFault:
    """Nothing that answers ``method`` came in time. ``asked``: how many count_tokens of the engine were answered."""
    begun = f"; an answer has begun, and has no end of line: {_quoted(half)}" if half else ""
    logged = f"; its log ends: {log.last_line[-120:]!r}" if log.last_line else ""
    if asked:
        cause = "it does not read the answer to its own count_tokens while it works on a request"
        fix = "read stdin while a request is open, or count by yourself and leave needs empty"
    elif half:
        cause = "the answer has no line feed after it, or the process is stopped"
        fix = 'end each message with "\\n" and flush it'
    elif method == "initialize":
        cause = "it waits for more than one line: a header, the end of input, a full buffer"
        fix = "answer each line as it comes, and flush after every message"
    else:
        cause = "it holds a lock, loops, or reads a long line in pieces and waits for another"
        fix = "answer each line as it comes, whatever its length"
    seen = f"{method} was not answered within {seconds:.3g} s{begun}{logged}"
    kind: FaultKind = "silence" if method == "initialize" else "hang"
    return WireFault(kind, seen, cause, fix, Ending.hung(seconds, method))


def unflushed(method: str, seconds: float) -> WireFault:
    return WireFault(
        "flush",
        f"the answer to {method} came only when stdin was closed",
        "stdout to a pipe is buffered in blocks, and the answer stays in the buffer",
        "flush after each message: print(..., flush=True), fflush(stdout), out.flush()",
        Ending.hung(seconds, method),
    )


def flood(method: str, start: bytes | WireFault) -> WireFault:
    """``start``: how it begins, or the fault that its first line is."""
    first = start.seen if isinstance(start, WireFault) else _quoted(start)
    seen = f"stdout is flooded while {method} waits for its answer: {first}, and so on"
    return WireFault("flood", seen, "a loop prints to stdout", "let stdout carry answers only", Ending(How.FLOODED))


def not_json(line: bytes, error: Exception) -> WireFault:
    """A line that is no JSON, quoted, with the cause its look suggests."""
    cause, fix = _look(line, error)
    return WireFault("json", f"a line on stdout is not JSON: {_quoted(line)} ({error})"[:300], cause, fix)


def _look(line: bytes, error: Exception) -> tuple[str, str]:
    if isinstance(error, UnicodeDecodeError):
        return "text is written in another encoding than UTF-8", "write UTF-8, without a byte order mark"
    if line.lower().startswith(b"content-length"):
        return "messages are framed like a language server's", "one message a line, without a header"
    if line.strip() in (b"{", b"["):
        return "JSON is printed over many lines", "print each message on one line, without indent"
    message = line.lstrip()[:1] == b"{" or line.lstrip()[:2] in (b"[{", b"[[", b'["')
    if message and isinstance(error, json.JSONDecodeError) and "" < error.doc[error.pos : error.pos + 1] < " ":
        return (
            "a tab or another control character stands raw inside a string: JSON written by hand",
            "escape U+0000 to U+001F, or use a JSON library",
        )
    if message:
        return (
            "a message is broken in two, or written by hand",
            'end only whole messages with "\\n", with a JSON library',
        )
    return "a forgotten log line: stdout carries messages only", "log to stderr"


def not_a_message(line: bytes, why: str) -> WireFault:
    return WireFault(
        "json",
        f"a line on stdout is no JSON-RPC message, {why}: {_quoted(line)}",
        "something else than answers is printed to stdout, or answers are batched",
        'one object a line: {"jsonrpc":"2.0","id":ID,"result":...}, or "error" in place of "result"',
    )


def wrong_id(identifier: object, open_ids: Sequence[int], line: bytes) -> WireFault:
    waits = ", ".join(map(str, open_ids)) or "nothing"
    seen = f"an answer has the id {identifier!r}, and open is {waits}: {_quoted(line)}"
    cause = "answers are numbered by the engine"
    if isinstance(identifier, str) and identifier in map(str, open_ids):
        cause = "the id was turned into a string"
    return WireFault("id", seen, cause, "give back the request's id as it came, type and all")


def answered_twice(identifier: object, line: bytes) -> WireFault:
    return WireFault(
        "twice",
        f"the request {identifier!r} is answered a second time: {_quoted(line)}",
        "both a handler and the loop around it send the answer, or stdout is written to twice",
        "one answer for each request",
    )


def unreadable(error: object) -> WireFault:
    return WireFault(
        "error",
        f"an error without an id: {error!r}"[:300],
        "the engine could not read a request: it splits lines at more than line feeds, or reads in pieces",
        'collect stdin until "\\n", and only that, then parse the line as UTF-8 JSON',
    )


def unasked(method: str) -> WireFault:
    if method == "count_tokens":
        fix = 'declare "needs":["count_tokens"] in the answer to initialize'
        return WireFault("asks", "it asks for count_tokens and does not declare it", "needs is incomplete", fix)
    fix = "the suite answers count_tokens only; send what needs no answer as a notification, without an id"
    return WireFault("asks", f"it asks the suite for {method!r}", "another protocol's client is expected", fix)


def shape(method: str, field: str, value: object, expected: str) -> WireFault:
    """``field`` of the answer to ``method`` is ``value``, and ``expected`` is what it has to be."""
    text = "missing" if value is MISSING else repr(value)
    seen = (
        f"{field} of the answer to {method} is {text if len(text) <= _SHOWN else text[:_SHOWN] + '...'}, not {expected}"
    )
    cause = "it is left out, or has another name" if value is MISSING else "a serialiser turns it into another type"
    return WireFault("shape", seen, cause, f"give {field} as {expected}")


MISSING = object()


def no_reason(data: object) -> WireFault:
    return WireFault(
        "reason",
        f"a refusal (-32001) without a known reason: its data is {'missing' if data is MISSING else repr(data)}"[:300],
        "the reason is only in the message, or the engine has reasons of its own",
        '"data":{"reason":R}, R one of stale-base, bad-hunk, protected, self-reference, unproven, not-freed',
    )


def _quoted(text: bytes) -> str:
    shown = repr(text[:_SHOWN])[1:]
    return shown + (f"... ({len(text)} bytes)" if len(text) > _SHOWN else "")
