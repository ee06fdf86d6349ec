"""obstore: an object in a store, overwritten only under the e_tag an author names."""

# mypy: disable-error-code="import-not-found, import-untyped"

from __future__ import annotations

import json

import obstore
from obstore.exceptions import PreconditionError
from obstore.store import MemoryStore

from basebound.model import Config, Patch
from basebound.targets.adapters.buffer import HeldBuffer
from basebound.targets.adapters.edits import edited

_PATH = "context.json"


class ObstorePut(HeldBuffer):
    """``obstore.put(..., mode={"e_tag": ...})`` of a JSON array. The base is the object's e_tag.

    The store is the one in memory: conditional puts are what a cloud's store has, and the one on local files
    does not.
    """

    def __init__(self, config: Config) -> None:
        super().__init__()
        self._store = MemoryStore()
        self._overwrite(config.lines)

    def _read(self) -> tuple[tuple[str, ...], str]:
        found = obstore.get(self._store, _PATH)
        return tuple(json.loads(bytes(found.bytes()))), str(found.meta["e_tag"])

    def _place(self, at: int | None, lines: tuple[str, ...]) -> None:
        present, _ = self._read()
        point = len(present) if at is None else at
        self._overwrite((*present[:point], *lines, *present[point:]))

    def _submit(self, patch: Patch) -> None:
        after = edited(patch.base.lines, self._edits(patch))
        try:
            obstore.put(self._store, _PATH, _object(after), mode={"e_tag": patch.base.base})
        except PreconditionError as failure:
            raise self._stale(patch, _first_line(failure)) from failure

    def _probe(self, patch: Patch) -> None:
        try:
            obstore.get(self._store, _PATH, options={"if_match": patch.base.base})
        except PreconditionError as failure:
            raise self._stale(patch, _first_line(failure)) from failure

    def _overwrite(self, lines: tuple[str, ...]) -> None:
        obstore.put(self._store, _PATH, _object(lines))


def _object(lines: tuple[str, ...]) -> bytes:
    return json.dumps(lines).encode()


def _first_line(failure: Exception) -> str:
    return str(failure).partition("\n")[0]
