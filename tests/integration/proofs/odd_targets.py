"""Targets that try the machinery: each does one thing that a target should not do, or is hard to look into."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import sys
import time
from collections.abc import Sequence
from logging import getLogger
from typing import Any

from basebound import Config, Patch, Receipt, Snapshot, apply_function
from basebound.model import Hunk, Reason, Rejected
from basebound_catalogue.budgeted import Measured
from basebound_catalogue.mutants.pure import framed, in_range, plain, rewriting

Lines = tuple[str, ...]


def ends_the_process(lines: Lines) -> str:
    if len(lines) == 1 and "x" < lines[0] < "z":
        os._exit(7)
    return framed(lines)


def hangs(lines: Lines) -> str:
    while len(lines) == 1 and "x" < lines[0] < "z":
        time.sleep(0.01)
    return framed(lines)


def outgrows(lines: Lines) -> str:
    if len(lines) == 1 and "x" < lines[0] < "z":
        return "x" * (1 << 40)
    return framed(lines)


def prints(lines: Lines) -> str:
    print("a target may print", "a lot " * 1000)
    return framed(lines)


def logs(hunk: Hunk, length: int) -> bool:
    getLogger(__name__).warning("%s in %d lines, from %d", hunk, length, hunk.start)
    return in_range(hunk, length)


def tells(hunk: Hunk, length: int) -> bool:
    if not in_range(hunk, length):
        spot = f"{[hunk]}, {Measured(hunk.start, hunk.end, 0)!s}, {hunk}, { ({'start': hunk.start}) }"
        raise Rejected(Reason.BAD_HUNK, f"{hunk.start:>{length + 8},} to {hunk.end=}, of {length}: {hunk!r} {spot}")
    return True


ending = rewriting(digest=ends_the_process)
hanging = rewriting(digest=hangs)
outgrowing = rewriting(digest=outgrows)
printing = rewriting(digest=prints)
logging = rewriting(sound=logs)
telling = rewriting(sound=tells)


def _wrong_when_watched(live: Lines, authored: str, hunks: Sequence[Hunk], protected: Lines) -> Sequence[str]:
    return live if "crosshair.core" in sys.modules else plain.apply(live, authored, hunks, protected)


two_faced = apply_function(_wrong_when_watched, framed)


class AsyncEngine:
    def __init__(self, config: Config) -> None:
        self.lines = config.lines

    async def snapshot(self) -> Snapshot:
        await asyncio.sleep(0)
        return Snapshot(self.lines, framed(self.lines), 0)

    async def append(self, lines: Sequence[str]) -> None:
        self.lines = (*self.lines, *lines)

    async def apply(self, patch: Patch) -> Receipt:
        raise NotImplementedError


class SqliteEngine:
    """Correct, but what it keeps is out of CrossHair's sight."""

    def __init__(self, config: Config) -> None:
        self.pure = plain(config)
        self.store = sqlite3.connect(":memory:")
        self.store.execute("create table lines (text text)")

    def snapshot(self) -> Snapshot:
        return self.pure.snapshot()

    def append(self, lines: Sequence[str]) -> None:
        self.store.executemany("insert into lines values (?)", [(line,) for line in lines])
        self.pure.append(lines)

    def apply(self, patch: Patch) -> Any:
        return self.pure.apply(patch)
