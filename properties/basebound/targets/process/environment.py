"""The two environments children are started in: ours, for what is of the suite, and theirs, for what is the user's.

A worker is told where its modules are and not to buffer; to an engine in another Python the one would be wrong, and
the other would hide that it does not flush. So what ours changes is kept in it, and taken back in theirs.
"""

from __future__ import annotations

import json
import os
import sys

BOUND = "BASEBOUND_TIMEOUT"
"""Seconds one call may take, for a worker's own diagnosis of a call that takes longer."""
_KEPT = "BASEBOUND_ENVIRONMENT"
_CHANGED = ("PYTHONPATH", "PYTHONUNBUFFERED")


def ours(**more: str) -> dict[str, str]:
    """For a Python child of the suite: it finds the modules this process finds."""
    kept = os.environ.get(_KEPT) or json.dumps({name: os.environ.get(name) for name in _CHANGED})
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), _KEPT: kept, **more}


def theirs() -> dict[str, str]:
    """For an engine: the environment the suite was started in."""
    found = dict(os.environ)
    kept = found.pop(_KEPT, None)
    found.pop(BOUND, None)
    for name, value in (json.loads(kept) if kept else {}).items():
        if value is None:
            found.pop(name, None)
        else:
            found[name] = value
    return found


def bound(default: float) -> float:
    """The seconds one call may take."""
    return float(os.environ.get(BOUND, default))
