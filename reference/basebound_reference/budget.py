"""The second invariant: a rewrite commits only if it frees more than it costs, measured.

    RewritePlan(verified patch, claim) -> prove(plan, meter) -> ProvenPlan -> commit_rewrite -> the new context

``prove`` alone makes a :class:`ProvenPlan`, and nothing else can be committed. All of it is pure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass, replace
from typing import Final, TypeAlias, final

from basebound_reference.context import Charge, Context
from basebound_reference.errors import RewriteBudgetViolation, SelfReferenceError, UnprovenCostError
from basebound_reference.rewrite import VerifiedPatch, apply_guarded_rewrite

Meter: TypeAlias = Callable[[str], int]
"""``count_tokens(text) -> int >= 0``: the one measure behind every figure."""

EMISSION_KINDS: Final = ("rationale", "tool-call", "measurement", "error")


@dataclass(frozen=True)
class Claim:
    """What a policy says its rewrite frees and costs. It is asked to be complete, and never believed."""

    freed: int | None
    rewrite: int | None
    measurement: int | None


@dataclass(frozen=True)
class Cost:
    """What was measured, each ``>= 0``: ``rewrite`` holds the inserted lines and all emissions but measurements."""

    freed: int
    rewrite: int
    measurement: int


@dataclass(frozen=True)
class RewritePlan:
    """A verified patch that a policy wants to commit, with what it claims of it."""

    patch: VerifiedPatch
    claim: Claim | None = None


@final
class _Prover:
    """The key to a :class:`ProvenPlan`; only ``prove`` holds one."""


@final
@dataclass(frozen=True)
class ProvenPlan:
    """A plan whose measured net is above zero, and what was measured."""

    patch: VerifiedPatch
    cost: Cost
    by: _Prover


def measure(texts: Iterable[str], count_tokens: Meter) -> int:
    """The size of a text: the sum over its lines."""
    return sum([count_tokens(text) for text in texts])


def prove(plan: RewritePlan, count_tokens: Meter) -> ProvenPlan:
    """Measure what the plan frees and costs, the turn's unpaid emissions included, and ask the gate.

    Raises ``UnprovenCostError``, ``SelfReferenceError`` or ``RewriteBudgetViolation``, and what the meter raises.
    """
    if plan.claim is not None:
        for part in (plan.claim.freed, plan.claim.rewrite, plan.claim.measurement):
            _attributed("a part of the claim", part)
    patch = plan.patch
    freed = measure([line.text for line in patch.removed], count_tokens)
    charges = (*patch.live.unpaid, Charge("insert", measure(patch.inserted, count_tokens)))
    gate(freed, charges, frozenset(patch.removed), patch.live.artifacts)
    measurement = _spent([charge for charge in charges if charge.kind == "measurement"])
    return ProvenPlan(patch, Cost(freed, _spent(charges) - measurement, measurement), _Prover())


def gate(freed: int | None, charges: Sequence[Charge], edited: Set[object], artifacts: Set[object]) -> None:
    """Let a rewrite through only if it edits no plan artifact and frees more than it costs, all of it attributed.

    ``edited``: identities of the lines it removes; ``artifacts``: of those its policy emitted this turn.
    """
    if not edited.isdisjoint(artifacts):
        raise SelfReferenceError
    gained = _attributed("what is freed", freed)
    spent = _spent(charges)
    if gained - spent <= 0:
        raise RewriteBudgetViolation(gained, spent)


def _spent(charges: Iterable[Charge]) -> int:
    return sum([_attributed(f"the charge {charge.kind!r}", charge.tokens) for charge in charges])


def _attributed(what: str, tokens: int | None) -> int:
    if tokens is None or tokens < 0:
        raise UnprovenCostError(what, tokens)
    return tokens


def commit_rewrite(plan: ProvenPlan) -> Context:
    """The context after the rewrite: everything unpaid is paid, once; artifacts stay locked until the turn ends."""
    return replace(apply_guarded_rewrite(plan.patch), unpaid=())
