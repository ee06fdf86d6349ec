"""Frames its messages like a language server, with a Content-Length header."""

from __future__ import annotations

from typing import Any

from correct import Shell


class LspHeaders(Shell):
    def encode(self, message: dict[str, Any]) -> str:
        text = super().encode(message)
        return f"Content-Length: {len(text)}\r\n\r\n{text}"


LspHeaders().run()
