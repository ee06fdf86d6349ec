"""Looking at one engine of the catalogue until a given requirement is found broken."""

from __future__ import annotations

from basebound.core.register import Role, with_role
from basebound.lenses.registry import playing, units
from basebound.results.unit import Finished
from basebound.run.explain import counterexamples
from basebound.run.messages import Found, Hunt, Hunted, Progress
from basebound.run.work import Work, described
from basebound.targets import loading
from basebound.targets.driver import Watch


def hunt(order: Hunt, watch: Watch) -> Hunted:
    """Do the units of the order's effort one after the other, until what is hunted is found."""
    target = loading.load(order.target)
    broken: dict[str, None] = {}
    goals: set[tuple[str, str]] = set()
    abilities: set[str] = set()
    steps = 0

    def tell(event: Found | Progress | Finished) -> None:
        if isinstance(event, Found):
            broken[event.counterexample.requirement] = None
        elif isinstance(event, Finished):
            goals.update(event.goals)
            abilities.update(event.abilities)

    work = Work(target, watch, tell)
    remembered = with_role(Role.REMEMBERED_REFUSAL)

    def enough(found: Found) -> bool:
        if order.requirement == remembered and _remembers_a_refusal(work, found):
            broken[remembered] = None
        return order.requirement in broken

    def ended(lens: str | None) -> Hunted:
        shown = described(target)
        return Hunted(order, lens, steps, tuple(broken), frozenset(goals), shown, frozenset(abilities))

    for unit in units(order.effort, order.seed, order.lenses or playing()):
        stop = work.do(unit, enough)
        steps += work.context.steps
        if stop or order.requirement in broken:
            return ended(unit.lens)
    return ended(None)


def _remembers_a_refusal(work: Work, found: Found) -> bool:
    """Whether a refusal is part of the smallest history that shows what was found."""
    remembered = with_role(Role.REMEMBERED_REFUSAL)
    return any(one.requirement == remembered for one in counterexamples(work.context, found.counterexample, 1.0))
