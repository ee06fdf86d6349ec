"""What several clients did at once, as lanes: one a client, for the JSON report and the page that draws them."""

from __future__ import annotations

from typing import Any

from basebound.core.trace import read_step
from basebound.history.operations import lines_text, step_text
from basebound.results.counterexample import ConcurrentHistory


def lanes(met: ConcurrentHistory) -> list[dict[str, Any]]:
    """A lane for each client, in the order in which they first appear; ``t1`` is None where no answer came."""
    by_client: dict[str, list[dict[str, Any]]] = {}
    for number, row in enumerate(met.rows):
        answered = row["saw"] is not None
        operation = {"t0": row["t0"], "t1": row["t1"] if answered else None, "label": _label(row)}
        by_client.setdefault(row["client"], []).append(operation | {"culprit": number in met.culprits})
    return [{"client": client, "ops": operations} for client, operations in by_client.items()]


def _label(row: dict[str, Any]) -> str:
    """A recorded call on one line: what it was, and what it came to."""
    return f"{step_text(read_step(row, 'a recorded call'))} → {_came_to(row['saw'])}"


def _came_to(saw: dict[str, Any] | None) -> str:
    match saw:
        case None:
            return "no answer"
        case {"raised": what}:
            return f"raised {what}"
        case {"reason": reason}:
            return f"refused as {reason}"
        case {"lines": lines, "base": base, "revision": revision}:
            return f"{lines_text(tuple(lines))} at revision {revision}, base {base[:8]}"
        case {"base": base, "revision": revision}:
            return f"committed as revision {revision}, base {base[:8]}"
    return "done"
