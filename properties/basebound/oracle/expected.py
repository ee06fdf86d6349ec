"""Which refusals are expected of a patch, and which sentences an engine breaks that gives another answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from basebound.core.hunks import defects, removed
from basebound.core.trace import Apply
from basebound.model import Cost, Hunk, Reason, utf8_bytes
from basebound.oracle.ledger import net
from basebound.oracle.state import Change, Seen, State

_HUNK_RULE = {
    "negative": "BASE-HUNK-NEGATIVE",
    "reversed": "BASE-HUNK-REVERSED",
    "range": "BASE-HUNK-RANGE",
    "overlap": "BASE-HUNK-OVERLAP",
}
_CHARGE_RULE = {
    "rationale": "BUDGET-CHARGE-RATIONALE",
    "tool-call": "BUDGET-CHARGE-TOOL-CALL",
    "measurement": "BUDGET-CHARGE-MEASUREMENT",
    "error": "BUDGET-CHARGE-ERROR",
}


_ESTIMATORS: tuple[Callable[[str], int], ...] = (
    utf8_bytes,
    len,
    lambda line: len(line) + 1,
    lambda line: len(line.strip()) + 1,
    lambda line: len(line.split()),
)
"""Ways of counting that engines have been seen to use where they were given a meter."""


@dataclass
class Expected:
    """``reasons`` holds, for each reason that applies, the broken sentences if the patch is accepted all the same."""

    reasons: dict[Reason, list[str]] = field(default_factory=dict)
    goals: set[tuple[str, str]] = field(default_factory=set)
    gone: list[int] = field(default_factory=list)
    inserted: int = 0
    cost: Cost = field(default_factory=lambda: Cost(0, 0, 0))

    @property
    def net(self) -> int:
        return net(self.cost)


def stale_classes(state: State, seen: Seen, step: Apply) -> tuple[list[str], set[tuple[str, str]]]:
    """The sentences that demand a refusal as stale-base here, and the goals this case reaches."""
    since = state.log[seen.changes :]
    kinds = {change.kind for change in since}
    rules: list[str] = []
    goals: set[tuple[str, str]] = set()

    def hold(rule: str, *names: str) -> None:
        rules.append(rule)
        goals.update((rule, name) for name in names)

    if kinds == {"append"}:
        hold("BASE-STALE-APPEND", "tried")
    if "emit" in kinds:
        hold("BUDGET-OWN-STALE", "tried")
    if step.hunks and any(_above(change, min(h.start for h in step.hunks)) for change in since):
        hold("BASE-STALE-ABOVE", "tried")
    if "patch" in kinds:
        hold("BASE-STALE-PATCH", "tried")
    if len(seen.lines) == len(state.lines):
        hold("BASE-STALE-LENGTH", "tried")
    came_back = [name for name in ("returned", "moved-on") if _returned(state, seen, name)]
    if came_back:
        hold("BASE-STALE-RETURN", *came_back)
    still = _still_stands(state, seen, step.hunks)
    if still:
        hold("BASE-STALE-DUPLICATE", still)
    if (step.base, step.hunks) in state.committed and state.log[-1].kind == "patch":
        hold("BASE-REPLAY", "tried")
    if not rules:
        rules.append("BASE-STALE-PATCH" if kinds == {"adopted"} else "BASE-STALE-ABOVE")
    return rules, goals


def _above(change: Change, top: int) -> bool:
    if change.kind not in ("insert", "patch"):
        return False
    return change.at < top or (change.inserts and change.at == top)


def _returned(state: State, seen: Seen, name: str) -> bool:
    if name == "returned":
        return any(first < seen.changes < at for at, first in state.returns)
    return any(at > seen.changes for at in state.visited.get(seen.lines, ()))


def _still_stands(state: State, seen: Seen, hunks: Sequence[Hunk]) -> str:
    """``in-place`` or ``copy`` if the replaced lines still stand in the live content, else nothing."""
    spans = [(h.start, seen.lines[max(0, h.start) : max(0, h.end)]) for h in hunks if h.start < h.end]
    if not spans or not all(old for _, old in spans):
        return ""
    if all(state.lines[start : start + len(old)] == old for start, old in spans):
        return "in-place"
    return "copy" if all(_contains(state.lines, old) for _, old in spans) else ""


def _contains(lines: tuple[str, ...], part: tuple[str, ...]) -> bool:
    return any(lines[at : at + len(part)] == part for at in range(len(lines) - len(part) + 1))


def on_fresh(state: State, step: Apply, guarded: bool, budgeted: bool) -> Expected:
    """What is expected of a patch whose base is live. ``guarded`` and ``budgeted`` say what the engine claims."""
    expected = Expected()
    hunks, length = step.hunks, len(state.lines)
    wrong = defects(hunks, length)
    expected.gone = removed(hunks, length)
    if wrong:
        expected.reasons[Reason.BAD_HUNK] = [_HUNK_RULE[kind] for kind in sorted(wrong)]
        if any(not defects([hunk], length) for hunk in hunks):
            expected.reasons[Reason.BAD_HUNK].append("BASE-SPLICE-ALL")
        expected.goals |= _hunk_goals(hunks, wrong, length)
    if guarded and state.protected:
        _protection(state, step, expected)
    if budgeted:
        _budget(state, step, expected)
    return expected


def _hunk_goals(hunks: Sequence[Hunk], wrong: set[str], length: int) -> set[tuple[str, str]]:
    goals = set()
    if "range" in wrong and any(h.start <= length and h.end == length + 1 for h in hunks):
        goals.add(("BASE-HUNK-RANGE", "tried"))
    if "negative" in wrong:
        goals.add(("BASE-HUNK-NEGATIVE", "tried"))
    if "reversed" in wrong:
        goals.add(("BASE-HUNK-REVERSED", "tried"))
    if "overlap" in wrong:
        spans = [h for h in hunks if h.start < h.end]
        inside = any(p.start == p.end and s.start < p.start < s.end for p in hunks for s in spans)
        goals.add(("BASE-HUNK-OVERLAP", "inside" if inside else "ranges"))
    return goals


def _protection(state: State, step: Apply, expected: Expected) -> None:
    marked = [at for at in expected.gone if any(marker in state.lines[at] for marker in state.protected)]
    if not marked:
        return
    broken = ["PROTECTED-REFUSED"]
    expected.goals.add(("PROTECTED-REFUSED", "tried"))
    for rule, name in _protected_cases(state, step, marked):
        expected.goals.add((rule, name))
        if rule not in broken:
            broken.append(rule)
    expected.reasons[Reason.PROTECTED] = broken


def _protected_cases(state: State, step: Apply, marked: list[int]) -> list[tuple[str, str]]:
    cases = []
    if not any(_in(step.hunks[0], at) for at in marked):
        cases.append(("PROTECTED-ANY-HUNK", "later-hunk"))
    if any(_in(h, at) and at > h.start for h in step.hunks for at in marked) and not any(
        h.start == at for h in step.hunks for at in marked
    ):
        cases.append(("PROTECTED-ANY-HUNK", "later-line"))
    texts = [state.lines[at] for at in marked]
    real = [marker for marker in state.protected if marker]
    if "" in state.protected and any(not any(marker in text for marker in real) for text in texts):
        cases.append(("PROTECTED-CONTAINMENT", "empty"))
    if any(marker in text and text.find(marker) > 0 for marker in real for text in texts):
        cases.append(("PROTECTED-CONTAINMENT", "inside"))
    if len(real) > 1 and any(real[0] not in text and any(m in text for m in real[1:]) for text in texts):
        cases.append(("PROTECTED-CONTAINMENT", "second"))
    for at in marked:
        for hunk in step.hunks:
            if state.lines[at] in hunk.insert:
                cases.append(("PROTECTED-REPLACED", "itself" if _in(hunk, at) else "moved"))
        origin, line_id = state.origin[state.ids[at]], state.ids[at]
        if origin in ("append", "patch"):
            cases.append(("PROTECTED-LATE", origin))
        elif origin == "start" and state.started_at[line_id] != at:
            cases.append(("PROTECTED-LATE", "moved"))
    return cases


def _in(hunk: Hunk, at: int) -> bool:
    return hunk.start <= at < hunk.end


def _budget(state: State, step: Apply, expected: Expected) -> None:
    ledger = state.ledger
    freed = state.size([state.lines[at] for at in expected.gone])
    expected.inserted = sum(state.size(hunk.insert) for hunk in step.hunks)
    expected.cost = ledger.cost(freed, expected.inserted)
    if step.claim is not None:
        _claim(step.claim, expected)
    edited = [at for at in expected.gone if state.ids[at] in state.artifacts]
    if edited:
        _self_reference(state, edited, expected)
    if expected.net <= 0:
        _not_freed(state, step, expected)


def _claim(claim: Cost, expected: Expected) -> None:
    parts = {"freed": claim.freed, "rewrite": claim.rewrite, "measurement": claim.measurement}
    broken = []
    if missing := [name for name, amount in parts.items() if amount is None]:
        broken.append("BUDGET-UNPROVEN")
        if len(missing) == 1:
            expected.goals.add(("BUDGET-UNPROVEN", missing[0]))
    if any(amount is not None and amount < 0 for amount in parts.values()):
        broken.append("BUDGET-NEGATIVE")
        expected.goals.add(("BUDGET-NEGATIVE", "tried"))
    if broken:
        expected.reasons[Reason.UNPROVEN] = broken


def _self_reference(state: State, edited: list[int], expected: Expected) -> None:
    broken = ["BUDGET-ARTIFACT-LOCKED"]
    paid = all(state.ids[at] in state.paid_artifacts for at in edited)
    expected.goals.add(("BUDGET-ARTIFACT-LOCKED", "paid" if paid else "tried"))
    if all(state.artifacts[state.ids[at]] != at for at in edited):
        broken.append("BUDGET-ARTIFACT-LINES")
        expected.goals.add(("BUDGET-ARTIFACT-LINES", "moved"))
    expected.reasons[Reason.SELF_REFERENCE] = broken


def _not_freed(state: State, step: Apply, expected: Expected) -> None:
    """The gate's own sentence, and the entry that must have been left out where only one explains a gain."""
    broken = ["BUDGET-NET-ZERO" if expected.net == 0 else "BUDGET-NET-NEGATIVE"]
    expected.goals.add((broken[0], "tried"))
    if not expected.gone and not expected.inserted and not state.ledger.unpaid:
        expected.goals.add(("BUDGET-NET-ZERO", "nothing"))
    left_out = _left_out(state, expected)
    if len(left_out) == 1:
        rule = left_out[0]
        broken.append(rule)
        expected.goals.add((rule, "tried"))
    if _forgiven(state, expected):
        broken.append("BUDGET-CHARGE-REFUSED")
        expected.goals.add(("BUDGET-CHARGE-REFUSED", "tried"))
        if state.ledger.stale_refusals:
            expected.goals.add(("BUDGET-CHARGE-REFUSED", "stale"))
    claim = step.claim
    if claim is not None and Reason.UNPROVEN not in expected.reasons and net(claim) > 0:
        broken.append("BUDGET-MEASURED")
        expected.goals.add(("BUDGET-MEASURED", "inflated"))
    if max(_elsewise(state, step, expected)) > 0:
        expected.goals.add(("BUDGET-MEASURED", "meter"))
        if not left_out:
            broken.append("BUDGET-MEASURED")
    if _is_reorder(state, step, expected):
        broken.append("BUDGET-REORDER")
        expected.goals.add(("BUDGET-REORDER", "tried"))
    if state.ledger.commits and state.ledger.unpaid and expected.net + state.ledger.owed() > 0:
        expected.goals.add(("BUDGET-CHARGE-ONCE", "after"))
        broken.append("BUDGET-CHARGE-ONCE")
    expected.reasons[Reason.NOT_FREED] = list(dict.fromkeys(broken))


