"""One shape, one target, CrossHair: every path of one call is followed, and judged at its end.

This module imports CrossHair; only a child process does that.
"""

from __future__ import annotations

import inspect
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Optional

from basebound.lenses.proofs.cases import Answer
from basebound.lenses.proofs.contracts import ANSWER_TYPED, broken
from basebound.lenses.proofs.crosshair.api import IgnoreAttempt, NotDeterministic, NoTracing, PathEnd, follow_paths
from basebound.lenses.proofs.observe import observe
from basebound.lenses.proofs.shapes import Number, Parameter, Shape, Text, build, in_domain
from basebound.lenses.proofs.subject import Subject

MORE: Final = 1.0
"""Seconds that an analysis goes on after the first candidate, to find what else is broken."""


@dataclass
class Candidate:
    """Values for which the analysis saw ``requirements`` broken; ``error`` where the call raised."""

    values: dict[str, Any]
    requirements: tuple[str, ...]
    error: str = ""


@dataclass
class Analysis:
    """What the analysis of one shape came to.

    ``exhausted``: every path was followed to its end, and CrossHair could follow them all. ``paths`` were
    followed, ``ends`` of them met the shape's domain and came to an answer; ``given_up`` were left by CrossHair. Each
    of ``candidates`` breaks a requirement that the ones before it do not.
    """

    exhausted: bool = False
    why: str = ""
    paths: int = 0
    ends: int = 0
    given_up: int = 0
    seconds: float = 0.0
    candidates: list[Candidate] = field(default_factory=list)


def analyze(shape: Shape, subject: Subject, seconds: float) -> Analysis:
    """Follow the paths of ``shape`` for at most about ``seconds``, and not much longer once something is broken."""
    result = Analysis()
    began = time.monotonic()
    stop_at = [float("inf")]  # in CPU time, as CrossHair's own bound is

    def call(values: Mapping[str, Any]) -> Answer | None:
        """The answer, where it is not allowed; each contract it breaks, or not, makes a path of its own."""
        result.paths += 1
        if not in_domain(shape, values):
            raise IgnoreAttempt("outside the shape")
        try:
            case = build(shape, values, subject.budgeted)
            answer = observe(subject.called, case)
            wrong = broken(case, answer)
        except IgnoreAttempt:
            result.given_up += 1  # CrossHair's own: a path it leaves out of its account is not proved
            raise
        result.ends += 1
        return answer if wrong else None

    def at_the_end(end: PathEnd) -> bool:
        if end.raised is None and end.answer is None:
            return time.process_time() > stop_at[0]
        values, answer = end.concrete()
        with NoTracing():
            candidate = _candidate(shape, subject, values, answer, end.raised)
            known = {requirement for earlier in result.candidates for requirement in earlier.requirements}
            if not known.issuperset(candidate.requirements):
                result.candidates.append(candidate)
            stop_at[0] = min(stop_at[0], time.process_time() + MORE)
            return time.process_time() > stop_at[0]

    try:
        _conclude(result, follow_paths(call, _signature(shape), at_the_end, seconds))
    except NotDeterministic:
        result.why = "the target is not deterministic: the same decisions led to another path"
    result.seconds = time.monotonic() - began
    return result


def _candidate(shape: Shape, subject: Subject, values: dict[str, Any], answer: Answer, raised: Any) -> Candidate:
    if raised is not None:
        return Candidate(values, (ANSWER_TYPED,), type(raised).__name__)
    return Candidate(values, broken(build(shape, values, subject.budgeted), answer))


def _conclude(result: Analysis, confirmed: bool) -> None:
    if confirmed and result.ends and not result.given_up:
        result.exhausted = True
    elif result.candidates:
        result.why = "stopped soon after a counterexample"
    elif not result.ends:
        result.why = "no value of the shape could be tried on the target"
    else:
        result.why = f"after {result.paths} paths the time was up, or CrossHair could not follow one"


def _signature(shape: Shape) -> inspect.Signature:
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    return inspect.Signature([inspect.Parameter(p.name, kind, annotation=_annotation(p)) for p in shape.parameters])


def _annotation(parameter: Parameter) -> Any:
    if isinstance(parameter, Text):
        return str
    if isinstance(parameter, Number) and parameter.optional:
        return Optional[int]  # noqa: UP045  # CrossHair reads typing's form on every version
    return int
