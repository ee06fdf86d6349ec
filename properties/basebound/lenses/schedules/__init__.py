"""Schedules: ways of letting clients of one engine meet, each giving runs whose histories are judged.

``rival``, ``pauses``, ``stress``, ``interleave`` and ``faults`` each have ``runs(factory, ...) -> Iterator[Run]``,
over a plain ``Config -> engine`` factory; ``wire`` has its own, over an engine on the wire. :func:`finding` says what
a run shows, :func:`replay` runs a printed schedule again, :func:`survey` does all of it.
"""

from __future__ import annotations

from basebound.errors import UsageError
from basebound.lenses.schedules import faults, interleave, ledgers, pauses, rival, stress, wire
from basebound.lenses.schedules.findings import ConcurrentFinding, finding
from basebound.lenses.schedules.harness import Factory, Run, Trouble
from basebound.lenses.schedules.survey import Survey, survey

_REPLAY = {
    "rival": rival.replay,
    "pauses": pauses.replay,
    "choices": pauses.replay,
    "gives-up": pauses.replay_given_up,
    "stress": stress.replay,
    "interleave": interleave.replay,
    "faults": faults.replay,
    "wire": wire.replay,
}


def replay(factory: Factory, schedule: str) -> Run | None:
    """Run a schedule again, as a run printed it; ``None`` if the engine no longer has the place it names."""
    kind, *words = schedule.split()
    try:
        return _REPLAY[kind](factory, words)
    except (KeyError, IndexError, ValueError):
        raise UsageError(
            "not-a-schedule",
            f"{schedule!r} is not a schedule",
            "copy it whole from a report, as in: interleave line apply/append subject:7",
        ) from None


__all__ = [
    "ConcurrentFinding",
    "Run",
    "Survey",
    "Trouble",
    "faults",
    "finding",
    "interleave",
    "ledgers",
    "pauses",
    "replay",
    "rival",
    "stress",
    "survey",
    "wire",
]
