"""A small, correct engine of profiles ``base`` and ``protected``, cut so that a fault is one override.

It shares no code with the reference or with the suite's oracle: what the catalogue measures is not
measured with itself. Single-threaded on purpose.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from basebound.model import Config, Hunk, Patch, Reason, Receipt, Rejected, Snapshot
from basebound_catalogue.kinds import Factory, Fault

Lines = tuple[str, ...]
Hunks = Sequence[Hunk]
AnyFactory = TypeVar("AnyFactory", bound=Factory)


def digest(text: str) -> str:
    """A SHA-256 of ``text`` as 64 hex digits."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def base_of(lines: Lines) -> str:
    """Injective: JSON tells every list of strings from every other."""
    return digest(json.dumps(lines))


def in_order(hunks: Iterable[Hunk]) -> list[Hunk]:
    """The hunks by ``(start, end)``; equal ones keep the patch's order."""
    return sorted(hunks, key=lambda hunk: (hunk.start, hunk.end))


def without_trailing_empty(lines: Lines) -> Lines:
    return lines[: max((at + 1 for at, line in enumerate(lines) if line), default=0)]


class PlainEngine:
    """Correct in everything; each method below is what one kind of fault gets wrong."""

    profiles: frozenset[str] = frozenset({"base", "protected"})
    lines: Lines
    revision: int

    def __init__(self, config: Config) -> None:
        self.lines = tuple(config.lines)
        self.markers = tuple(config.protected)
        self.revision = 0

    # -- what the outside calls

    def snapshot(self) -> Snapshot:
        return Snapshot(self.lines, self.live_base(), self.revision)

    def append(self, lines: Sequence[str]) -> None:
        self.commit((*self.lines, *self.appended(tuple(lines))))

    def insert(self, at: int, lines: Sequence[str]) -> None:
        self.commit((*self.lines[:at], *lines, *self.lines[at:]))

    def apply(self, patch: Patch) -> Receipt:
        if self.is_stale(patch):
            raise self.refusal(Reason.STALE_BASE, self.stale_message(patch))
        self.check_hunks(patch.hunks)
        self.check_protected(patch.hunks)
        self.commit(self.splice(patch.hunks))
        return self.receipt(patch)

    # -- base identity

    def base_of(self, lines: Lines) -> str:
        return base_of(lines)

    def live_base(self) -> str:
        return self.base_of(self.lines)

    def is_stale(self, patch: Patch) -> bool:
        return patch.base.base != self.live_base()

    def stale_message(self, patch: Patch) -> str:
        return (
            f"authored against base {patch.base.base[:8]} (revision {patch.base.revision}), but the live base is "
            f"{self.live_base()[:8]} (revision {self.revision}): read again and re-author the patch"
        )

    # -- refusals

    def refusal(self, reason: Reason, message: str) -> Rejected:
        """Every refusal passes here; it only builds the exception."""
        return Rejected(reason, message)

    def check_hunks(self, hunks: Hunks) -> None:
        self.check_ranges(hunks)
        self.check_overlaps(hunks)

    def check_ranges(self, hunks: Hunks) -> None:
        for hunk in hunks:
            if not 0 <= hunk.start <= hunk.end <= len(self.lines):
                raise self.refusal(
                    Reason.BAD_HUNK, f"[{hunk.start}, {hunk.end}) is no range of {len(self.lines)} lines"
                )

    def check_overlaps(self, hunks: Hunks) -> None:
        reached = 0
        for hunk in in_order(hunks):
            if hunk.start < reached:
                raise self.refusal(
                    Reason.BAD_HUNK, f"[{hunk.start}, {hunk.end}) overlaps a range that ends at {reached}"
                )
            reached = hunk.end

    def check_protected(self, hunks: Hunks) -> None:
        for line in self.removed_lines(hunks):
            if self.is_protected(line):
                raise self.refusal(Reason.PROTECTED, f"the patch removes the protected line {line!r}")

    def removed_lines(self, hunks: Hunks) -> list[str]:
        return [line for hunk in hunks for line in self.lines[hunk.start : hunk.end]]

    def is_protected(self, line: str) -> bool:
        return any(marker in line for marker in self.markers)

    # -- effects

    def splice(self, hunks: Hunks) -> Lines:
        built: list[str] = []
        reached = 0
        for hunk in in_order(hunks):
            built += self.lines[reached : hunk.start]
            built += self.inserted(hunk)
            reached = hunk.end
        return (*built, *self.lines[reached:])

    def inserted(self, hunk: Hunk) -> Lines:
        return tuple(hunk.insert)

    def appended(self, lines: Lines) -> Lines:
        return lines

    def commit(self, lines: Lines) -> None:
        self.revision += self.stride(self.lines, lines)
        self.lines = lines

    def stride(self, before: Lines, after: Lines) -> int:
        return int(before != after)

    def receipt(self, patch: Patch) -> Receipt:
        return Receipt(self.live_base(), self.revision)


class Shelf:
    """Collects the faults of a module in the order of their declaration."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []

    def fault(self, id: str, requirement: str, origin: str, about: str) -> Callable[[AnyFactory], AnyFactory]:
        """A class decorator that puts the class on the shelf; see :class:`Fault` for the fields."""

        def put(make: AnyFactory) -> AnyFactory:
            self.faults.append(Fault(id, requirement, origin, about, make))
            return make

        return put
