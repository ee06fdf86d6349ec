"""The run under way, on disk, so that a process that dies leaves behind what led to it."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import BinaryIO

from basebound.core.trace import Step, Trace


class Journal:
    """Written before each step is taken; ``file`` is unbuffered."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def begin_run(self, start: Trace) -> None:
        self._file.seek(0)
        self._file.truncate()
        self._file.write(pickle.dumps(start))

    def begin_step(self, step: Step) -> None:
        self._file.write(pickle.dumps(step))


def read_journal(path: Path) -> Trace | None:
    """The run a journal holds, its last step the one that was not survived; None if there is none."""
    try:
        with path.open("rb") as file:
            start: Trace = pickle.load(file)
            steps: list[Step] = []
            while True:
                steps.append(pickle.load(file))
    except (EOFError, pickle.UnpicklingError, OSError):
        try:
            return Trace(start.lines, start.protected, start.meter, tuple(steps))
        except UnboundLocalError:
            return None
