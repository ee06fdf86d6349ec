"""Small programs for two clients, each with the calls that prove what happened.

A rival's write is always followed by its own read: without the evidence, an append that was lost, or that slipped
between check and commit of a patch, could often be explained by some order. What is owed no read shows, so the
programs of an engine with a budget end with patches that are a token too dear, and just cheap enough.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from basebound.core.trace import Append, Apply, Emit, EndTurn, Insert, Read, Step
from basebound.model import Hunk, utf8_bytes

START: Final = "start"
"""The name of what everybody read before the clients began."""

LINES: Final = tuple(
    f"the {n} line, long enough that a summary of it frees tokens" for n in ("first", "second", "third")
)

AFTER: Final[tuple[Step, ...]] = (Read("end"),)
"""The read that proves what happened."""


@dataclass(frozen=True)
class Limits:
    """What an engine can take part in: hunks of one patch, insertions, and what only one with a budget has."""

    max_hunks: int | None = None
    inserts: bool = True
    budget: bool = True


@dataclass(frozen=True)
class Program:
    """``subject`` is interrupted, ``rival`` gets in between; ``before`` and ``after`` one client is alone."""

    name: str
    subject: tuple[Step, ...]
    rival: tuple[Step, ...]
    lines: tuple[str, ...] = LINES
    before: tuple[Step, ...] = ()
    after: tuple[Step, ...] = AFTER

    def within(self, limits: Limits) -> Program:
        """The program for an engine that takes no more hunks than that."""
        most = limits.max_hunks
        return replace(self, subject=within(self.subject, most), rival=within(self.rival, most))

    def fits(self, limits: Limits) -> bool:
        steps = (*self.before, *self.subject, *self.rival, *self.after)
        inserts = any(isinstance(step, Insert) for step in steps)
        return (limits.inserts or not inserts) and (limits.budget or not self.budget)

    @property
    def budget(self) -> bool:
        """Whether it is about what is owed and locked, which only an engine with a budget knows."""
        return any(isinstance(step, (Emit, EndTurn)) for step in (*self.before, *self.subject, *self.rival))


def fitting(programs: Iterable[Program], limits: Limits) -> list[Program]:
    """Those an engine of these limits can take part in."""
    return [program.within(limits) for program in programs if program.fits(limits)]


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
_BAD = Apply(START, (Hunk(0, 1, ("first, in short",)), Hunk(2, len(LINES) + 1, ())))

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
    Program("apply-refused/apply", (_BAD,), (_LAST, Read("r"))),
)
"""Each is run with the subject interrupted at every point there is."""


# ------------------------------------------------------------------------- what is owed, and what is locked


def _netting(base: str, at: int, net: int, owed: int = 0) -> Apply:
    """A patch of one of ``LINES`` that nets so many tokens where so many are owed."""
    return Apply(base, (Hunk(at, at + 1, ("-" * (_tokens(LINES[at]) - owed - net - 1),)),))


def _tokens(*lines: str) -> int:
    return sum(map(utf8_bytes, lines))


def _proof(owed: int) -> tuple[Step, ...]:
    """Is that owed, and no less, and no more?"""
    return (Read("end"), _netting("end", 0, 0, owed), Read("end2"), _netting("end2", 0, 1, owed))


_WHY, _WHY_NOT, _COUNT = ("subject's reasons",), ("rival's own reasons",), ("what was measured before",)
_OWED, _OWED_RIVAL, _MEASURED = _tokens(*_WHY), _tokens(*_WHY_NOT), _tokens(*_COUNT)
_EMITTED = len(LINES)
"""Where the first line that is emitted stands."""
MEASURED: Final[tuple[Step, ...]] = (Emit("measurement", _COUNT),)
"""What is owed before anything else happens."""


def either(base: str) -> tuple[Step, ...]:
    """Is what was emitted owed, and is it locked? Both, or neither."""
    later = f"{base}2"
    return (Read(base), _netting(base, 0, 1), Read(later), _edit(later))


def _edit(base: str) -> Apply:
    """A patch of the emitted line, and of the one above: alone the line frees no more than is owed for it."""
    return Apply(base, (Hunk(_EMITTED - 1, _EMITTED + 1, ()),))


LEDGER_PROGRAMS: Final = (
    Program("end-turn/apply", (EndTurn(),), either("r"), before=MEASURED, after=_proof(0)),
    Program("end-turn/edit", (EndTurn(),), (Read("r"), _edit("r")), before=MEASURED, after=_proof(0)),
    Program("emit/end-turn", (Emit("tool-call", _WHY),), (EndTurn(), Read("r")), after=either("end")),
    Program("emit/apply", (Emit("rationale", _WHY),), (Read("r"), _netting("r", 1, 0, _OWED)), after=_proof(_OWED)),
    Program("emit/edit", (Emit("rationale", _WHY),), (Read("r"), _edit("r")), after=_proof(_OWED)),
    Program(
        "emit/emit",
        (Emit("rationale", _WHY),),
        (Emit("rationale", _WHY_NOT), Read("r")),
        after=_proof(_OWED + _OWED_RIVAL),
    ),
    Program(
        "insert/edit",
        (_INSERT,),
        (Read("r"), Apply("r", (Hunk(_EMITTED + 1, _EMITTED + 2, ()),))),
        before=(*MEASURED, Read("unpaid"), _netting("unpaid", 2, 1, _MEASURED)),
        after=_proof(0),
    ),
    Program(
        "apply-refused/end-turn",
        (_netting(START, 1, 0, _MEASURED),),
        (EndTurn(), Read("r")),
        before=MEASURED,
        after=(_netting(START, 1, 0, _MEASURED), Read("end")),
    ),
    Program(
        "apply-refused/emit", (_netting(START, 1, -1),), (Emit("error", _WHY_NOT), Read("r")), after=_proof(_OWED_RIVAL)
    ),
    Program(
        "apply/emit",
        (_netting(START, 1, 1, _MEASURED),),
        (Emit("rationale", _WHY_NOT), Read("r")),
        before=MEASURED,
        after=_proof(_OWED_RIVAL),
    ),
    Program(
        "apply/end-turn",
        (_netting(START, 1, 1, _MEASURED),),
        (EndTurn(), Read("r")),
        before=MEASURED,
        after=either("end"),
    ),
)
"""The same for an engine with a budget, beside the others; those with few steps to be interrupted at come first."""

BY_NAME: Final = {program.name: program for program in (*PROGRAMS, *LEDGER_PROGRAMS)}
