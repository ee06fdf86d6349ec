"""Begins an answer that never ends."""

from __future__ import annotations

from typing import Any

from correct import Shell


class EndlessLine(Shell):
    def handle(self, message: dict[str, Any]) -> None:
        if message["method"] == "snapshot":
            self.output.write('{"jsonrpc":"2.0","id":1,"result":{"lines":["')
        while message["method"] == "snapshot":
            self.output.write("x" * 4096)
        super().handle(message)


EndlessLine().run()