def _left_out(state: State, expected: Expected) -> list[str]:
    rules = [rule for kind, rule in _CHARGE_RULE.items() if expected.net + state.ledger.owed((kind,)) > 0]
    if expected.inserted and expected.net + expected.inserted > 0:
        rules.append("BUDGET-CHARGE-INSERT")
    return rules


def _forgiven(state: State, expected: Expected) -> bool:
    """Whether the net would be above zero if the last refusal had wiped what was emitted before it."""
    ledger = state.ledger
    before = sum(entry.tokens for entry in ledger.unpaid if entry.before < ledger.refusals)
    return ledger.refusals > 0 and before > 0 and expected.net + before > 0


def _elsewise(state: State, step: Apply, expected: Expected) -> list[int]:
    """The net of the patch by estimators engines use instead of the meter, unpaid emissions as measured."""
    gone = [state.lines[at] for at in expected.gone]
    new = [line for hunk in step.hunks for line in hunk.insert]
    owed = state.ledger.owed()
    return [sum(map(count, gone)) - sum(map(count, new)) - owed for count in _ESTIMATORS]


def _is_reorder(state: State, step: Apply, expected: Expected) -> bool:
    inserted = sorted(line for hunk in step.hunks for line in hunk.insert)
    return bool(inserted) and inserted == sorted(state.lines[at] for at in expected.gone)


