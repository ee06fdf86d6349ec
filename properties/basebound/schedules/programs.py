"""Small programs for two clients, each with the read that proves what happened.

A rival's write is always followed by its own read: without the evidence, an append that was lost, or that slipped
between check and commit of a patch, could often be explained by some order.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from basebound.model import Hunk
from basebound.trace import Append, Apply, Insert, Read, Step

START: Final = "start"
"""The name of what everybody read before the clients began."""

LINES: Final = tuple(
    f"the {n} line, long enough that a summary of it frees tokens" for n in ("first", "second", "third")
)


@dataclass(frozen=True)
class Program:
    """``subject`` is interrupted, ``rival`` gets in between."""

    name: str
    subject: tuple[Step, ...]
    rival: tuple[Step, ...]
    lines: tuple[str, ...] = LINES

    def within(self, max_hunks: int | None) -> Program:
        """The program for an engine that takes no more hunks than that."""
        return replace(self, subject=within(self.subject, max_hunks), rival=within(self.rival, max_hunks))

    @property
    def inserts(self) -> bool:
        return any(isinstance(step, Insert) for step in (*self.subject, *self.rival))


def fitting(programs: Iterable[Program], max_hunks: int | None, inserts: bool) -> list[Program]:
    """Those an engine of these limits can take part in."""
    return [program.within(max_hunks) for program in programs if inserts or not program.inserts]


def within(steps: tuple[Step, ...], max_hunks: int | None) -> tuple[Step, ...]:
    return tuple(replace(s, hunks=s.hunks[:max_hunks]) if isinstance(s, Apply) else s for s in steps)


def _patch(start: int, end: int, *insert: str) -> Apply:
    return Apply(START, (Hunk(start, end, insert),))


_MIDDLE = _patch(1, 2, "second, in short")
_LAST = _patch(2, 3, "third, in short")
_FIRST = _patch(0, 1, "first, in short")
_TWO = Apply(START, (Hunk(0, 1, ("first, in short",)), Hunk(2, 3, ("third, in short",))))
_THREE = Apply(START, tuple(Hunk(n, n + 1, (f"{n}, in short",)) for n in range(3)))
_ADD = Append(("rival's line",))
_INSERT = Insert(1, ("subject's line",))

PROGRAMS: Final = (
    Program("apply/append", (_MIDDLE,), (_ADD, Read("r"))),
    Program("apply-last/append", (_LAST,), (_ADD, Read("r"))),
    Program("apply/apply", (_FIRST,), (_LAST, Read("r"))),
    Program("append/append", (Append(("subject's line",)),), (_ADD, Read("r"))),
    Program("append/apply", (Append(("subject's line",)),), (_LAST, Read("r"))),
    Program("read/append", (Read("s"),), (_ADD, Read("r"))),
    Program("read/apply", (Read("s"),), (_MIDDLE, Read("r"))),
    Program("apply/read", (_TWO,), (Read("r"), Read("r2"))),
    Program("apply-three/append", (_THREE,), (_ADD, Read("r"))),
    Program("insert/read", (_INSERT,), (Read("r"), Read("r2"))),
    Program("insert/append", (_INSERT,), (_ADD, Read("r"))),
    Program("apply/insert", (_MIDDLE,), (Insert(0, ("rival's line",)), Read("r"))),
)
"""Each is run with the subject interrupted at every point there is."""

BY_NAME: Final = {program.name: program for program in PROGRAMS}
