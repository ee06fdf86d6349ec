"""Families of shapes for the base: identity, stale and fresh rewrites, protection, and hunts."""

from __future__ import annotations

from collections.abc import Callable

from basebound.lenses.proofs.cases import Case, Contents, Lines, Rewrite
from basebound.lenses.proofs.shapes import (
    BOTH,
    ENGINES,
    INSERTED,
    PURE,
    TYPED,
    Alphabet,
    Bounds,
    Character,
    Depth,
    Number,
    Parameter,
    Shape,
    Text,
    Values,
    characters,
    counted,
    hunk,
    hunk_numbers,
    one_character_lines,
    short_line,
)
from basebound.model import Hunk

ACCEPT = (*TYPED, "BASE-FRESH-ACCEPTED", "BASE-SPLICE-EXACT", "BASE-SPLICE-LITERAL")
HUNK = ("BASE-HUNK-RANGE", "BASE-HUNK-NEGATIVE", "BASE-HUNK-REVERSED")
STALE = (*TYPED, "BASE-STALE-PATCH", "BASE-STALE-FIRST")
TWO = (*ACCEPT, *HUNK, "BASE-SPLICE-FRAME", "BASE-SPLICE-ORDER", "BASE-SPLICE-ALL")
EXCLAMATION = ("!",)
ONE_HUNK = "1 hunk anywhere that inserts 1 line"


def _marked(markers: Lines) -> str:
    return f", with the markers {', '.join(map(repr, markers))}" if markers else ""


# --------------------------------------------------------------------------------------- identity


def identity(name: str, depth: Depth, most: int, length: int, alphabet: Alphabet = Alphabet.ASCII) -> Shape:
    """Two contents, each of 0 to ``most`` lines of 0 to ``length`` characters."""

    def build(values: Values, tail: str) -> Case:
        return Contents(_up_to(values, "a", most, length), _up_to(values, "b", most, length))

    return Shape(
        name,
        PURE,
        depth,
        (*_up_to_parameters("a", most, length, alphabet), *_up_to_parameters("b", most, length, alphabet)),
        build,
        Bounds("two contents and their bases", f"0 to {most}", f"0 to {counted(length, alphabet.value)}"),
        (*TYPED, "BASE-IDENTITY", "BASE-IDENTITY-STABLE"),
    )


def _up_to(values: Values, prefix: str, most: int, length: int) -> Lines:
    """``prefix`` is the number of lines, ``prefix{i}_{j}`` a code point; a line ends at the first that is none."""
    lines: Lines = ()
    for nth in range(most):
        if nth >= values[prefix]:
            break
        lines = (*lines, short_line([values[f"{prefix}{nth}_{at}"] for at in range(length)]))
    return lines


def _up_to_parameters(prefix: str, most: int, length: int, alphabet: Alphabet) -> tuple[Parameter, ...]:
    points = [f"{prefix}{nth}_{at}" for nth in range(most) for at in range(length)]
    return (Number(prefix, 0, most), *[Character(point, alphabet, or_none=True) for point in points])


# ------------------------------------------------------------------------------------------ stale


def stale(
    name: str, depth: Depth, authored: int, live: int, covers: tuple[str, ...], alphabet: Alphabet = Alphabet.ASCII
) -> Shape:
    """Any two contents of these numbers of lines, and one hunk anywhere; equal contents are among them."""

    def build(values: Values, tail: str) -> Case:
        return Rewrite(
            one_character_lines(values, "live", live, tail),
            one_character_lines(values, "seen", authored, tail),
            (hunk(values, 0, one_character_lines(values, INSERTED, 1)),),
        )

    fresh = (*ACCEPT, *HUNK) if authored == live else ()
    return Shape(
        name,
        BOTH,
        depth,
        (
            *characters("live", live, alphabet),
            *characters("seen", authored, alphabet),
            *characters(INSERTED, 1),
            *hunk_numbers(0),
        ),
        build,
        Bounds(f"{ONE_HUNK}, after another author's patch", f"{authored}→{live}", f"1 {alphabet}"),
        tuple(dict.fromkeys((*STALE, *covers, *fresh))),
    )


