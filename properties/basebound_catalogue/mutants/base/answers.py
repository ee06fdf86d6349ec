"""Answers that are neither a value nor a refusal, and calls that do not come back."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Sequence
from typing import Any

from basebound.model import Config, Patch, Reason, Receipt, Rejected, Snapshot
from basebound_catalogue.plain import Hunks, Lines, PlainEngine, Shelf

shelf = Shelf()


# What is no value and no refusal reaches the caller as a surprise, or not at all.


def answering(id: str, origin: str, about: str, answer: Callable[[PlainEngine, Receipt], Any]) -> None:
    """A fault whose ``apply`` commits and then returns ``answer(engine, receipt)``."""

    class Answering(PlainEngine):
        def apply(self, patch: Patch) -> Any:
            return answer(self, super().apply(patch))

    shelf.fault(id, "BASE-ANSWER-TYPED", origin, about)(Answering)


answering("apply-returns-nothing", "incident 84", "apply commits and returns None.", lambda engine, receipt: None)
answering(
    "apply-returns-lines",
    "malice",
    "apply commits and returns the new lines, not a receipt.",
    lambda engine, receipt: list(engine.lines),
)
answering(
    "receipt-revision-is-text",
    "malice",
    "The revision of a receipt is a string.",
    lambda engine, receipt: Receipt(receipt.base, str(receipt.revision)),  # type: ignore[arg-type]
)


@shelf.fault(
    "apply-returns-the-refusal",
    "BASE-ANSWER-TYPED",
    "incidents 28, 29",
    "A refusal is returned, not raised: a caller that ignores the result takes it for done.",
)
class ReturnsTheRefusal(PlainEngine):
    def apply(self, patch: Patch) -> Any:
        try:
            return super().apply(patch)
        except Rejected as refusal:
            return refusal


@shelf.fault(
    "snapshot-lines-are-one-text",
    "BASE-ANSWER-TYPED",
    "malice",
    "A snapshot holds its lines joined to one string.",
)
class SnapshotLinesAreOneText(PlainEngine):
    def snapshot(self) -> Snapshot:
        text: Any = "\n".join(self.lines)
        return Snapshot(text, self.live_base(), self.revision)


class Conflict(Rejected):
    """A refusal for a reason of the engine's own."""

    def __init__(self, message: str) -> None:
        super().__init__(Reason.STALE_BASE, message)
        reason: Any = "conflict"
        self.reason = reason


@shelf.fault(
    "refusal-reason-unknown",
    "BASE-ANSWER-TYPED",
    "incident 28",
    "A stale patch is refused for a reason that the contract does not know.",
)
class RefusalReasonUnknown(PlainEngine):
    def refusal(self, reason: Reason, message: str) -> Rejected:
        return Conflict(message) if reason is Reason.STALE_BASE else super().refusal(reason, message)


@shelf.fault(
    "empty-buffer-raises",
    "BASE-ANSWER-TYPED",
    "malice",
    "A read looks at the last line: on an empty buffer it raises IndexError.",
)
class EmptyBufferRaises(PlainEngine):
    def snapshot(self) -> Snapshot:
        self.last_shown = self.lines[-1]
        return super().snapshot()


@shelf.fault(
    "non-ascii-raises",
    "BASE-ANSWER-TYPED",
    "malice",
    "The base encodes as ASCII: any other character raises UnicodeEncodeError.",
)
class NonAsciiRaises(PlainEngine):
    def base_of(self, lines: Lines) -> str:
        for line in lines:
            line.encode("ascii")
        return super().base_of(lines)


@shelf.fault(
    "old-base-raises",
    "BASE-ANSWER-TYPED",
    "malice",
    "The message of a stale refusal looks the authored base up among the last three: an older one raises KeyError.",
)
class OldBaseRaises(PlainEngine):
    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.recent = {self.live_base(): 0}

    def commit(self, lines: Lines) -> None:
        super().commit(lines)
        self.recent[self.live_base()] = self.revision
        for base in list(self.recent)[:-3]:
            del self.recent[base]

    def stale_message(self, patch: Patch) -> str:
        return f"{super().stale_message(patch)} (authored {self.revision - self.recent[patch.base.base]} changes ago)"


@shelf.fault(
    "recursion-over-lines",
    "BASE-ANSWER-TYPED",
    "malice",
    "The splice recurses line by line: some thousand lines raise RecursionError.",
)
class RecursionOverLines(PlainEngine):
    def splice(self, hunks: Hunks) -> Lines:
        return self.copied(super().splice(hunks))

    def copied(self, lines: Lines) -> Lines:
        return (lines[0], *self.copied(lines[1:])) if lines else ()


# The engine runs inside somebody else's program.


@shelf.fault(
    "lock-kept-by-refusal",
    "BASE-ANSWER-BOUNDED",
    "incidents 182, 183",
    "The lock is taken by hand and not released when a patch is refused: the next call waits for ever.",
)
class LockKeptByRefusal(PlainEngine):
    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.lock = threading.Lock()

    def append(self, lines: Sequence[str]) -> None:
        with self.lock:
            super().append(lines)

    def apply(self, patch: Patch) -> Receipt:
        self.lock.acquire()
        receipt = super().apply(patch)
        self.lock.release()
        return receipt


@shelf.fault(
    "empty-hunk-hangs",
    "BASE-ANSWER-BOUNDED",
    "incidents 87, 91",
    "A hunk that neither removes nor inserts makes no progress, and the loop over hunks waits for some.",
)
class EmptyHunkHangs(PlainEngine):
    def splice(self, hunks: Hunks) -> Lines:
        if any(hunk.start == hunk.end and not hunk.insert for hunk in hunks):
            threading.Event().wait()
        return super().splice(hunks)


@shelf.fault(
    "bad-hunk-exits",
    "BASE-ANSWER-TYPED",
    "malice",
    "A hunk out of range calls sys.exit, as the patch tool it was made from did.",
)
class BadHunkExits(PlainEngine):
    def check_ranges(self, hunks: Hunks) -> None:
        try:
            super().check_ranges(hunks)
        except Rejected as refusal:
            sys.exit(str(refusal))


@shelf.fault(
    "bad-hunk-kills-the-process",
    "BASE-ANSWER-BOUNDED",
    "malice",
    "A hunk out of range ends the process at once, without an exception.",
)
class BadHunkKills(PlainEngine):
    def check_ranges(self, hunks: Hunks) -> None:
        try:
            super().check_ranges(hunks)
        except Rejected:
            os._exit(70)


@shelf.fault(
    "refusal-floods-output",
    "BASE-ANSWER-BOUNDED",
    "incident 104",
    "Every refusal prints a dump of 8 MiB.",
)
class RefusalFloods(PlainEngine):
    def refusal(self, reason: Reason, message: str) -> Rejected:
        for _ in range(1024):
            print("." * 8191)
        return super().refusal(reason, message)