def wrongly_refused(
    state: State, seen: Seen, step: Apply, reason: Reason, expected: Expected, claims: frozenset[str]
) -> list[str]:
    """The sentences broken by refusing, for ``reason``, a patch that had to be accepted."""
    if reason is Reason.PROTECTED and "protected" in claims:
        return ["PROTECTED-REST", *(["PROTECTED-CONTAINMENT"] if _nearly_marked(state, expected) else [])]
    if reason is Reason.BAD_HUNK:
        return _refused_hunks(step.hunks)
    if "budget" in claims:
        if reason is Reason.UNPROVEN:
            return ["BUDGET-MEASURED"]
        if reason is Reason.SELF_REFERENCE:
            return _refused_edit(state, step, expected)
        if reason is Reason.NOT_FREED:
            return ["BUDGET-NET-ONE", *_overcharged(state, step, expected)]
        if state.turns > seen.turns:
            return ["BASE-FRESH-ACCEPTED", "BUDGET-TURN-STILL"]
    return ["BASE-FRESH-ACCEPTED"]


def _nearly_marked(state: State, expected: Expected) -> bool:
    texts = [state.lines[at].casefold() for at in expected.gone]
    return any(marker.casefold() in text for marker in state.protected for text in texts)


def _refused_hunks(hunks: Sequence[Hunk]) -> list[str]:
    if len(hunks) < 2:
        return ["BASE-FRESH-ACCEPTED"]
    if shared_points(hunks):
        return ["BASE-SPLICE-ORDER"]
    ends = {hunk.end for hunk in hunks if hunk.start < hunk.end}
    touching = adjacent(hunks) or any(hunk.start == hunk.end and hunk.start in ends for hunk in hunks)
    return ["BASE-HUNK-ADJACENT" if touching else "BASE-FRESH-ACCEPTED"]


