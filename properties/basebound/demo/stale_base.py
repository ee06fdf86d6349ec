"""The incident: a patch authored at r17 and applied at r18, by an engine that looks for its target and by one that asks."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from basebound.lenses.scenarios import scenarios
from basebound.model import Config, Hunk, Patch, Rejected, Snapshot
from basebound.report.story import shown
from basebound.targets.reference import ReferenceEngine
from basebound.trace import Apply, Insert, Trace

INCIDENT = "incident-context-duplicated"
_CONTEXT = 2
_FUZZ = 1


def stale_base() -> Iterator[str]:
    """The lines of the demonstration."""
    incident = next(trace for trace in scenarios() if trace.about.get("name") == INCIDENT)
    insert = next(step for step in incident.steps if isinstance(step, Insert))
    apply = next(step for step in incident.steps if isinstance(step, Apply))
    yield from _told(incident, insert, apply.hunks[0])


def _told(incident: Trace, insert: Insert, hunk: Hunk) -> Iterator[str]:
    authored = incident.lines
    yield f"r17: the model is shown {len(authored)} lines and authors a patch: delete lines {hunk.start + 1} to {hunk.end}"
    yield from (f"  {n + 1:3} | {shown(authored[n])}" for n in range(hunk.start, hunk.end))
    live = (*authored[: insert.at], *insert.lines, *authored[insert.at :])
    yield f"r18: before it is applied, a tool result of {len(insert.lines)} lines lands at line {insert.at + 1}"
    yield ""
    at = _look_for(authored, live, hunk)
    yield "an engine that looks for the place its context lines fit, with some fuzz:"
    after = live if at is None else (*live[:at], *hunk.insert, *live[at + hunk.end - hunk.start :])
    yield from _changes(live, after)
    yield _verdict(authored, live, after, hunk)
    yield ""
    yield "an engine that asks for the base:"
    yield from _guarded(incident, insert, hunk)


def _look_for(authored: tuple[str, ...], live: tuple[str, ...], hunk: Hunk) -> int | None:
    """The place nearest to the hunk's own where all but a few of its context lines fit, as fuzzy tools look for it."""
    head, tail = authored[max(0, hunk.start - _CONTEXT) : hunk.start], authored[hunk.end : hunk.end + _CONTEXT]
    width = hunk.end - hunk.start
    for at in sorted(range(len(live) - width + 1), key=lambda n: abs(n - hunk.start)):
        before, after = live[max(0, at - len(head)) : at], live[at + width : at + width + len(tail)]
        misses = sum(a != b for a, b in zip(head[::-1], before[::-1], strict=False))
        misses += sum(a != b for a, b in zip(tail, after, strict=False))
        if len(before) == len(head) and len(after) == len(tail) and misses <= _FUZZ:
            return at
    return None


def _changes(old: tuple[str, ...], new: tuple[str, ...]) -> Iterator[str]:
    for line in difflib.ndiff(list(old), list(new)):
        if line[:1] in "+-":
            yield f"  {line[:1]} {shown(line[2:])}"


def _verdict(authored: tuple[str, ...], live: tuple[str, ...], after: tuple[str, ...], hunk: Hunk) -> str:
    meant = authored[hunk.start : hunk.end]
    stays = all(line in after for line in meant)
    return (
        f"it reports success; the lines that were to go {'are still there' if stays else 'went'}"
        if after != live
        else "it found no place"
    )


def _guarded(incident: Trace, insert: Insert, hunk: Hunk) -> Iterator[str]:
    engine = ReferenceEngine(Config(incident.lines))
    authored = engine.snapshot()
    engine.insert(insert.at, list(insert.lines))
    try:
        engine.apply(Patch(authored, (hunk,)))
    except Rejected as refusal:
        yield f"  refused, {refusal}"
    unchanged = engine.snapshot()
    moved = Hunk(hunk.start + len(insert.lines), hunk.end + len(insert.lines), hunk.insert)
    yield f"  nothing has changed: {len(unchanged.lines)} lines, revision {unchanged.revision}; the model reads again and re-authors"
    _apply(engine.snapshot(), engine, moved)
    yield from _changes(unchanged.lines, engine.snapshot().lines)
    yield "  applied: what was to go went, and nothing else"


def _apply(seen: Snapshot, engine: ReferenceEngine, hunk: Hunk) -> None:
    engine.apply(Patch(seen, (hunk,)))
