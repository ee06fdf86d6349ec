"""Is killed in the middle of answering a patch: half a line is all that comes."""

from __future__ import annotations

import os
import signal
from typing import Any

from correct import Shell


class KilledMidAnswer(Shell):
    def send(self, message: dict[str, Any]) -> None:
        if "cost" not in message.get("result", {}):
            return super().send(message)
        self.output.write(self.encode(message)[:20])
        self.output.flush()
        os.kill(os.getpid(), signal.SIGKILL)


KilledMidAnswer().run()
