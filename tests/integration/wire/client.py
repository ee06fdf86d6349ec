"""A small client of the wire, for the tests: one engine process, every message of both directions validated."""

from __future__ import annotations

import json
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from queue import Empty, Queue
from typing import Any

from jsonschema import Draft202012Validator, validators  # type: ignore[import-untyped]  # no stubs are installed
from jsonschema.exceptions import best_match  # type: ignore[import-untyped]

import basebound_spec

SCHEMA = json.loads((basebound_spec.ROOT / "wire.schema.json").read_text(encoding="utf-8"))
TIME_BOUND = 20.0


class Refused(Exception):
    """Error -32001. ``reason`` is what its data says."""

    def __init__(self, error: Mapping[str, Any]) -> None:
        self.reason = error["data"]["reason"]
        super().__init__(f"{self.reason}: {error['message']}")


class Failed(Exception):
    """Another JSON-RPC error."""

    def __init__(self, error: Mapping[str, Any]) -> None:
        self.code = error["code"]
        super().__init__(f"{self.code}: {error['message']}")


class NoAnswer(Exception):
    """Nothing came within the time bound, or the output ended."""


def _items(validator: Any, items: Any, instance: Any, schema: Any) -> Iterator[Any]:
    """The keyword ``items``, with a short way for long lists of strings."""
    if items != {"type": "string"} or not all(isinstance(item, str) for item in instance):
        yield from Draft202012Validator.VALIDATORS["items"](validator, items, instance, schema)


Validator = validators.extend(Draft202012Validator, {"items": _items})


@cache
def validator(definition: str) -> Any:
    return Validator({"$ref": f"#/$defs/{definition}", "$defs": SCHEMA["$defs"]})


class WrongShape(Exception):
    """A message is not what the schema of the wire says."""


def check(definition: str, message: object) -> None:
    """``message`` is a ``definition`` of the wire's schema, or :class:`WrongShape` says what is wrong with it."""
    error = best_match(validator(definition).iter_errors(message))
    if error:
        raise WrongShape(f"{definition}: {error.json_path}: {error.message:.200}")


def utf8_bytes(line: str) -> int:
    return len(line.encode("utf-8")) + 1


class Client:
    """``ascii`` decides how text is sent: every character beyond ASCII escaped, or in UTF-8 as it is.

    ``base_lines``: whether the engine needs them.
    """

    def __init__(self, command: Sequence[str], *, ascii: bool = False, bound: float = TIME_BOUND) -> None:
        self.ascii, self.bound = ascii, bound
        self.count_tokens: Callable[[str], int] = utf8_bytes
        self.base_lines = False
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._asked: dict[int, str] = {}
        self._answers: dict[int | str | None, dict[str, Any]] = {}
        self._lines: Queue[bytes] = Queue()
        self._lock = threading.Lock()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        self._reader.join()
        for stream in (self.process.stdin, self.process.stdout):
            assert stream is not None
            with suppress(BrokenPipeError):
                stream.close()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line)
        self._lines.put(b"")

    def write(self, text: bytes) -> None:
        """Raw text for the engine's stdin."""
        assert self.process.stdin is not None
        with self._lock:
            self.process.stdin.write(text)
            self.process.stdin.flush()

    def line(self) -> bytes:
        """The next line of the engine's stdout."""
        try:
            line = self._lines.get(timeout=self.bound)
        except Empty:
            raise NoAnswer(f"nothing within {self.bound} s") from None
        if not line:
            raise NoAnswer(f"the output has ended; exit code {self.process.wait(self.bound)}")
        return line

    def encoded(self, method: str, params: Mapping[str, Any]) -> tuple[int, bytes]:
        """A request under a new id, and its line."""
        number = len(self._asked) + 1
        self._asked[number] = method
        message = {"jsonrpc": "2.0", "id": number, "method": method, "params": dict(params)}
        check(f"{method}_request", message)
        return number, json.dumps(message, ensure_ascii=self.ascii).encode() + b"\n"

    def send(self, method: str, **params: Any) -> int:
        """Ask, and do not wait: the id to wait for."""
        number, text = self.encoded(method, params)
        self.write(text)
        return number

    def answer(self, number: int | str | None) -> Any:
        """The result of request ``number``, in whatever order the answers come."""
        while number not in self._answers and None not in self._answers:
            self._take(json.loads(self.line()))
        # An error without an id says that some request could not be read; the one waited for, as likely as not.
        message = self._answers.pop(number, None) or self._answers.pop(None)
        if "error" in message:
            raise (Refused if message["error"]["code"] == -32001 else Failed)(message["error"])
        return message["result"]

    def _take(self, message: dict[str, Any]) -> None:
        if message.get("method") == "count_tokens" and "id" in message:
            check("count_tokens_request", message)
            reply = {"jsonrpc": "2.0", "id": message["id"], **self._counted(message["params"]["line"])}
            check("error" if "error" in reply else "count_tokens_answer", reply)
            self.write(json.dumps(reply).encode() + b"\n")
        elif "method" in message and "id" not in message:
            check("notification", message)
        else:
            asked = self._asked.get(message.get("id", 0))
            check(f"{asked}_answer" if asked else "error", message)
            self._answers[message["id"]] = message

    def _counted(self, line: str) -> dict[str, Any]:
        try:
            return {"result": self.count_tokens(line)}
        except ValueError as error:
            return {"error": {"code": -32000, "message": str(error)}}

    def ask(self, method: str, **params: Any) -> Any:
        return self.answer(self.send(method, **params))

    def start(self, *lines: str, protected: Sequence[str] = ()) -> dict[str, Any]:
        """A fresh engine with ``lines``, and its snapshot."""
        self.ask("reset", lines=list(lines), protected=list(protected))
        return self.snapshot()

    def snapshot(self) -> dict[str, Any]:
        snapshot: dict[str, Any] = self.ask("snapshot")
        return snapshot

    def patch(self, base: Mapping[str, Any], *hunks: tuple[int, int, list[str]], claim: Any = None) -> dict[str, Any]:
        """The parameters of ``apply``."""
        rows = [{"start": start, "end": end, "insert": insert} for start, end, insert in hunks]
        authored = {"base_lines": base["lines"]} if self.base_lines else {}
        return {"base": base["base"], "revision": base["revision"], "hunks": rows, "claim": claim, **authored}

    def apply(self, base: Mapping[str, Any], *hunks: tuple[int, int, list[str]], claim: Any = None) -> dict[str, Any]:
        receipt: dict[str, Any] = self.ask("apply", **self.patch(base, *hunks, claim=claim))
        return receipt
