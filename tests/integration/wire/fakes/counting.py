"""What the fakes that have the suite count share. While an answer is out, requests are read and put aside."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any

from correct import Engine, Shell


class Counting(Shell):
    about = Shell.about | {"needs": ["count_tokens"]}

    def __init__(self, ids: Iterator[int | str]) -> None:
        super().__init__(Engine)
        self.ids = ids
        self.aside: deque[dict[str, Any]] = deque()
        self.incoming = iter(super().messages())

    def messages(self) -> Iterable[dict[str, Any]]:
        while message := self.aside.popleft() if self.aside else next(self.incoming, None):
            yield message

    def count(self, line: str) -> int:
        number = next(self.ids)
        self.send({"id": number, "method": "count_tokens", "params": {"line": line}})
        for message in self.incoming:
            if "method" in message or message["id"] != number:
                self.aside.append(message)
            elif "error" in message:
                raise RuntimeError(message["error"]["message"])
            else:
                return int(message["result"])
        raise EOFError("the suite has gone")

    def call(self, method: str, params: dict[str, Any]) -> Any:
        if method != "apply":
            return super().call(method, params)
        hunks = params["hunks"]
        removed = [line for hunk in hunks for line in self.engine.lines[hunk["start"] : hunk["end"]]]
        inserted = [line for hunk in hunks for line in hunk["insert"]]
        freed, rewrite = (sum(map(self.count, lines)) for lines in (removed, inserted))
        receipt = super().call(method, params)
        return receipt | {"cost": {"freed": freed, "rewrite": rewrite, "measurement": 0}}
