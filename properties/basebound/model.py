"""The value types and protocols an engine is written against.

Everything here is public and importable from ``basebound`` itself. The module imports nothing of
the suite, so that an adapter depends on these shapes and on nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Protocol, runtime_checkable


def utf8_bytes(line: str) -> int:
    """The default meter: the UTF-8 bytes of ``line``, plus 1 for the line itself."""
    return len(line.encode("utf-8")) + 1


Meter = Callable[[str], int]
"""``count_tokens(line)``: the tokens of one line, an ``int >= 0``. The size of several lines is the sum over them."""


@dataclass(frozen=True)
class Config:
    """How an engine starts: what a factory is called with.

    ``lines``: the initial content, kept as it is (BASE-START-EXACT). ``protected``: markers; a patch may not remove a
    line that contains one (PROTECTED-REFUSED). ``count_tokens``: the one meter behind every figure, in tokens of a
    line; it may raise, and then nothing has changed (BUDGET-METER-RAISED).
    """

    lines: tuple[str, ...] = ()
    protected: tuple[str, ...] = ()
    count_tokens: Meter = utf8_bytes


@dataclass(frozen=True)
class Snapshot:
    """What an author was shown, as a value that later changes leave alone (BASE-SNAPSHOT-VALUE).

    ``lines``: any ``str``, empty ones and line breaks inside included. ``base``: the identity of the content, an opaque
    ``str``; different contents need different bases (BASE-IDENTITY). ``revision``: an ``int`` that rises with every
    change of content, by any stride, and stays through a refusal (BASE-REVISION-RISES, BASE-REVISION-STILL).
    """

    lines: tuple[str, ...]
    base: str
    revision: int


@dataclass(frozen=True)
class Hunk:
    """Lines ``[start, end)`` of the authored content are replaced by the lines ``insert``.

    Lines are counted from 0. ``start == end`` inserts before line ``start``; an empty ``insert`` deletes. A bound
    below 0, ``start > end``, an end beyond the last line and ranges that overlap are refused as ``bad-hunk``
    (BASE-HUNK-RANGE, -NEGATIVE, -REVERSED and -OVERLAP).
    """

    start: int
    end: int
    insert: tuple[str, ...] = ()


@dataclass(frozen=True)
class Cost:
    """What a rewrite frees and costs, in tokens, each ``>= 0``; ``None`` is an amount that is not attributed.

    ``freed``: the lines removed. ``rewrite``: the lines inserted and the emissions to be paid for, but those of kind
    ``measurement``, which ``measurement`` counts. In a claim, an amount that is missing or negative is refused as
    ``unproven`` (BUDGET-UNPROVEN, BUDGET-NEGATIVE); in a receipt, each is what the meter measures (BUDGET-RECEIPT).
    """

    freed: int | None
    rewrite: int | None
    measurement: int | None


@dataclass(frozen=True)
class Patch:
    """A rewrite as its author submits it.

    ``base``: the snapshot it was authored against, better read as ``snapshot``. ``hunks``: in the coordinates of that
    snapshot, in any order; they take effect in order of ``(start, end)``, equal ones as they are given
    (BASE-SPLICE-FRAME, BASE-SPLICE-ORDER). ``claim``: what its author says it frees and costs, if anything.
    """

    base: Snapshot
    hunks: tuple[Hunk, ...]
    claim: Cost | None = None

    @property
    def snapshot(self) -> Snapshot:
        """All that the author saw. It is the field ``base`` by another name: the ``base`` of a receipt is a ``str``."""
        return self.base


@dataclass(frozen=True)
class Receipt:
    """What a committed patch left: the ``base`` (a ``str``) and ``revision`` of the next read (BASE-RECEIPT).

    ``cost``: what was freed and paid, emissions included, or ``None``; if it is given it has to be right
    (BUDGET-RECEIPT).
    """

    base: str
    revision: int
    cost: Cost | None = None


@dataclass(frozen=True)
class Charge:
    """An amount charged to a rewrite, as a pure gate is given it.

    ``kind``: ``insert``, or a kind of emission. ``tokens``: an ``int``, or ``None`` where it is not attributed, which a
    gate refuses as ``unproven`` (BUDGET-UNPROVEN).
    """

    kind: str
    tokens: int | None


class Reason(StrEnum):
    """Why a patch is refused. ``stale-base`` comes before the others; if several of those hold, any is accepted."""

    STALE_BASE = "stale-base"
    """The live content is not what the patch was authored against."""
    BAD_HUNK = "bad-hunk"
    """A hunk is out of range, reversed, or overlaps another."""
    PROTECTED = "protected"
    """A line that contains a protected marker would be removed."""
    SELF_REFERENCE = "self-reference"
    """A line that was emitted in this turn would be removed."""
    UNPROVEN = "unproven"
    """The claim has an amount that is missing or negative, or an amount could not be measured."""
    NOT_FREED = "not-freed"
    """What the patch frees, less all it costs, is not above zero."""


class Rejected(Exception):
    """Raised by ``apply`` to refuse a patch; nothing has changed (BASE-REFUSAL-PURE).

    ``reason``: a :class:`Reason` or its string; another one is a ``ValueError`` that lists the known ones. ``message``:
    for the author; of a stale patch it names both bases or revisions and says to re-author (BASE-STALE-MESSAGE). It may
    be subclassed. Any other exception where an answer is expected is a violation (BASE-ANSWER-TYPED).
    """

    reason: Reason
    message: str

    def __init__(self, reason: Reason | str, message: str = "") -> None:
        try:
            self.reason = Reason(reason)
        except ValueError:
            known = ", ".join(r.value for r in Reason)
            raise ValueError(f"{reason!r} is not a reason of refusal; the reasons are {known}") from None
        self.message = message
        # No f-string: from Python 3.13 on, CrossHair would fix every open value of a message to see through one.
        super().__init__("{}: {}".format(self.reason.value, message) if message else self.reason.value)  # noqa: UP032


EMISSION_KINDS: Final = ("rationale", "tool-call", "measurement", "error")
"""The kinds of emission. All are charged as rewrite cost but ``measurement``, which has its own."""

CHARGE_KINDS: Final = ("insert", *EMISSION_KINDS)

PROFILES: Final = ("base", "protected", "budget", "atomic", "compaction")


@runtime_checkable
class Engine(Protocol):
    """What every engine has: profile ``base``. Methods may be ``async def``; then an event loop drives the engine.

    Optional beside these: ``insert(at, lines)``, a foreign write before line ``at`` (BASE-INSERT-EXACT); ``max_hunks``,
    the most hunks one patch may have; ``profiles``, a container of the names of what is claimed, by default ``base``
    and ``protected``, and ``budget`` for a :class:`BudgetedEngine`; ``close()``, called once at the end.
    """

    def snapshot(self) -> Snapshot:
        """What is live now. Reading changes nothing (BASE-SNAPSHOT-PURE)."""

    def append(self, lines: Sequence[str], /) -> None:
        """A write that is no patch, as a tool's result is: the lines go to the end. Copy them (BASE-INPUT-COPIED)."""

    def apply(self, patch: Patch, /) -> Receipt:
        """Commit all of the patch, or raise :class:`Rejected` and change nothing (BASE-SPLICE-ALL)."""


@runtime_checkable
class BudgetedEngine(Engine, Protocol):
    """What profile ``budget`` adds: the policy's own lines are charged to the turn until a commit of it pays."""

    def emit(self, kind: str, lines: Sequence[str], /) -> None:
        """Append the policy's own lines, charge them to the turn and lock them until it ends.

        ``kind``: ``rationale``, ``tool-call``, ``measurement`` or ``error`` (BUDGET-EMIT-EXACT,
        BUDGET-ARTIFACT-LOCKED).
        """

    def end_turn(self) -> None:
        """Drop what is unpaid and unlock the lines of the turn (BUDGET-DROPPED, BUDGET-ARTIFACT-RELEASED)."""


@runtime_checkable
class Compactor(Protocol):
    """Profile ``compaction``, which is reserved: an engine that chooses by itself what to rewrite."""

    def snapshot(self) -> Snapshot: ...
    def append(self, lines: Sequence[str], /) -> None: ...
    def compact(self, summarize: Callable[[Sequence[str]], Sequence[str]], /) -> Receipt: ...
