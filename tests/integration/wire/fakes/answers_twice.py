"""Answers every request twice."""

from __future__ import annotations

from typing import Any

from correct import Shell


class AnswersTwice(Shell):
    def send(self, message: dict[str, Any]) -> None:
        super().send(message)
        super().send(message)


AnswersTwice().run()
