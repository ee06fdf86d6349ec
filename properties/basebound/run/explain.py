"""From the first break of a requirement to a counterexample a reader can follow: reduced, repeated and told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from basebound.core.register import Role, by_id, with_role
from basebound.core.trace import Apply, Expect, Gate, Read, Step, Trace
from basebound.model import Snapshot
from basebound.results.counterexample import Counterexample
from basebound.results.finding import Finding
from basebound.results.outcome import Refused, Returned
from basebound.results.steps import ExecutedStep, History
from basebound.session.reduce import breaks, reduce
from basebound.session.session import RunContext, Session, run, with_reads
from basebound.targets.loading import Target

_TRIES = 7


def localised(context: RunContext, history: History) -> list[tuple[Finding, Trace]]:
    """The findings of a history with the trace each belongs to.

    Where several unread steps may be to blame, the history is run again with a read after each; only
    what that shows is kept, or, if it shows nothing, the finding as it was.
    """
    certain = [(finding, history.trace) for finding in history.findings if not finding.ambiguous]
    unsure = [finding for finding in history.findings if finding.ambiguous]
    if not unsure:
        return certain
    observed = run(context, replace(history.start, steps=with_reads(history.trace.steps)))
    shown = [(finding, observed.trace) for finding in observed.findings if not finding.ambiguous]
    return certain + (shown or [(replace(unsure[0], ambiguous=False), history.trace)])


def counterexamples(context: RunContext, found: Counterexample, seconds: float) -> tuple[Counterexample, ...]:
    """The reduced counterexample of ``found``, and one of a refusal remembered where one is part of it."""
    return tuple(
        replace(one, notes=(*one.notes, *_assumed(context.target, one.requirement)))
        for one in _counterexamples(context, found, seconds)
    )


def _assumed(target: Target, requirement: str) -> tuple[str, ...]:
    """That nobody said the target claims what it breaks, and how to say it does not."""
    profile = by_id()[requirement].profile
    if target.stated or profile == "base":
        return ()
    others = ", ".join(map(repr, sorted(target.profiles - {profile})))
    if target.pure is not None:
        why, fix = "`apply_function` is given no `profiles`", f"give `profiles={{{others}}}`"
    else:
        why, fix = "the engine states no `profiles`", f"state `profiles = frozenset({{{others}}})`"
    return (f"{profile} is assumed, because {why}; {fix} if it has no such guardrail",)


def _counterexamples(context: RunContext, found: Counterexample, seconds: float) -> tuple[Counterexample, ...]:
    requirement = found.requirement
    found = replace(found, trace=plain(found.trace))
    keeps = breaks(context, requirement)
    if any(keeps(found.trace) is None for _ in range(2)):
        return (_unrepeated(context, found),)
    trace = reduce(found.trace, keeps, seconds)
    history, aftermath = _told(context, trace, requirement)
    finding = next((f for f in history.findings if f.requirement == requirement), None)
    if finding is None:
        return (_unrepeated(context, found),)
    trace = replace(trace, steps=tuple(_with_expectation(entry) for entry in history.steps))
    told = replace(found, trace=trace, steps=tuple(history.steps), finding=finding, aftermath=aftermath)
    if not _needs_a_refusal(history, finding) or _breaks_without(trace, history, finding, keeps):
        return (told,)
    allowed = f"what follows without the refusal: {finding.allowed}"
    remembered = with_role(Role.REMEMBERED_REFUSAL)
    finding = replace(finding, requirement=remembered, allowed=allowed)
    return told, replace(told, requirement=remembered, finding=finding)


def _breaks_without(trace: Trace, history: History, finding: Finding, keeps: Callable[[Trace], object]) -> bool:
    """Whether the same break is there without the refused patches before it: time may end the reduction early."""
    earlier = {n for n, entry in enumerate(history.steps[: finding.step]) if isinstance(entry.outcome, Refused)}
    kept = tuple(entry.step for n, entry in enumerate(history.steps) if n not in earlier)
    return keeps(replace(trace, steps=kept)) is not None


def _with_expectation(entry: ExecutedStep) -> Step:
    """The step with what was due, so that the trace says by itself what it is a counterexample of."""
    if isinstance(entry.step, (Apply, Gate)) and entry.expected:
        return replace(entry.step, expect=entry.expected)
    return entry.step


def plain(trace: Trace) -> Trace:
    """A scenario as a mere history: without its title, and without expectations that only hold for it as it is."""
    steps: list[Step] = []
    for number, step in enumerate(trace.steps):
        if isinstance(step, Expect):
            steps.append(Read(f"seen{number}"))
        else:
            steps.append(replace(step, expect=None) if isinstance(step, (Apply, Gate)) else step)
    return replace(trace, steps=tuple(steps), about={})


def _unrepeated(context: RunContext, found: Counterexample) -> Counterexample:
    """A break that running the same trace again does not always show: told as it was, not reduced.

    What is told is a run that breaks it, where there was one among those made here.
    """
    requirement = found.requirement
    runs = [run(context, found.trace, detailed=True) for _ in range(_TRIES)]
    shown = [(history, f) for history in runs for f in history.findings if f.requirement == requirement]
    broke = sum(any(f.requirement == requirement for f in history.findings) for history in runs)
    history, finding = shown[0] if shown else (runs[-1], found.finding)
    note = (
        f"not deterministic: {broke} of {_TRIES} reruns failed; the engine may depend on time, on chance or on what "
        "ran before"
    )
    repeats = "sometimes" if shown else "once"
    return replace(found, steps=tuple(history.steps), finding=finding, repeats=repeats, notes=(note,))


def _told(context: RunContext, trace: Trace, requirement: str) -> tuple[History, tuple[str, ...] | None]:
    """The history up to the break, and what a read after it shows."""
    session = Session(context, trace, detailed=True)
    for step in trace.steps:
        if any(finding.requirement == requirement for finding in session.do(step)):
            break
    told = len(session.history.steps)
    session.do(Read("aftermath"))
    after = [entry.outcome for entry in session.history.steps[told:]]
    del session.history.steps[told:]
    history = session.close()
    read = after[0] if after else None
    lines = read.value.lines if isinstance(read, Returned) and isinstance(read.value, Snapshot) else None
    return history, lines


def _needs_a_refusal(history: History, finding: Finding) -> bool:
    """Whether an earlier refused patch stands in the reduced trace: left out, the sentence would hold."""
    refusals = [
        number
        for number, entry in enumerate(history.steps[: max(0, finding.step)])
        if isinstance(entry.step, Apply) and isinstance(entry.outcome, Refused)
    ]
    between = history.steps[refusals[0] + 1 : finding.step + 1] if refusals else []
    return any(not isinstance(entry.step, Read) for entry in between)
