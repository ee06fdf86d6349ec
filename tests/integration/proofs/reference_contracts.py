"""The contracts of the reference, for CrossHair's own command line (the plugin makes hashes ideal and texts deferred):

    crosshair check tests/integration/proofs/reference_contracts.py --report_all
        --extra_plugin properties/basebound/lenses/proofs/crosshair/plugin.py

Each function puts one small call to the reference and returns the requirements it breaks, so every
postcondition says: none. Only numbers are open; a line is made of one code point. Change a line of the
reference, and the same command shows the values for which a contract no longer holds.
"""

from __future__ import annotations

from basebound.lenses.proofs.cases import Contents, Gating, Rewrite
from basebound.lenses.proofs.contracts import broken
from basebound.lenses.proofs.observe import observe
from basebound.model import Charge, Hunk
from basebound.targets.functions import apply_function, gate_function
from basebound.targets.reference import reference_apply, reference_digest, reference_gate

APPLY = apply_function(reference_apply, reference_digest)
GATE = gate_function(reference_gate)


def ascii_points(*points: int) -> bool:
    """Whether each is the code point of an ASCII character."""
    return all(0 <= point <= 0x7F for point in points)


def other_content_has_another_base(first: int, second: int, joined: int) -> tuple[str, ...]:
    """One line of two characters, and two lines of one.

    pre: ascii_points(first, second, joined)
    post: _ == ()
    """
    case = Contents((chr(first) + chr(second),), (chr(first), chr(joined)))
    return broken(case, observe(APPLY, case))


def a_stale_patch_is_refused(live: int, seen: int, start: int, end: int) -> tuple[str, ...]:
    """Authored on the line ``seen``, applied to the line ``live``; equal ones make it fresh.

    pre: ascii_points(live, seen)
    post: _ == ()
    """
    case = Rewrite((chr(live),), (chr(seen),), (Hunk(start, end, ("x",)),))
    return broken(case, observe(APPLY, case))


def a_fresh_patch_is_the_splice(upper: int, lower: int, new: int, start: int, end: int) -> tuple[str, ...]:
    """One hunk at any coordinates on two lines; where there is no such range it is a bad hunk.

    pre: ascii_points(upper, lower, new)
    post: _ == ()
    """
    live = (chr(upper), chr(lower))
    case = Rewrite(live, live, (Hunk(start, end, (chr(new),)),))
    return broken(case, observe(APPLY, case))


def two_hunks_share_one_frame(line: int, start: int, end: int, later_start: int, later_end: int) -> tuple[str, ...]:
    """Two hunks at any coordinates on one line, in any order.

    pre: ascii_points(line)
    post: _ == ()
    """
    live = (chr(line),)
    case = Rewrite(live, live, (Hunk(start, end, ("x",)), Hunk(later_start, later_end, ("y", "z"))))
    return broken(case, observe(APPLY, case))


def a_protected_line_stays(line: int, new: int, start: int, end: int) -> tuple[str, ...]:
    """One line, which is protected if it is an exclamation mark.

    pre: ascii_points(line, new)
    post: _ == ()
    """
    live = (chr(line),)
    case = Rewrite(live, live, (Hunk(start, end, (chr(new),)),), ("!",))
    return broken(case, observe(APPLY, case))


def only_a_gain_passes(freed: int, inserted: int, rationale: int, measured: int) -> tuple[str, ...]:
    """A gate's arithmetic, with any amounts.

    post: _ == ()
    """
    charges = (Charge("insert", inserted), Charge("rationale", rationale), Charge("measurement", measured))
    case = Gating(freed, charges)
    return broken(case, observe(GATE, case))


def artifacts_are_locked(freed: int, edited: int, artifact: int) -> tuple[str, ...]:
    """One edited line and one artifact, by their ids; equal ids are one line.

    pre: ascii_points(edited, artifact)
    post: _ == ()
    """
    case = Gating(freed, (), frozenset([chr(edited)]), frozenset([chr(artifact)]))
    return broken(case, observe(GATE, case))
