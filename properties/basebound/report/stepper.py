"""What the page's stepper draws of a counterexample, cut to size.

A page is to open quickly whatever an engine was given, so its counterexamples share a bounded room. Cut is what is
shown; the trace that is offered for replay is whole, or not offered.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

from basebound.core.meters import METERS
from basebound.core.register import requirement
from basebound.core.trace import Apply, Emit, EndTurn, ndjson
from basebound.report.history import proof
from basebound.report.lanes import lanes
from basebound.report.panes import Pane, Stretch, panes, plural
from basebound.report.replayer import Frame, frames, left_by
from basebound.report.story import Scene, scenes_of
from basebound.results.counterexample import Counterexample
from basebound.results.outcome import Raised, Refused, Returned

Json: TypeAlias = dict[str, Any]

_ROOM, _LARGEST = 1_800_000, 200_000
_TRIES = ((400, True), (120, True), (120, False), (40, False))
"""Characters of a line that are shown, and whether the trace is offered; the first that fits."""


def room(cases: int) -> int:
    """The characters each of so many counterexamples may have: together less than 2 MB."""
    return min(_LARGEST, _ROOM // max(1, cases))


def stepper(found: Counterexample, budgeted: bool, most: int) -> Json:
    """The stepper's data of ``found`` in ``most`` characters; ``budgeted`` shows the ledger.

    ``steps`` is empty where too much would have to be shown, or where nothing is known of the steps.
    """
    broke = f"breaks {found.requirement}"
    if found.repeats != "always":
        broke = f"broke {found.requirement} when it was found"
    head: Json = {"id": found.requirement, "broke": broke, "trace": None, "texts": [], "panes": [], "steps": []}
    if found.concurrent is not None:
        head["lanes"] = lanes(found.concurrent)
    trace = ndjson(found.rows())
    for width, offered in _TRIES:
        shown = head | _Cut(width).of(found, budgeted) | ({"trace": trace} if offered else {})
        if len(json.dumps(shown)) <= most:
            return shown
    return head


class _Cut:
    """One try at showing a counterexample with lines of at most ``width`` characters.

    Each line and each pane is written once, and named by its number from then on.
    """

    def __init__(self, width: int) -> None:
        self._width = width
        self._texts: list[str] = []
        self._places: dict[str, int] = {}
        self._panes: dict[str, int] = {}

    def of(self, found: Counterexample, budgeted: bool) -> Json:
        history = list(frames(found.trace, found.steps))
        self._texts += found.trace.lines
        self._places |= {line: at for at, line in reversed(list(enumerate(found.trace.lines)))}
        steps = [
            self._step(
                scene, panes(history, frame.at, scene.breaks, left_by(history, frame.at, found.aftermath)), frame
            )
            for scene, frame in zip(scenes_of(found), history, strict=False)
        ]
        shown: Json = {
            "steps": steps,
            "panes": list(map(json.loads, self._panes)),
            "texts": [short(line, self._width) for line in self._texts],
        }
        return shown | ({"ledger": _ledger(found, history)} if budgeted and history else {})

    def _step(self, scene: Scene, shown: Iterable[Pane], frame: Frame) -> Json:
        return {
            "who": scene.who,
            "what": short(scene.what, 2 * self._width),
            "outcome": short(scene.outcome, 2 * self._width),
            "came": _came(scene, frame),
            "breaks": scene.breaks,
            "panes": [self._pane(pane) for pane in shown],
        }

    def _pane(self, pane: Pane) -> int:
        """The number of ``pane``."""
        rows = None if pane.rows is None else [self._stretch(stretch) for stretch in pane.rows]
        row = {"title": pane.title, "gloss": short(pane.gloss, 2 * self._width), "rows": rows, "bad": pane.bad}
        return self._panes.setdefault(json.dumps(row), len(self._panes))

    def _stretch(self, stretch: Stretch) -> Json:
        row = {"lines": self._runs(stretch.lines), "at": stretch.at}
        return row | {name: value for name in ("kind", "remark", "hit") if (value := getattr(stretch, name))}

    def _runs(self, lines: Sequence[str]) -> list[tuple[int, int]]:
        """``lines`` by their numbers, as runs: the first number and how many."""
        runs: list[tuple[int, int]] = []
        for line in lines:
            start, count = runs[-1] if runs else (len(self._texts), 0)
            following = start + count
            if count and following < len(self._texts) and self._texts[following] == line:
                runs[-1] = (start, count + 1)
                continue
            place = self._places.setdefault(line, len(self._texts))
            if place == len(self._texts):
                self._texts.append(line)
            if count and place == following:
                runs[-1] = (start, count + 1)
            else:
                runs.append((place, 1))
        return runs


def _came(scene: Scene, frame: Frame) -> str:
    """An outcome in a few words, for the list of steps."""
    if frame.snapshot is not None:
        return f"revision {frame.snapshot.revision}"
    if isinstance(frame.outcome, Refused):
        return f"refused as {frame.outcome.reason}"
    if isinstance(frame.outcome, Raised):
        return f"raised {frame.outcome.kind}"
    return short(scene.outcome, 90)


def _ledger(found: Counterexample, history: Sequence[Frame]) -> Json:
    """The turn's books from the start on, and what the chart marks at each step."""
    name = found.trace.meter
    start = sum(map(METERS[name].count, found.trace.lines)) if name in METERS else history[0].books.size
    return {
        "open": requirement(found.requirement).profile == "budget"
        or any(isinstance(frame.step, Emit) for frame in history),
        "sizes": [start, *(frame.books.size for frame in history)],
        "unpaid": [0, *(frame.books.unpaid for frame in history)],
        "steps": [
            {
                "books": _books(frame, name),
                "proof": proof(frame, name),
                "mark": "broke" if frame.at == found.finding.step else _mark(frame),
                "turn": isinstance(frame.step, EndTurn),
            }
            for frame in history
        ],
    }


def _books(frame: Frame, meter: str) -> str:
    books = frame.books
    some = ", ".join(map(str, books.locked[:8])) + (", …" if len(books.locked) > 8 else "")
    lines = f"{'line' if len(books.locked) == 1 else 'lines'} {some}"
    locked = f"locked until the turn ends: {lines}" if books.locked else "no line is locked"
    size = f"After this step the buffer has {plural(books.size, 'token')}"
    return f"{size}, {books.unpaid:,} of them emitted and not paid for; {locked}. Meter: {meter}."


def _mark(frame: Frame) -> str:
    if not isinstance(frame.step, Apply):
        return ""
    return {Returned: "commit", Refused: "refused"}.get(type(frame.outcome), "")


def short(value: str, width: int) -> str:
    """``value``, a text of more than ``width`` characters cut to that, with its length."""
    return value if len(value) <= width else f"{value[: width - 4]} … ({len(value):,} characters)"
