"""What several of the correct engines ask of a patch, as pure functions over plain values.

They share these few and no state: how an engine holds its lines, its revision, its base and its
books is its own.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from basebound.model import EMISSION_KINDS, Cost, Hunk, Patch, Reason, Rejected, Snapshot

Row = TypeVar("Row")


def address(lines: Iterable[str]) -> str:
    """SHA-256 over netstrings, which no two sequences of lines share."""
    digest = hashlib.sha256()
    for line in lines:
        encoded = line.encode("utf-8")
        digest.update(b"%d:%b," % (len(encoded), encoded))
    return digest.hexdigest()


def stale(authored: Snapshot, live: Snapshot) -> Rejected:
    return Rejected(
        Reason.STALE_BASE,
        f"authored against base {authored.base[:16]} (revision {authored.revision}), live is {live.base[:16]} "
        f"(revision {live.revision}); read again and re-author",
    )


def fresh(patch: Patch, live: Snapshot) -> None:
    """Refuses a patch whose base is not the live one."""
    if patch.base.base != live.base:
        raise stale(patch.base, live)


def ordered(hunks: Iterable[Hunk], length: int) -> list[Hunk]:
    """The hunks by (start, end), those of equal range in the patch's order; refuses what is no splice."""
    result = sorted(hunks, key=lambda hunk: (hunk.start, hunk.end))
    for hunk in result:
        if hunk.start < 0 or hunk.end < hunk.start or hunk.end > length:
            raise Rejected(
                Reason.BAD_HUNK, f"[{hunk.start}, {hunk.end}) is no range of {length} lines; re-read and count"
            )
    for upper, lower in itertools.pairwise(result):
        if lower.start < upper.end:
            raise Rejected(Reason.BAD_HUNK, f"a hunk at {lower.start} is inside one up to {upper.end}; make them one")
    return result


def removed(rows: Sequence[Row], hunks: Iterable[Hunk]) -> list[Row]:
    return [row for hunk in hunks for row in rows[hunk.start : hunk.end]]


def spliced(rows: Sequence[Row], hunks: Iterable[Hunk], new: Callable[[str], Row]) -> list[Row]:
    """The rows after the ordered hunks, in one pass over the base."""
    result: list[Row] = []
    at = 0
    for hunk in hunks:
        result += rows[at : hunk.start]
        result += map(new, hunk.insert)
        at = hunk.end
    return result + list(rows[at:])


def unprotected(lines: Iterable[str], markers: Sequence[str]) -> None:
    """Refuses the removal of a line that contains a marker."""
    for line in lines:
        if any(marker in line for marker in markers):
            raise Rejected(Reason.PROTECTED, f"{line!r} is protected and may not be removed; leave it where it is")


def not_own(edited: Iterable[object]) -> None:
    """Refuses if any of ``edited`` is true: one flag a line, whether it was emitted this turn."""
    if any(edited):
        raise Rejected(Reason.SELF_REFERENCE, "the patch edits a plan artifact of this turn; end the turn first")


def proven(claim: Cost | None) -> None:
    """Refuses a claim that is not whole."""
    for part in () if claim is None else (claim.freed, claim.rewrite, claim.measurement):
        if part is None or part < 0:
            raise Rejected(Reason.UNPROVEN, f"{claim} has an amount missing or below zero; attribute every amount")


def settled(freed: int, rewrite: int, measurement: int) -> Cost:
    """The measured cost of a patch that frees more than it costs; refuses any other."""
    net = freed - rewrite - measurement
    if net <= 0:
        raise Rejected(
            Reason.NOT_FREED,
            f"frees {freed} and costs {rewrite} + {measurement}, a net of {net}; remove more or insert less",
        )
    return Cost(freed, rewrite, measurement)


def known_kind(kind: str) -> str:
    if kind not in EMISSION_KINDS:
        raise ValueError(f"{kind!r} is no kind of emission; use one of {', '.join(EMISSION_KINDS)}")
    return kind


def place(at: int, length: int) -> int:
    if not 0 <= at <= length:
        raise IndexError(f"line {at} of {length} cannot be inserted before; use 0 to {length}")
    return at
