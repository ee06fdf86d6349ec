"""Prints line upon line to stdout as soon as it is asked for a snapshot, and does not stop."""

from __future__ import annotations

from typing import Any

from correct import Shell


class FloodsStdout(Shell):
    def handle(self, message: dict[str, Any]) -> None:
        while message["method"] == "snapshot":
            self.output.write("debug: still thinking\n")
        super().handle(message)


FloodsStdout().run()
