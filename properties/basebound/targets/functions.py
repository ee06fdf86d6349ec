"""Pure functions as targets: a splice with its digest, or a gate, inside a shell of ours.

The shell holds the lines and the books; only what the function decides is judged.
"""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence

from basebound.core.hunks import defects, in_order, removed, splice
from basebound.core.register import PureFunction
from basebound.core.trace import Gate
from basebound.errors import TargetError, WrongType
from basebound.model import Charge, Config, Cost, Hunk, Patch, Reason, Receipt, Rejected, Snapshot
from basebound.targets.naming import a

Lines = tuple[str, ...]
Apply = Callable[[Lines, str, Sequence[Hunk], Lines], Sequence[str]]
Digest = Callable[[Lines], str]
GateFunction = Callable[[int | None, Sequence[Charge], frozenset[str], frozenset[str]], None]


def _check_pure(target: str, role: str, given: object, parameters: tuple[str, ...]) -> None:
    """Raises ``TargetError`` for what cannot be called, or is called in another way than ``target`` does."""
    call = f"{role}({', '.join(parameters)})"
    if not callable(given):
        raise TargetError(
            "not-a-function", f"{target} is given {given!r} as its {role}", f"it takes a function: {call}"
        )
    called = given if inspect.isroutine(given) else getattr(given, "__call__", given)  # noqa: B004
    if inspect.iscoroutinefunction(given) or inspect.iscoroutinefunction(called):
        what = f"the {role} given to {target} is an `async def`, and a pure function has nothing to await"
        raise TargetError(
            "async-function", what, "give a plain `def`; what has to await is an engine: write it as a class"
        )
    try:
        inspect.signature(given).bind(*parameters)
    except TypeError as error:
        what = f"the {role} given to {target} cannot be called as the contract does: {error}"
        raise TargetError("wrong-signature", what, f"it is called as {call}, by position") from None
    except ValueError:
        return


def _names(profiles: object) -> frozenset[str]:
    """Raises ``TargetError`` for one name in place of a container of names, since its letters are names of nothing."""
    if isinstance(profiles, str) or not isinstance(profiles, Iterable):
        what = f"apply_function is given profiles={profiles!r}"
        raise TargetError("wrong-profiles", what, 'it is a container of names, as {"base", "protected"}')
    return frozenset(profiles)


class apply_function:
    """A target made of ``apply(live_lines, authored_base, hunks, protected) -> lines`` and ``digest(lines) -> base``.

    Both are pure. ``live_lines`` and ``protected`` are tuples of ``str``, ``hunks`` is a sequence of ``Hunk``, and
    ``authored_base`` is the digest of the lines the author saw. ``apply`` returns a tuple or a list of ``str``, or
    raises ``Rejected``. ``profiles``: what is claimed, by default ``base`` and ``protected``; give ``{"base"}`` for an
    ``apply`` that ignores the markers.

    Raises ``TargetError`` for functions that cannot be called so, ``async def`` among them, and for ``profiles`` that
    are no container of names.
    """

    pure = PureFunction.APPLY

    def __init__(self, apply: Apply, digest: Digest, *, profiles: Iterable[str] | None = None) -> None:
        _check_pure("apply_function", "apply", apply, ("live_lines", "authored_base", "hunks", "protected"))
        _check_pure("apply_function", "digest", digest, ("lines",))
        self.apply, self.digest, self.stated = apply, digest, profiles is not None
        self.profiles = _names(("base", "protected") if profiles is None else profiles)

    def __call__(self, config: Config) -> _AppliedLines:
        return _AppliedLines(self, config)


class _AppliedLines:
    def __init__(self, pure: apply_function, config: Config) -> None:
        self._pure, self._lines, self._protected, self._revision = pure, config.lines, config.protected, 0
        self.profiles = pure.profiles

    def snapshot(self) -> Snapshot:
        return Snapshot(self._lines, self._pure.digest(self._lines), self._revision)

    def append(self, lines: Sequence[str]) -> None:
        self._become((*self._lines, *lines))

    def insert(self, at: int, lines: Sequence[str]) -> None:
        self._become((*self._lines[:at], *lines, *self._lines[at:]))

    def apply(self, patch: Patch) -> Receipt:
        lines = self._pure.apply(self._lines, patch.base.base, patch.hunks, self._protected)
        self._become(_lines(lines))
        return Receipt(self._pure.digest(self._lines), self._revision)

    def _become(self, lines: Lines) -> None:
        self._revision += lines != self._lines
        self._lines = lines


def _lines(answer: object) -> Lines:
    """Raises ``WrongType`` for what is no value that holds lines in order: a generator is gone once it is read."""
    indexed = all(hasattr(answer, name) for name in ("__len__", "__getitem__")) and not isinstance(answer, Mapping)
    if isinstance(answer, (str, bytes)) or not indexed:
        raise WrongType(f"apply returned {_kind(answer)}, not a sequence of lines; return a tuple or a list of str")
    lines: Lines = tuple(answer)  # type: ignore[arg-type]
    for number, line in enumerate(lines):
        if not isinstance(line, str):
            raise WrongType(f"apply returned {_kind(answer)} whose line {number} is {_kind(line)}, not a str")
    return lines


