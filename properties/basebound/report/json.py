"""The JSON report, ``report/1``: what a machine needs of a verdict, traces included."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from basebound.core.register import spec_version
from basebound.gate.record import record, requirement_digest
from basebound.report.history import history
from basebound.report.lanes import lanes
from basebound.report.story import text
from basebound.results.counterexample import Counterexample
from basebound.results.verdict import Judged, Verdict
from basebound.results.waiver import Waiver

FORMAT = "report/1"


def report(verdict: Verdict) -> dict[str, Any]:
    """``verdict`` as an object of ``report.schema.json``."""
    target = verdict.target
    return {
        "basebound": FORMAT,
        "spec": spec_version(),
        "target": {
            "name": target.name,
            "profiles": sorted(target.profiles),
            "insert": target.inserts,
            "max_hunks": target.max_hunks,
            "async": target.asynchronous,
            "source": None if target.source is None else {"file": target.source[0], "line": target.source[1]},
        },
        "profiles": sorted(verdict.profiles),
        "effort": verdict.effort,
        "seed": verdict.seed,
        "verdict": verdict.name,
        "requirements": [_requirement(row, "budget" in verdict.profiles) for row in verdict.judged],
        "lenses": {
            name: {"runs": lens.runs, "steps": lens.steps, "notes": lens.notes}
            for name, lens in verdict.tallies.items()
        },
        "notes": list(verdict.notes),
        "waivers": {"waived": len(verdict.waived), "complaints": list(verdict.complaints)},
        "record": record(verdict),
        "elapsed_s": round(verdict.elapsed, 3),
    }


def write(verdict: Verdict, path: Path) -> None:
    """Write ``verdict`` to ``path``; a lone surrogate in an engine's message becomes its JSON escape."""
    rows = json.dumps(report(verdict), ensure_ascii=False, indent=1) + "\n"
    path.write_text(rows, encoding="utf-8", errors="backslashreplace")


def _requirement(row: Judged, budgeted: bool) -> dict[str, Any]:
    found = row.counterexample
    return {
        "id": row.requirement.id,
        "level": row.requirement.level,
        "profile": row.requirement.profile,
        "sentence": row.requirement.sentence,
        "sha256": requirement_digest(row.requirement),
        "verdict": row.verdict,
        "evidence": list(row.evidence),
        "unreached": [{"goal": goal.name, "means": goal.means} for goal in row.unreached],
        "note": row.note,
        "waiver": None if row.waiver is None else _waiver(row.waiver),
        "counterexample": None if found is None else _counterexample(found, budgeted),
    }


def _waiver(waiver: Waiver) -> dict[str, str]:
    return {"reason": waiver.reason, "owner": waiver.owner, "expires": waiver.expires.isoformat()}


def _counterexample(found: Counterexample, budgeted: bool) -> dict[str, Any]:
    return {
        "trace": found.rows(),
        "explanation": text(found),
        "step": found.finding.step,
        "allowed": found.finding.allowed,
        "seen": found.finding.seen,
        "lens": found.lens,
        "steps_to_find": found.steps_to_find,
        "repeats": found.repeats,
        "notes": list(found.notes),
        "history": history(found, budgeted),
        "lanes": lanes(found.concurrent) if found.concurrent is not None else [],
        "aftermath": None if found.aftermath is None else list(found.aftermath),
    }
