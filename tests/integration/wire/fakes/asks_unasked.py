"""Asks the suite for something that nobody offered it."""

from __future__ import annotations

from typing import Any

from correct import Shell


class AsksUnasked(Shell):
    def handle(self, message: dict[str, Any]) -> None:
        if message["method"] == "snapshot":
            self.send({"id": "mine-1", "method": "roots/list", "params": {}})
        if "method" in message:
            super().handle(message)

    def run(self) -> None:
        for message in self.messages():
            if "method" in message:
                self.handle(message)
            if message.get("method") == "shutdown":
                break


AsksUnasked().run()
