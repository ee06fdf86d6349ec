"""The first invariant: a patch takes effect only on the content it was authored against.

    verify(live, patch, protected) -> VerifiedPatch -> apply_guarded_rewrite -> the new context

``verify`` alone makes a :class:`VerifiedPatch`, and nothing else can be applied: leaving the check
out is a type error. All of it is pure.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import final

from basebound_reference.context import Context, Line, arrived, frame, started
from basebound_reference.errors import BadHunkError, CorruptSpliceError, ProtectedLineError, StaleRewriteBaseError


@dataclass(frozen=True)
class Hunk:
    """``[start, end)`` of the base is replaced by ``insert``; ``start == end`` inserts, no ``insert`` deletes.

    All hunks of a patch count lines in its base, whatever another hunk adds or takes.
    """

    start: int
    end: int
    insert: tuple[str, ...] = ()


@dataclass(frozen=True)
class RewritePatch:
    """Hunks in the coordinates of the snapshot whose ``base`` this is.

    ``revision`` is that snapshot's too; it decides nothing and only helps the message of a refusal.
    """

    base: str
    hunks: tuple[Hunk, ...]
    revision: int | None = None


@final
class _Verifier:
    """The key to a :class:`VerifiedPatch`; only ``verify`` holds one."""


@final
@dataclass(frozen=True)
class VerifiedPatch:
    """Hunks that are fresh and sound on this very ``live`` content."""

    live: Context
    hunks: tuple[Hunk, ...]
    by: _Verifier

    @property
    def removed(self) -> tuple[Line, ...]:
        return tuple([line for hunk in self.hunks for line in self.live.lines[hunk.start : hunk.end]])

    @property
    def inserted(self) -> tuple[str, ...]:
        return tuple([text for hunk in self.hunks for text in hunk.insert])


def verify(live: Context, patch: RewritePatch, protected: Sequence[str] = ()) -> VerifiedPatch:
    """Check the base first: whatever else is wrong was judged by its author against other content.

    ``protected``: markers; a line whose text contains one may not be removed, whatever replaces it.
    Raises ``StaleRewriteBaseError``, ``BadHunkError`` or ``ProtectedLineError``.
    """
    _check_base(live, patch)
    _check_ranges(len(live.lines), patch.hunks)
    _check_protection(live.lines, patch.hunks, protected)
    return VerifiedPatch(live, patch.hunks, _Verifier())


def _check_base(live: Context, patch: RewritePatch) -> None:
    if patch.base != live.base:
        raise StaleRewriteBaseError(patch.base, patch.revision, live.base, live.revision)


def _check_ranges(length: int, hunks: Sequence[Hunk]) -> None:
    free = 0  # the first line that no earlier hunk has taken
    for hunk in _in_order(hunks):
        if not 0 <= hunk.start <= hunk.end <= length:
            raise BadHunkError(hunk.start, hunk.end, f"does not fit: choose 0 <= start <= end <= {length}")
        if hunk.start < free:
            raise BadHunkError(hunk.start, hunk.end, "reaches into another hunk: merge the two")
        free = hunk.end


def _check_protection(lines: Sequence[Line], hunks: Sequence[Hunk], protected: Sequence[str]) -> None:
    for hunk in hunks:
        for number in range(hunk.start, hunk.end):
            if any(marker in lines[number].text for marker in protected):
                raise ProtectedLineError(number)


def _in_order(hunks: Iterable[Hunk]) -> list[Hunk]:
    # The sort is stable, so insertions at one point keep the order of the patch; and an insertion
    # at p sorts before a range that starts at p, so it stands before the replacement.
    return sorted(hunks, key=lambda hunk: (hunk.start, hunk.end))


def apply_guarded_rewrite(patch: VerifiedPatch) -> Context:
    """The content the hunks were verified on becomes their splice, if the splice is what its parts say it is."""
    result = patch.live.become(splice(patch.live.lines, patch.hunks))
    if result.base != digest_from_parts(patch.live.lines, patch.hunks):
        raise CorruptSpliceError("splice and digest_from_parts disagree, so one of them is wrong; nothing was changed")
    return result


def splice(lines: tuple[Line, ...], hunks: Iterable[Hunk]) -> tuple[Line, ...]:
    """From top to bottom: what stands between the hunks, as the same line objects, and the inserted lines."""
    result: list[Line] = []
    at = 0
    for hunk in _in_order(hunks):
        result += lines[at : hunk.start]
        result += arrived(hunk.insert)
        at = hunk.end
    result += lines[at:]
    return tuple(result)


def digest_from_parts(lines: Sequence[Line], hunks: Sequence[Hunk]) -> str:
    """The base that a right splice has, found without it: bottom to top, in place, on the bytes to be hashed.

    It shares neither the order nor the loop nor the new lines with ``splice``, so a mistake there shows as
    another digest. A digest taken twice of one result could show none.
    """
    frames = [frame(line.text) for line in lines]
    for _, _, nth in sorted([(hunk.start, hunk.end, nth) for nth, hunk in enumerate(hunks)], reverse=True):
        frames[hunks[nth].start : hunks[nth].end] = [frame(text) for text in hunks[nth].insert]
    return hashlib.sha256(b"".join(frames)).hexdigest()


def apply(
    live_lines: Sequence[str], authored_base: str, hunks: Sequence[Hunk], protected: Sequence[str] = ()
) -> tuple[str, ...]:
    """The first invariant as one function of plain values; raises as ``verify`` does."""
    patch = RewritePatch(authored_base, tuple(hunks))
    return apply_guarded_rewrite(verify(started(live_lines), patch, protected)).snapshot().lines
