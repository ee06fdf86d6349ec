"""What all adapters share: a buffer held in somebody else's medium, and a count of its changes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from basebound.model import Patch, Reason, Receipt, Rejected, Snapshot
from basebound.targets.adapters.edits import Edit, edits_of


class HeldBuffer(ABC):
    """An engine of profile ``base`` whose buffer lives in the medium of the engine it adapts.

    Subclasses say how the medium is read, how somebody else writes to it, and how a patch is put to the
    engine. What the medium holds is what a snapshot shows, half-done changes included. The revision counts
    changes of the medium.
    """

    profiles: ClassVar[frozenset[str]] = frozenset({"base"})

    def __init__(self) -> None:
        self._revision = 0

    @abstractmethod
    def _read(self) -> tuple[tuple[str, ...], str]:
        """The lines the medium holds, and their base."""

    @abstractmethod
    def _place(self, at: int | None, lines: tuple[str, ...]) -> None:
        """A foreign write: ``lines`` before line ``at`` of the medium, or after all of it (``None``)."""

    @abstractmethod
    def _submit(self, patch: Patch) -> None:
        """Puts ``patch`` to the engine. Raises :class:`Rejected` where the engine reports a failure."""

    def _probe(self, patch: Patch) -> None:  # noqa: B027 - only engines with a base override it
        """Asks the engine whether ``patch`` is stale, without an edit; raises ``Rejected(stale-base)`` if it is.

        An engine that has no base of its own cannot be asked, and lets everything pass.
        """

    def snapshot(self) -> Snapshot:
        lines, base = self._read()
        return Snapshot(lines, base, self._revision)

    def append(self, lines: Sequence[str]) -> None:
        self._write(None, tuple(lines))

    def insert(self, at: int, lines: Sequence[str]) -> None:
        self._write(at, tuple(lines))

    def apply(self, patch: Patch) -> Receipt:
        before = self._read()[1]
        try:
            self._submit(patch)
        finally:
            after = self._read()[1]
            if after != before:
                self._revision += 1
        return Receipt(after, self._revision)

    def _write(self, at: int | None, lines: tuple[str, ...]) -> None:
        if lines:
            self._place(at, lines)
            self._revision += 1

    def _edits(self, patch: Patch) -> tuple[Edit, ...]:
        """The edits to send. Raises ``Rejected(bad-hunk)``, but ``stale-base`` first where the engine can tell."""
        try:
            return edits_of(patch)
        except Rejected:
            self._probe(patch)
            raise

    def _stale(self, patch: Patch, words: str) -> Rejected:
        """The refusal for an engine that said ``words`` because the content is not what it was told."""
        authored, live = patch.base, self.snapshot()
        return Rejected(
            Reason.STALE_BASE,
            f"authored against base {authored.base[:12]} (revision {authored.revision}), live is base "
            f"{live.base[:12]} (revision {live.revision}): read again and re-author. The engine said: {words.strip()}",
        )
