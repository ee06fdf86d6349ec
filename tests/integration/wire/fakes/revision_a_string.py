"""Gives the revision of a snapshot as a string."""

from __future__ import annotations

from typing import Any

from correct import Engine, serve


class RevisionAString(Engine):
    def snapshot(self) -> dict[str, Any]:
        return super().snapshot() | {"revision": str(self.revision)}


serve(RevisionAString)
