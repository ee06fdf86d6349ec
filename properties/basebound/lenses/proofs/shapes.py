"""Shapes: inputs of a fixed form whose values are left open, each proved for every value at once.

A shape fixes how many lines, characters, hunks and charges there are; what they are is open. Only numbers
are open: a line is built inside from its characters' code points. CrossHair exhausts shapes like these; with a
sequence of open length it never comes to an end. What a shape covers stands in its bounds, which are printed
with every proof.

A *hunt* is a shape with text of open length. It cannot be exhausted, so it never proves anything; it finds
what hides behind a longer magic text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import IntEnum, StrEnum
from typing import Any, Final, TypeAlias

from basebound.core.register import Role, with_role
from basebound.lenses.proofs.cases import Case, Lines, Rewrite
from basebound.lenses.proofs.subject import Kind
from basebound.model import Hunk


class Depth(IntEnum):
    """How far the battery goes: the efforts in their order, each with the shapes of the ones before it."""

    QUICK = 0
    DEFAULT = 1
    THOROUGH = 2


class Alphabet(StrEnum):
    """Which characters an open one may be; ``UNICODE`` is every one that encodes to UTF-8.

    Code that looks at characters one by one asks the solver about each. Among lower-case letters there is rarely
    anything to ask, so larger shapes keep to those.
    """

    LETTERS = "lower-case letter"
    ASCII = "ASCII character"
    UNICODE = "Unicode character"


@dataclass(frozen=True)
class Number:
    """An open integer with inclusive ends; ``None`` is no end. ``optional``: it may also be ``None``."""

    name: str
    low: int | None = None
    high: int | None = None
    optional: bool = False


@dataclass(frozen=True)
class Character:
    """An open character by its code point. ``or_none``: -1 stands for no character."""

    name: str
    alphabet: Alphabet
    or_none: bool = False


@dataclass(frozen=True)
class Text:
    """Open text of open length; only hunts have it."""

    name: str


Parameter: TypeAlias = Number | Character | Text
Values: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True)
class Bounds:
    """What a shape covers, and nothing beside it: ``calls`` of one form, on content or amounts of this ``size``.

    ``line``: what each line is made of, if the size counts lines. *Anywhere* is any coordinates, sound or not.
    """

    calls: str
    size: str
    line: str = ""

    def __str__(self) -> str:
        return "".join(listed([self]))


def listed(bounds: Iterable[Bounds]) -> list[str]:
    """The bounds of several shapes; those that differ in size alone are told together."""
    sizes: dict[tuple[str, str], list[str]] = {}
    for one in bounds:
        known = sizes.setdefault((one.calls, one.line), [])
        known += [] if one.size in known else [one.size]
    return [_told(calls, line, some) for (calls, line), some in sizes.items()]


def _told(calls: str, line: str, sizes: list[str]) -> str:
    *first, last = sizes
    size = f"{', '.join(first)} or {last}" if first else last
    lines = f" {'line' if size == '1' else 'lines'} of {line}" if line else ""
    return f"{calls}: {size}{lines}"


def counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


@dataclass(frozen=True)
class Shape:
    """One entry of the battery.

    ``bounds`` tells all of it: what is fixed, and which values its parameters leave open. ``build`` makes the case of a
    value for each parameter; it is also given the tail of :data:`TAIL` that every line of the content gets for an
    engine with a budget. ``covers``: the requirements for which some values of the shape meet the contract's
    precondition (a test shows a witness for each). ``needs``: what a target must claim or be able to.
    """

    name: str
    kinds: frozenset[Kind]
    depth: Depth
    parameters: tuple[Parameter, ...]
    build: Callable[[Values, str], Case]
    bounds: Bounds
    covers: tuple[str, ...]
    needs: frozenset[str] = frozenset()
    hunt: bool = False

    def covered(self, kind: Kind) -> tuple[str, ...]:
        """What a proof of the shape says of a target of this kind."""
        around = AROUND if kind is Kind.ENGINE and Kind.APPLY in self.kinds and not self.hunt else ()
        return (*self.covers, *around)

    @property
    def weight(self) -> int:
        """A rough order of how long an analysis takes: by open values, more for hunks, Unicode and hunts."""
        alphabets = [p.alphabet for p in self.parameters if isinstance(p, Character)]
        hunks = sum(parameter.name.startswith("start") for parameter in self.parameters)
        return len(self.parameters) * (1 + hunks) + 10 * self.hunt + 5 * alphabets.count(Alphabet.UNICODE)


TAIL: Final = "--"
"""What follows the open character of each line where a patch must pay: with it a line is worth three tokens, and a
patch that removes one and inserts another of one character frees more than it costs."""


def build(shape: Shape, values: Values, budgeted: bool) -> Case:
    """The case of ``values``, for an engine with a budget or without."""
    case = shape.build(values, TAIL if budgeted else "")
    return replace(case, budgeted=True) if budgeted and isinstance(case, Rewrite) else case


BOTH: Final = frozenset({Kind.APPLY, Kind.ENGINE})
PURE: Final = frozenset({Kind.APPLY})
GATES: Final = frozenset({Kind.GATE})
ENGINES: Final = frozenset({Kind.ENGINE})
TYPED: Final = (with_role(Role.MISTYPED_ANSWER),)
AROUND: Final = ("BASE-START-EXACT", "BASE-REFUSAL-PURE", "BASE-RECEIPT", "BASE-REVISION-RISES")
"""What is checked around every rewrite of an engine, beside what its shape covers."""


INSERTED: Final = "new"
"""What the characters of inserted lines are called, so that a counterexample has other letters for them."""


def characters(prefix: str, count: int, alphabet: Alphabet = Alphabet.ASCII) -> tuple[Character, ...]:
    return tuple(Character(f"{prefix}{nth}", alphabet) for nth in range(count))


def one_character_lines(values: Values, prefix: str, count: int, tail: str = "") -> Lines:
    return tuple([chr(values[f"{prefix}{nth}"]) + tail for nth in range(count)])


def hunk_numbers(*nths: int) -> tuple[Number, ...]:
    return tuple(Number(f"{end}{nth}") for nth in nths for end in ("start", "end"))


def hunk(values: Values, nth: int, insert: Lines) -> Hunk:
    return Hunk(values[f"start{nth}"], values[f"end{nth}"], insert)


def short_line(points: Iterable[int]) -> str:
    """The characters up to the first that is none."""
    line = ""
    for point in points:
        if point < 0:
            break
        line = line + chr(point)
    return line


# ------------------------------------------------------------------------------------------ domains

SURROGATES: Final = (0xD800, 0xDFFF)
"""Code points that no line may hold: they do not encode to UTF-8."""
_RANGES: Final = {
    Alphabet.LETTERS: (ord("a"), ord("z")),
    Alphabet.ASCII: (0, 0x7F),
    Alphabet.UNICODE: (0, 0x10FFFF),
}


def in_domain(shape: Shape, values: Values) -> bool:
    """Whether the values belong to the shape.

    Each parameter is one question: ``&`` keeps its two ends together, where ``and`` would ask twice, and the
    first answer that is no ends the path.
    """
    return all(_inside(parameter, values[parameter.name]) for parameter in shape.parameters)


def _inside(parameter: Parameter, value: Any) -> Any:
    if isinstance(parameter, Character):
        return _is_character(parameter, value)
    if isinstance(parameter, Text) or value is None:
        return True
    above = parameter.low is None or value >= parameter.low
    below = parameter.high is None or value <= parameter.high
    return above & below


def _is_character(parameter: Character, value: Any) -> Any:
    first, last = _RANGES[parameter.alphabet]
    inside = (value >= first) & (value <= last)
    if parameter.or_none:
        inside = inside | (value == -1)
    if parameter.alphabet is Alphabet.UNICODE:
        inside = inside & ((value < SURROGATES[0]) | (value > SURROGATES[1]))
    return inside
