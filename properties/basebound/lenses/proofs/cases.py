"""What a proof puts to a target, and what the target may answer.

A case is one call with all its inputs. In an analysis, the numbers and characters in it are
symbolic and stand for every value of their shape; outside, the very same types hold plain values.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from basebound.model import Charge, Cost, Hunk, Reason, Snapshot

Lines: TypeAlias = tuple[str, ...]


@dataclass(frozen=True)
class Contents:
    """Two contents whose bases are compared."""

    first: Lines
    second: Lines


@dataclass(frozen=True)
class Rewrite:
    """A patch of ``hunks``, authored against ``authored``, meets ``live``; ``protected`` are markers.

    Two things matter to an engine only. ``arrived``: how ``authored`` became ``live``, by ``append`` or by
    another author's ``patch``. ``budgeted``: whether the patch must also free more than it costs, with a
    meter that counts characters.
    """

    live: Lines
    authored: Lines
    hunks: tuple[Hunk, ...]
    protected: Lines = ()
    arrived: str = "patch"
    budgeted: bool = False


@dataclass(frozen=True)
class Gating:
    """One question to a pure gate; the ids of lines in ``edited`` and ``artifacts`` are opaque."""

    freed: int | None
    charges: tuple[Charge, ...] = ()
    edited: frozenset[str] = frozenset()
    artifacts: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Emission:
    """The policy writes one line of ``tokens`` tokens, named ``text``."""

    kind: str
    text: str
    tokens: int


@dataclass(frozen=True)
class Attempt:
    """A patch on a fresh snapshot that removes the line named ``removes``.

    It inserts one line, named ``text`` and of ``inserted`` tokens, or nothing where ``inserted`` is ``None``.
    """

    removes: str
    text: str = ""
    inserted: int | None = None


@dataclass(frozen=True)
class TurnEnd:
    """``end_turn``."""


@dataclass(frozen=True)
class Turns:
    """What a policy does to an engine with a budget. Lines have a name for their text and a size of their own."""

    sizes: tuple[tuple[str, int], ...]
    steps: tuple[Emission | Attempt | TurnEnd, ...]


Case: TypeAlias = Contents | Rewrite | Gating | Turns


@dataclass(frozen=True)
class Bases:
    """The bases of a :class:`Contents`; ``again`` is the first one, asked for once more."""

    first: str
    second: str
    again: str


@dataclass(frozen=True)
class Accepted:
    """The patch took effect and left ``lines``; the gate let it through."""

    lines: Lines = ()


@dataclass(frozen=True)
class RefusedFor:
    """``Rejected`` was raised with ``reason``."""

    reason: Reason


@dataclass(frozen=True)
class Broke:
    """Something else was raised or returned; ``what`` says it. Only seen outside an analysis."""

    what: str


@dataclass(frozen=True)
class Witnessed:
    """An engine's answer with what was read around it.

    ``start``: the first snapshot. ``before`` and ``after``: those around the patch. ``receipt``: what was
    returned where the patch was accepted, as (base, revision, cost).
    """

    answer: Accepted | RefusedFor
    start: Snapshot
    before: Snapshot
    after: Snapshot
    receipt: tuple[str, int, Cost | None] | None = None


@dataclass(frozen=True)
class Attempts:
    """An engine's answers to the attempts of a :class:`Turns`, in order."""

    answers: tuple[Witnessed, ...] = field(default=())


Answer: TypeAlias = Bases | Accepted | RefusedFor | Broke | Witnessed | Attempts
