"""Never flushes: its stdout is a pipe, and what it says stays in its buffer until it ends."""

from __future__ import annotations

from typing import Any

from correct import Engine, Shell


class DoesNotFlush(Shell):
    def send(self, message: dict[str, Any]) -> None:
        self.output.write(self.encode({"jsonrpc": "2.0", **message}))


# A file of its own on the same pipe: Python flushes `sys.stdout` after all where it is told to be unbuffered.
with open(1, "w", encoding="utf-8") as output:
    DoesNotFlush(Engine, output).run()
