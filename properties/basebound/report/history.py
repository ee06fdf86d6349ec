"""A counterexample's steps as data: what each came to, what it changed, and the turn's books after it.

Contents are written as changes, so that a long buffer is written once and not after every step.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from basebound.core.hunks import removed
from basebound.core.meters import meter
from basebound.core.trace import Apply, cost_row
from basebound.model import Receipt, Snapshot
from basebound.report.replayer import Frame, Splice, change_between, frames
from basebound.report.story import scenes_of
from basebound.results.counterexample import Counterexample
from basebound.results.outcome import Malformed, Outcome, Raised, Refused, Returned

Json: TypeAlias = dict[str, Any]


def history(found: Counterexample, budgeted: bool) -> list[Json]:
    """The steps of ``found`` whose outcomes are known; with ``budgeted`` a fresh patch has its ``proof``."""
    rows = []
    for scene, frame in zip(scenes_of(found), frames(found.trace, found.steps), strict=False):
        change = change_between(frame.before.lines, frame.after.lines)
        rows.append(
            {
                "who": scene.who,
                "what": scene.what,
                "outcome": scene.outcome,
                "breaks": scene.breaks,
                "saw": _saw(frame.outcome, frame.after.lines),
                "change": None if change is None else _change(change),
                "size": frame.books.size,
                "unpaid": frame.books.unpaid,
                "artifacts": list(frame.books.locked),
                "proof": proof(frame, found.trace.meter) if budgeted else None,
            }
        )
    return rows


def proof(frame: Frame, meter_name: str) -> Json | None:
    """What a fresh patch frees and costs, in tokens of the trace's meter, as the ledger stood before it."""
    step, live = frame.step, frame.before.lines
    if not isinstance(step, Apply) or frame.authored.lines != live:
        return None
    count = meter(meter_name).count
    freed = sum(count(live[line]) for line in removed(step.hunks, len(live)))
    inserted = sum(count(line) for hunk in step.hunks for line in hunk.insert)
    unpaid = frame.books_before.unpaid
    return {"freed": freed, "inserted": inserted, "unpaid": unpaid, "net": freed - inserted - unpaid}


def _change(change: Splice) -> Json:
    return {"at": change.at, "removed": change.removed, "inserted": list(change.inserted)}


def _saw(outcome: Outcome, live: tuple[str, ...]) -> Json | None:
    """An outcome in the form of a recorded history; a snapshot's lines are left out where they are what is live."""
    match outcome:
        case Returned(Snapshot(lines, base, revision)):
            return {"base": base, "revision": revision} | ({} if lines == live else {"lines": list(lines)})
        case Returned(Receipt(base, revision, cost)):
            return {"base": base, "revision": revision, "cost": None if cost is None else cost_row(cost)}
        case Returned():
            return None
        case Raised(kind, message, where):
            return {"error": f"{kind}: {message}" if message else kind, "where": where}
        case Malformed(what):
            return {"error": what, "where": ""}
        case Refused(reason, message):
            return {"reason": str(reason), "message": message}
