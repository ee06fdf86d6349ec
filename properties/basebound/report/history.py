"""A counterexample's steps as data: what each came to, what it changed, and the turn's books after it.

Contents are told as changes, so that a long buffer is written once and not after every step.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from basebound.core.hunks import removed
from basebound.core.meters import meter
from basebound.core.trace import Apply, cost_row
from basebound.model import Receipt, Snapshot
from basebound.oracle import Malformed, Outcome, Raised, Refused, Returned
from basebound.report.difference import common_start
from basebound.report.story import authored_lines, scenes_of
from basebound.run.messages import Counterexample
from basebound.session.session import ExecutedStep

Json: TypeAlias = dict[str, Any]


def history(found: Counterexample, budgeted: bool) -> list[Json]:
    """The steps of ``found`` that were told; with ``budgeted`` a fresh patch has its ``proof``."""
    before, rows = found.trace.lines, []
    for scene, entry in zip(scenes_of(found), found.steps, strict=False):
        at = scene.number - 1
        rows.append(
            {
                "who": scene.who,
                "what": scene.what,
                "outcome": scene.outcome,
                "breaks": scene.breaks,
                "saw": _saw(entry.outcome, entry.lines),
                "change": change(before, entry.lines),
                "size": entry.size,
                "unpaid": entry.unpaid,
                "artifacts": list(entry.artifacts),
                "proof": _proof(found, at) if budgeted else None,
            }
        )
        before = entry.lines
    return rows


def change(old: tuple[str, ...], new: tuple[str, ...]) -> Json | None:
    """The one splice from ``old`` to ``new``: ``removed`` lines from ``at`` on, ``inserted`` instead; None if equal."""
    if old == new:
        return None
    head = common_start(old, new)
    tail = common_start(old[head:][::-1], new[head:][::-1])
    return {"at": head, "removed": len(old) - head - tail, "inserted": list(new[head : len(new) - tail])}


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


def _proof(found: Counterexample, at: int) -> Json | None:
    """What a fresh patch frees and costs, in tokens of the trace's meter, as the ledger stood before it."""
    step = found.steps[at].step
    before: ExecutedStep | None = found.steps[at - 1] if at else None
    live = before.lines if before else found.trace.lines
    if not isinstance(step, Apply) or authored_lines(step.base, found.steps[:at]) != live:
        return None
    count = meter(found.trace.meter).count
    freed = sum(count(live[line]) for line in removed(step.hunks, len(live)))
    inserted = sum(count(line) for hunk in step.hunks for line in hunk.insert)
    unpaid = before.unpaid if before else 0
    return {"freed": freed, "inserted": inserted, "unpaid": unpaid, "net": freed - inserted - unpaid}
