"""What is owed and what is locked where calls meet: which histories have an order with right books, and which none."""

from __future__ import annotations

import threading

import pytest

from basebound.core.trace import Append, Apply, Emit, EndTurn, Read, Step
from basebound.history import CallHistory, Operation
from basebound.history.order_verdict import Illegal, Legal
from basebound.lenses.schedules import ledgers, survey
from basebound.lenses.schedules.harness import Factory
from basebound.lenses.schedules.programs import LEDGER_PROGRAMS
from basebound.model import Hunk, Reason, Receipt, Snapshot
from basebound.results.outcome import Outcome, Refused, Returned
from basebound_catalogue.correct.atomic import PublishedLedger
from basebound_catalogue.mutants.atomic.ledgers import AwaitingLedger, ChargeAfterLock, LockedLedger
from basebound_catalogue.mutants.atomic.threaded import Locked

LINES = ("a line of 19 tokens", "another")
REASONS = ("reasons of 21 tokens",)
SHORTER = Hunk(0, 1, ("",))
"""Frees 20 tokens and writes 1."""


def seen(lines: tuple[str, ...], revision: int) -> Snapshot:
    return Snapshot(lines, f"base {revision}", revision)


START, EMITTED = seen(LINES, 0), seen((*LINES, *REASONS), 1)
DONE = Returned()
TOO_DEAR = Refused(Reason.NOT_FREED, "net -2")


def history(*calls: tuple[str, int, int, Step, Outcome], authored: Snapshot = EMITTED) -> CallHistory:
    operations = [
        Operation(client, t0, t1, step, outcome, authored if isinstance(step, Apply) else None)
        for client, t0, t1, step, outcome in calls
    ]
    return CallHistory.of(LINES, operations)


def test_a_patch_after_an_emission_pays_for_it() -> None:
    emission = ("one", 1, 2, Emit("rationale", REASONS), DONE)
    read = ("two", 3, 4, Read("r"), Returned(EMITTED))
    assert isinstance(ledgers.judge(history(emission, read, ("two", 5, 6, Apply("r", (SHORTER,)), TOO_DEAR))), Legal)
    accepted = Returned(Receipt("base 2", 2))
    verdict = ledgers.judge(history(emission, read, ("two", 5, 6, Apply("r", (SHORTER,)), accepted)))
    assert isinstance(verdict, Illegal)
    assert "not-freed (net -2" in verdict.why


def test_a_turn_that_ends_meanwhile_explains_either_answer_and_one_that_ended_before_only_one() -> None:
    emission = ("one", 1, 2, Emit("rationale", REASONS), DONE)
    read = ("two", 3, 4, Read("r"), Returned(EMITTED))
    for answer in (TOO_DEAR, Returned(Receipt("base 2", 2))):
        meanwhile = ("one", 5, 9, EndTurn(), DONE)
        assert isinstance(
            ledgers.judge(history(emission, read, meanwhile, ("two", 6, 8, Apply("r", (SHORTER,)), answer))), Legal
        )
    before = ("one", 5, 6, EndTurn(), DONE)
    late = ("two", 7, 8, Apply("r", (SHORTER,)), TOO_DEAR)
    assert isinstance(ledgers.judge(history(emission, read, before, late)), Illegal)


def test_a_history_without_emissions_and_turns_is_not_its_business() -> None:
    assert not ledgers.concerns(history(("one", 1, 2, Append(("x",)), DONE)))
    assert ledgers.concerns(history(("one", 1, 2, EndTurn(), DONE)))


@pytest.mark.parametrize("engine", [LockedLedger, PublishedLedger, AwaitingLedger])
def test_engines_with_right_books_take_part_in_every_program(engine: Factory) -> None:
    assert ledgers.programs(engine) == list(LEDGER_PROGRAMS)


def test_an_engine_without_a_budget_has_no_books() -> None:
    assert ledgers.programs(Locked) == []


class FreeRationale(LockedLedger):
    """Wrong for one client already: rationale is never charged."""

    def emitted(self, *kinds: str) -> int:
        return super().emitted(*(kind for kind in kinds if kind != "rationale"))


def test_what_is_wrong_for_one_client_is_not_blamed_on_two() -> None:
    names = {program.name for program in ledgers.programs(FreeRationale)}
    assert "emit/apply" not in names
    assert "emit/end-turn" in names
    assert not survey(FreeRationale, "quick").findings


class EndlessTurn(LockedLedger):
    def end_turn(self) -> None:
        threading.Event().wait()


def test_an_engine_that_hangs_alone_is_left_in_time() -> None:
    names = [program.name for program in ledgers.programs(EndlessTurn, limit_s=0.3)]
    assert names == [program.name for program in LEDGER_PROGRAMS if "turn" not in program.name]


def test_the_story_names_the_call_that_cannot_be_right() -> None:
    found = survey(ChargeAfterLock, "quick", until=ledgers.KEPT).findings[ledgers.KEPT]
    assert [broken.requirement for broken in found.broken] == [ledgers.KEPT, "ATOMIC-LINEARIZABLE"]
    assert "no order of these calls explains what is charged and locked" in found.drawn()
    assert "held before emit" in found.run.where


def test_an_engine_that_does_not_claim_a_budget_is_not_asked_for_one() -> None:
    class Unclaimed(LockedLedger):
        profiles = frozenset({"base", "atomic"})

    assert ledgers.programs(Unclaimed) == []
