"""How a process ended, as a value; the words for it are made here and nowhere else."""

from __future__ import annotations

import signal
from dataclasses import dataclass
from enum import Enum


class How(Enum):
    """``CLOSED``: its output has ended and it has not. ``HELD``: it let no other thread of its process run."""

    EXITED = "exited"
    SIGNALLED = "signalled"
    CLOSED = "closed its output"
    HUNG = "hung"
    HELD = "held the interpreter"
    FLOODED = "flooded"


@dataclass(frozen=True)
class Ending:
    """``status`` goes with an exit, negative for a signal; ``seconds``, the bound, with what came too late, and with it
    ``call``, where it is known which call of the target that was; ``size``, in bytes, with a flood."""

    how: How
    status: int | None = None
    seconds: float = 0.0
    call: str = ""
    size: int = 0

    @classmethod
    def exited(cls, status: int | None) -> Ending:
        """By its exit status; None is that of a process that lives, and has only closed its output."""
        if status is None:
            return cls(How.CLOSED)
        return cls(How.SIGNALLED if status < 0 else How.EXITED, status)

    @classmethod
    def hung(cls, seconds: float, call: str = "") -> Ending:
        return cls(How.HUNG, seconds=seconds, call=call)

    @property
    def late(self) -> bool:
        """Whether it was a bound on time that ended it."""
        return self.how in (How.HUNG, How.HELD)

    @property
    def by_target(self) -> str:
        """What a target did to the worker that holds it; a target that is not called is being loaded."""
        match self.how:
            case How.EXITED:
                return f"it ended the process, status {self.status}"
            case How.SIGNALLED:
                return f"it ended the process with signal {-(self.status or 0)}"
            case How.HUNG:
                called = f"the call of {self.call}" if self.call else "its module's import or its factory"
                return f"{called} did not come back within {self.seconds:g} s"
            case How.HELD:
                return f"it did not come back within {self.seconds:g} s, and let no other thread run"
            case How.FLOODED:
                return f"it printed {self.size >> 20} MiB: a flood"
            case How.CLOSED:
                return self.of("its process")

    def of(self, process: str) -> str:
        """What ``process`` did itself."""
        match self.how:
            case How.EXITED:
                return f"{process} ended with exit code {self.status}"
            case How.SIGNALLED:
                return f"{process} was ended by {_signal(-(self.status or 0))}"
            case How.HUNG | How.HELD:
                return f"{process} did not come back within {round(self.seconds, 2):g} s of wall clock and was ended"
            case How.FLOODED:
                return f"{process} printed a line without an end and was ended"
            case How.CLOSED:
                return f"{process} closed its stdout"


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
