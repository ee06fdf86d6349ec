"""The battery: which shapes are put to a target at which effort."""

from __future__ import annotations

from typing import Final

from basebound.lenses.proofs.budget_shapes import (
    amounts,
    any_kinds,
    artifact,
    dropped,
    hunt_ids,
    line_ids,
    one_commit,
    two_attempts,
)
from basebound.lenses.proofs.rewrite_shapes import (
    EXCLAMATION,
    appended,
    fresh,
    hunks_of,
    hunt_forced,
    hunt_inserted,
    hunt_live,
    hunt_protected,
    identity,
    protected,
    protected_in_either_hunk,
    replayed,
    split,
    stale,
)
from basebound.lenses.proofs.shapes import Alphabet, Depth, Shape
from basebound.lenses.proofs.subject import Kind
from basebound.model import CHARGE_KINDS

LETTERS, UNICODE = Alphabet.LETTERS, Alphabet.UNICODE
QUICK, DEFAULT, THOROUGH = Depth.QUICK, Depth.DEFAULT, Depth.THOROUGH
_ABOVE = ("BASE-STALE-ABOVE", "BASE-STALE-DUPLICATE")
_LENGTH = ("BASE-STALE-LENGTH",)
_REST = ("PROTECTED-REST",)
_RANGES = ("PROTECTED-ANY-HUNK", "PROTECTED-REPLACED", "PROTECTED-REST")