def split(name: str, depth: Depth) -> Shape:
    """A line of one text goes, stands beside an empty line, or changes place with it.

    Where a patch must pay there is a first line that does.
    """

    def build(values: Values, tail: str) -> Case:
        first = (3 * tail,) if tail else ()
        text = chr(values["text"])
        ways: tuple[Lines, ...] = ((), ("",), (text,), ("", ""), ("", text), (text, ""))
        live, seen = (*first, *ways[values["live"]]), (*first, *ways[values["seen"]])
        return Rewrite(live, seen, (Hunk(0, len(first), ("x",)),))

    return Shape(
        name,
        ENGINES,
        depth,
        (Character("text", Alphabet.ASCII), Number("live", 0, 5), Number("seen", 0, 5)),
        build,
        Bounds("1 line at the top, after the same text went to other lines", "0 to 2", "0 or 1 ASCII character"),
        (*TYPED, "BASE-STALE-PATCH"),
    )


def appended(
    name: str,
    depth: Depth,
    authored: int,
    more: int,
    alphabet: Alphabet = Alphabet.ASCII,
    protected: Lines = (),
) -> Shape:
    """The live content is what the author saw and ``more`` lines; with markers the patch may be protected too."""

    def build(values: Values, tail: str) -> Case:
        seen = one_character_lines(values, "seen", authored, tail)
        live = seen + one_character_lines(values, "more", more, tail)
        new = one_character_lines(values, INSERTED, 1)
        return Rewrite(live, seen, (hunk(values, 0, new),), protected, arrived="append")

    return Shape(
        name,
        BOTH,
        depth,
        (
            *characters("seen", authored, alphabet),
            *characters("more", more, alphabet),
            *characters(INSERTED, 1),
            *hunk_numbers(0),
        ),
        build,
        Bounds(f"{ONE_HUNK}, after an append{_marked(protected)}", f"{authored} + {more}", f"1 {alphabet}"),
        (*STALE, "BASE-STALE-APPEND", *(["BASE-STALE-DUPLICATE"] if authored else [])),
        needs=frozenset({"protected"} if protected else ()),
    )


def replayed(name: str, depth: Depth, lines: int) -> Shape:
    """A patch that has been applied is submitted again; where it changed nothing it is fresh."""

    def build(values: Values, tail: str) -> Case:
        seen = one_character_lines(values, "seen", lines, tail)
        new = one_character_lines(values, INSERTED, 1)
        return Rewrite(new + seen[1:], seen, (Hunk(0, 1, new),))

    return Shape(
        name,
        BOTH,
        depth,
        (*characters("seen", lines), *characters(INSERTED, 1)),
        build,
        Bounds("a patch of the first line, submitted again", str(lines), f"1 {Alphabet.ASCII}"),
        (*TYPED, "BASE-REPLAY", "BASE-STALE-PATCH", "BASE-STALE-LENGTH"),
    )


# ------------------------------------------------------------------------------------------ fresh


def fresh(
    name: str,
    depth: Depth,
    lines: int,
    inserted: int,
    alphabet: Alphabet = Alphabet.ASCII,
    inserts: Alphabet | None = None,
) -> Shape:
    """One hunk anywhere on ``lines`` live lines; ``inserts`` is the alphabet of its lines, if it is another."""

    def build(values: Values, tail: str) -> Case:
        live = one_character_lines(values, "live", lines, tail)
        return Rewrite(live, live, (hunk(values, 0, one_character_lines(values, INSERTED, inserted)),))

    other = f" of 1 {inserts}" if inserts else ""
    return Shape(
        name,
        BOTH,
        depth,
        (*characters("live", lines, alphabet), *characters(INSERTED, inserted, inserts or alphabet), *hunk_numbers(0)),
        build,
        Bounds(f"1 hunk anywhere that inserts {counted(inserted, 'line')}{other}", str(lines), f"1 {alphabet}"),
        (*ACCEPT, *HUNK),
    )


def hunks_of(
    name: str, depth: Depth, lines: int, inserted: tuple[int, ...], alphabet: Alphabet = Alphabet.ASCII
) -> Shape:
    """Hunks anywhere, in any order in the patch, that insert these numbers of lines."""

    def build(values: Values, tail: str) -> Case:
        live = one_character_lines(values, "live", lines, tail)
        new = one_character_lines(values, INSERTED, sum(inserted))
        ends = [sum(inserted[: nth + 1]) for nth, _ in enumerate(inserted)]
        parts = [new[end - count : end] for end, count in zip(ends, inserted, strict=True)]
        return Rewrite(live, live, tuple([hunk(values, nth, part) for nth, part in enumerate(parts)]))

    several = len(inserted)
    adjacent = ("BASE-HUNK-ADJACENT", "BASE-HUNK-OVERLAP") if several == 2 and lines > 1 else ()
    return Shape(
        name,
        BOTH,
        depth,
        (
            *characters("live", lines, alphabet),
            *characters(INSERTED, sum(inserted), alphabet),
            *hunk_numbers(*range(several)),
        ),
        build,
        Bounds(
            f"{several} hunks anywhere that insert {' and '.join(map(str, inserted))} lines",
            str(lines),
            f"1 {alphabet}",
        ),
        (*TWO, *adjacent),
        needs=frozenset(f"hunks>={count}" for count in range(2, several + 1)),
    )


