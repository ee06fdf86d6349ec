"""Put a case to a target and note the answer; the same code runs inside an analysis and outside of it.

Nothing but ``Rejected`` is caught here: inside an analysis other exceptions may be CrossHair's own, and
outside, :mod:`basebound.lenses.proofs.rerun` catches them.
"""

from __future__ import annotations

from typing import Any

from basebound.lenses.proofs.cases import (
    Accepted,
    Answer,
    Attempt,
    Attempts,
    Bases,
    Case,
    Contents,
    Emission,
    Gating,
    RefusedFor,
    Rewrite,
    Turns,
    Witnessed,
)
from basebound.lenses.proofs.subject import Called, Factory
from basebound.model import Config, Hunk, Patch, Receipt, Rejected, Snapshot
from basebound.targets.functions import apply_function, gate_function


def observe(called: Called, case: Case) -> Answer:
    """The answer of ``called`` to ``case``; raises what it raises, ``Rejected`` apart."""
    if isinstance(called, apply_function):
        return _bases(called, case) if isinstance(case, Contents) else _rewrite(called, case)
    if isinstance(called, gate_function):
        return _gating(called, case)
    return _turns(called, case) if isinstance(case, Turns) else _witnessed(called, case)


def _bases(pure: apply_function, case: Contents) -> Bases:
    return Bases(pure.digest(case.first), pure.digest(case.second), pure.digest(case.first))


def _rewrite(pure: apply_function, case: Case) -> Accepted | RefusedFor:
    assert isinstance(case, Rewrite), "shapes for a pure apply are rewrites and contents"
    base = pure.digest(case.authored)
    try:
        return Accepted(tuple(pure.apply(case.live, base, case.hunks, case.protected)))
    except Rejected as refusal:
        return RefusedFor(refusal.reason)


def _gating(pure: gate_function, case: Case) -> Accepted | RefusedFor:
    assert isinstance(case, Gating), "shapes for a pure gate are questions to it"
    try:
        pure.gate(case.freed, case.charges, case.edited, case.artifacts)
    except Rejected as refusal:
        return RefusedFor(refusal.reason)
    return Accepted()


def _witnessed(factory: Factory, case: Case) -> Witnessed:
    assert isinstance(case, Rewrite), "shapes for an engine are rewrites and turns"
    engine = factory(Config(case.authored, case.protected, len))
    start: Snapshot = engine.snapshot()
    if case.arrived == "append":
        if len(case.live) > len(case.authored):
            engine.append(case.live[len(case.authored) :])
    elif case.live is not case.authored:
        _rewrite_all(engine, start, case)
    return _answer(engine, start, Patch(start, case.hunks))


def _rewrite_all(engine: Any, start: Snapshot, case: Rewrite) -> None:
    """Another author's patch makes ``live``; with a budget it only removes, and the rest is appended."""
    if not case.budgeted:
        engine.apply(Patch(start, (Hunk(0, len(case.authored), case.live),)))
        return
    if case.authored:
        engine.apply(Patch(start, (Hunk(0, len(case.authored), ()),)))
    if case.live:
        engine.append(case.live)


def _answer(engine: Any, start: Snapshot, patch: Patch) -> Witnessed:
    before: Snapshot = engine.snapshot()
    try:
        receipt: Receipt = engine.apply(patch)
    except Rejected as refusal:
        return Witnessed(RefusedFor(refusal.reason), start, before, engine.snapshot())
    after: Snapshot = engine.snapshot()
    return Witnessed(Accepted(after.lines), start, before, after, (receipt.base, receipt.revision, receipt.cost))


def _turns(factory: Factory, case: Turns) -> Attempts:
    sizes = dict(case.sizes)
    for step in case.steps:
        if isinstance(step, Emission):
            sizes[step.text] = step.tokens
        elif isinstance(step, Attempt) and step.inserted is not None:
            sizes[step.text] = step.inserted
    engine = factory(Config(tuple([name for name, _ in case.sizes]), (), sizes.__getitem__))
    answers: list[Witnessed] = []
    for step in case.steps:
        if isinstance(step, Emission):
            engine.emit(step.kind, (step.text,))
        elif isinstance(step, Attempt):
            answers.append(_attempt(engine, step))
        else:
            engine.end_turn()
    return Attempts(tuple(answers))


def _attempt(engine: Any, step: Attempt) -> Witnessed:
    read: Snapshot = engine.snapshot()
    at = read.lines.index(step.removes)
    insert = () if step.inserted is None else (step.text,)
    return _answer(engine, read, Patch(read, (Hunk(at, at + 1, insert),)))
