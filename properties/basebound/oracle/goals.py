"""What a history has tried: the goals a requirement asks for before it may pass."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence

from basebound.core.trace import Apply
from basebound.model import Hunk
from basebound.oracle.expected import Expected, adjacent, shared_points
from basebound.oracle.ledger import net
from basebound.oracle.reading import is_odd
from basebound.oracle.state import Seen, State

Goals = set[tuple[str, str]]

_PATTERN = re.compile(r"\\\d|\$&|\$\d|\\g<|%s|\{\w*\}")
_AGAIN = re.compile(
    r"re-?author|re-?read|read again|re-?fetch|refresh|re-?snapshot|fresh snapshot|retry|re-?base|re-?plan", re.I
)


def confirmed_by_read(state: State, seen: Seen, step: Apply, expected: Expected, budgeted: bool) -> Goals:
    """The goals an accepted patch reaches once a read has shown its effect; ``state`` is that before it."""
    goals = _acceptance(state, step.hunks, expected) | _splice(state.lines, step.hunks, expected)
    goals |= _beside_protected(state, step.hunks, expected)
    if budgeted:
        goals |= _budget(state, seen, step, expected)
    return goals


def _acceptance(state: State, hunks: Sequence[Hunk], expected: Expected) -> Goals:
    lines = state.lines
    names = {"accepted"} if expected.gone or any(h.insert for h in hunks) else set()
    if lines and len(expected.gone) == len(lines):
        names.add("whole")
    if state.log and state.log[-1].kind == "patch":
        names.add("again")
    if is_odd(lines):
        names.add("odd-content")
    return {("BASE-FRESH-ACCEPTED", name) for name in names}


def _splice(lines: tuple[str, ...], hunks: Sequence[Hunk], expected: Expected) -> Goals:
    goals: Goals = set()
    for hunk in hunks:
        if hunk.start == hunk.end and not hunk.insert:
            continue
        name = "start" if hunk.start == 0 else "end" if hunk.end == len(lines) else "middle"
        goals.add(("BASE-SPLICE-EXACT", name))
    if expected.gone and _removes_a_duplicate(lines, expected.gone):
        goals.add(("BASE-SPLICE-EXACT", "duplicates"))
    goals |= {("BASE-SPLICE-LITERAL", name) for hunk in hunks for line in hunk.insert for name in _literal(line)}
    if len(hunks) > 1:
        goals |= _several(hunks)
    return goals


def _removes_a_duplicate(lines: tuple[str, ...], gone: Sequence[int]) -> bool:
    all_of, some = Counter(lines), Counter(lines[at] for at in gone)
    return any(all_of[text] > count for text, count in some.items())


def _literal(line: str) -> set[str]:
    names = set()
    if _PATTERN.search(line):
        names.add("pattern")
    if line != line.strip() or not line:
        names.add("space")
    if "\n" in line:
        names.add("break")
    if not line.isascii() and unicodedata.normalize("NFC", line) != unicodedata.normalize("NFD", line):
        names.add("unicode")
    return names


def _several(hunks: Sequence[Hunk]) -> Goals:
    goals = {("BASE-SPLICE-ORDER", name) for name in shared_points(hunks)}
    if adjacent(hunks):
        goals.add(("BASE-HUNK-ADJACENT", "tried"))
    starts = [hunk.start for hunk in hunks]
    top = min(hunks, key=lambda hunk: (hunk.start, hunk.end))
    if len(top.insert) != top.end - top.start and max(starts) > top.start:
        goals.add(("BASE-SPLICE-FRAME", "grows"))
    if starts != sorted(starts):
        goals.add(("BASE-SPLICE-FRAME", "unsorted"))
    return goals


def _beside_protected(state: State, hunks: Sequence[Hunk], expected: Expected) -> Goals:
    if not state.protected:
        return set()
    goals: Goals = set()
    gone = set(expected.gone)
    starts = {hunk.start for hunk in hunks if hunk.insert}
    ends = {hunk.end for hunk in hunks if hunk.insert}
    for at, line in enumerate(state.lines):
        if any(marker in line for marker in state.protected):
            found = {"before": at - 1 in gone, "after": at + 1 in gone, "beside": at in ends or at + 1 in starts}
            goals |= {("PROTECTED-REST", name) for name, true in found.items() if true}
        elif at in gone and any(marker.casefold() in line.casefold() for marker in state.protected):
            goals.add(("PROTECTED-CONTAINMENT", "near"))
    return goals


def _budget(state: State, seen: Seen, step: Apply, expected: Expected) -> Goals:
    ledger, goals = state.ledger, set()
    if expected.net == 1:
        goals.add(("BUDGET-NET-ONE", "tried"))
    if step.claim is not None and net(step.claim) <= 0:
        goals.add(("BUDGET-MEASURED", "modest"))
    for rule, amount in (
        ("BUDGET-CHARGE-ONCE", ledger.paid if ledger.commits else 0),
        ("BUDGET-FOREIGN-FREE", ledger.foreign),
        ("BUDGET-DROPPED", ledger.dropped),
    ):
        if amount and expected.net <= amount:
            goals.add((rule, "tried"))
    if state.turns > seen.turns:
        goals.add(("BUDGET-TURN-STILL", "fresh"))
    if any(state.ids[at] in state.former_artifacts for at in expected.gone):
        goals.add(("BUDGET-ARTIFACT-RELEASED", "tried"))
    return goals | (_near_artifacts(state, step.hunks, expected) if state.artifacts else set())


def _near_artifacts(state: State, hunks: Sequence[Hunk], expected: Expected) -> Goals:
    names = set()
    stood = {at for line_id, at in state.artifacts.items() if line_id in state.ids}
    texts = {text for text, line_id in zip(state.lines, state.ids, strict=True) if line_id in state.artifacts}
    if any(at in stood for at in expected.gone):
        names.add("vacated")
    if any(state.lines[at] in texts for at in expected.gone):
        names.add("duplicate")
    ids = state.ids
    for hunk in hunks:
        inside = hunk.start == hunk.end and 0 < hunk.start < len(ids) and hunk.insert
        if inside and ids[hunk.start - 1] in state.artifacts and ids[hunk.start] in state.artifacts:
            names.add("between")
    return {("BUDGET-ARTIFACT-LINES", name) for name in names}


FORMS: dict[str, Callable[[tuple[str, ...]], object]] = {
    "separator": lambda lines: "\n".join(lines),
    "trailing": lambda lines: "\n".join(line.rstrip() for line in lines).rstrip("\n"),
    "case": lambda lines: tuple(line.casefold() for line in lines),
    "unicode": lambda lines: tuple(unicodedata.normalize("NFC", line) for line in lines),
    "order": lambda lines: tuple(sorted(lines)),
    "size": lambda lines: (len(lines), sum(map(len, lines))),
    "empty": lambda lines: () if lines in ((), ("",)) else lines,
}
"""What a weak base may make of the content; two contents with one form are a near-collision."""


def refusal_message(message: str, seen: Seen, live: tuple[str, int] | None) -> list[str]:
    """What a stale-base refusal's message leaves out."""
    missing = []
    if not _names(message, seen.base, seen.revision):
        missing.append("what was authored against")
    if live is not None and not _names(message, *live):
        missing.append("what is live")
    if not _AGAIN.search(message):
        missing.append("to re-author")
    return missing


def _names(message: str, base: str, revision: int) -> bool:
    """Whether a message says either; an empty base cannot be looked for, so that nothing is held against it."""
    return base[:8] in message or re.search(rf"(?<!\d){revision}(?!\d)", message) is not None
