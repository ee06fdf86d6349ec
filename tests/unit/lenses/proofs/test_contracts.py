"""The contracts, row by row and all together, over small worlds and against the suite's oracle."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest

from basebound.core import hunks as oracle_hunks
from basebound.core.meters import DEFAULT
from basebound.core.register import requirements
from basebound.core.trace import Apply, Expect, Gate, Read, Step, Trace
from basebound.lenses.proofs.cases import (
    Accepted,
    Attempt,
    Attempts,
    Bases,
    Broke,
    Contents,
    Emission,
    Gating,
    Refused,
    Rewrite,
    TurnEnd,
    Turns,
    Witnessed,
)
from basebound.lenses.proofs.contracts import CONTENTS, ENGINE, GATE, REQUIREMENTS, REWRITE, TURNS, broken, rows_broken
from basebound.lenses.proofs.meaning import due, gate_refusal_holds, malformed, moments, removed, sound, spliced, stale
from basebound.lenses.proofs.observe import observe
from basebound.lenses.proofs.replayable import trace_of
from basebound.model import Charge, Cost, Hunk, Reason, Receipt, Snapshot
from basebound.oracle.gate import expected_of_gate
from basebound.oracle.oracle import Oracle
from basebound.results.outcome import Outcome, Returned
from basebound.results.outcome import Refused as Said
from basebound.run.replay import replay
from basebound.session.session import RunContext, Session
from basebound.targets import loading
from basebound_catalogue.mutants.pure import PURE_CORRECT

LINES = [(), ("a",), ("!",), ("a", "b"), ("b", "a"), ("a", "!")]
SPANS = [(start, end) for start in range(-1, 4) for end in range(-1, 4)]
REFUSALS = [Refused(reason) for reason in Reason]
GATE_ANSWERS: list[Accepted | Refused] = [Accepted(), *REFUSALS]


def rewrites() -> Iterator[Rewrite]:
    """A small world of rewrites: one hunk everywhere, two hunks on fresh content, with and without a marker."""
    for live, seen, (start, end) in itertools.product(LINES, LINES, SPANS):
        yield Rewrite(live, seen, (Hunk(start, end, ("x",)),))
        if live == seen or live[: len(seen)] == seen:
            yield Rewrite(live, seen, (Hunk(start, end, ("!",)),), ("!",), arrived="append")
    for live, one, other in itertools.product(LINES[:4], SPANS[5:], SPANS[5:]):
        yield Rewrite(live, live, (Hunk(*one, ("x",)), Hunk(*other, ("y", "z"))))


def answers(case: Rewrite) -> list[Accepted | Refused]:
    left = [case.live, case.authored, (*case.live, "x"), ("x", *case.live)]
    if not malformed(case.hunks, len(case.live)):
        left.append(spliced(case.live, case.hunks))
    return [*REFUSALS, *[Accepted(lines) for lines in left]]


def test_the_rows_say_exactly_what_is_due_for_a_rewrite() -> None:
    tried = 0
    for case in rewrites():
        for answer in answers(case):
            assert (rows_broken(case, answer) == ()) == due(case, answer), (case, answer)
            tried += 1
    assert tried > 10_000


def test_some_answer_is_due_for_every_rewrite_and_accepting_is_due_for_the_sound_ones_alone() -> None:
    for case in rewrites():
        allowed = [answer for answer in answers(case) if due(case, answer)]
        assert allowed, case
        assert any(isinstance(answer, Accepted) for answer in allowed) == (not stale(case) and sound(case))


def test_the_rows_say_exactly_what_is_due_for_two_bases() -> None:
    for first, second in itertools.product(LINES, LINES):
        for names in itertools.product("pq", repeat=3):
            case, answer = Contents(first, second), Bases(*names)
            assert (rows_broken(case, answer) == ()) == due(case, answer), (case, answer)


def gatings() -> Iterator[Gating]:
    amounts = [None, -1, 0, 1, 3]
    sets = [frozenset[str](), frozenset({"p"}), frozenset({"q"}), frozenset({"p", "q"})]
    for freed, inserted, other in itertools.product(amounts, repeat=3):
        for kind in ("rationale", "measurement"):
            yield Gating(freed, (Charge("insert", inserted), Charge(kind, other)))
    for freed, edited, artifacts in itertools.product(amounts, sets, sets):
        yield Gating(freed, (), edited, artifacts)


def test_the_rows_say_exactly_what_is_due_for_a_gate() -> None:
    for case in gatings():
        for answer in GATE_ANSWERS:
            assert (rows_broken(case, answer) == ()) == due(case, answer), (case, answer)


def test_the_reasons_of_a_gate_are_those_of_the_oracle() -> None:
    for case in gatings():
        step = Gate(case.freed, case.charges, case.edited, case.artifacts)
        assert {reason for reason in Reason if gate_refusal_holds(case, reason)} == set(
            expected_of_gate(step).reasons
        ), case


def of_the_oracle(case: Gating, answer: Accepted | Refused) -> set[str]:
    """The sentences that the oracle finds broken by this answer of a gate."""
    step = Gate(case.freed, case.charges, case.edited, case.artifacts)
    outcome = Returned() if isinstance(answer, Accepted) else Said(answer.reason, "no")
    oracle = Oracle(Trace(), DEFAULT.count, frozenset({"base", "budget"}))
    return {finding.requirement for finding in oracle.judge(step, outcome)}


def test_a_wrong_answer_of_a_gate_breaks_a_sentence_that_the_oracle_names_too() -> None:
    for case, answer in itertools.product(gatings(), GATE_ANSWERS):
        contracts, oracle = set(broken(case, answer)), of_the_oracle(case, answer)
        assert bool(contracts) == bool(oracle), (case, answer)
        assert not contracts or contracts & oracle, (case, answer)


def test_an_answer_to_a_rewrite_is_wrong_for_the_contracts_exactly_where_it_is_for_the_oracle() -> None:
    tried = 0
    for case in itertools.islice(rewrites(), 0, None, 5):
        for answer in answers(case):
            assert bool(broken(case, answer)) == bool(told(case, answer)), (case, answer)
            tried += 1
    assert tried > 2_000


def told(case: Rewrite, answer: Accepted | Refused) -> list[str]:
    """The sentences that the oracle finds broken where an engine gives this answer to the trace of ``case``."""
    trace = trace_of(case)
    oracle, moments, found = Oracle(trace, DEFAULT.count, frozenset({"base", "protected"})), [case.authored], []
    *before, last = [step for step in trace.steps if not isinstance(step, Expect)]

    def shown() -> Snapshot:
        return Snapshot(moments[-1], repr(moments[-1]), len(moments))

    def judge(step: Step, outcome: Outcome) -> None:
        found.extend(finding.requirement for finding in oracle.judge(step, outcome))

    for step in before:
        if isinstance(step, Read):
            judge(step, Returned(shown()))
        else:
            moments.append(case.live)
            judge(step, Returned(Receipt(shown().base, len(moments)) if isinstance(step, Apply) else None))
    if isinstance(answer, Refused):
        judge(last, Said(answer.reason, "authored on author, live before: read again"))
    else:
        moments += [answer.lines] if answer.lines != moments[-1] else []
        judge(last, Returned(Receipt(shown().base, len(moments))))
    judge(Read("end"), Returned(shown()))
    return [requirement for requirement in found if requirement != "BASE-STALE-MESSAGE"]


def test_ranges_splices_and_removed_lines_are_those_of_the_oracle() -> None:
    for case in rewrites():
        wrong = oracle_hunks.defects(case.hunks, len(case.live))
        assert malformed(case.hunks, len(case.live)) == bool(wrong)
        assert list(removed(case.live, case.hunks)) == [
            case.live[at] for at in oracle_hunks.removed(case.hunks, len(case.live))
        ]
        if not wrong:
            parts = [case.hunks[nth] for nth in oracle_hunks.in_order(case.hunks)]
            assert spliced(case.live, case.hunks) == oracle_hunks.splice(
                case.live, [(part.start, part.end, part.insert) for part in parts]
            )


def test_a_trace_of_a_case_runs_as_expected_on_a_correct_engine() -> None:
    plain = loading.load(PURE_CORRECT[0].target)
    context = RunContext(plain, plain.profiles)
    for case in itertools.islice(rewrites(), 0, None, 17):
        replayed = replay(context, trace_of(case))
        assert (replayed.findings, replayed.unmet) == ((), ()), case


def test_a_trace_of_a_gate_call_runs_as_expected_on_a_correct_gate() -> None:
    gate = loading.load(next(entry.target for entry in PURE_CORRECT if entry.kind == "gate"))
    context = RunContext(gate, gate.profiles)
    for case in itertools.islice(gatings(), 0, None, 7):
        replayed = replay(context, trace_of(case))
        assert (replayed.findings, replayed.unmet) == ((), ()), case


TURN = Turns(
    (("old", 9), ("older", 4)),
    (
        Emission("rationale", "why", 5),
        Attempt("old", "new", 6),
        Emission("measurement", "how much", 1),
        Attempt("why", "other", 0),
        Attempt("old", "short", 2),
        Attempt("older"),
        TurnEnd(),
        Attempt("why"),
    ),
)


def test_the_books_of_a_turn_are_kept_as_the_rules_say() -> None:
    nets = [moment.net for moment in moments(TURN)]
    assert nets == [9 - 6 - 5, 5 - 0 - 6, 9 - 2 - 6, 4, 5]
    assert [moment.artifact for moment in moments(TURN)] == [False, True, False, False, False]
    assert [moment.released for moment in moments(TURN)][-1]


def test_a_turn_on_the_reference_is_as_due_and_so_is_its_trace() -> None:
    reference = loading.load("reference")
    answer = observe(reference.factory, TURN)
    assert broken(TURN, answer) == ()
    session = Session(RunContext(reference, reference.profiles), trace_of(TURN))
    for step in trace_of(TURN).steps:
        assert session.do(step) == []


def witnessed(answer: Accepted | Refused, **changes: object) -> Witnessed:
    before, after = Snapshot(("a", "b"), "one", 1), Snapshot(("b",), "two", 2)
    seen = {
        "start": before,
        "before": before,
        "after": after if isinstance(answer, Accepted) else before,
        "receipt": ("two", 2, None) if isinstance(answer, Accepted) else None,
    }
    return Witnessed(answer, **{**seen, **changes})  # type: ignore[arg-type]


DELETION = Rewrite(("a", "b"), ("a", "b"), (Hunk(0, 1),))


@pytest.mark.parametrize(
    ("change", "requirement"),
    [
        ({"receipt": ("two", 3, None)}, "BASE-RECEIPT"),
        ({"after": Snapshot(("b",), "two", 1), "receipt": ("two", 1, None)}, "BASE-REVISION-RISES"),
        ({"after": Snapshot(("b",), "one", 2), "receipt": ("one", 2, None)}, "BASE-IDENTITY"),
        ({"start": Snapshot(("a",), "zero", 0)}, "BASE-START-EXACT"),
        ({"before": Snapshot(("a",), "one", 1)}, "BASE-SPLICE-EXACT"),
    ],
)
def test_what_an_engine_has_around_a_commit_has_contracts_too(change: dict[str, object], requirement: str) -> None:
    assert broken(DELETION, witnessed(Accepted(("b",)))) == ()
    assert requirement in broken(DELETION, witnessed(Accepted(("b",)), **change))


def test_a_refusal_that_changes_something_breaks_its_contract() -> None:
    case = Rewrite(("a",), ("a",), (Hunk(0, 2),))
    read = Snapshot(("a",), "one", 1)
    right = Witnessed(Refused(Reason.BAD_HUNK), read, read, read)
    assert broken(case, right) == ()
    changed = Witnessed(Refused(Reason.BAD_HUNK), read, read, Snapshot(("a",), "one", 2))
    assert broken(case, changed) == ("BASE-REFUSAL-PURE",)


def test_a_receipt_with_a_wrong_cost_breaks_its_contract() -> None:
    case = Turns((("old", 5),), (Emission("measurement", "how much", 1), Attempt("old")))
    before, after = Snapshot(("old", "how much"), "one", 1), Snapshot(("how much",), "two", 2)

    def attempts(cost: Cost) -> Attempts:
        return Attempts((Witnessed(Accepted(after.lines), before, before, after, ("two", 2, cost)),))

    assert broken(case, attempts(Cost(5, 0, 1))) == ()
    assert broken(case, attempts(Cost(5, 0, 0))) == ("BUDGET-RECEIPT",)


def test_anything_else_that_is_raised_breaks_the_contract_of_answers() -> None:
    assert broken(DELETION, Broke("raised KeyError: 3")) == ("BASE-ANSWER-TYPED",)


def test_every_row_is_a_requirement_of_the_register() -> None:
    known = {row.id for row in requirements()}
    assert known.issuperset(REQUIREMENTS)
    assert all(row.requirement in known for row in (*REWRITE, *ENGINE, *CONTENTS, *GATE, *TURNS))
