"""Hard bounds of the child processes: the parent ends one that is late, and each ends itself a little later.

The second bound is for a parent that was ended before it could do so.
"""

from __future__ import annotations

import signal
from typing import Final

START: Final = 60.0
"""Seconds to import CrossHair and the target, on a busy machine."""
SLACK: Final = 4.0
"""An analysis is bounded in CPU time and may overshoot; it gets this many times its bound, of wall clock."""
RERUN: Final = 30.0
"""Seconds to run candidates again, or to look for two contents that a cut hash confuses."""
MEGABYTES: Final = 4096
_LATER: Final = 5.0


def end_within(seconds: float) -> None:
    """Let the system end this process some time after ``seconds``, whatever it does by then."""
    signal.setitimer(signal.ITIMER_REAL, seconds + _LATER)


def go_on() -> None:
    """Take the last bound away."""
    signal.setitimer(signal.ITIMER_REAL, 0)


def limit_memory() -> None:
    """Address space, where the system can limit it: an analysis that outgrows it ends, and the machine lives on."""
    try:
        import resource
    except ImportError:
        return
    size = MEGABYTES * 1024 * 1024
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(resource.RLIMIT_AS, (size if hard == resource.RLIM_INFINITY else min(size, hard), hard))
