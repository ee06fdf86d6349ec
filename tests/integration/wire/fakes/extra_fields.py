"""Legal: puts fields into its answers that nobody asked for."""

from __future__ import annotations

from typing import Any

from correct import Shell


class ExtraFields(Shell):
    def call(self, method: str, params: dict[str, Any]) -> Any:
        return super().call(method, params) | {"took_ms": 0.1}


ExtraFields().run()
