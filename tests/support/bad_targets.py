"""Targets that are wrong in one way each; what a new author gets wrong first."""

from __future__ import annotations

import json
import os
import random
import time

from basebound import Receipt, Rejected, Snapshot


class Plain:
    """A correct engine of profile base, for the others to spoil."""

    profiles = frozenset({"base"})

    def __init__(self, config):
        self.lines, self.revision = config.lines, 0

    def base(self):
        return json.dumps(self.lines)

    def snapshot(self):
        return Snapshot(self.lines, self.base(), self.revision)

    def append(self, lines):
        if lines:
            self.lines, self.revision = (*self.lines, *lines), self.revision + 1

    def apply(self, patch):
        if patch.base.base != self.base():
            raise Rejected("stale-base", f"authored against {patch.base.base[:8]}, live {self.base()[:8]}: re-author")
        out, at = [], 0
        for hunk in sorted(patch.hunks, key=lambda h: (h.start, h.end)):
            if not at <= hunk.start <= hunk.end <= len(self.lines):
                raise Rejected("bad-hunk", f"[{hunk.start}, {hunk.end}) does not fit")
            out += [*self.lines[at : hunk.start], *hunk.insert]
            at = hunk.end
        self.lines, self.revision = (*out, *self.lines[at:]), self.revision + 1
        return Receipt(self.base(), self.revision)


class HasAGate(Plain):
    """Has a method of its own that is called as a pure gate is, and is none."""

    def gate(self):
        raise AssertionError("nobody but the engine calls this")


class Compacts:
    """Claims, by its methods, only to compact."""

    def __init__(self, config):
        self.lines = config.lines

    def snapshot(self):
        return Snapshot(self.lines, json.dumps(self.lines), 0)

    def append(self, lines):
        self.lines = (*self.lines, *lines)

    def compact(self, summarize):
        self.lines = tuple(summarize(self.lines))
        return Receipt(json.dumps(self.lines), 0)


not_callable = 3


def needs_two(config, other):
    return Plain(config)


def gives_nothing(config):
    return None


def raises_when_built(config):
    raise RuntimeError("no database here")


def never_built(config):
    time.sleep(600)


def exits_when_built(config):
    os._exit(7)


class LacksApply:
    def __init__(self, config):
        self.lines = config.lines

    def snapshot(self):
        return Snapshot(self.lines, "", 0)

    def append(self, lines):
        self.lines += tuple(lines)


class SnapshotNeedsArgument(Plain):
    def snapshot(self, when):
        return super().snapshot()


class ClaimsUnknown(Plain):
    profiles = frozenset({"base", "bases"})


class ClaimsAString(Plain):
    profiles = "base"


class ClaimsBudget(Plain):
    profiles = frozenset({"base", "budget"})


class NoHunks(Plain):
    max_hunks = 0


class SnapshotIsADict(Plain):
    def snapshot(self):
        return {"lines": self.lines}


class ReceiptIsNone(Plain):
    def apply(self, patch):
        super().apply(patch)


class RaisesKeyError(Plain):
    def append(self, lines):
        raise KeyError("buffer")


class Floods(Plain):
    def append(self, lines):
        for _ in range(1000):
            print("x" * 1_000_000)
        super().append(lines)


class Chatty(Plain):
    def append(self, lines):
        print("appended", len(lines))
        super().append(lines)


class NeverReturns(Plain):
    def append(self, lines):
        if len(self.lines) > 2:
            time.sleep(600)
        super().append(lines)


class HoldsTheInterpreter(Plain):
    def append(self, lines):
        if len(self.lines) > 2:
            hash_forever = 1 << 400_000_000
            str(pow(3, hash_forever.bit_length(), None))
        super().append(lines)


class Exits(Plain):
    def append(self, lines):
        if len(self.lines) > 2:
            os._exit(5)
        super().append(lines)


class ChangesItsMind(Plain):
    def apply(self, patch):
        if random.SystemRandom().random() < 0.02:
            raise Rejected("stale-base", "authored against x, live y: re-author")
        return super().apply(patch)


class Interrupts(Plain):
    def append(self, lines):
        raise SystemExit(0)


class Stated(Plain):
    """Claims a guardrail it does not have."""

    profiles = frozenset({"base", "protected"})


class Unstated(Plain):
    """Claims nothing, and so is taken to claim it."""

    profiles = None
