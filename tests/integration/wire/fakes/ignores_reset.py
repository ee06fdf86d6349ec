"""Takes ``reset`` for granted: only the first one does anything."""

from __future__ import annotations

from typing import Any

from correct import Shell


class IgnoresReset(Shell):
    begun = False

    def call(self, method: str, params: dict[str, Any]) -> Any:
        if method == "reset" and self.begun:
            return {}
        self.begun = self.begun or method == "reset"
        return super().call(method, params)


IgnoresReset().run()
