"""What CrossHair has to get right before anything it says is believed: the canaries, and two shapes as a whole.

This module imports CrossHair; only a child process does that.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from basebound.lenses.proofs import analysis
from basebound.lenses.proofs.battery import BY_NAME
from basebound.lenses.proofs.crosshair.canary import CANARIES, SECONDS, CanaryFailed
from basebound.lenses.proofs.subject import Kind, Subject
from basebound.model import Hunk, Reason, Rejected
from basebound.targets.functions import apply_function

_ABILITIES = frozenset({"base"})


def digest(lines: Sequence[str]) -> str:
    return hashlib.sha256(b"".join([len(line).to_bytes(8, "big") + line.encode() for line in lines])).hexdigest()


def insert_only(live: tuple[str, ...], base: str, hunks: Sequence[Hunk], protected: Sequence[str]) -> tuple[str, ...]:
    """Right as long as there is nothing to replace."""
    if base != digest(live):
        raise Rejected(Reason.STALE_BASE)
    if any(not 0 == hunk.start == hunk.end for hunk in hunks):
        raise Rejected(Reason.BAD_HUNK)
    return (*[line for hunk in hunks for line in hunk.insert], *live)


def run() -> None:
    """Raises if CrossHair does not prove what is true, or does not refute what is false."""
    for canary in CANARIES:
        canary.sing()
    subject = Subject(Kind.APPLY, apply_function(insert_only, digest), _ABILITIES)
    right = analysis.analyze(BY_NAME["fresh-0"], subject, SECONDS)
    if not right.exhausted or right.candidates:
        raise CanaryFailed(f"a correct function was not proved: {right.why or right.candidates}")
    wrong = analysis.analyze(BY_NAME["fresh-1"], subject, SECONDS)
    if not wrong.candidates:
        raise CanaryFailed(f"a faulty function was not refuted: {wrong.why}")