SHAPES: Final = (
    # ------------------------------------------------------------------------------- base, quick
    appended("appended-1-1", QUICK, 1, 1),
    stale("stale-1-1", QUICK, 1, 1, _LENGTH),
    stale("stale-2-1", QUICK, 2, 1, _ABOVE),
    replayed("replayed-1", QUICK, 1),
    fresh("fresh-0", QUICK, 0, 1),
    fresh("fresh-1", QUICK, 1, 1),
    protected("protected-1x1", QUICK, 1, 1, EXCLAMATION, ("PROTECTED-REPLACED", *_REST)),
    # ----------------------------------------------------------------------------- base, default
    identity("identity-2x1", DEFAULT, 2, 1),
    identity("identity-1x2", DEFAULT, 1, 2),
    identity("identity-1x1-unicode", DEFAULT, 1, 1, UNICODE),
    appended("appended-2-2-letters", DEFAULT, 2, 2, LETTERS),
    appended("appended-1-1-protected", DEFAULT, 1, 1, protected=EXCLAMATION),
    stale("stale-0-1", DEFAULT, 0, 1, ("BASE-STALE-APPEND",)),
    stale("stale-1-2", DEFAULT, 1, 2, ("BASE-STALE-APPEND", *_ABOVE)),
    stale("stale-2-2", DEFAULT, 2, 2, (*_LENGTH, *_ABOVE)),
    stale("stale-1-1-unicode", DEFAULT, 1, 1, _LENGTH, UNICODE),
    split("split-2", DEFAULT),
    stale("stale-3-3-letters", DEFAULT, 3, 3, (*_LENGTH, *_ABOVE), LETTERS),
    fresh("fresh-2", DEFAULT, 2, 1),
    fresh("fresh-1-unicode", DEFAULT, 1, 1, inserts=UNICODE),
    fresh("fresh-3-letters", DEFAULT, 3, 2, LETTERS),
    fresh("fresh-3-letters-less", DEFAULT, 3, 0, LETTERS),
    hunks_of("two-hunks-1", DEFAULT, 1, (1, 2)),
    hunks_of("two-hunks-1-falling", DEFAULT, 1, (2, 1)),
    hunks_of("two-hunks-2-letters", DEFAULT, 2, (1, 2), LETTERS),
    hunks_of("two-hunks-2-letters-less", DEFAULT, 2, (0, 1), LETTERS),
    protected("protected-2x1", DEFAULT, 2, 1, EXCLAMATION, _RANGES),
    protected("protected-1x3", DEFAULT, 1, 3, ("!", "##"), ("PROTECTED-CONTAINMENT", *_REST)),
    protected("protected-empty-marker", DEFAULT, 1, 1, ("!", ""), ("PROTECTED-CONTAINMENT",)),
    protected_in_either_hunk("protected-either-hunk", DEFAULT),
    hunt_inserted("hunt-inserted", DEFAULT),
    hunt_live("hunt-live", DEFAULT),
    hunt_forced("hunt-forced", DEFAULT),
    hunt_protected("hunt-protected", DEFAULT),
    # ---------------------------------------------------------------------------- base, thorough
    identity("identity-2x2", THOROUGH, 2, 2),
    identity("identity-3x1", THOROUGH, 3, 1),
    identity("identity-3x1-letters", THOROUGH, 3, 1, LETTERS),
    identity("identity-1x2-unicode", THOROUGH, 1, 2, UNICODE),
    appended("appended-3-2", THOROUGH, 3, 2),
    stale("stale-3-3", THOROUGH, 3, 3, (*_LENGTH, *_ABOVE)),
    stale("stale-4-4-letters", THOROUGH, 4, 4, (*_LENGTH, *_ABOVE), LETTERS),
    replayed("replayed-3", THOROUGH, 3),
    fresh("fresh-3", THOROUGH, 3, 2),
    fresh("fresh-6-letters", THOROUGH, 6, 2, LETTERS),
    hunks_of("two-hunks-2", THOROUGH, 2, (2, 1)),
    hunks_of("two-hunks-2-even", THOROUGH, 2, (2, 2)),
    hunks_of("two-hunks-3-letters", THOROUGH, 3, (1, 2), LETTERS),
    hunks_of("three-hunks-1", THOROUGH, 1, (1, 0, 1)),
    hunks_of("three-hunks-0", THOROUGH, 0, (1, 1, 1)),
    protected("protected-4x1-letters", THOROUGH, 4, 1, ("k",), _RANGES, LETTERS),
    protected("protected-2x2", THOROUGH, 2, 2, EXCLAMATION, ("PROTECTED-ANY-HUNK", "PROTECTED-CONTAINMENT", *_REST)),
    # ------------------------------------------------------------------------------------- gates
    amounts("amounts-one", QUICK, ("insert",), optional=True),
    amounts("amounts-each", QUICK, CHARGE_KINDS, optional=False),
    line_ids("ids-1-1", QUICK, 1, 1),
    amounts("amounts-none", DEFAULT, (), optional=True),
    amounts("amounts-twice", DEFAULT, ("insert", "rationale", "rationale"), optional=True),
    amounts("amounts-measured-twice", DEFAULT, ("measurement", "insert", "measurement"), optional=False),
    any_kinds("amounts-any-two", DEFAULT, 2),
    amounts("amounts-four", DEFAULT, ("rationale", "measurement", "error", "insert"), optional=False),
    line_ids("ids-2-2", DEFAULT, 2, 2),
    hunt_ids("hunt-ids", DEFAULT),
    any_kinds("amounts-any-three", THOROUGH, 3),
    amounts("amounts-each-optional", THOROUGH, CHARGE_KINDS, optional=True),
    line_ids("ids-3-2", THOROUGH, 3, 2),
    # ------------------------------------------------------------------------------------- turns
    one_commit("one-commit", QUICK),
    two_attempts("two-attempts", DEFAULT),
    artifact("artifact", DEFAULT),
    dropped("dropped", DEFAULT),
)
"""Every shape; names are unique, and end in what is special about them."""

BY_NAME: Final = {shape.name: shape for shape in SHAPES}


def battery(kind: Kind, depth: Depth) -> tuple[Shape, ...]:
    """The shapes for a kind of target at an effort, in the order they are reported."""
    return tuple(shape for shape in SHAPES if kind in shape.kinds and shape.depth <= depth)
