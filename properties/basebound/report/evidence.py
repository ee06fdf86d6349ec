"""The evidence for a verdict in a phrase: which lenses ran and how much, or which goals were not reached."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from basebound.results.verdict import INCONCLUSIVE, Judged

_COUNTED = ("runs", "schedules", "shapes", "steps")
_CONCURRENT = "schedules"
"""The lens whose runs are of concurrent clients; their steps are not counted."""
_STATED = ("bounds", "within", "by")


def phrase(entry: Mapping[str, Any]) -> str:
    """One entry of evidence: its kind, its lens where that is another word, and its figures."""
    kind, lens = str(entry["kind"]), str(entry.get("lens", ""))
    figures = [_many(entry[name], name) for name in _COUNTED if isinstance(entry.get(name), int)]
    if _CONCURRENT in (kind, lens) and isinstance(entry.get("runs"), int):
        figures = [f"{entry['runs']:,} runs of concurrent clients"]
    stated = [str(entry[name]) for name in _STATED if entry.get(name)]
    parts = [*([lens] if lens not in ("", kind, f"{kind}s") else []), *figures, *stated]
    return f"{kind}: {', '.join(parts)}" if parts else kind


def _many(count: int, things: str) -> str:
    return f"{count:,} {things.removesuffix('s') if count == 1 else things}"


def because(row: Judged) -> str:
    """Why ``row`` has its verdict, on one line."""
    if row.verdict == INCONCLUSIVE:
        return f"never seen: {'; '.join(goal.means for goal in row.unreached)}"
    if row.counterexample is not None:
        seen = f"seen: {row.counterexample.finding.seen}"
        return f"{row.note}; {seen}" if row.note else seen
    return "; ".join(map(phrase, row.evidence)) or row.note
