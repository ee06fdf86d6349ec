"""Is stopped (SIGSTOP) in the middle of answering a patch, and stays so."""

from __future__ import annotations

import os
import signal
from typing import Any

from correct import Shell


class StopsMidAnswer(Shell):
    def send(self, message: dict[str, Any]) -> None:
        if "cost" in message.get("result", {}):
            self.output.write(self.encode(message)[:20])
            self.output.flush()
            os.kill(os.getpid(), signal.SIGSTOP)
        super().send(message)


StopsMidAnswer().run()
