"""The environment an engine in another process is started in: the user's, not that of the worker between them.

A worker is told where its modules are and not to buffer; to an engine in another Python the one would be wrong, and
the other would hide that it does not flush.
"""

from __future__ import annotations

import json
import os

BOUND = "BASEBOUND_TIMEOUT"
"""Seconds one call may take, for the worker's own diagnosis of a call that takes longer."""
_KEPT = "BASEBOUND_ENVIRONMENT"
_CHANGED = ("PYTHONPATH", "PYTHONUNBUFFERED")


def keep(seconds: float) -> None:
    """Called before workers are started: what they have to know of this process's environment, and their bound."""
    os.environ[_KEPT] = json.dumps({name: os.environ.get(name) for name in _CHANGED})
    os.environ[BOUND] = str(seconds)


def original() -> dict[str, str]:
    """The environment as it was when it was kept; this process's own where it was not."""
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
