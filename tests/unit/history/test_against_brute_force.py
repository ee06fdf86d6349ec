"""The checker against a slow judge that shares no code with it: permutations, replay, difference constraints."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from math import inf

import contract_model
import pytest

from basebound.core.trace import Append, Apply, Emit, Insert, Read, Step
from basebound.history import CallHistory, Illegal, Legal, Operation, judge
from basebound.history.reduce import cannot_be_ordered
from basebound.model import Hunk, Reason, Receipt, Snapshot
from basebound.results.outcome import Outcome, Refused, Returned

Lines = tuple[str, ...]
Edge = tuple[int, int, int]


# ------------------------------------------------------------------------------------------ the slow judge


def has_order(history: CallHistory) -> bool:
    """Every choice of lost operations, every permutation that keeps real time."""
    states = [state for op in history.operations if op.answered for state in shown(op)]
    if any(op.receipt and not fits(op) for op in history.operations):
        return False
    if any(contradict(one, other) for one, other in combinations(states, 2)):
        return False
    answered = [op for op in history.operations if op.answered]
    lost = [op for op in history.operations if not op.answered and not isinstance(op.step, Read)]
    lost = [op for op in lost if not isinstance(op.step, Apply) or fits(op)]
    chosen = (list(some) for count in range(len(lost) + 1) for some in combinations(lost, count))
    return any(permuted(history, answered + some, history.lines, []) for some in chosen)


def fits(op: Operation) -> bool:
    assert isinstance(op.step, Apply)
    assert op.authored is not None
    return contract_model.fits(len(op.authored.lines), op.step.hunks)


def result(op: Operation) -> Lines:
    assert isinstance(op.step, Apply)
    assert op.authored is not None
    return contract_model.splice(op.authored.lines, op.step.hunks)


def shown(op: Operation) -> Iterator[Snapshot]:
    if op.seen:
        yield op.seen
    if op.authored:
        yield op.authored
        if op.receipt and fits(op):
            yield Snapshot(result(op), op.receipt.base, op.receipt.revision)


def contradict(one: Snapshot, other: Snapshot) -> bool:
    if one.base == other.base and one.lines != other.lines:
        return True
    return one.revision == other.revision and (one.lines, one.base) != (other.lines, other.base)


def permuted(history: CallHistory, rest: list[Operation], content: Lines, rules: list[list[tuple[str, int]]]) -> bool:
    if not rest:
        return has_revisions(history, rules)
    for op in rest:
        others = [other for other in rest if other is not op]
        if any(end_of(other) < op.t0 for other in others):
            continue
        after, rule = effect(op, content)
        if after is not None and permuted(history, others, after, [*rules, rule]):
            return True
    return False


def end_of(op: Operation) -> float:
    return op.t1 if op.answered and op.t1 is not None else inf


def effect(op: Operation, content: Lines) -> tuple[Lines | None, list[tuple[str, int]]]:
    """What the content is afterwards, and what is asked of the revisions before and after."""
    step = op.step
    if isinstance(step, (Append, Emit, Insert)):
        at = step.at if isinstance(step, Insert) and step.lines else len(content)
        if at > len(content):
            return None, []
        after = content[:at] + step.lines + content[at:]
        return after, [("rises by", int(after != content))]
    if op.seen is not None:
        return (content, [("stays", 0), ("is", op.seen.revision)]) if op.seen.lines == content else (None, [])
    assert op.authored is not None
    here, seen_at = content == op.authored.lines, op.authored.revision
    if op.refusal is not None:
        if op.refusal is Reason.STALE_BASE:
            return content, [("stays", 0), ("was at least", seen_at + here)]
        return (content, [("stays", 0), ("was at least", seen_at)]) if here else (None, [])
    if not here:
        return None, []
    rules = [("was at least", seen_at), ("rises by", int(result(op) != content))]
    return result(op), rules + ([("is", op.receipt.revision)] if op.receipt else [])


def has_revisions(history: CallHistory, rules: list[list[tuple[str, int]]]) -> bool:
    """Bellman-Ford: is there a revision for each state?"""
    zero = len(rules) + 1
    edges: list[Edge] = []
    for before, asked in enumerate(rules):
        after = before + 1
        for rule, value in asked:
            if rule == "rises by":
                edges.append((before, after, value))
            elif rule == "stays":
                edges += [(before, after, 0), (after, before, 0)]
            elif rule == "is":
                edges += [(zero, after, value), (after, zero, -value)]
            else:
                edges.append((zero, before, value))
    least = [0] * (zero + 1)
    for _ in range(zero + 2):
        raised = False
        for here, there, value in edges:
            if least[here] + value > least[there]:
                least[there], raised = least[here] + value, True
        if not raised:
            return True
    return False


# -------------------------------------------------------------------------------------- random histories


class World:
    """An engine that is right, under clients that meet: texts repeat, answers get lost, bases may come back."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.covers_revision = rng.random() < 0.5
        self.repeats = rng.choice((0.0, 0.5, 1.0))
        self.lost = rng.choice((0.0, 0.15, 0.5))
        self.spread = rng.choice((10, 50, 200))
        self.made = 0
        self.lines = tuple(self.line() for _ in range(rng.randint(0, 2)))
        self.revision = rng.randint(0, 2)
        self.known = [self.live()]

    def line(self) -> str:
        self.made += 1
        return self.rng.choice("abc") if self.rng.random() < self.repeats else f"line {self.made}"

    def live(self) -> Snapshot:
        base = repr(self.lines) + (f"@{self.revision}" if self.covers_revision else "")
        return Snapshot(self.lines, base, self.revision)

    def change(self, lines: Lines) -> None:
        if lines != self.lines:
            self.revision += self.rng.choice((1, 1, 1, 3))
        elif self.rng.random() < 0.3:
            self.revision += 1
        self.lines = lines

    def history(self, size: int) -> CallHistory:
        start = self.lines
        return CallHistory.of(start, [self.operation(10 * n) for n in range(size)])

    def operation(self, instant: int) -> Operation:
        rng = self.rng
        begin, end = instant - rng.randint(0, self.spread), instant + rng.randint(0, self.spread)
        answered = rng.random() >= self.lost
        happens = answered or rng.random() < 0.5
        authored = None
        kind = rng.choices(("read", "append", "insert", "emit", "apply"), (6, 4, 2, 1, 8))[0]
        new = tuple(self.line() for _ in range(rng.choice((0, 1, 1, 1, 2))))
        if kind == "read":
            step: Step = Read("r")
            outcome: Outcome = Returned(self.live())
            self.known.append(self.live())
        elif kind == "apply":
            authored = rng.choice(self.known[-2:]) if rng.random() < 0.6 else self.live()
            step, outcome = self.apply(authored, new, happens)
        else:
            at = rng.randint(0, len(self.lines)) if kind == "insert" else len(self.lines)
            writes: dict[str, Step] = {"append": Append(new), "insert": Insert(at, new), "emit": Emit("error", new)}
            step = writes[kind]
            outcome = Returned()
            if happens:
                self.change(self.lines[:at] + new + self.lines[at:])
        client = f"client {rng.randint(0, 2)}"
        return Operation(client, begin, end if answered else None, step, outcome if answered else None, authored)

    def apply(self, authored: Snapshot, new: Lines, happens: bool) -> tuple[Step, Outcome]:
        rng, size = self.rng, len(authored.lines)
        start = rng.randint(0, size)
        stop = rng.randint(start, size)
        insert = new if rng.random() < 0.8 else authored.lines[start:stop]
        hunk = Hunk(start, stop, insert) if rng.random() < 0.9 else Hunk(0, size + 1)
        step = Apply("r", (hunk,))
        if authored.base != self.live().base:
            return step, Refused(Reason.STALE_BASE)
        if not contract_model.fits(size, step.hunks):
            return step, Refused(Reason.BAD_HUNK)
        if happens:
            self.change(contract_model.splice(authored.lines, step.hunks))
            self.known.append(self.live())
        return step, Returned(Receipt(self.live().base, self.revision))


