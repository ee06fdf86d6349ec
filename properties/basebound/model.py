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
"""``count_tokens(line) -> int >= 0``; the size of a text is the sum over its lines."""


@dataclass(frozen=True)
class Config:
    """How an engine starts.

    ``lines``: the initial content. ``protected``: markers; a line that contains one may not be
    removed. ``count_tokens``: the one meter behind every figure.
    """

    lines: tuple[str, ...] = ()
    protected: tuple[str, ...] = ()
    count_tokens: Meter = utf8_bytes


@dataclass(frozen=True)
class Snapshot:
    """What the model was shown: the lines, their base (an opaque content identity) and the revision."""

    lines: tuple[str, ...]
    base: str
    revision: int


@dataclass(frozen=True)
class Hunk:
    """``[start, end)`` of the base is replaced by ``insert``.

    ``start == end`` inserts before line ``start``; an empty ``insert`` deletes.
    """

    start: int
    end: int
    insert: tuple[str, ...] = ()


@dataclass(frozen=True)
class Cost:
    """Attributed token amounts of a rewrite, each ``>= 0``; ``None`` means not attributed."""

    freed: int | None
    rewrite: int | None
    measurement: int | None


@dataclass(frozen=True)
class Patch:
    """A model-authored rewrite: the snapshot it was authored against, and hunks in its coordinates."""

    base: Snapshot
    hunks: tuple[Hunk, ...]
    claim: Cost | None = None

    @property
    def snapshot(self) -> Snapshot:
        """``base`` by the name of what it is: all that the author saw. A receipt's ``base`` is a ``str``."""
        return self.base


@dataclass(frozen=True)
class Receipt:
    """What a committed patch left: the new base and revision, and, where the engine has it, the cost."""

    base: str
    revision: int
    cost: Cost | None = None


@dataclass(frozen=True)
class Charge:
    """An amount charged to a rewrite. ``kind`` is ``insert`` or one of the four kinds of emission."""

    kind: str
    tokens: int | None


class Reason(StrEnum):
    """Why a patch is refused. A stale base takes precedence over every other reason."""

    STALE_BASE = "stale-base"
    BAD_HUNK = "bad-hunk"
    PROTECTED = "protected"
    SELF_REFERENCE = "self-reference"
    UNPROVEN = "unproven"
    NOT_FREED = "not-freed"


class Rejected(Exception):
    """A typed, loud refusal; the buffer is unchanged.

    ``reason`` is a :class:`Reason` or its string. An unknown reason is a ``ValueError`` that lists
    the known ones.
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
    """Profile ``base``. Methods may be ``async def``; then the engine is driven on an event loop.

    Optional beside these: ``insert(at, lines)``, a foreign write in the middle; ``max_hunks``, the
    most hunks one patch may have; ``profiles``, what the engine claims; ``close()``.
    """

    def snapshot(self) -> Snapshot: ...
    def append(self, lines: Sequence[str], /) -> None: ...
    def apply(self, patch: Patch, /) -> Receipt: ...


@runtime_checkable
class BudgetedEngine(Engine, Protocol):
    """Profile ``budget``: emissions are charged to the turn until a commit of the same turn pays."""

    def emit(self, kind: str, lines: Sequence[str], /) -> None: ...
    def end_turn(self) -> None: ...


@runtime_checkable
class Compactor(Protocol):
    """Profile ``compaction``: an engine that chooses by itself what to rewrite."""

    def snapshot(self) -> Snapshot: ...
    def append(self, lines: Sequence[str], /) -> None: ...
    def compact(self, summarize: Callable[[Sequence[str]], Sequence[str]], /) -> Receipt: ...
