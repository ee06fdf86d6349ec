"""Answers ``initialize`` and ends."""

from __future__ import annotations

import sys
from typing import Any

from correct import Shell


class ExitsAfterInitialize(Shell):
    def handle(self, message: dict[str, Any]) -> None:
        super().handle(message)
        sys.exit(0)


ExitsAfterInitialize().run()