def damaged(rng: random.Random, history: CallHistory) -> CallHistory:
    """The history with one or two lies in it; some of them are still legal."""
    operations = list(history.operations)
    for _ in range(rng.choice((1, 1, 2))):
        at = rng.randrange(len(operations))
        lie = lied(rng, operations[at], operations)
        operations[at : at + 1] = [lie] if lie is not None else []
        if not operations:
            break
    return CallHistory.of(history.lines, operations)


def lied(rng: random.Random, op: Operation, operations: list[Operation]) -> Operation | None:
    shift = rng.randint(-40, 40)
    lies: list[Operation | None] = [None, replace(op, t0=op.t0 + shift, t1=None if op.t1 is None else op.t1 + shift)]
    if op.seen is not None:
        other = rng.choice([read.seen for read in operations if read.seen is not None])
        lies += [
            replace(op, outcome=Returned(replace(op.seen, revision=op.seen.revision + rng.choice((-1, 1))))),
            replace(op, outcome=Returned(other)),
            replace(op, outcome=Returned(replace(op.seen, lines=other.lines))),
            replace(op, outcome=Returned(replace(op.seen, lines=other.lines, base=other.base))),
        ]
    if op.receipt is not None:
        raised = Receipt(op.receipt.base, op.receipt.revision + rng.choice((-1, 1)))
        outcomes = (Refused(Reason.STALE_BASE), Refused(Reason.BAD_HUNK), Returned(raised))
        lies += [replace(op, outcome=outcome) for outcome in outcomes]
    if op.refusal is not None and op.authored is not None and fits(op):
        lies.append(replace(op, outcome=Returned(Receipt(repr(result(op)), op.authored.revision + 1))))
    if isinstance(op.step, Append) and op.step.lines:
        lies.append(replace(op, step=Append((*op.step.lines[:-1], "never written"))))
    return rng.choice(lies)


