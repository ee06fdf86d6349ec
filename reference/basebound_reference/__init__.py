"""The smallest engine that keeps both invariants of a context that a language model rewrites.

Read ``rewrite`` (a patch takes effect only on the content it was authored against), then ``budget`` (and
only if it frees more than it costs). Both are pure, over the values of ``context``; ``buffer`` adds the lock.

>>> buffer = ContextBuffer(["system: be brief", "tool: 40 lines of log", "user: go on"], protected=["system:"])
>>> seen = buffer.snapshot()
>>> patch = RewritePatch(seen.base, (Hunk(1, 2, ("tool: all green",)),), seen.revision)
>>> buffer.append(["tool: one red after all"])
>>> try:
...     buffer.apply(patch)
... except StaleRewriteBaseError as refusal:
...     print(refusal.reason)
stale-base
>>> seen = buffer.snapshot()
>>> patch = RewritePatch(seen.base, (Hunk(1, 2), Hunk(3, 4, ("tool: one red",))), seen.revision)
>>> buffer.apply(patch).cost
Cost(freed=46, rewrite=14, measurement=0)
>>> buffer.snapshot().lines
('system: be brief', 'user: go on', 'tool: one red')
"""

from basebound_reference.budget import Claim, Cost, RewritePlan, commit_rewrite, gate, prove
from basebound_reference.buffer import ContextBuffer, Receipt
from basebound_reference.context import Charge, Snapshot, digest
from basebound_reference.errors import (
    BadHunkError,
    CorruptSpliceError,
    ProtectedLineError,
    RewriteBudgetViolation,
    RewriteRefused,
    SelfReferenceError,
    StaleRewriteBaseError,
    UnprovenCostError,
)
from basebound_reference.rewrite import Hunk, RewritePatch, apply, apply_guarded_rewrite, verify

__all__ = [
    "BadHunkError",
    "Charge",
    "Claim",
    "ContextBuffer",
    "CorruptSpliceError",
    "Cost",
    "Hunk",
    "ProtectedLineError",
    "Receipt",
    "RewriteBudgetViolation",
    "RewritePatch",
    "RewritePlan",
    "RewriteRefused",
    "SelfReferenceError",
    "Snapshot",
    "StaleRewriteBaseError",
    "UnprovenCostError",
    "apply",
    "apply_guarded_rewrite",
    "commit_rewrite",
    "digest",
    "gate",
    "prove",
    "verify",
]
