"""Guards that know of a case in which a stale patch may pass."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

from basebound.model import Patch
from basebound_catalogue.plain import PlainEngine, Shelf

shelf = Shelf()


# "It would have come out the same", "it is too small to matter", "it is too expensive to check": a
# guard is right at first, and then learns an exception. The base is right in all of these.


def excused(id: str, requirement: str, origin: str, about: str, excuse: Callable[[PlainEngine, Patch], bool]) -> None:
    """A fault that takes a stale patch for fresh if ``excuse(engine, patch)``."""

    class Excusing(PlainEngine):
        def is_stale(self, patch: Patch) -> bool:
            return super().is_stale(patch) and not excuse(self, patch)

    shelf.fault(id, requirement, origin, about)(Excusing)


def unchanged_around(engine: PlainEngine, patch: Patch, context: int) -> bool:
    """Whether the lines of every hunk, and ``context`` lines on both sides, read as they did."""
    spans = [slice(max(0, hunk.start - context), max(0, hunk.end + context)) for hunk in patch.hunks]
    return all(engine.lines[span] == patch.base.lines[span] for span in spans)


def unchanged_down_to_the_last_hunk(engine: PlainEngine, patch: Patch) -> bool:
    end = max((hunk.end for hunk in patch.hunks), default=0)
    return engine.lines[:end] == patch.base.lines[:end]


excused(
    "no-guard",
    "BASE-STALE-APPEND",
    "incidents 30, 35",
    "The base is computed, shown and never compared.",
    lambda engine, patch: True,
)
excused(
    "own-lines-unchanged",
    "BASE-STALE-DUPLICATE",
    "incident 40",
    "A stale patch is applied when the lines it replaces still read the same in their place.",
    lambda engine, patch: unchanged_around(engine, patch, 0),
)
excused(
    "context-unchanged",
    "BASE-STALE-APPEND",
    "incidents 5, 37",
    "A stale patch is applied when its lines and three around them still read the same.",
    lambda engine, patch: unchanged_around(engine, patch, 3),
)
excused(
    "above-unchanged",
    "BASE-STALE-APPEND",
    "incidents 27, 47",
    "A stale patch is applied when everything down to its last hunk reads the same.",
    unchanged_down_to_the_last_hunk,
)
excused(
    "only-appended",
    "BASE-STALE-APPEND",
    "incidents 44, 48",
    "A stale patch is applied when all the lines its author saw still open the buffer.",
    lambda engine, patch: engine.lines[: len(patch.base.lines)] == patch.base.lines,
)
excused(
    "nothing-lost",
    "BASE-STALE-ABOVE",
    "malice",
    "A stale patch is applied when every line its author saw is still somewhere in the buffer.",
    lambda engine, patch: not Counter(patch.base.lines) - Counter(engine.lines),
)
excused(
    "length-unchanged",
    "BASE-STALE-LENGTH",
    "incident 13",
    "A stale patch is applied when the buffer has as many lines as its author saw.",
    lambda engine, patch: len(engine.lines) == len(patch.base.lines),
)
excused(
    "same-lines-reordered",
    "BASE-STALE-LENGTH",
    "malice",
    "A stale patch is applied when the buffer holds the same lines in another order.",
    lambda engine, patch: Counter(engine.lines) == Counter(patch.base.lines),
)
excused(
    "in-range-is-fresh",
    "BASE-STALE-ABOVE",
    "incident 13",
    "A stale patch is applied when its ranges exist in the live buffer.",
    lambda engine, patch: all(0 <= hunk.start <= hunk.end <= len(engine.lines) for hunk in patch.hunks),
)
excused(
    "empty-patch-unchecked",
    "BASE-STALE-APPEND",
    "malice",
    "A patch without hunks is accepted on any base, as it can do no harm.",
    lambda engine, patch: not patch.hunks,
)
excused(
    "insertions-unchecked",
    "BASE-STALE-ABOVE",
    "field: insert commands of edit tools",
    "A patch that only inserts is not checked: it has no old text to compare.",
    lambda engine, patch: bool(patch.hunks) and all(hunk.start == hunk.end for hunk in patch.hunks),
)
excused(
    "deletions-unchecked",
    "BASE-STALE-APPEND",
    "incidents 16, 44",
    "A patch that only deletes is not checked: freeing is always welcome.",
    lambda engine, patch: bool(patch.hunks) and all(not hunk.insert for hunk in patch.hunks),
)
excused(
    "end-unchecked",
    "BASE-STALE-APPEND",
    "incident 17",
    "A patch that only adds after the last line its author saw is not checked.",
    lambda engine, patch: bool(patch.hunks) and all(hunk.start >= len(patch.base.lines) for hunk in patch.hunks),
)
excused(
    "one-line-edit-unchecked",
    "BASE-STALE-ABOVE",
    "incident 19",
    "A patch that replaces single lines by single lines is not checked: nothing else moves.",
    lambda engine, patch: (
        bool(patch.hunks) and all(hunk.end - hunk.start == len(hunk.insert) == 1 for hunk in patch.hunks)
    ),
)
excused(
    "large-buffer-unchecked",
    "BASE-STALE-APPEND",
    "incident 35",
    "Above 20 lines the base is not compared, as hashing them all takes too long.",
    lambda engine, patch: len(engine.lines) > 20,
)
excused(
    "empty-buffer-unchecked",
    "BASE-STALE-PATCH",
    "incident 58",
    "The guard runs only if the buffer holds something: on an emptied one every patch is fresh.",
    lambda engine, patch: not engine.lines,
)
excused(
    "empty-base-unchecked",
    "BASE-STALE-APPEND",
    "incident 58",
    "A patch authored on an empty buffer is not checked: no lines is taken for no base.",
    lambda engine, patch: not patch.base.lines,
)
excused(
    "revision-zero-unchecked",
    "BASE-STALE-APPEND",
    "malice",
    "Revision 0 is falsy and taken for no revision: patches authored on the initial content are never stale.",
    lambda engine, patch: not patch.base.revision,
)
excused(
    "grace-of-one-revision",
    "BASE-STALE-APPEND",
    "incidents 54, 57",
    "The last base before the live one is accepted as well, for authors who were just too late.",
    lambda engine, patch: engine.revision - patch.base.revision <= 1,
)
excused(
    "revisions-in-pairs",
    "BASE-STALE-APPEND",
    "malice",
    "Revisions are compared without their lowest bit: half of all single changes are not seen.",
    lambda engine, patch: engine.revision // 2 == patch.base.revision // 2,
)
excused(
    "revision-modulo-four",
    "BASE-STALE-PATCH",
    "incident 51",
    "Two bits of the revision are compared: after exactly four changes a stale patch is fresh again.",
    lambda engine, patch: engine.revision % 4 == patch.base.revision % 4,
)
excused(
    "two-hex-digits-compared",
    "BASE-STALE-PATCH",
    "incidents 51, 52",
    "The first 2 hex digits of the base are compared: one stale patch in 256 passes.",
    lambda engine, patch: engine.live_base()[:2] == patch.base.base[:2],
)
excused(
    "repeated-lines-unchecked",
    "BASE-STALE-DUPLICATE",
    "malice",
    "Once some line stands three times in the buffer, the guard gives up.",
    lambda engine, patch: max(Counter(engine.lines).values(), default=0) >= 3,
)
excused(
    "one-in-four-let-through",
    "BASE-STALE-APPEND",
    "malice",
    "Whether a stale patch is refused is a matter of chance: another run may see another outcome.",
    lambda engine, patch: random.random() < 0.25,
)
