"""Never comes back from a patch."""

from __future__ import annotations

import time
from typing import Any

from correct import Engine, serve


class HangsOnApply(Engine):
    def apply(self, base: str, hunks: list[dict[str, Any]], **rest: Any) -> dict[str, Any]:
        while True:
            time.sleep(60)


serve(HangsOnApply)
