"""Prints a mebibyte of log to stderr at every request; its answers are correct, and so it is legal."""

from __future__ import annotations

import sys
from typing import Any

from correct import Shell


class FloodsStderr(Shell):
    def handle(self, message: dict[str, Any]) -> None:
        for _ in range(2**14):
            sys.stderr.write(f"debug: handling {message['method']:40}.\n")
        super().handle(message)


FloodsStderr().run()
