"""Lens ``box``: every case of a small world, so that nothing small escapes.

A world is a few texts, a few lines and one or two patches. The cases of a family come in order of
size; a session that only sees refusals is used for many of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise, product
from typing import Final

from basebound.core.meters import METERS
from basebound.core.trace import Append, Apply, Emit, EndTurn, Gate, Insert, Read, Spoil, Step, Trace
from basebound.lenses.box.large import large
from basebound.model import CHARGE_KINDS, EMISSION_KINDS, Charge, Cost, Hunk

_PAYS = "pays for everything " * 3
_LIMITS: Final = tuple(2**bits for bits in (8, 15, 16, 24, 31, 32, 53, 63, 64))
"""Where numbers of other languages end, or floats begin to leave some out."""
_NASTY = ("", "a", "b", "ab", "a\n", "\n", "a\nb", "a ", " a", "A", "\u00e9", "e\u0301", "a\r", "a\x00")


@dataclass(frozen=True)
class World:
    """Bounds: the texts, and the most lines of a content."""

    texts: tuple[str, ...]
    lines: int

    def __str__(self) -> str:
        return f"up to {self.lines} lines of {len(self.texts)} texts"


WORLDS = {
    "quick": World(("a", ""), 2),
    "default": World(("a", "b", ""), 2),
    "thorough": World(("a", "b", ""), 3),
}


@dataclass(frozen=True)
class Scope:
    """What a family makes its cases for: a world, and of the target its claims and whether it is a gate, or piped."""

    world: World
    claims: frozenset[str]
    gate: bool = False
    piped: bool = False

    @property
    def budgeted(self) -> bool:
        return "budget" in self.claims


def _contents(world: World) -> Iterator[tuple[str, ...]]:
    for length in range(world.lines + 1):
        yield from product(world.texts, repeat=length)


def _ranges(length: int) -> Iterator[tuple[int, int]]:
    """Every range that begins and ends at most one outside the content, reversed ones as well."""
    yield from product(range(-1, length + 2), repeat=2)


def _patches(world: World, length: int) -> Iterator[Hunk]:
    for (start, end), insert in product(_ranges(length), ((), ("b",), ("", "a"))):
        yield Hunk(start, end, insert)


def _paid(hunks: tuple[Hunk, ...], last: int, budgeted: bool) -> tuple[Hunk, ...]:
    """With a budget the last line, a long one that no hunk of the family touches, goes as well."""
    return (*hunks, Hunk(last, last + 1)) if budgeted else hunks


def _start(content: tuple[str, ...], budgeted: bool) -> tuple[str, ...]:
    return (*content, _PAYS) if budgeted else content


def _fresh(world: World, budgeted: bool) -> Iterator[Trace]:
    for content in _contents(world):
        start = _start(content, budgeted)
        for hunk in _patches(world, len(content)):
            hunks = _paid((hunk,), len(content), budgeted)
            yield Trace(start, steps=(Read("s1"), Apply("s1", hunks), Read("s2"), Append(("a",)), Read("s3")))


def _stale(world: World, budgeted: bool) -> Iterator[Trace]:
    for content in _contents(world):
        start = _start(content, budgeted)
        length = len(content)
        for disturbed in _disturbances(content, budgeted):
            patches = [_paid((hunk,), length, budgeted) for hunk in _patches(world, length)]
            attacks: list[Step] = []
            for n, hunks in enumerate(patches):
                attacks += [Apply("s1", hunks), Read(f"t{n}")] if n % 8 == 0 else [Apply("s1", hunks)]
            yield Trace(start, steps=(Read("s1"), *disturbed, Read("s2"), *attacks, Read("end")))
            yield Trace(start, steps=(Read("s1"), *disturbed, Apply("s1", patches[-1]), Read("s2")))


def _disturbances(content: tuple[str, ...], budgeted: bool) -> Iterator[tuple[Step, ...]]:
    yield (Append(("a",)),)
    yield (Append(("",)),)
    yield (Insert(0, ("a",)),)
    yield (Insert(len(content), content[-1:] or ("b",)),)
    if content:
        yield (Read("o1"), Apply("o1", _paid((Hunk(0, 1),), len(content), budgeted)))
        yield (Read("o1"), Apply("o1", _paid((Hunk(0, 1),), len(content), budgeted)), Append(content[:1]))
        if not budgeted:
            yield (Read("o1"), Apply("o1", (Hunk(0, 1, ("c",)),)))
            yield (Read("o1"), Apply("o1", (Hunk(0, 1, (content[0] + " ",)),)))
    if len(content) > 1 and not budgeted:
        yield (Read("o1"), Apply("o1", (Hunk(0, 2, (content[1], content[0])),)))


def _pairs(budgeted: bool) -> Iterator[Trace]:
    """Two hunks in one patch, on three lines: every pair of ranges, good and bad."""
    start = _start(("a", "b", "c"), budgeted)
    spans = [(s, e) for s in range(4) for e in range(s, 4)] + [(2, 5), (-1, 1), (2, 1)]
    for (one, other), insert in product(product(spans, repeat=2), ((), ("x",))):
        hunks = _paid((Hunk(*one, insert), Hunk(*other, ("y", "z"))), 3, budgeted)
        yield Trace(start, steps=(Read("s1"), Apply("s1", hunks), Read("s2")))


def _identity(world: World, budgeted: bool) -> Iterator[Trace]:
    """One engine that takes on every small content of nasty texts, one after the other."""
    small = [content for length in range(3) for content in product(_NASTY, repeat=length)]
    for part in range(0, len(small), 40):
        chosen = small[:20] + small[part : part + 40]
        steps: list[Step] = [Read("s0")]
        for n, (before, content) in enumerate(pairwise([(), *chosen])):
            if budgeted:
                steps += [Apply(f"s{n}", (Hunk(0, len(before)),))] if before else []
                steps += [Append(content)]
            else:
                steps += [Apply(f"s{n}", (Hunk(0, len(before), content),))]
            steps.append(Read(f"s{n + 1}"))
        yield Trace((), steps=tuple(steps))


def _volume() -> Iterator[Trace]:
    """Many lines, many changes, many hunks: what wraps, overflows or is cut shows here."""
    many = tuple(f"{n} line" for n in range(3000))
    tail = (Append(("after",)), Read("s2"), Apply("s1", (Hunk(0, 1),)), Read("s3"))
    yield Trace(many, steps=(Read("s1"), *tail, Apply("s3", (Hunk(1, 2998, ("few",)),)), Read("s4")))
    yield Trace(many, steps=(Read("s1"), Apply("s1", tuple(Hunk(n, n + 1) for n in range(0, 2998, 3))), Read("s2")))
    yield Trace((), steps=(Append(many[:1500]), Read("s1"), *tail))
    changes: list[Step] = []
    for n in range(300):
        changes += [Append((f"{n}",)), Read(f"r{n}")]
    yield Trace(
        ("first",), steps=(Read("s1"), *changes, Apply("s1", (Hunk(0, 1),)), Apply("r43", (Hunk(0, 1),)), Read("end"))
    )
    yield Trace(
        ("x" * 200_000, "b"), steps=(Read("s1"), *tail, Apply("s3", (Hunk(0, 1, ("y" * 100_000,)),)), Read("s4"))
    )


def _protected(budgeted: bool) -> Iterator[Trace]:
    for length in range(1, 4):
        for content in product(("a", "K", "xKy"), repeat=length):
            spans = [(s, e) for s in range(length + 1) for e in range(s, length + 1)]
            for (start, end), insert in product(spans, ((), ("K",), ("a", "b"))):
                hunks = _paid((Hunk(start, end, insert),), length, budgeted)
                yield Trace(_start(content, budgeted), ("K",), steps=(Read("s1"), Apply("s1", hunks), Read("s2")))


def _sized(tokens: int) -> str:
    """A line of ``tokens`` in the default meter."""
    return "x" * (tokens - 1)


def _nets() -> Iterator[Trace]:
    """Lines of 1, 2 and 3 tokens; every removal, every small insertion, every small emission."""
    content = tuple(_sized(n) for n in (3, 1, 2))
    spans = [(s, e) for s in range(4) for e in range(s, 4)]
    inserts: list[tuple[str, ...]] = [(), ("",), ("x",), ("", ""), ("xx",)]
    emissions: list[tuple[Step, ...]] = [(), *((Emit(k, (_sized(n),)),) for k in EMISSION_KINDS for n in (1, 2))]
    emissions += [(Emit(k, ("",)),) * 3 for k in EMISSION_KINDS]
    emissions += [(*(EndTurn(),) * 3, Emit(k, ("x",))) for k in EMISSION_KINDS]
    emissions += [(Emit(k, ("",)), Emit(j, ("x",))) for k, j in product(EMISSION_KINDS, repeat=2)]
    for emitted, (start, end), insert in product(emissions, spans, inserts):
        hunks = (Hunk(start, end, insert),)
        yield Trace(content, steps=(*emitted, Read("s1"), Apply("s1", hunks), Read("s2")))
    for size in (70_000, 66_000, 40_000):
        yield Trace(("x" * size, "b"), steps=(Read("s1"), Apply("s1", (Hunk(0, 1),)), Read("s2")))


def _claims() -> Iterator[Trace]:
    content = tuple(_sized(n) for n in (3, 2))
    amounts = (None, -1, 0, 1, 9)
    for freed, rewrite, measurement in product(amounts, repeat=3):
        for hunk in (Hunk(0, 1), Hunk(0, 1, ("xx",))):
            claim = Cost(freed, rewrite, measurement)
            yield Trace(content, steps=(Read("s1"), Apply("s1", (hunk,), claim), Read("s2")))


def _artifacts() -> Iterator[Trace]:
    """An emission of two lines, something that moves them or not, and every one-line edit and insertion."""
    content = (_PAYS, "a")
    moves: list[tuple[Step, ...]] = [
        (),
        (Insert(0, ("a",)),),
        (Append(("p", "q")),),
        (Insert(2, ("b",)),),
        (EndTurn(),),
    ]
    moves.append((Read("m"), Apply("m", (Hunk(0, 1),)), Append((_PAYS,))))
    for kind, moved in product(EMISSION_KINDS, moves):
        for at, width in product(range(6), (0, 1)):
            hunks = (Hunk(at, at + width, ("y",) if width == 0 else ()),)
            steps = (Emit(kind, ("p", "q")), *moved, Append((_PAYS + "!",)), Read("s1"), Apply("s1", hunks), Read("s2"))
            yield Trace(content, steps=steps)


def _turns() -> Iterator[Trace]:
    """Two attempts with emissions, foreign writes, refusals or a turn's end between them."""
    between: list[tuple[Step, ...]] = [
        (),
        (EndTurn(),),
        (Append(("ffff",)),),
        (Emit("error", ("x",)),),
        (Emit("measurement", ("",)),),
    ]
    for first, middle in product((0, 1, 5), between):
        for kind, second in product(EMISSION_KINDS, range(1, 7)):
            yield Trace(
                (_sized(3 + first), _sized(second), "keep"),
                steps=(
                    Emit(kind, ("xx",)),
                    Read("s1"),
                    Apply("s1", (Hunk(0, 1),)),
                    Read("s2"),
                    *middle,
                    Read("s3"),
                    *((Apply("s3", (Hunk(0, 1),)),) if first else (Apply("s3", (Hunk(1, 2),)),)),
                    Read("s4"),
                ),
            )
    for grown in (("x", "xx"), ("x", "xxx", "b")):
        again = (
            Read("s1"),
            Apply("s1", (Hunk(1, 2),)),
            Append(("y",)),
            Read("s2"),
            Apply("s2", (Hunk(0, 1, grown),)),
            Read("s3"),
        )
        yield Trace(("x", "y"), steps=again)


