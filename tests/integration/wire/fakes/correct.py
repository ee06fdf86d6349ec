"""A small, correct wire engine of profiles base and protected. Every fake here is this one, changed in one place."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from typing import Any, ClassVar, TextIO


class Refusal(Exception):
    def __init__(self, reason: str, message: str) -> None:
        self.reason, self.message = reason, message


class UnknownMethod(Exception):
    pass


class Engine:
    def __init__(self, lines: list[str], protected: list[str]) -> None:
        self.lines, self.protected, self.revision = lines, protected, 0

    @property
    def base(self) -> str:
        return json.dumps(self.lines)

    def snapshot(self) -> dict[str, Any]:
        return {"lines": self.lines, "base": self.base, "revision": self.revision}

    def append(self, lines: list[str]) -> None:
        if lines:
            self._commit(self.lines + lines)

    def apply(self, base: str, hunks: list[dict[str, Any]], **_: Any) -> dict[str, Any]:
        if base != self.base:
            raise Refusal("stale-base", f"authored against {base[:60]}, live is {self.base[:60]}: re-author")
        self._commit(self._spliced(hunks))
        return {"base": self.base, "revision": self.revision, "cost": None}

    def _spliced(self, hunks: list[dict[str, Any]]) -> list[str]:
        lines: list[str] = []
        at = 0
        for hunk in sorted(hunks, key=lambda hunk: (hunk["start"], hunk["end"])):
            if not at <= hunk["start"] <= hunk["end"] <= len(self.lines):
                raise Refusal("bad-hunk", f"[{hunk['start']}, {hunk['end']}) is out of range, reversed or overlaps")
            if any(mark in line for mark in self.protected for line in self.lines[hunk["start"] : hunk["end"]]):
                raise Refusal("protected", "a protected line would go")
            lines += self.lines[at : hunk["start"]] + hunk["insert"]
            at = hunk["end"]
        return lines + self.lines[at:]

    def _commit(self, lines: list[str]) -> None:
        self.lines = lines
        self.revision += 1


class Shell:
    """Reads requests, calls the engine, answers. ``about`` is the result of ``initialize``."""

    about: ClassVar[dict[str, Any]] = {
        "engine": {"name": "fake", "version": "1"},
        "profiles": ["base", "protected"],
        "needs": [],
    }

    def __init__(self, make: type[Engine] = Engine, output: TextIO = sys.stdout) -> None:
        self.make, self.output = make, output
        self.engine = make([], [])

    def call(self, method: str, params: dict[str, Any]) -> Any:
        match method:
            case "initialize":
                return self.about
            case "reset":
                self.engine = self.make(params["lines"], params["protected"])
            case "snapshot":
                return self.engine.snapshot()
            case "append":
                self.engine.append(params["lines"])
            case "apply":
                return self.engine.apply(**params)
            case "shutdown":
                pass
            case _:
                raise UnknownMethod(f"no method is called {method!r}")
        return {}

    def answer(self, message: dict[str, Any]) -> dict[str, Any]:
        try:
            return {"id": message["id"], "result": self.call(message["method"], message["params"])}
        except Refusal as refusal:
            return {"id": message["id"], "error": self.refused(refusal)}
        except UnknownMethod as error:
            return {"id": message["id"], "error": {"code": -32601, "message": str(error)}}
        except Exception as error:
            return {"id": message["id"], "error": {"code": -32603, "message": repr(error)}}

    def refused(self, refusal: Refusal) -> dict[str, Any]:
        return {"code": -32001, "message": refusal.message, "data": {"reason": refusal.reason}}

    def encode(self, message: dict[str, Any]) -> str:
        return json.dumps(message) + "\n"

    def send(self, message: dict[str, Any]) -> None:
        self.output.write(self.encode({"jsonrpc": "2.0", **message}))
        self.output.flush()

    def handle(self, message: dict[str, Any]) -> None:
        self.send(self.answer(message))

    def messages(self) -> Iterable[dict[str, Any]]:
        for line in sys.stdin.buffer:
            yield json.loads(line)

    def run(self) -> None:
        for message in self.messages():
            self.handle(message)
            if message.get("method") == "shutdown":
                break


def serve(make: type[Engine] = Engine, output: TextIO = sys.stdout) -> None:
    Shell(make, output).run()


if __name__ == "__main__":
    serve()
