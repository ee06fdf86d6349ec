"""LangGraph: messages under ids, merged by the reducer ``add_messages``."""

# mypy: disable-error-code="import-not-found, import-untyped"

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any

from langchain_core.messages import HumanMessage, RemoveMessage
from langgraph.graph.message import REMOVE_ALL_MESSAGES, add_messages

from basebound.model import Config, Patch
from basebound.targets.adapters.buffer import HeldBuffer
from basebound.targets.adapters.edits import Edit, edited


class LangGraphRemove(HeldBuffer):
    """One message for each line; a patch is one update of the state, by message id.

    A message that comes under a known id takes the place of the one there, ``RemoveMessage`` takes one out,
    and anything else goes to the end. So lines are replaced and removed where they are; where a hunk inserts
    more lines than it removes, everything from there on is removed and added again after the new lines.

    The base is a hash of the contents and the ids, followed by the ids: the author of a patch has read them.
    """

    def __init__(self, config: Config) -> None:
        super().__init__()
        self._written = 0
        self._messages: Any = add_messages([], self._new(config.lines))

    def _read(self) -> tuple[tuple[str, ...], str]:
        content = [(message.id, message.content) for message in self._messages]
        digest = hashlib.sha256(json.dumps(content).encode()).hexdigest()
        return tuple(line for _, line in content), " ".join([digest, *(name for name, _ in content)])

    def _place(self, at: int | None, lines: tuple[str, ...]) -> None:
        if at is None:
            self._messages = add_messages(self._messages, self._new(lines))
        else:
            state = [*self._messages[:at], *self._new(lines), *self._messages[at:]]
            self._messages = add_messages(self._messages, [RemoveMessage(id=REMOVE_ALL_MESSAGES), *state])

    def _submit(self, patch: Patch) -> None:
        ids = patch.base.base.split(" ")[1:]
        update = self._update(patch.base.lines, ids, self._edits(patch))
        try:
            self._messages = add_messages(self._messages, update)
        except ValueError as failure:  # an id that is to be removed is not there
            raise self._stale(patch, str(failure)) from failure

    def _update(self, lines: Sequence[str], ids: Sequence[str], edits: Sequence[Edit]) -> list[Any]:
        update: list[Any] = []
        for number, edit in enumerate(edits):
            if len(edit.insert) > edit.end - edit.start:
                moved = edited(lines, edits[number:])[edit.start :]
                return [*update, *(RemoveMessage(id=name) for name in ids[edit.start :]), *self._new(moved)]
            kept = edit.start + len(edit.insert)
            update += [
                HumanMessage(content=line, id=name)
                for line, name in zip(edit.insert, ids[edit.start : kept], strict=True)
            ]
            update += [RemoveMessage(id=name) for name in ids[kept : edit.end]]
        return update

    def _new(self, lines: Sequence[str]) -> list[Any]:
        first = self._written
        self._written += len(lines)
        return [HumanMessage(content=line, id=f"m{first + offset}") for offset, line in enumerate(lines)]
