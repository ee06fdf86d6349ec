"""The oracle: follows a history step by step and says what each outcome breaks.

After a break it adopts what the engine really holds, so that one run can find every broken
requirement and not only the first.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from basebound.core.hunks import defects
from basebound.core.trace import (
    APPLIED,
    Append,
    Apply,
    Emit,
    EndTurn,
    Expect,
    Gate,
    Insert,
    Read,
    Spoil,
    Step,
    Trace,
)
from basebound.model import Cost, Reason, Receipt, Snapshot
from basebound.oracle.breaks import Break
from basebound.oracle.expected import Expected, on_fresh, stale_classes, wrongly_refused
from basebound.oracle.gate import ExpectedOfGate, expected_of_gate
from basebound.oracle.goals import FORMS, confirmed_by_read, refusal_message
from basebound.oracle.ledger import Entry, net
from basebound.oracle.reading import Pending, misread
from basebound.oracle.state import Seen, State
from basebound.results.finding import Finding
from basebound.results.outcome import Malformed, Outcome, Raised, Refused, Returned


@dataclass
class Observed:
    """The last base and revision read, and when: after how many changes, and writes that changed nothing."""

    base: str
    revision: int
    changes: int
    idle_writes: int


class Oracle:
    """Judges a history from its start.

    ``claims`` are the profiles whose rules the engine keeps; ``goals`` collects ``(requirement, goal)``
    pairs the history has reached. ``judge`` returns what a step's outcome breaks.
    """

    def __init__(
        self,
        start: Trace,
        count: Callable[[str], int],
        claims: frozenset[str],
        reached: set[tuple[str, str]] | None = None,
    ) -> None:
        guarded = "protected" in claims
        self.claims = claims
        self.state = State(start.protected if guarded else (), count, start.lines)
        self.goals: set[tuple[str, str]] = set() if reached is None else reached
        self._reached: set[tuple[str, str]] = set()
        """Where goals go: kept back until the engine has shown that it holds content, then ``goals`` itself."""
        self.steps = 0
        self.expected = ""
        """What the last patch or gate call had to come to: ``applied``, a reason, or nothing where it is open."""
        self._bases: dict[str, tuple[str, ...]] = {}
        self._forms: dict[tuple[str, object], tuple[str, ...]] = {}
        self._observed: Observed | None = None
        self._hoped: set[tuple[str, str]] = set()
        self._owed: set[str] = set()
        self._owed_changes = -1
        self._promised: Receipt | None = None
        self._refused_at: int | None = None
        self._interrupted_at: int | None = None
        self._since_refusal: set[str] = set()
        self._adopting = False
        self._unsure_artifacts = False
        self._unsure_ledger = False
        self._after_commit = False
        self._pending: list[Pending] = [Pending("start", self.state.lines, self.state.lines)]
        self.state.ledger.start = self.state.size(start.lines) if self._budgeted else 0

    @property
    def _budgeted(self) -> bool:
        return "budget" in self.claims

    def judge(self, step: Step, outcome: Outcome, spoiled: bool = False) -> list[Finding]:
        """What ``outcome`` of ``step`` breaks; the oracle has moved on when it returns.

        ``spoiled`` says that the meter raised in the middle of the step.
        """
        number = self.steps
        self.steps += 1
        self.expected = ""
        interrupted = isinstance(step, Apply) and not spoiled and self._interrupted_at == len(self.state.log)
        if spoiled:
            found = self._interrupted(step, outcome)
        elif isinstance(outcome, (Raised, Malformed)):
            found = self._broken_answer(step, outcome)
        else:
            match step:
                case Read(name):
                    assert isinstance(outcome, Returned)
                    assert isinstance(outcome.value, Snapshot)
                    found = self._read(name, outcome.value)
                case Expect():
                    assert isinstance(outcome, Returned)
                    assert isinstance(outcome.value, Snapshot)
                    found = self._read(None, outcome.value)
                case Append(lines):
                    found = self._write("append", len(self.state.lines), lines)
                case Insert(at, lines):
                    found = self._write("insert", at, lines)
                case Emit(kind, lines):
                    found = self._emit(kind, lines)
                case Apply():
                    found = self._apply(step, outcome)
                case EndTurn():
                    found = self._end_turn()
                case Spoil():
                    found = []
                case Gate():
                    found = self._gate(step, outcome)
        if interrupted and found:
            found.append(found[0]._replace(rule="BUDGET-METER-RAISED"))
        return [Finding(one.rule, number, one.allowed, one.seen, one.ambiguous) for one in found]

    # -- writes

    def _write(self, kind: str, at: int, lines: tuple[str, ...]) -> list[Break]:
        before = self.state.lines
        self.state.add(kind, at, lines)
        if self._budgeted:
            self.state.ledger.foreign += self.state.size(lines)
        self._note(Pending(kind, before, self.state.lines, at=at))
        return []

    def _emit(self, kind: str, lines: tuple[str, ...]) -> list[Break]:
        before = self.state.lines
        new = self.state.add("emit", len(before), lines)
        ledger = self.state.ledger
        ledger.unpaid.append(Entry(kind, self.state.size(lines), ledger.refusals))
        self.state.artifacts.update({line_id: len(before) + i for i, line_id in enumerate(new)})
        self._note(Pending("emit", before, self.state.lines))
        return []

    def _end_turn(self) -> list[Break]:
        state = self.state
        state.ledger.end_turn(state.size(state.lines) if self._budgeted else 0)
        state.former_artifacts.update(state.artifacts)
        state.artifacts.clear()
        state.paid_artifacts.clear()
        state.turns += 1
        self._unsure_artifacts = self._unsure_ledger = self._after_commit = False
        self._note(Pending("end_turn", state.lines, state.lines))
        return []

    def _note(self, pending: Pending) -> None:
        self._pending.append(pending)
        if pending.kind not in ("refusal", "end_turn", "interrupted"):
            self._promised = None
            self._after_commit = False
        if self._refused_at is not None and pending.kind not in ("refusal", "interrupted"):
            self._since_refusal.add(pending.kind)

    # -- apply

    def _apply(self, step: Apply, outcome: Outcome) -> list[Break]:
        if self._adopting or step.base not in self.state.snapshots:
            return self._unjudged(outcome)
        seen = self.state.snapshots[step.base]
        fresh = self._freshness(seen)
        if fresh == "stale":
            return self._stale(seen, step, outcome)
        expected = on_fresh(self.state, step, "protected" in self.claims, self._budgeted)
        if self._unjudgeable(expected, step):
            return self._unjudged(outcome)
        self._reached |= expected.goals
        if fresh == "fresh":
            self.expected = str(next(iter(expected.reasons), APPLIED))
        if isinstance(outcome, Refused):
            return self._refused(seen, step, outcome, expected, fresh)
        return self._accepted(seen, step, outcome, expected)

    def _unjudgeable(self, expected: Expected, step: Apply) -> bool:
        return self._budgeted and (self._unsure_ledger or (self._unsure_artifacts and bool(expected.gone)))

    def _unjudged(self, outcome: Outcome) -> list[Break]:
        if isinstance(outcome, Returned):
            self._lose_track()
        return []

    def _freshness(self, seen: Seen) -> str:
        """``fresh``, ``stale``, or ``either`` where the base may or may not cover the revision."""
        state = self.state
        if seen.lines != state.lines:
            return "stale"
        live = self._live_base()
        if live is not None:
            return "fresh" if live == seen.base else "either"
        return "fresh" if seen.changes == len(state.log) and seen.idle_writes == state.idle_writes else "either"

    def _live_base(self) -> str | None:
        observed = self._observed
        if (
            observed is None
            or observed.changes != len(self.state.log)
            or observed.idle_writes != self.state.idle_writes
        ):
            return None
        return observed.base

    def _stale(self, seen: Seen, step: Apply, outcome: Outcome) -> list[Break]:
        rules, goals = stale_classes(self.state, seen, step)
        wrong = defects(step.hunks, len(seen.lines))
        if wrong:
            goals.add(("BASE-STALE-FIRST", "bad-hunk"))
        self._reached |= goals
        self.expected = Reason.STALE_BASE.value
        allowed = "refused as stale-base: the live content is not the content the patch was authored against"
        if isinstance(outcome, Returned):
            self._lose_track()
            return [Break(rule, allowed, "applied") for rule in (*rules, *(["BASE-STALE-FIRST"] if wrong else []))]
        assert isinstance(outcome, Refused)
        self._note_refusal(step, stale=True, reason=Reason.STALE_BASE)
        self._owe([*rules, *(["BASE-STALE-FIRST"] if wrong else [])])
        if outcome.reason is not Reason.STALE_BASE:
            return [Break("BASE-STALE-FIRST", allowed, f"refused as {outcome.reason}")]
        return self._message(seen, outcome)

    def _message(self, seen: Seen, outcome: Refused) -> list[Break]:
        self._reached.add(("BASE-STALE-MESSAGE", "tried"))
        observed = self._observed
        live = (observed.base, observed.revision) if observed is not None and self._live_base() is not None else None
        missing = refusal_message(outcome.message, seen, live)
        if not missing:
            return []
        allowed = "a message that names the authored and the live base or revision, and says to re-author"
        return [Break("BASE-STALE-MESSAGE", allowed, f"{outcome.message!r} does not say {' or '.join(missing)}")]

    def _refused(self, seen: Seen, step: Apply, outcome: Refused, expected: Expected, fresh: str) -> list[Break]:
        reason = outcome.reason
        may_be_stale = fresh == "either" and reason is Reason.STALE_BASE
        self._note_refusal(step, stale=reason is Reason.STALE_BASE, reason=reason)
        if reason in expected.reasons:
            self._owe([rule for broken in expected.reasons.values() for rule in broken])
            return []
        if may_be_stale:
            return []
        if expected.reasons:
            allowed = f"refused as {' or '.join(str(r) for r in expected.reasons)}"
            rules = [rule for broken in expected.reasons.values() for rule in broken[:1]]
            return [Break(rule, allowed, f"refused as {reason}") for rule in rules]
        allowed = "applied: its base is live and it breaks no rule" + (
            f" (net {expected.net})" if self._budgeted else ""
        )
        rules = wrongly_refused(self.state, seen, step, reason, expected, self.claims)
        return [Break(rule, allowed, _refusal(outcome)) for rule in rules]

    def _accepted(self, seen: Seen, step: Apply, outcome: Outcome, expected: Expected) -> list[Break]:
        assert isinstance(outcome, Returned)
        assert isinstance(outcome.value, Receipt)
        if expected.reasons:
            self._lose_track()
            self.state.ledger.commit(expected.inserted)
            allowed = f"refused as {' or '.join(str(r) for r in expected.reasons)}"
            if Reason.NOT_FREED in expected.reasons:
                allowed += f" (net {expected.net}: {_cost(expected.cost)})"
            rules = dict.fromkeys(rule for broken in expected.reasons.values() for rule in broken)
            return [Break(rule, allowed, _remarked("applied", outcome)) for rule in rules]
        return self._commit(seen, step, outcome.value, expected)

    def _commit(self, seen: Seen, step: Apply, receipt: Receipt, expected: Expected) -> list[Break]:
        state, before = self.state, self.state.lines
        found = self._book(receipt.cost, expected) if self._budgeted else []
        hoped = confirmed_by_read(state, seen, step, expected, self._budgeted)
        if self._interrupted_at == len(state.log):
            hoped.add(("BUDGET-METER-RAISED", "later"))
        if self._refused_at == len(state.log):
            hoped.add(("BASE-FRESH-ACCEPTED", "after-refusal"))
        hoped |= {(rule, "twin") for rule in self._owed if self._owed_changes == len(state.log)}
        state.patch(step.hunks)
        self._note(Pending("apply", before, state.lines, step.hunks))
        if state.lines != before:
            state.committed.add((step.base, step.hunks))
        if self._budgeted:
            state.ledger.commit(expected.inserted)
            state.paid_artifacts.update(state.artifacts)
        self._hoped |= hoped
        self._promised = receipt
        self._after_commit = True
        return found

    def _book(self, cost: Cost | None, expected: Expected) -> list[Break]:
        ledger = self.state.ledger
        if ledger.unpaid:
            self._reached.add(("BUDGET-RECEIPT", "tried"))
        if cost is None:
            ledger.booked = None
            return []
        if cost != expected.cost:
            ledger.booked = None
            return [
                Break(
                    "BUDGET-RECEIPT", f"a receipt of {_cost(expected.cost)}, as the meter measures it", f"{_cost(cost)}"
                )
            ]
        if ledger.booked is not None:
            ledger.booked += net(cost)
        return []

    def _interrupted(self, step: Step, outcome: Outcome) -> list[Break]:
        """The meter raised: the step may raise or refuse, and has changed nothing."""
        if isinstance(outcome, Returned):
            self._unsure_ledger = True
            self._lose_track()
            allowed = "an exception or a refusal: what cannot be measured is not proven"
            return [Break("BUDGET-METER-RAISED", allowed, "applied")] if isinstance(step, Apply) else []
        self._note(Pending("interrupted", self.state.lines, self.state.lines))
        self._interrupted_at = len(self.state.log)
        return []

    # -- a pure gate

    def _gate(self, step: Gate, outcome: Outcome) -> list[Break]:
        expected = expected_of_gate(step)
        self._reached |= expected.goals
        self.expected = str(next(iter(expected.reasons), APPLIED))
        if isinstance(outcome, Refused):
            return self._gate_refused(outcome, expected)
        if expected.reasons:
            rules = dict.fromkeys(rule for broken in expected.reasons.values() for rule in broken)
            allowed = f"refused as {' or '.join(expected.reasons)}"
            return [Break(rule, allowed, _remarked("let through", outcome)) for rule in rules]
        self._reached |= {(rule, "twin") for rule in self._owed}
        return []

    def _gate_refused(self, outcome: Refused, expected: ExpectedOfGate) -> list[Break]:
        if outcome.reason in expected.reasons:
            self._owe(expected.reasons[outcome.reason])
            return []
        if not expected.reasons:
            return [Break("BUDGET-NET-ONE", f"let through: the net is {expected.net}", _refusal(outcome))]
        allowed = f"refused as {' or '.join(expected.reasons)}"
        return [Break(broken[0], allowed, _refusal(outcome)) for broken in expected.reasons.values()]

    def _note_refusal(self, step: Apply, stale: bool, reason: Reason) -> None:
        state = self.state
        state.ledger.refuse(stale)
        self._refused_at = len(state.log)
        self._since_refusal.clear()
        self._note(Pending("refusal", state.lines, state.lines, step.hunks, reason=reason))

    def _owe(self, rules: list[str]) -> None:
        """A refusal was right; its twin is an acceptable patch on the content the refusal left."""
        if self._owed_changes != len(self.state.log):
            self._owed.clear()
            self._owed_changes = len(self.state.log)
        self._owed.update(rules)

    def _lose_track(self) -> None:
        """What the engine holds now is not known; the next read is adopted without a judgement."""
        self._adopting = True
        self._unsure_artifacts = True
        self._hoped.clear()
        self._owed.clear()
        self._promised = None

    def _broken_answer(self, step: Step, outcome: Raised | Malformed) -> list[Break]:
        if isinstance(outcome, Raised):
            where = f" at {outcome.where}" if outcome.where else ""
            said = f"{outcome.kind}: {outcome.message}{where}" if outcome.message else f"{outcome.kind}{where}"
        else:
            said = outcome.what
        found: list[Break] = [Break("BASE-ANSWER-TYPED", _answer(step), said)]
        if (
            isinstance(step, Apply)
            and not self._adopting
            and step.base in self.state.snapshots
            and isinstance(outcome, Raised)
        ):
            found += self._due_but_raised(step, said)
        if isinstance(step, Emit):
            found.append(Break("BUDGET-EMIT-EXACT", "the emission added", said))
        if isinstance(step, Gate):
            reasons = expected_of_gate(step).reasons
            rules = [broken[0] for broken in reasons.values()] or ["BUDGET-NET-ONE"]
            allowed = f"refused as {' or '.join(reasons)}" if reasons else "let through"
            found += [Break(rule, allowed, said) for rule in rules]
        elif not isinstance(step, (Read, Expect)):
            self._unsure_ledger = True
            self._lose_track()
        return found

    def _due_but_raised(self, step: Apply, said: str) -> list[Break]:
        seen = self.state.snapshots[step.base]
        fresh = self._freshness(seen)
        if fresh == "stale":
            rules, _ = stale_classes(self.state, seen, step)
            return [Break(rule, "refused as stale-base", said) for rule in rules]
        expected = on_fresh(self.state, step, "protected" in self.claims, self._budgeted)
        if self._unjudgeable(expected, step) or fresh == "either":
            return []
        if expected.reasons:
            allowed = f"refused as {' or '.join(str(r) for r in expected.reasons)}"
            return [Break(broken[0], allowed, said) for broken in expected.reasons.values()]
        accepted = "BASE-FRESH-ACCEPTED" if "base" in self.claims else "BUDGET-NET-ONE"
        return [Break(accepted, "applied: its base is live and it breaks no rule", said)]

    # -- reads

    def _read(self, name: str | None, value: Snapshot) -> list[Break]:
        state, pending = self.state, self._pending
        found: list[Break] = []
        matches = value.lines == state.lines
        if self._adopting:
            if not matches:
                state.adopt(value.lines)
            self._adopting = False
            self._observed = None
        elif not matches:
            found += misread(pending, value.lines)
            if self._budgeted and [entry.kind for entry in pending] == ["apply"]:
                found += self._conserved(value.lines)
            self._lose_track()
            self._adopting = False
            state.adopt(value.lines)
        else:
            self._confirm()
            self._holds_content()
        found += self._identity(value)
        if matches and self._observed is not None:
            found += self._compare(self._observed, value)
        if self._promised is not None and matches:
            found += self._receipt(self._promised, value)
        if self._budgeted and matches and self._after_commit:
            found += self._conserved(value.lines)
        self._near_collisions(value.lines)
        self._observe(value)
        if name is not None:
            state.snapshots[name] = Seen(
                value.lines, value.base, value.revision, len(state.log), state.idle_writes, state.turns
            )
        return found

    def _confirm(self) -> None:
        pending, goals = self._pending, self._reached
        goals |= self._hoped
        self._hoped.clear()
        goals |= {goal for entry in pending for goal in entry.goals()}
        if not pending:
            goals |= {
                ("BASE-SNAPSHOT-PURE", "tried"),
                ("BASE-IDENTITY-STABLE", "tried"),
                ("BASE-REVISION-STILL", "read"),
            }
        if {"append", "apply"} <= self._since_refusal:
            goals.add(("BASE-REFUSAL-FORGOTTEN", "later"))
        if self.state.snapshots and self._changed():
            goals.add(("BASE-SNAPSHOT-VALUE", "tried"))
        if self._refused_at is not None and self.state.committed:
            goals |= {("BASE-ANSWER-TYPED", "answers"), ("BASE-ANSWER-BOUNDED", "answers")}

    def _holds_content(self) -> None:
        """Goals count once a read has shown a write beside lines that stayed: an engine that does no work has none."""
        if self._reached is self.goals or not self._changed():
            return
        if any(entry.keeps_lines for entry in self._pending):
            self.goals |= self._reached
            self._reached = self.goals

    def _changed(self) -> bool:
        """Whether the content now is another than at the read before: writes may undo each other."""
        return bool(self._pending) and self._pending[0].before != self.state.lines

    def _near_collisions(self, lines: tuple[str, ...]) -> None:
        for name, form in FORMS.items():
            goal = ("BASE-IDENTITY", name)
            if goal not in self._reached and self._forms.setdefault((name, form(lines)), lines) != lines:
                self._reached.add(goal)

    def _observe(self, value: Snapshot) -> None:
        self._observed = Observed(value.base, value.revision, len(self.state.log), self.state.idle_writes)
        self._pending = []

    def _identity(self, value: Snapshot) -> list[Break]:
        known = self._bases.setdefault(value.base, value.lines)
        if known == value.lines:
            return []
        allowed = "another base than any other content of this engine has had"
        return [
            Break("BASE-IDENTITY", allowed, f"the base {short(value.base)} of {show(known)} for {show(value.lines)}")
        ]

    def _compare(self, before: Observed, value: Snapshot) -> list[Break]:
        state = self.state
        changes = len(state.log) - before.changes
        idle = state.idle_writes - before.idle_writes
        said = f"revision {before.revision} then {value.revision}"
        kinds = [entry.kind for entry in self._pending]
        if changes and len(kinds) == 1:
            self._reached.add(("BASE-REVISION-RISES", "patch" if kinds[0] == "apply" else kinds[0]))
        if changes and value.revision < before.revision + changes:
            allowed = (
                f"a revision that has risen with each of {changes} changes" if changes > 1 else "a higher revision"
            )
            return [Break("BASE-REVISION-RISES", allowed, said)]
        if not changes and value.revision < before.revision:
            return [Break("BASE-REVISION-RISES" if idle else "BASE-REVISION-STILL", "no lower revision", said)]
        if not changes and not idle and value.revision != before.revision:
            return [Break(rule, "the same revision", said) for rule in _still("BASE-REVISION-STILL", kinds)]
        if not changes and value.revision == before.revision and value.base != before.base:
            seen = f"base {short(before.base)} then {short(value.base)}"
            return [Break(rule, "the same base", seen) for rule in _still("BASE-IDENTITY-STABLE", kinds)]
        return []

    def _receipt(self, promised: Receipt, value: Snapshot) -> list[Break]:
        self._reached.add(("BASE-RECEIPT", "tried"))
        self._promised = None
        if (promised.base, promised.revision) == (value.base, value.revision):
            return []
        allowed = f"a receipt of base {short(value.base)}, revision {value.revision}, as the read after it shows"
        return [Break("BASE-RECEIPT", allowed, f"base {short(promised.base)}, revision {promised.revision}")]

    def _conserved(self, lines: tuple[str, ...]) -> list[Break]:
        """What the size of ``lines``, as read after a commit, says against the nets; also where the lines are wrong."""
        state, ledger = self.state, self.state.ledger
        self._after_commit = False
        if self._unsure_ledger or self._unsure_artifacts:
            return []
        shrunk = ledger.start + ledger.foreign - state.size(lines)
        if ledger.foreign and state.artifacts:
            self._reached.add(("BUDGET-CONSERVED", "tried"))
        if ledger.commits > 1:
            self._reached.add(("BUDGET-CONSERVED", "several"))
        if shrunk > 0 and ledger.booked in (None, shrunk):
            return []
        booked = "above zero" if ledger.booked is None else str(ledger.booked)
        return [
            Break("BUDGET-CONSERVED", f"the buffer shrunk by the sum of the nets, {booked}", f"it shrunk by {shrunk}")
        ]


def _still(rule: str, kinds: list[str]) -> list[str]:
    if "interrupted" in kinds:
        return ["BUDGET-METER-RAISED"]
    if "refusal" in kinds:
        return [rule, "BASE-REFUSAL-PURE"]
    if "end_turn" in kinds:
        return [rule, "BUDGET-TURN-STILL"]
    return [rule, "BASE-SNAPSHOT-PURE"]


def _remarked(seen: str, outcome: Outcome) -> str:
    remark = outcome.remark if isinstance(outcome, Returned) else ""
    return f"{seen} ({remark})" if remark else seen


def _refusal(outcome: Refused) -> str:
    return f"refused as {outcome.reason}" + (f": {outcome.message}" if outcome.message else "")


def _answer(step: Step) -> str:
    match step:
        case Read() | Expect():
            return "a Snapshot of lines, base and revision"
        case Apply():
            return "a Receipt, or Rejected with a known reason"
    return "no exception"


def _cost(cost: Cost) -> str:
    return f"freed {cost.freed}, rewrite {cost.rewrite}, measurement {cost.measurement}"


def short(base: str) -> str:
    return base if len(base) <= 16 else base[:12] + "..."


def show(lines: tuple[str, ...]) -> str:
    text = repr(list(lines))
    return text if len(text) <= 80 else f"{len(lines)} lines {text[:60]}..."
