"""What the page's stepper shows of a counterexample: a JSON report's entry with its contents compared and cut to size.

A page is to open quickly whatever an engine was given, so its counterexamples share a bounded room. Cut is what is
shown; the trace that is offered for replay is whole, or not offered.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from basebound.core.hunks import in_order, splice
from basebound.core.meters import METERS
from basebound.model import Hunk
from basebound.report.difference import Code, codes, effect, explains

Json: TypeAlias = dict[str, Any]

_ROOM, _LARGEST = 1_800_000, 200_000
_SAID = 1_000
"""Characters of what was allowed and seen."""
_TRIES = ((400, True), (120, True), (120, False), (40, False))
"""Characters of a line that are shown, and whether the trace is offered; the first that fits."""


def room(cases: int) -> int:
    """The characters each of so many counterexamples may have: together less than 2 MB."""
    return min(_LARGEST, _ROOM // max(1, cases))


def frames(row: Mapping[str, Any], also: Sequence[str], budgeted: bool, most: int) -> Json:
    """The stepper's data of the requirement ``row``, whose history also breaks ``also``, in ``most`` characters.

    ``steps`` is empty where too much would have to be shown, or where nothing is known of the steps.
    """
    found = row["counterexample"]
    trace = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in found["trace"])
    head = {
        "id": row["id"],
        "profile": row["profile"],
        "also": list(also),
        "step": found["step"],
        "allowed": short(found["allowed"], _SAID),
        "seen": short(found["seen"], _SAID),
        "repeats": found["repeats"],
        "budget": budgeted,
        "trace": None,
    }
    for width, offered in _TRIES:
        shown = _Cut(width).of(found) | ({"trace": trace} if offered else {})
        if len(json.dumps(shown)) <= most:
            return head | shown
    return head | {"start": [], "steps": [], "aftermath": None}


class _Cut:
    """One try at showing a counterexample with lines of at most ``width`` characters."""

    def __init__(self, width: int) -> None:
        self._width = width

    def of(self, found: Mapping[str, Any]) -> Json:
        header, *steps = found["trace"]
        start = header["config"]["lines"]
        kept = Kept(start)
        rows: list[Json] = []
        for step, told in zip(steps, found["history"], strict=False):
            kept.take(step, told)
            last = len(rows) == len(found["history"]) - 1
            rows.append(self._row(step, told, kept, found["aftermath"] if last else None))
        count = METERS[header["meter"]].count if header["meter"] in METERS else None
        return {
            "start": self._lines(start),
            "protected": header["config"]["protected"],
            "meter": header["meter"],
            "size": None if count is None else sum(map(count, start)),
            "steps": rows,
            "aftermath": None if found["aftermath"] is None else self._lines(found["aftermath"]),
        } | ({"lanes": found["lanes"]} if found.get("lanes") else {})

    def _row(self, step: Json, told: Json, kept: Kept, aftermath: list[str] | None) -> Json:
        """One step: the trace's fields, what it came to, and the comparisons that are drawn."""
        live, after = kept.before.lines, kept.now.lines
        words = {name: short(told[name], 2 * self._width) for name in ("what", "outcome")}
        row = told | words | {"step": self._step(step), "change": self._change(told["change"])}
        if told["saw"] is not None:
            row["saw"] = {key: self._saw(value) for key, value in told["saw"].items()}
        if step["op"] == "apply":
            row["unseen"] = kept.unseen(step["base"])
            row["effect"] = effect(live, aftermath if aftermath is not None else after, _hunks(step))
        elif step["op"] in ("snapshot", "expect") and told["change"] is not None:
            row["effect"] = codes(live, after)
        return row

    def _saw(self, value: Any) -> Any:
        return self._lines(value) if isinstance(value, list) else short(value, 2 * self._width)

    def _step(self, step: Json) -> Json:
        shown = {key: self._lines(value) if key == "lines" else value for key, value in step.items()}
        if "hunks" in step:
            shown["hunks"] = [hunk | {"insert": self._lines(hunk["insert"])} for hunk in step["hunks"]]
        return shown

    def _change(self, change: Json | None) -> Json | None:
        return None if change is None else change | {"inserted": self._lines(change["inserted"])}

    def _lines(self, lines: Iterable[str]) -> list[str]:
        return [short(line, self._width) for line in lines]


@dataclass(frozen=True)
class Content:
    """Lines, and beside each an id that stays with it through every change."""

    lines: list[str]
    ids: list[int]


class Kept:
    """Follows a history's content step by step, and keeps what each snapshot showed."""

    def __init__(self, start: list[str]) -> None:
        self._numbers = itertools.count()
        self.now = self.before = Content(start, self._fresh(len(start)))
        self.snapshots: dict[str, Content] = {}

    def take(self, step: Json, told: Json) -> None:
        """The content after ``step`` is ``now``, the one before it ``before``."""
        old = self.before = self.now
        change = told["change"]
        if change is not None:
            at, end, lines = change["at"], change["at"] + change["removed"], change["inserted"]
            after = [*old.lines[:at], *lines, *old.lines[end:]]
            parts = _hunks(step) if step["op"] == "apply" else [_written(step, len(old.lines))]
            if not explains(parts, old.lines, after):
                parts = [Hunk(at, end, tuple(lines))]
            ids = splice(old.ids, [(part.start, part.end, self._fresh(len(part.insert))) for part in parts])
            self.now = Content(after, list(ids))
        if step["op"] == "snapshot" and told["saw"] is not None and "base" in told["saw"]:
            other = told["saw"].get("lines")
            self.snapshots[step["as"]] = self.now if other is None else Content(other, self._fresh(len(other)))

    def unseen(self, name: str) -> list[Code]:
        """How the live content before the step differs from what the snapshot called ``name`` showed.

        By identity and not by text: a copy of a line its author saw is a line its author never saw.
        """
        authored = self.snapshots.get(name, Content([], []))
        if authored.lines == self.before.lines:
            return codes(authored.lines, self.before.lines)
        return codes(authored.ids, self.before.ids)

    def _fresh(self, count: int) -> list[int]:
        return list(itertools.islice(self._numbers, count))


def _hunks(step: Json) -> list[Hunk]:
    """A patch's hunks in the order their effects stand."""
    given = [Hunk(hunk["start"], hunk["end"], tuple(hunk["insert"])) for hunk in step["hunks"]]
    return [given[at] for at in in_order(given)]


def _written(step: Json, length: int) -> Hunk:
    at = step.get("at", length)
    return Hunk(at, at, tuple(step.get("lines", ())))


def short(value: Any, width: int) -> Any:
    """``value``, a text of more than ``width`` characters cut to that, with its length."""
    if not isinstance(value, str) or len(value) <= width:
        return value
    return f"{value[: width - 4]} … ({len(value):,} characters)"
