"""A case as a trace, so that a counterexample travels and is replayed like any other."""

from __future__ import annotations

from typing import Final

from basebound.core.trace import APPLIED, Append, Apply, Emit, EndTurn, Expect, Gate, Read, Step, Trace
from basebound.lenses.proofs.cases import Attempt, Case, Contents, Emission, Gating, Lines, Rewrite, Turns
from basebound.lenses.proofs.meaning import gate_refusal_holds, moments, refusal_holds, sound, spliced, stale
from basebound.model import Hunk, Reason

METER: Final = "characters"
"""The meter of every trace made here; it can make a line of any size."""


def trace_of(case: Case) -> Trace:
    """The steps that put ``case`` to a target; what is expected stands in them."""
    if isinstance(case, Contents):
        return _contents(case)
    if isinstance(case, Rewrite):
        return _rewrite(case)
    if isinstance(case, Gating):
        step = Gate(case.freed, case.charges, case.edited, case.artifacts, _gate_expectation(case))
        return Trace(meter=METER, steps=(step,))
    return _turns(case)


def _contents(case: Contents) -> Trace:
    """Both contents are read in one engine, and a patch authored on the first meets the second."""
    steps: tuple[Step, ...] = (Read("first"), Read("again"))
    if case.first != case.second:
        became = Apply("first", _whole(case.first, case.second), expect=APPLIED)
        steps = (*steps, became, Read("second"), Apply("first", (), expect=Reason.STALE_BASE.value))
    return Trace(case.first, (), METER, steps)


def _whole(old: Lines, new: Lines) -> tuple[Hunk, ...]:
    return (Hunk(0, len(old), new),)


def _rewrite(case: Rewrite) -> Trace:
    steps: tuple[Step, ...] = (
        Read("author"),
        *_arrival(case),
        Read("before"),
        Apply("author" if stale(case) else "before", case.hunks, expect=_expectation(case)),
    )
    left = spliced(case.live, case.hunks) if not stale(case) and sound(case) else case.live
    return Trace(case.authored, case.protected, METER, (*steps, Expect(left)))


def _arrival(case: Rewrite) -> tuple[Step, ...]:
    if not stale(case):
        return ()
    more = case.live[len(case.authored) :]
    if case.arrived == "append" or (case.live[: len(case.authored)] == case.authored):
        return (Append(more),)
    if not case.budgeted:
        return (Apply("author", _whole(case.authored, case.live), expect=APPLIED),)
    removal = Apply("author", _whole(case.authored, ()), expect=APPLIED)
    return (removal, Append(case.live)) if case.live else (removal,)


def _expectation(case: Rewrite) -> str | None:
    """What is expected, where that is one thing only."""
    if stale(case):
        return Reason.STALE_BASE.value
    if sound(case):
        return APPLIED
    return _the_one([reason for reason in Reason if refusal_holds(case, reason)])


def _gate_expectation(case: Gating) -> str | None:
    reasons = [reason for reason in Reason if gate_refusal_holds(case, reason)]
    return _the_one(reasons) if reasons else APPLIED


def _the_one(reasons: list[Reason]) -> str | None:
    return reasons[0].value if len(reasons) == 1 else None


def _turns(case: Turns) -> Trace:
    """Names become texts of their size; an attempt finds its line where the steps before it leave it."""
    texts = {name: _text(size) for name, size in case.sizes}
    live: Lines = tuple(texts)
    start = tuple(texts.values())
    attempts = iter(list(moments(case)))
    steps: list[Step] = []
    for nth, step in enumerate(case.steps):
        if isinstance(step, Emission):
            texts[step.text] = _text(step.tokens)
            live = (*live, step.text)
            steps.append(Emit(step.kind, (texts[step.text],)))
        elif isinstance(step, Attempt):
            texts[step.text] = _text(step.inserted or 0)
            moment, at = next(attempts), live.index(step.removes)
            pays = not moment.artifact and moment.net > 0
            insert = () if step.inserted is None else (texts[step.text],)
            expect = APPLIED if pays else _the_one(_refusals(moment.artifact, moment.net))
            live = moment.left if pays else live
            steps += [Read(f"read {nth}"), Apply(f"read {nth}", (Hunk(at, at + 1, insert),), expect=expect)]
            steps.append(Expect(tuple([texts[name] for name in live])))
        else:
            steps.append(EndTurn())
    return Trace(start, (), METER, tuple(steps))


def _refusals(artifact: bool, net: int) -> list[Reason]:
    return [Reason.SELF_REFERENCE] * artifact + [Reason.NOT_FREED] * (net <= 0)


def _text(size: int) -> str:
    return "x" * size
