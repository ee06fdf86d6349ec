"""What the lens makes of a meeting: a counterexample that says who got in where."""

from __future__ import annotations

import pytest

from basebound.lenses.schedules import survey
from basebound.lenses.schedules.harness import Factory
from basebound.lenses.schedules.lens import counterexample
from basebound_catalogue.mutants.atomic.ledgers import ChargeAfterLock
from basebound_catalogue.mutants.atomic.threaded import CheckOutside, LockOrder, StaleLocal


@pytest.mark.parametrize(
    ("engine", "requirement", "place"),
    [
        (CheckOutside, "ATOMIC-CHECK-COMMIT", "subject asking the meter in cost_of"),
        (StaleLocal, "ATOMIC-CHECK-COMMIT", "subject held before apply, line"),
        (ChargeAfterLock, "ATOMIC-LEDGER-KEPT", "`self.charge(emission)`"),
        (LockOrder, "ATOMIC-PROGRESS", "`with self.ledger_lock:`"),
    ],
)
def test_a_counterexample_says_where_in_the_engines_code_a_client_was(
    engine: Factory, requirement: str, place: str
) -> None:
    found = survey(engine, "quick", until=requirement, limit_s=1.5).findings[requirement]
    shown = counterexample(requirement, found, 1)
    assert shown.concurrent is not None
    assert place in shown.concurrent.drawing
    assert found.run.schedule == shown.concurrent.schedule