def _kind(value: object) -> str:
    """What an answer is, in words that are the same in every run."""
    if value is None or isinstance(value, (bool, int, float)):
        return repr(value)
    return a(type(value).__name__)


class gate_function:
    """A target made of ``gate(freed, charges, edited, artifacts) -> None``, which raises ``Rejected``.

    ``freed``: tokens, an ``int`` or ``None``. ``charges``: a sequence of ``Charge``. ``edited`` and ``artifacts``:
    frozen sets of line ids, each a ``str``. Amounts that a patch's claim leaves out or gives as negative are handed to
    the gate as they are. What the gate returns counts for nothing.

    Raises ``TargetError`` for a gate that cannot be called so, an ``async def`` among them.
    """

    pure = PureFunction.GATE
    profiles = frozenset({"budget"})

    def __init__(self, gate: GateFunction) -> None:
        _check_pure("gate_function", "gate", gate, ("freed", "charges", "edited", "artifacts"))
        self.gate = gate

    def __call__(self, config: Config) -> _GatedLines:
        return _GatedLines(self.gate, config)


class _GatedLines:
    profiles = frozenset({"budget"})

    def __init__(self, gate: GateFunction, config: Config) -> None:
        self._decide, self._count = gate, config.count_tokens
        self.answer: object = None
        self._lines, self._ids, self._next = config.lines, tuple(map(str, range(len(config.lines)))), len(config.lines)
        self._unpaid: list[Charge] = []
        self._artifacts: set[str] = set()
        self._revision = 0

    def snapshot(self) -> Snapshot:
        return Snapshot(self._lines, self._base(), self._revision)

    def append(self, lines: Sequence[str]) -> None:
        self.insert(len(self._lines), lines)

    def insert(self, at: int, lines: Sequence[str]) -> None:
        self._become([Hunk(at, at, tuple(lines))])

    def emit(self, kind: str, lines: Sequence[str]) -> None:
        at = len(self._lines)
        self.append(lines)
        self._artifacts.update(self._ids[at:])
        self._unpaid.append(Charge(kind, self._size(lines)))

    def end_turn(self) -> None:
        self._unpaid.clear()
        self._artifacts.clear()

    def apply(self, patch: Patch) -> Receipt:
        if patch.base.base != self._base():
            raise Rejected(Reason.STALE_BASE, "the shell around the gate is live at another base: re-author")
        gone = removed(patch.hunks, len(self._lines))
        charges = [Charge("insert", self._size(h.insert)) for h in patch.hunks if h.insert]
        edited = frozenset(self._ids[at] for at in gone)
        freed = self._size([self._lines[at] for at in gone])
        self._ask(*_claimed(freed, (*charges, *self._unpaid), patch.claim), edited, frozenset(self._artifacts))
        if defects(patch.hunks, len(self._lines)):
            raise Rejected(Reason.BAD_HUNK, "the shell around the gate takes no such hunk")
        self._become(patch.hunks)
        self._unpaid.clear()
        return Receipt(self._base(), self._revision)

    def gate(self, step: Gate) -> None:
        """One call of the gate with the step's own amounts."""
        self._ask(step.freed, step.charges, step.edited, step.artifacts)

    def _ask(
        self, freed: int | None, charges: Sequence[Charge], edited: frozenset[str], artifacts: frozenset[str]
    ) -> None:
        """Raises what the gate raises; a value it returns refuses nothing, and is kept for the report."""
        decide: Callable[..., object] = self._decide
        self.answer = None
        self.answer = decide(freed, charges, edited, artifacts)

    def _size(self, lines: Iterable[str]) -> int:
        return sum(self._count(line) for line in lines)

    def _base(self) -> str:
        return hashlib.sha256(repr(self._lines).encode()).hexdigest()

    def _become(self, hunks: Sequence[Hunk]) -> None:
        order = [hunks[i] for i in in_order(hunks)]
        lines = splice(self._lines, [(h.start, h.end, h.insert) for h in order])
        self._ids = splice(self._ids, [(h.start, h.end, self._new_ids(len(h.insert))) for h in order])
        self._revision += lines != self._lines
        self._lines = lines

    def _new_ids(self, count: int) -> tuple[str, ...]:
        self._next += count
        return tuple(map(str, range(self._next - count, self._next)))


def _claimed(freed: int, charges: tuple[Charge, ...], claim: Cost | None) -> tuple[int | None, tuple[Charge, ...]]:
    """The measured amounts, but for those the claim does not attribute or gives as negative."""
    if claim is None:
        return freed, charges
    unproven = [
        Charge(kind, amount)
        for kind, amount in (("insert", claim.rewrite), ("measurement", claim.measurement))
        if amount is None or amount < 0
    ]
    given = claim.freed if claim.freed is None or claim.freed < 0 else freed
    return given, (*charges, *unproven)


def gate_answer(engine: object) -> str:
    """What is wrong with letting a patch through by returning a value, where the gate's last call did."""
    answer = engine.answer if isinstance(engine, _GatedLines) else None
    return "" if answer is None else f"the gate returned {_kind(answer)}; a gate refuses by raising Rejected"
