"""Prints its text in an encoding of the system's choosing: what has no place in it becomes a question mark."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "fakes"))

from correct import Engine, Shell


class TextStdio(Shell):
    def encode(self, message: dict[str, Any]) -> str:
        return json.dumps(message, ensure_ascii=False) + "\n"


TextStdio(Engine, io.TextIOWrapper(sys.stdout.buffer, encoding="cp1252", errors="replace", newline="\n")).run()
