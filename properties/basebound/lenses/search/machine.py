"""Lens ``search``: long mixed histories, by a Hypothesis state machine against the oracle.

The machine never raises: it goes on after a break, the oracle adopting what the engine really holds,
so that one search finds every broken requirement. Each first break is kept as a trace.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import hypothesis
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.configuration import set_hypothesis_home_dir
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from basebound.core.meters import DEFAULT, METERS
from basebound.core.trace import Append, Trace
from basebound.lenses.search import contents
from basebound.lenses.search.choices import ChoiceSource
from basebound.lenses.search.rules import BASE_MOVES, BUDGET_MOVES, PROTECTED_MOVES, ActionGenerator
from basebound.results.steps import History
from basebound.session.session import RunContext, Session
from basebound.session.time_budget import TimeBudget

_BYTES = 24
CHOICES = st.binary(min_size=_BYTES, max_size=_BYTES)
"""What a move decides by; more is made of it where a move needs more."""
_NUMBERS = st.integers(0, 256**_BYTES - 1)
"""The same for a solver, which makes a number plain at once, and bytes one by one."""
_CHARACTERS = st.characters(exclude_categories=["Cs"])
"""All that encode to UTF-8, named by category: naming the codec instead costs seconds where nothing is cached."""
_TEXTS = st.lists(st.text(_CHARACTERS, max_size=6), min_size=1, max_size=3)
_NOWHERE = Path(os.devnull) / "hypothesis"
"""A folder that cannot be made: Hypothesis works out anew what it would cache in the user's working directory."""
_AFFORDABLE = 2**16
"""A meter whose smallest line costs more is left to the box: no filler balances it."""
_KEPT = 70
"""The share of the moves, in percent, that a run makes."""
_MARKER_SETS = ((), ("KEEP",), ("KEEP", "[pin]"), ("KEEP ",), ("",), ("a",))


@dataclass(frozen=True)
class SearchPlan:
    """How much to search: runs, moves a run, and the seconds (see ``TimeBudget``) after which no new run begins."""

    runs: int
    steps: int
    seconds: float
    backend: str = "hypothesis"


def search(context: RunContext, plan: SearchPlan, seed: int, done: Callable[[History], bool]) -> int:
    """Search with ``seed``; ``done`` gets each history as it ends and says whether to stop. Returns the runs."""
    runs = 0
    budget: TimeBudget | None = None
    stopped = False

    def ended(history: History) -> None:
        nonlocal runs, stopped
        runs += 1
        stopped = stopped or done(history)

    def over() -> bool:
        nonlocal budget
        budget = budget or TimeBudget(plan.seconds)  # from the first run: Hypothesis takes a while to begin
        return stopped or budget.over

    machine = _machine(context, ended, over)
    chosen = settings(
        max_examples=plan.runs,
        stateful_step_count=plan.steps,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
        backend=plan.backend,
    )
    set_hypothesis_home_dir(_NOWHERE)
    try:
        if plan.backend == "crosshair":
            _by_solver(machine, plan, chosen, over)
        else:
            run_state_machine_as_test(hypothesis.seed(seed)(machine), settings=chosen)
    finally:
        set_hypothesis_home_dir(None)
    return runs


class _Over(Exception):
    """Nothing more is to be drawn: with a solver, drawing is what takes the time."""


def _by_solver(
    machine: type[RuleBasedStateMachine], plan: SearchPlan, chosen: settings, over: Callable[[], bool]
) -> None:
    """The same moves, drawn at once for a whole run and made plain, by CrossHair's backend of Hypothesis.

    That backend does not get through Hypothesis's own way of choosing rules, and an engine that it watches is too slow
    for a history: so its solver chooses what is drawn, and no more.
    """
    from basebound.lenses.proofs.crosshair.api import NoTracing, deep_realize

    @chosen
    @hypothesis.given(st.lists(_NUMBERS, min_size=2, max_size=plan.steps))
    def play(drawn: list[int]) -> None:
        numbers = deep_realize(drawn)
        with NoTracing():
            if over():
                raise _Over
            first, *rest = [number.to_bytes(_BYTES, "big") for number in numbers]
            game: Any = machine()
            game.begin(choices=first)
            for choices in rest:
                game.move(choices=choices)
            game.teardown()

    with suppress(_Over):
        play()


def _machine(
    context: RunContext, ended: Callable[[History], None], over: Callable[[], bool]
) -> type[RuleBasedStateMachine]:
    asked_with = context.target.meters
    known = [one for one in METERS.values() if asked_with is None or one.name in asked_with]
    known = [one for one in known if one.smallest < _AFFORDABLE]
    meters = known if "budget" in context.claims else [DEFAULT]

    claimed: tuple[str, ...] = BASE_MOVES
    claimed += PROTECTED_MOVES if "protected" in context.claims else ()
    claimed += BUDGET_MOVES * 2 if "budget" in context.claims else ()

    class Search(RuleBasedStateMachine):
        """Two rules, not one a move: Hypothesis then has two to switch on and off, and a step stays cheap.

        Which moves a run makes is drawn at its start: a run without some of them goes further into the others.
        """

        actions: ActionGenerator | None = None
        steps: tuple[str, ...] = ()

        @initialize(choices=CHOICES)
        def begin(self, choices: bytes) -> None:
            if over():
                return
            draw = ChoiceSource(choices)
            meter = draw.pick([DEFAULT, *meters])
            markers = draw.pick(_MARKER_SETS) if "protected" in context.claims else ()
            lines = contents.start(draw)
            if markers and draw.chance(70):
                at = draw.below(len(lines) + 1)
                lines = (*lines[:at], draw.pick(("KEEP", "x KEEP y", "[pin]", "keep", " KEEP ")), *lines[at:])
            session = Session(context, Trace(lines, markers, meter.name))
            self.steps = tuple(name for name in claimed if draw.chance(_KEPT)) or claimed
            self.actions = ActionGenerator(session, meter, draw)
            self.actions.observe()

        @rule(choices=CHOICES)
        def move(self, choices: bytes) -> None:
            if self.actions is not None and not self.actions.session.over:
                self.actions.draw = ChoiceSource(choices)
                getattr(self.actions, self.actions.draw.pick(self.steps))()

        @rule(lines=_TEXTS, choices=CHOICES)
        def any_text(self, lines: list[str], choices: bytes) -> None:
            if self.actions is not None and not self.actions.session.over:
                self.actions.draw = ChoiceSource(choices)
                self.actions.session.do(Append(tuple(lines)))
                self.actions.commit()

        def teardown(self) -> None:
            if self.actions is not None:
                ended(self.actions.session.close())

    return Search
