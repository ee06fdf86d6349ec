"""The incident: a patch authored at r17 meets an engine that looks for its target, and one that asks."""

from __future__ import annotations

from collections.abc import Iterator

from basebound.core.trace import Apply, Expect, Read
from basebound.lenses.scenarios.scenarios import scenarios
from basebound.model import Hunk
from basebound.report.story import scenes, shown
from basebound.session.session import RunContext, Session
from basebound.targets.loading import load

INCIDENT = "incident-target-changed"


def stale_base() -> Iterator[str]:
    """The lines of the demonstration."""
    incident = next(trace for trace in scenarios() if trace.about.get("name") == INCIDENT)
    target = load("reference")
    session = Session(RunContext(target, target.profiles), incident, detailed=True)
    authored = incident.lines
    yield f"The model is shown {len(authored)} lines (r17) and will ask for a change to what it saw."
    for step in incident.steps:
        stale = isinstance(step, Apply) and step.expect == "stale-base"
        if stale and isinstance(step, Apply):
            yield from _searching(authored, session.lines, step.hunks[0])
            yield "\nAn engine that asks for the base:"
        session.do(step)
        if not isinstance(step, Expect):
            yield from _last(session)
    session.close()
    yield "\nWhat the model meant is done, on what it has read; nothing else has changed."


def _last(session: Session) -> Iterator[str]:
    told = tuple(session.history.steps)
    *_, scene = scenes(session.start, told, set())
    step = told[-1].step
    yield f"  {scene.who} {scene.what}"
    if scene.outcome and not isinstance(step, Read):
        yield f"      {scene.outcome}"


def _searching(authored: tuple[str, ...], live: tuple[str, ...], hunk: Hunk) -> Iterator[str]:
    """A search for the old lines that insists on exactly one match, as many edit tools do."""
    old = authored[hunk.start : hunk.end]
    places = [at for at in range(len(live)) if live[at : at + len(old)] == old]
    yield f"\nAn engine that looks for the {len(old)} lines to go, and insists that they stand there once:"
    if len(places) != 1:
        yield f"  it finds them {len(places)} times and gives up"
        return
    at = places[0]
    yield f"  it finds them once, at line {at + 1}, and takes them out without an error:"
    for number in range(max(0, at - 2), min(len(live), at + len(old) + 2)):
        sign = "-" if at <= number < at + len(old) else " "
        yield f"    {sign} {number + 1:3} | {shown(live[number])}"
    yield f"  That is a copy in a tool result. What the model meant stood at line {hunk.start + 1}, and reads now:"
    moved = len(live) - len(authored)
    for number in range(hunk.start + moved, hunk.end + moved):
        yield f"      {number + 1:3} | {shown(live[number])}"
    yield "  The stale lines stay, the tool result is cut, every content guardrail is satisfied, and nothing is raised."
