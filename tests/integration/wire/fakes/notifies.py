"""Legal: sends notifications between its answers."""

from __future__ import annotations

from typing import Any

from correct import Shell


class Notifies(Shell):
    def send(self, message: dict[str, Any]) -> None:
        super().send({"method": "notifications/message", "params": {"level": "info", "data": "at work"}})
        super().send(message)


Notifies().run()