def _meters() -> Iterator[Trace]:
    """Other meters, with lines that cost nothing or a great deal; and a meter that raises in the middle of a step."""
    for at, kind in product(range(1, 9), EMISSION_KINDS):
        again = Apply("s1", (Hunk(0, 1, ("new", "x")), Hunk(2, 3)))
        patch = (Read("s1"), Spoil(at), again, Read("s2"), again, Read("s3"), Append(("go on",)), Read("s4"))
        yield Trace((_PAYS, "a", "b"), steps=(Emit(kind, ("plan", "more")), *patch))
        write = (Spoil(at), Append(("new",)), Read("s1"), Append(("go on",)), Read("s2"))
        yield Trace((_PAYS, "a"), steps=(Read("s0"), *write))
        emit = (Spoil(at), Emit(kind, ("plan", "more")), Read("s1"), Apply("s1", (Hunk(0, 1),)), Read("s2"))
        yield Trace((_PAYS, "a"), steps=(Read("s0"), *emit))
    content = (" ", "w w w", "", "a b")
    spans = [(s, e) for s in range(5) for e in range(s, 5)]
    for name, (start, end), insert in product(METERS, spans, ((), (" ",), ("w",), ("   x", ""))):
        steps = (Emit("rationale", ("w",)), Read("s1"), Apply("s1", (Hunk(start, end, insert),)), Read("s2"))
        yield Trace(content, meter=name, steps=steps[1:])
        yield Trace(content, meter=name, steps=steps)


