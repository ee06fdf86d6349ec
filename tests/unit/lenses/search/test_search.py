"""The search: the same seed is the same run, it goes on after a break, and it reaches its goals."""

from __future__ import annotations

from basebound.core.register import requirements
from basebound.core.trace import Trace
from basebound.lenses.search.machine import SearchPlan, search
from basebound.results.steps import History
from basebound.session.session import RunContext
from basebound.targets.loading import load

PLAN = SearchPlan(40, 25, 60.0)
ONE_CLIENT = {"base", "protected", "budget"}


def searched(name: str, seed: int) -> tuple[RunContext, list[Trace], set[str]]:
    target = load(name)
    context = RunContext(target, target.profiles)
    traces: list[Trace] = []
    broken: set[str] = set()

    def ended(history: History) -> bool:
        traces.append(history.trace)
        broken.update(finding.requirement for finding in history.findings)
        return False

    search(context, PLAN, seed, ended)
    return context, traces, broken


def test_the_same_seed_gives_the_same_histories_and_another_seed_others() -> None:
    _, first, _ = searched("basebound_catalogue.plain:PlainEngine", 7)
    _, again, _ = searched("basebound_catalogue.plain:PlainEngine", 7)
    _, other, _ = searched("basebound_catalogue.plain:PlainEngine", 8)
    assert first == again
    assert first != other


def test_the_search_goes_on_after_a_break_and_finds_the_others() -> None:
    _, traces, broken = searched("fault:no-guard", 0)
    assert len(traces) >= PLAN.runs
    assert {"BASE-STALE-APPEND", "BASE-STALE-ABOVE", "BASE-STALE-PATCH", "BASE-REPLAY"} <= broken


def test_the_search_finds_nothing_on_the_reference() -> None:
    _, _, broken = searched("reference", 1)
    assert broken == set()


def test_most_goals_are_reached_by_a_short_search() -> None:
    context, _, _ = searched("reference", 0)
    goals = {(row.id, goal.name) for row in requirements() for goal in row.goals if row.profile in ONE_CLIENT}
    assert len(goals & context.goals) > 0.7 * len(goals)
