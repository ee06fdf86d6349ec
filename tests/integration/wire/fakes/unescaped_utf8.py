"""Legal: writes its text as UTF-8, unescaped."""

from __future__ import annotations

import io
import json
import sys
from typing import Any

from correct import Engine, Shell


class UnescapedUtf8(Shell):
    def encode(self, message: dict[str, Any]) -> str:
        return json.dumps(message, ensure_ascii=False) + "\n"


UnescapedUtf8(Engine, io.TextIOWrapper(sys.stdout.buffer, encoding="utf-8", newline="\n")).run()
