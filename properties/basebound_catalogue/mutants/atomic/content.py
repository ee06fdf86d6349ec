"""What an engine of profile ``atomic`` guards: one immutable state, and pure steps from it to the next.

The engines of this package differ in how they guard it, and in nothing else: :class:`Unguarded` is what they share.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from basebound.model import Config, Cost, Meter, Patch, Reason, Receipt, Rejected, Snapshot
from basebound_catalogue.plain import Lines, base_of, in_order

CLAIMS: Final = frozenset({"base", "atomic"})


class State(NamedTuple):
    lines: Lines
    base: str
    revision: int


Change = Callable[[State], State]


def first(config: Config) -> State:
    lines = tuple(config.lines)
    return State(lines, base_of(lines), 0)


def after(state: State, lines: Lines) -> State:
    """The next state; the revision rises with a change."""
    return State(lines, base_of(lines), state.revision + (lines != state.lines))


def appended(state: State, lines: Sequence[str]) -> State:
    return after(state, (*state.lines, *lines))


def patched(state: State, patch: Patch) -> State:
    """``patch`` on whatever ``state`` is; ``bad-hunk`` if it does not fit there."""
    return after(state, rewritten(state.lines, patch))


def checked(patch: Patch, count_tokens: Meter, state: State) -> State:
    """``patch`` on ``state``, if that is what it was authored against; the meter is asked on the way."""
    check_base(patch, state.base)
    cost_of(patch, count_tokens)
    return patched(state, patch)


def rewritten(lines: Lines, patch: Patch) -> Lines:
    built: list[str] = []
    reached = 0
    for hunk in in_order(patch.hunks):
        if not reached <= hunk.start <= hunk.end <= len(lines) or hunk.start < 0:
            raise Rejected(Reason.BAD_HUNK, f"[{hunk.start}, {hunk.end}) does not fit {len(lines)} lines")
        built += (*lines[reached : hunk.start], *hunk.insert)
        reached = hunk.end
    return (*built, *lines[reached:])


def check_base(patch: Patch, base: str) -> None:
    if patch.base.base != base:
        raise stale(patch, base)


def stale(patch: Patch, base: str) -> Rejected:
    message = f"authored against base {patch.base.base[:8]}, but {base[:8]} is live: read again and re-author"
    return Rejected(Reason.STALE_BASE, message)


def snapshot_of(state: State) -> Snapshot:
    return Snapshot(*state)


def receipt_of(state: State, cost: Cost | None = None) -> Receipt:
    return Receipt(state.base, state.revision, cost)


def cost_of(patch: Patch, count_tokens: Meter) -> Cost:
    """What the patch moves; calls the meter, which may take its time, start a rival, or raise."""
    removed = [line for hunk in patch.hunks for line in patch.base.lines[max(0, hunk.start) : hunk.end]]
    inserted = [line for hunk in patch.hunks for line in hunk.insert]
    return Cost(sum(map(count_tokens, removed)), sum(map(count_tokens, inserted)), 0)


class Unguarded:
    """Holds one state and takes it to the next, guarded by nothing. What is guarded, and how, is each engine's own."""

    profiles = CLAIMS

    def __init__(self, config: Config) -> None:
        self.count_tokens = config.count_tokens
        self.state = first(config)

    def read(self) -> Snapshot:
        return snapshot_of(self.state)

    def add(self, lines: Sequence[str]) -> None:
        self.state = appended(self.state, lines)

    def change(self, patch: Patch) -> Receipt:
        """Check, measure, commit."""
        check_base(patch, self.state.base)
        return self.commit(patch, cost_of(patch, self.count_tokens))

    def commit(self, patch: Patch, cost: Cost | None = None) -> Receipt:
        self.state = patched(self.state, patch)
        return receipt_of(self.state, cost)
