"""The bundled reference engine as a target, whole (:class:`ReferenceEngine`) and as its pure shapes.

The reference has a vocabulary of its own and imports nothing of ours; here it meets the contract.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager

import basebound_reference as engine
from basebound.model import Charge, Config, Cost, Hunk, Patch, Receipt, Rejected, Snapshot


class _Refused(Rejected):
    """A refusal of the reference; its message is worded when it is read, not when it is raised.

    Wording looks into the values of the call, and would pin each of them to one value under a symbolic checker.
    """

    def __init__(self, refusal: engine.RewriteRefused) -> None:
        self._refusal = refusal
        super().__init__(refusal.reason)

    @property
    def message(self) -> str:
        return self._refusal.message

    @message.setter
    def message(self, _: str) -> None:
        """What the base class sets is not used: the wording is the refusal's."""

    def __str__(self) -> str:
        return f"{self.reason.value}: {self.message}"


@contextmanager
def _as_rejected() -> Iterator[None]:
    try:
        yield
    except engine.RewriteRefused as refusal:
        raise _Refused(refusal) from refusal


def _hunks(hunks: Sequence[Hunk]) -> tuple[engine.Hunk, ...]:
    return tuple([engine.Hunk(hunk.start, hunk.end, tuple(hunk.insert)) for hunk in hunks])


def _claim(claim: Cost | None) -> engine.Claim | None:
    return None if claim is None else engine.Claim(claim.freed, claim.rewrite, claim.measurement)


class ReferenceEngine:
    """``basebound_reference.ContextBuffer`` behind the protocol of a budgeted engine."""

    profiles = frozenset({"base", "protected", "budget", "atomic"})

    def __init__(self, config: Config) -> None:
        self._buffer = engine.ContextBuffer(config.lines, config.protected, config.count_tokens)

    def snapshot(self) -> Snapshot:
        shown = self._buffer.snapshot()
        return Snapshot(shown.lines, shown.base, shown.revision)

    def append(self, lines: Sequence[str]) -> None:
        self._buffer.append(lines)

    def insert(self, at: int, lines: Sequence[str]) -> None:
        self._buffer.insert(at, lines)

    def emit(self, kind: str, lines: Sequence[str]) -> None:
        self._buffer.emit(kind, lines)

    def end_turn(self) -> None:
        self._buffer.end_turn()

    def apply(self, patch: Patch) -> Receipt:
        rewrite = engine.RewritePatch(patch.base.base, _hunks(patch.hunks), patch.base.revision)
        with _as_rejected():
            left = self._buffer.apply(rewrite, _claim(patch.claim))
        return Receipt(left.base, left.revision, Cost(left.cost.freed, left.cost.rewrite, left.cost.measurement))


def reference_digest(lines: Sequence[str]) -> str:
    """For ``apply_function``: the base of ``lines``."""
    return engine.digest(lines)


def reference_apply(
    live_lines: Sequence[str], authored_base: str, hunks: Sequence[Hunk], protected: Sequence[str]
) -> tuple[str, ...]:
    """For ``apply_function``: the lines after the patch; raises ``Rejected``."""
    with _as_rejected():
        return engine.apply(live_lines, authored_base, _hunks(hunks), protected)


def reference_gate(
    freed: int | None, charges: Sequence[Charge], edited: AbstractSet[str], artifacts: AbstractSet[str]
) -> None:
    """For ``gate_function``: returns, or raises ``Rejected``."""
    with _as_rejected():
        engine.gate(freed, [engine.Charge(charge.kind, charge.tokens) for charge in charges], edited, artifacts)
