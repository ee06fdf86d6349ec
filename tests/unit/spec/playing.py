"""Plays the scenarios on a target and keeps what the tests ask for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from basebound.core.register import Requirement, requirements
from basebound.core.trace import APPLIED, Apply, Trace
from basebound.lenses.scenarios.scenarios import fitting
from basebound.oracle.expected import on_fresh
from basebound.oracle.state import State
from basebound.results.outcome import Outcome, Refused, Returned
from basebound.session.session import RunContext, Session
from basebound.targets.loading import Target

Reached = set[tuple[str, str]]


@dataclass(frozen=True)
class Answer:
    """One apply of one scenario: what it expects, what the contract allows there, and what the engine did."""

    scenario: str
    step: Apply
    allowed: frozenset[str]
    got: str


@dataclass
class Played:
    target: Target
    reached: Reached = field(default_factory=set)
    answers: list[Answer] = field(default_factory=list)
    findings: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)


def play(target: Target, chosen: Iterable[Trace] | None = None) -> Played:
    """``chosen`` (default: all that fit the target) on fresh engines of ``target``."""
    played = Played(target)
    context = RunContext(target, target.profiles, goals=played.reached)
    judged = {requirement.id for requirement in claimed(target)}
    for scenario in fitting(target, target.profiles) if chosen is None else chosen:
        name = scenario.about["name"]
        played.names.append(name)
        session = Session(context, scenario)
        for step in scenario.steps:
            allowed = allowed_outcomes(session.oracle.state, step, target) if isinstance(step, Apply) else frozenset()
            session.do(step)
            if isinstance(step, Apply):
                played.answers.append(Answer(name, step, allowed, outcome_name(session.history.steps[-1].outcome)))
        found = [finding for finding in session.close().findings if finding.requirement in judged]
        played.findings += [f"{name}: {finding}" for finding in found]
    return played


def allowed_outcomes(state: State, step: Apply, target: Target) -> frozenset[str]:
    """What the contract lets a patch come to, as the words of ``expect``."""
    seen = state.snapshots[step.base]
    if seen.lines != state.lines:
        return frozenset({"stale-base"})
    due = on_fresh(state, step, "protected" in target.profiles, "budget" in target.profiles)
    outcomes = {reason.value for reason in due.reasons} or {APPLIED}
    has_moved = seen.changes != len(state.log) or seen.idle_writes != state.idle_writes
    return frozenset(outcomes | {"stale-base"} if has_moved else outcomes)


def outcome_name(outcome: Outcome) -> str:
    if isinstance(outcome, Returned):
        return APPLIED
    return outcome.reason.value if isinstance(outcome, Refused) else str(outcome)


def claimed(target: Target) -> list[Requirement]:
    """The requirements a target is judged by that one client alone can reach; meetings are not scenarios."""
    return [
        requirement
        for requirement in requirements()
        if requirement.profile in target.profiles - {"atomic"} and requirement.is_decided_by(target.pure)
    ]


def missing(played: Played) -> Reached:
    """The goals of the target's requirements that no scenario has reached."""
    target = played.target
    return {
        (requirement.id, goal.name)
        for requirement in claimed(target)
        for goal in requirement.goals
        if goal.within(target.inserts, target.max_hunks) and (requirement.id, goal.name) not in played.reached
    }