# -------------------------------------------------------------------------------------- protected


def protected(
    name: str,
    depth: Depth,
    lines: int,
    length: int,
    markers: Lines,
    covers: tuple[str, ...],
    alphabet: Alphabet = Alphabet.ASCII,
) -> Shape:
    """Lines of ``length`` characters, any of which may hold a marker, and one hunk anywhere."""

    def build(values: Values, tail: str) -> Case:
        live = tuple([short_line([values[f"live{n}_{c}"] for c in range(length)]) + tail for n in range(lines)])
        return Rewrite(live, live, (hunk(values, 0, one_character_lines(values, INSERTED, 1)),), markers)

    points = [f"live{n}_{c}" for n in range(lines) for c in range(length)]
    return Shape(
        name,
        BOTH,
        depth,
        (*[Character(point, alphabet) for point in points], *characters(INSERTED, 1), *hunk_numbers(0)),
        build,
        Bounds(f"{ONE_HUNK}{_marked(markers)}", str(lines), counted(length, alphabet.value)),
        (*TYPED, "PROTECTED-REFUSED", *covers),
        needs=frozenset({"protected"}),
    )


def protected_in_either_hunk(name: str, depth: Depth) -> Shape:
    """Two lines, a hunk for each, in both orders; either line may be protected."""

    def build(values: Values, tail: str) -> Case:
        live = one_character_lines(values, "live", 2, tail)
        upper, lower = Hunk(0, 1, ()), Hunk(1, 2, one_character_lines(values, INSERTED, 1))
        hunks = (upper, lower) if values["downwards"] == 1 else (lower, upper)
        return Rewrite(live, live, hunks, EXCLAMATION)

    return Shape(
        name,
        BOTH,
        depth,
        (*characters("live", 2), *characters(INSERTED, 1), Number("downwards", 0, 1)),
        build,
        Bounds(
            f"1 hunk that removes the first line and 1 that replaces the second, in any order{_marked(EXCLAMATION)}",
            "2",
            f"1 {Alphabet.ASCII}",
        ),
        (*TYPED, "PROTECTED-REFUSED", "PROTECTED-ANY-HUNK", "PROTECTED-REST"),
        needs=frozenset({"protected", "hunks>=2"}),
    )


# ------------------------------------------------------------------------------------------ hunts


def hunt_inserted(name: str, depth: Depth) -> Shape:
    def build(values: Values, tail: str) -> Case:
        live = one_character_lines(values, "live", 1, tail)
        return Rewrite(live, live, (Hunk(0, 1, (values["text"],)),))

    return _hunt(name, depth, "an inserted line", (*characters("live", 1), Text("text")), build)


def hunt_live(name: str, depth: Depth) -> Shape:
    def build(values: Values, tail: str) -> Case:
        return Rewrite((values["text"],), one_character_lines(values, "seen", 1, tail), (Hunk(0, 0, ("x",)),))

    return _hunt(name, depth, "a live line that no author saw", (Text("text"), *characters("seen", 1)), build)


def hunt_forced(name: str, depth: Depth) -> Shape:
    def build(values: Values, tail: str) -> Case:
        live, seen = one_character_lines(values, "live", 1, tail), one_character_lines(values, "seen", 1, tail)
        return Rewrite(live, seen, (Hunk(0, 1, (values["text"],)),))

    parameters: tuple[Parameter, ...] = (*characters("live", 1), *characters("seen", 1), Text("text"))
    return _hunt(name, depth, "a line that a stale patch inserts", parameters, build)


def hunt_protected(name: str, depth: Depth) -> Shape:
    def build(values: Values, tail: str) -> Case:
        live = ("!" + values["text"],)
        return Rewrite(live, live, (Hunk(0, 1, ()),), EXCLAMATION)

    return _hunt(name, depth, "a protected line", (Text("text"),), build, frozenset({"protected"}))


def _hunt(
    name: str,
    depth: Depth,
    calls: str,
    parameters: tuple[Parameter, ...],
    build: Callable[[Values, str], Case],
    needs: frozenset[str] = frozenset(),
) -> Shape:
    bounds = Bounds(calls, "any text")
    return Shape(name, PURE, depth, parameters, build, bounds, (), needs, hunt=True)
