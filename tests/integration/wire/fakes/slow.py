"""Legal: takes a second to start, and a while for every answer."""

from __future__ import annotations

import time
from typing import Any

from correct import Shell


class Slow(Shell):
    def handle(self, message: dict[str, Any]) -> None:
        time.sleep(0.02)
        super().handle(message)


time.sleep(1)
Slow().run()
