"""What several clients did to one engine, when, and what each of them saw."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

from basebound.core.hunks import defects, in_order, splice
from basebound.core.trace import Append, Apply, Emit, EndTurn, Insert, Read, Step
from basebound.model import Reason, Receipt, Snapshot
from basebound.results.outcome import Malformed, Outcome, Raised, Refused, Returned

Lines: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Operation:
    """One call of one client.

    ``t0`` and ``t1`` are the instants of the call and of its answer on one clock of all clients, in
    nanoseconds or ticks. ``outcome`` is ``None`` where no answer came (a timeout, a cancelled task, a
    dead connection): the call may have taken effect at any time after ``t0``, or never, and ``t1`` says
    nothing. ``authored`` is the snapshot an ``Apply`` names.
    """

    client: str
    t0: int
    t1: int | None
    step: Step
    outcome: Outcome | None
    authored: Snapshot | None = None
    left: Lines | None = field(init=False, repr=False, compare=False)
    """The content a patch leaves where its base is live; ``None`` where its hunks fit no such content."""

    def __post_init__(self) -> None:
        if self.outcome is not None and (self.t1 is None or self.t1 < self.t0):
            raise ValueError(f"{self.step.op} of {self.client} was answered at {self.t1}, before its call at {self.t0}")
        if isinstance(self.step, Apply) and self.authored is None:
            raise ValueError(f"apply of {self.client}: say which snapshot {self.step.base!r} is, in `authored`")
        object.__setattr__(self, "left", _left(self.step, self.authored))

    @property
    def answered(self) -> bool:
        """Whether the answer says what happened; an unexpected exception does not."""
        return isinstance(self.outcome, (Returned, Refused))

    @property
    def seen(self) -> Snapshot | None:
        """What a read showed."""
        value = self.outcome.value if isinstance(self.outcome, Returned) else None
        return value if isinstance(value, Snapshot) else None

    @property
    def receipt(self) -> Receipt | None:
        """What a commit left."""
        value = self.outcome.value if isinstance(self.outcome, Returned) else None
        return value if isinstance(value, Receipt) else None

    @property
    def refusal(self) -> Reason | None:
        return self.outcome.reason if isinstance(self.outcome, Refused) else None

    @property
    def added(self) -> Lines | None:
        """The lines of a foreign write or an emission; ``None`` for other calls."""
        return self.step.lines if isinstance(self.step, (Append, Insert, Emit)) else None


def _left(step: Step, authored: Snapshot | None) -> Lines | None:
    if not isinstance(step, Apply) or authored is None or defects(step.hunks, len(authored.lines)):
        return None
    hunks = step.hunks
    return splice(authored.lines, [(hunks[i].start, hunks[i].end, hunks[i].insert) for i in in_order(hunks)])


@dataclass(frozen=True, slots=True)
class CallHistory:
    """Operations in any order. ``lines`` is the content they start from; ``revision``, where known, its revision."""

    lines: Lines
    operations: tuple[Operation, ...]
    revision: int | None = None

    @classmethod
    def of(cls, lines: Iterable[str], operations: Iterable[Operation]) -> CallHistory:
        """The operations by their start, which is how they are told and drawn."""
        return cls(tuple(lines), tuple(sorted(operations, key=lambda op: (op.t0, op.t1 or 0))))


def step_text(step: Step) -> str:
    """A call in one short line."""
    match step:
        case Read(name):
            return f"snapshot {name}" if name else "snapshot"
        case Append(lines):
            return f"append {lines_text(lines)}"
        case Insert(at, lines):
            return f"insert at {at} {lines_text(lines)}"
        case Emit(kind, lines):
            return f"emit {kind} {lines_text(lines)}"
        case Apply(base, hunks):
            changes = ", ".join(f"[{h.start},{h.end}) -> {lines_text(h.insert)}" for h in hunks)
            return f"apply on {base}: {changes or 'no hunks'}"
        case EndTurn():
            return "end_turn"
    return step.op


def operation_outcome_text(operation: Operation) -> str:
    """What the client saw, in one short line."""
    match operation.outcome:
        case None:
            return "no answer"
        case Refused(reason):
            return f"refused: {reason.value}"
        case Returned(Snapshot(lines, base, revision)):
            return f"{lines_text(lines)} at revision {revision}, base {base[:8]}"
        case Returned(Receipt(base, revision)):
            return f"committed as revision {revision}, base {base[:8]}"
        case Returned():
            return "done"
        case Raised(kind, message):
            return f"it raised {kind}: {message}" if message else f"it raised {kind}"
        case Malformed(what):
            return what
        case other:
            return str(other)


def lines_text(lines: Lines) -> str:
    shown = [repr(line if len(line) <= 24 else line[:21] + "...") for line in lines]
    if len(shown) > 8:
        shown[3:-4] = [f"... {len(shown) - 7} more ..."]
    return f"[{', '.join(shown)}]"