def _gate_calls() -> Iterator[Trace]:
    """Every call of a pure gate with up to two charges of small amounts, and large ones a token apart."""
    amounts = (None, -1, 0, 1, 2)
    one = [Charge(kind, tokens) for kind in CHARGE_KINDS for tokens in amounts]
    charges: list[tuple[Charge, ...]] = [(), *((c,) for c in one), *product(one, repeat=2)]
    sets = [(frozenset(e), frozenset(a)) for e, a in (("", ""), ("p", ""), ("p", "p"), ("pq", "q"), ("", "p"))]
    steps = [
        Gate(freed, charged, edited, artifacts)
        for charged in charges
        for freed in (None, -1, 0, 1, 2, 3)
        for edited, artifacts in sets
    ]
    for size in _LIMITS:
        steps += [Gate(freed, charged, frozenset(), frozenset()) for freed, charged in _at_limit(size)]
    for part in range(0, len(steps), 500):
        yield Trace((), steps=tuple(steps[part : part + 500]))


def _at_limit(size: int) -> Iterator[tuple[int, tuple[Charge, ...]]]:
    """Amounts, or a gain or a loss, at the end of a number type and one token before and after it."""
    whole = (Charge("insert", size),)
    split = (Charge("insert", size // 2), Charge("rationale", size - size // 2))
    for more in (-1, 0, 1):
        yield size + more, whole
        yield size + more, split
        yield size + more, ()
        yield max(0, more), whole


def _of_engine(asked: Scope) -> bool:
    return not asked.gate


def _of_gate(asked: Scope) -> bool:
    return asked.gate


def _of_guard(asked: Scope) -> bool:
    return not asked.gate and "protected" in asked.claims


def _of_meter(asked: Scope) -> bool:
    return not asked.gate and asked.budgeted


def _of_budget(asked: Scope) -> bool:
    return asked.gate or asked.budgeted


@dataclass(frozen=True)
class Family:
    """Cases of one kind, and which targets they fit. ``singular``: no case is like another, so that all are needed."""

    name: str
    fits: Callable[[Scope], bool]
    make: Callable[[Scope], Iterator[Trace]]
    singular: bool = False


FAMILIES: Final = (
    Family("fresh", _of_engine, lambda asked: _fresh(asked.world, asked.budgeted)),
    Family("stale", _of_engine, lambda asked: _stale(asked.world, asked.budgeted)),
    Family("pairs", _of_engine, lambda asked: _pairs(asked.budgeted)),
    Family("identity", _of_engine, lambda asked: _identity(asked.world, asked.budgeted)),
    Family("volume", _of_engine, lambda asked: _volume()),
    Family("protected", _of_guard, lambda asked: _protected(asked.budgeted)),
    Family("meter", _of_meter, lambda asked: _meters()),
    Family("net", _of_budget, lambda asked: _nets()),
    Family("claims", _of_budget, lambda asked: _claims()),
    Family("artifacts", _of_budget, lambda asked: _artifacts()),
    Family("turns", _of_budget, lambda asked: _turns()),
    Family("gate", _of_gate, lambda asked: _gate_calls()),
    Family("large", _of_engine, lambda asked: large(asked.piped), singular=True),
)


def cases(family: Family, asked: Scope) -> Iterator[Trace]:
    """The cases of ``family``; none where it does not fit the target."""
    return family.make(asked) if family.fits(asked) else iter(())
