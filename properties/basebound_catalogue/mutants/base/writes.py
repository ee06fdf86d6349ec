"""Starts and foreign writes that are not what was given."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import chain

from basebound.model import Config, Patch, Receipt
from basebound_catalogue.plain import Lines, PlainEngine, Shelf, without_trailing_empty

shelf = Shelf()


# Lines come in as text, as a file, as messages; each conversion has its own idea of a line.


def starting(id: str, origin: str, about: str, change: Callable[[Lines], Iterable[str]]) -> None:
    class Starting(PlainEngine):
        def __init__(self, config: Config) -> None:
            super().__init__(replace(config, lines=tuple(change(config.lines))))

    shelf.fault(id, "BASE-START-EXACT", origin, about)(Starting)


starting(
    "start-splits-joined-text",
    "published sample code",
    "The initial lines are joined and split: lines with breaks fall apart, and no line becomes an empty one.",
    lambda lines: "\n".join(lines).split("\n"),
)
starting(
    "start-without-duplicates",
    "incident 33",
    "The initial lines are kept in a mapping by text: each stands once.",
    dict.fromkeys,
)
starting(
    "start-drops-empty-lines",
    "incident 85",
    "Empty initial lines are dropped.",
    lambda lines: [line for line in lines if line],
)


def appending(id: str, origin: str, about: str, change: Callable[[PlainEngine, Lines], Iterable[str]]) -> None:
    """A fault that appends ``change(engine, lines)`` in place of ``lines``."""

    class Appending(PlainEngine):
        def appended(self, lines: Lines) -> Lines:
            return tuple(change(self, lines))

    shelf.fault(id, "BASE-APPEND-EXACT", origin, about)(Appending)


appending(
    "append-drops-trailing-empty",
    "incident 12",
    "Empty lines at the end of an append are dropped.",
    lambda engine, lines: without_trailing_empty(lines),
)
appending(
    "append-skips-repeated-line",
    "incident 33",
    "An append of just the line that is last already is skipped as a repeated delivery.",
    lambda engine, lines: () if lines == engine.lines[-1:] else lines,
)
appending(
    "append-skips-known-lines",
    "incidents 33, 50",
    "Lines that stand somewhere in the buffer are not appended again.",
    lambda engine, lines: [line for line in lines if line not in engine.lines],
)
appending(
    "append-of-nothing-adds-empty",
    "malice",
    "An append of no lines adds an empty one.",
    lambda engine, lines: lines or ("",),
)
appending(
    "append-splits-lines",
    "incident 83",
    "Appended lines are split at line breaks of every kind.",
    lambda engine, lines: chain.from_iterable(line.splitlines() or [""] for line in lines),
)
appending(
    "append-joins-lines",
    "incident 151",
    "Several lines appended at once become one line with line breaks.",
    lambda engine, lines: ["\n".join(lines)] if lines else (),
)
appending(
    "append-right-stripped",
    "incident 7",
    "Appended lines lose their trailing white space.",
    lambda engine, lines: [line.rstrip() for line in lines],
)
appending(
    "append-cuts-long-lines",
    "incident 71",
    "Appended lines are cut after 65536 characters.",
    lambda engine, lines: [line[:65536] for line in lines],
)


@shelf.fault(
    "append-before-final-empty",
    "BASE-APPEND-EXACT",
    "incident 12",
    "An empty line at the end of the buffer is taken for a final line break: appended lines go before it.",
)
class AppendBeforeFinalEmpty(PlainEngine):
    def append(self, lines: Sequence[str]) -> None:
        end = len(self.lines) - (self.lines[-1:] == ("",))
        self.commit((*self.lines[:end], *lines, *self.lines[end:]))


@shelf.fault(
    "append-at-last-edit",
    "BASE-APPEND-EXACT",
    "incident 23",
    "After a patch the cursor stays at its last hunk, and the next append goes there.",
)
class AppendAtLastEdit(PlainEngine):
    cursor: int | None = None

    def apply(self, patch: Patch) -> Receipt:
        receipt = super().apply(patch)
        self.cursor = min(patch.hunks[-1].start + len(patch.hunks[-1].insert), len(self.lines)) if patch.hunks else None
        return receipt

    def append(self, lines: Sequence[str]) -> None:
        cursor, self.cursor = self.cursor, None
        self.insert(len(self.lines) if cursor is None else cursor, lines)


def inserting_at(id: str, origin: str, about: str, change: Callable[[int, Lines, int], tuple[int, Lines]]) -> None:
    """A fault whose foreign insert is ``change(at, lines, number of lines in the buffer)``."""

    class InsertingAt(PlainEngine):
        def insert(self, at: int, lines: Sequence[str]) -> None:
            super().insert(*change(at, tuple(lines), len(self.lines)))

    shelf.fault(id, "BASE-INSERT-EXACT", origin, about)(InsertingAt)


inserting_at(
    "insert-at-end-one-early",
    "incident 22",
    "A foreign insert at the end goes before the last line.",
    lambda at, lines, length: (min(at, max(0, length - 1)), lines),
)
inserting_at(
    "insert-at-top-one-late",
    "incidents 22, 24",
    "A foreign insert at the top goes after the first line.",
    lambda at, lines, length: (max(at, 1), lines),
)
inserting_at(
    "insert-reversed",
    "incident 21",
    "The lines of a foreign insert are inserted one by one at the same place: they stand in reverse.",
    lambda at, lines, length: (at, lines[::-1]),
)


@shelf.fault(
    "insert-overwrites-empty-line",
    "BASE-INSERT-EXACT",
    "incident 85",
    "A foreign insert in front of an empty line takes its place.",
)
class InsertOverwritesEmptyLine(PlainEngine):
    def insert(self, at: int, lines: Sequence[str]) -> None:
        below = at + 1 if lines and self.lines[at : at + 1] == ("",) else at
        self.commit((*self.lines[:at], *lines, *self.lines[below:]))
