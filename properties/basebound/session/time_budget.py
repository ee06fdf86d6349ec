"""How long a lens goes on with a target that is slow."""

from __future__ import annotations

import time
from typing import Final

_BY_THE_CLOCK: Final = 2


class TimeBudget:
    """Ends after ``seconds`` of this process's own work, or twice as long by the clock, from its making.

    On a busy machine the clock goes on while no work is done; by the work alone an engine that sleeps, or lives in
    another process, would be waited for without end.
    """

    def __init__(self, seconds: float) -> None:
        self._work = time.process_time() + seconds
        self._clock = time.monotonic() + _BY_THE_CLOCK * seconds

    @property
    def over(self) -> bool:
        return time.process_time() > self._work or time.monotonic() > self._clock
