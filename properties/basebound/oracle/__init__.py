"""An independent model: given what happened, which outcomes are allowed next, and why.

The oracle knows nothing of Hypothesis, processes or reports, and never uses an engine's own
arithmetic or hash: the same oracle judges a search step, a scenario, a replay and a recorded history.
"""

from __future__ import annotations

from basebound.oracle.oracle import Oracle

__all__ = ["Oracle"]
