"""Legal: does what came together in its order, and answers it in the reverse one."""

from __future__ import annotations

import json
import os

from correct import Shell


class OutOfOrder(Shell):
    def run(self) -> None:
        rest = b""
        while chunk := os.read(0, 65536):
            *lines, rest = (rest + chunk).split(b"\n")
            messages = [json.loads(line) for line in lines]
            for answer in reversed([self.answer(message) for message in messages]):
                self.send(answer)
            if any(message["method"] == "shutdown" for message in messages):
                break


OutOfOrder().run()
