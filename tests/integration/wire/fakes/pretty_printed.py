"""Prints its JSON indented, over many lines."""

from __future__ import annotations

import json
from typing import Any

from correct import Shell


class PrettyPrinted(Shell):
    def encode(self, message: dict[str, Any]) -> str:
        return json.dumps(message, indent=2) + "\n"


PrettyPrinted().run()