def shared_points(hunks: Sequence[Hunk]) -> set[str]:
    """``same-point`` and ``range-start``, where insertions meet each other or the start of a range."""
    points = [h.start for h in hunks if h.start == h.end and h.insert]
    found = {"same-point"} if len(points) > len(set(points)) else set()
    if any(h.start < h.end and h.start in points for h in hunks):
        found.add("range-start")
    return found


def adjacent(hunks: Sequence[Hunk]) -> bool:
    spans = [h for h in hunks if h.start < h.end]
    return any(one.end == other.start for one in spans for other in spans)


def _refused_edit(state: State, step: Apply, expected: Expected) -> list[str]:
    if any(state.ids[at] in state.former_artifacts for at in expected.gone):
        return ["BUDGET-ARTIFACT-RELEASED"]
    return ["BUDGET-ARTIFACT-LINES"] if state.artifacts else ["BUDGET-NET-ONE"]


def _overcharged(state: State, step: Apply, expected: Expected) -> list[str]:
    """What would make the net zero or less if it were charged wrongly; said only where one thing explains it."""
    ledger = state.ledger
    suspects = []
    if ledger.paid and expected.net - ledger.paid <= 0:
        suspects.append("BUDGET-CHARGE-ONCE")
    if ledger.foreign and expected.net - ledger.foreign <= 0:
        suspects.append("BUDGET-FOREIGN-FREE")
    if ledger.dropped and expected.net - ledger.dropped <= 0:
        suspects.append("BUDGET-DROPPED")
    if step.claim is not None and net(step.claim) <= 0:
        suspects.append("BUDGET-MEASURED")
    if not suspects and min(_elsewise(state, step, expected)) <= 0:
        suspects.append("BUDGET-MEASURED")
    return suspects if len(suspects) == 1 else []