def histories(seeds: range, most: int) -> Iterator[tuple[int, CallHistory, CallHistory]]:
    for seed in seeds:
        rng = random.Random(seed)
        legal = World(rng).history(rng.randint(1, most))
        yield seed, legal, damaged(rng, legal)


# ------------------------------------------------------------------------------------------------- tests


def compare(seeds: range) -> tuple[int, int]:
    """Judges both kinds both ways; returns how many damaged ones were legal, and how many not."""
    counts = {True: 0, False: 0}
    for seed, legal, lie in histories(seeds, 6):
        assert isinstance(judge(legal), Legal), f"seed {seed}: a legal history was refused"
        expected = has_order(lie)
        assert isinstance(judge(lie), Legal if expected else Illegal), f"seed {seed}: brute force says {expected}"
        counts[expected] += 1
    return counts[True], counts[False]


def test_the_checker_agrees_with_brute_force() -> None:
    legal, illegal = compare(range(1000))
    assert legal > 100
    assert illegal > 100


@pytest.mark.slow
def test_the_checker_agrees_with_brute_force_on_tens_of_thousands() -> None:
    legal, illegal = compare(range(10_000, 50_000))
    assert legal > 5_000
    assert illegal > 5_000


def test_a_legal_order_is_one() -> None:
    for seed, legal, _ in histories(range(3000, 3300), 8):
        verdict = judge(legal)
        assert isinstance(verdict, Legal)
        order = list(verdict.order)
        must = [op for op in legal.operations if op.answered]
        assert [op for op in must if not any(op is placed for placed in order)] == [], f"seed {seed}: left out"
        content, rules = legal.lines, []
        for n, op in enumerate(order):
            assert not any(end_of(later) < op.t0 for later in order[n + 1 :]), f"seed {seed}"
            after, rule = effect(op, content)
            assert after is not None, f"seed {seed}: {op} cannot come there"
            content = after
            rules.append(rule)
        assert has_revisions(legal, rules), f"seed {seed}: no revisions"


def test_culprits_cannot_be_ordered_and_no_fewer_of_them() -> None:
    sizes = set()
    for seed, _, lie in histories(range(5000, 5700), 10):
        verdict = judge(lie)
        if not isinstance(verdict, Illegal):
            continue
        kept = [n for n, op in enumerate(verdict.within.operations) if any(op is c for c in verdict.culprits)]
        assert len(kept) == len(verdict.culprits), f"seed {seed}"
        assert cannot_be_ordered(verdict.within, kept), f"seed {seed}"
        for left_out in kept:
            fewer = [n for n in kept if n != left_out]
            assert cannot_be_ordered(verdict.within, fewer) is False, f"seed {seed}"
        assert verdict.minimal
        sizes.add(len(kept))
    assert {1, 2, 3} <= sizes
