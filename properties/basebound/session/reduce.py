"""The smallest history that still breaks a requirement.

Works on traces, so that a counterexample of any lens is reduced in the same way, and the label is
that of the reduced trace: a candidate counts only if the oracle finds the requirement broken in it. A
patch keeps one hunk that does something: one without is smaller, but tells a reader less.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import chain, count, islice
from string import ascii_lowercase

from basebound.core.hunks import defects
from basebound.core.trace import Append, Apply, Emit, Insert, Read, Step, Trace
from basebound.model import Hunk, Snapshot
from basebound.results.outcome import Returned
from basebound.results.steps import History
from basebound.session.session import RunContext, run

Keeps = Callable[[Trace], Trace | None]
"""Says whether a candidate still breaks what is looked for: the trace as it really ran, or None."""


def reduce(trace: Trace, keeps: Keeps, seconds: float = 10.0, most: int = 600) -> Trace:
    """A trace that ``keeps`` keeps and of which no part that was tried can be left out.

    Stops after ``seconds`` or ``most`` candidates with the smallest one so far.
    """
    bounds = _Bounds(keeps, time.monotonic() + seconds, most, _idle(trace))
    best, before = trace, None
    while best != before and not bounds.spent:
        before = best
        for candidates in (_fewer_steps, _fewer_hunks, _fewer_lines, _simpler_texts):
            best = _greedy(best, candidates, bounds)
    return _named(best)


@dataclass
class _Bounds:
    """``keeps`` within a deadline and a number of candidates."""

    keeps: Keeps
    deadline: float
    left: int
    idle: int
    """How many patches of the first trace do nothing; no candidate may have more."""

    @property
    def spent(self) -> bool:
        return self.left <= 0 or time.monotonic() > self.deadline

    def kept(self, candidate: Trace) -> Trace | None:
        if _idle(candidate) > self.idle:
            return None
        self.left -= 1
        return self.keeps(candidate)


def _idle(trace: Trace) -> int:
    patches = [step for step in trace.steps if isinstance(step, Apply)]
    return sum(not any(hunk.start != hunk.end or hunk.insert for hunk in patch.hunks) for patch in patches)


def breaks(context: RunContext, requirement: str) -> Keeps:
    """Keeps the traces in which the oracle finds ``requirement`` broken, up to the step that breaks it.

    A candidate whose patches fit what their authors saw worse than those of the first trace is not kept:
    it would be smaller, but a reader would see a bad hunk beside the break that is told.
    """
    most: list[int] = []

    def keeps(candidate: Trace) -> Trace | None:
        history = run(context, candidate, until=requirement)
        if not any(finding.requirement == requirement and not finding.ambiguous for finding in history.findings):
            return None
        misfits = _misfits(history)
        most.append(misfits)
        return replace(history.trace, about=candidate.about) if misfits <= most[0] else None

    return keeps


def _misfits(history: History) -> int:
    """How many patches have a hunk that does not fit the snapshot they were authored against."""
    seen: dict[str, int] = {}
    count = 0
    for entry in history.steps:
        if isinstance(entry.step, Read) and isinstance(entry.outcome, Returned):
            seen[entry.step.name] = len(entry.outcome.value.lines) if isinstance(entry.outcome.value, Snapshot) else 0
        elif isinstance(entry.step, Apply):
            count += bool(defects(entry.step.hunks, seen.get(entry.step.base, 0)))
    return count


def _greedy(best: Trace, candidates: Callable[[Trace], Iterator[Trace]], bounds: _Bounds) -> Trace:
    """Take every candidate that still breaks it, going on from the same place in what is left, until none does."""
    tried: set[Trace] = set()
    improved = True
    while improved:
        improved, at = False, 0
        pending = candidates(best)
        while not bounds.spent and (candidate := next(pending, None)) is not None:
            plain = replace(candidate, about={})
            kept = bounds.kept(candidate) if plain not in tried else None
            tried.add(plain)
            if kept is not None and kept != best:
                best, improved = kept, True
                pending = islice(candidates(best), at, None)
            else:
                at += 1
    return best


def _fewer_steps(trace: Trace) -> Iterator[Trace]:
    steps, size = trace.steps, max(1, len(trace.steps) // 2)
    while True:
        for at in range(0, len(steps), size):
            yield replace(trace, steps=_runnable(steps[:at] + steps[at + size :]))
        if size == 1:
            return
        size //= 2


def _runnable(steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """Without the patches whose snapshot is no longer taken."""
    known: set[str] = set()
    kept: list[Step] = []
    for step in steps:
        if isinstance(step, Read):
            known.add(step.name)
        if not isinstance(step, Apply) or step.base in known:
            kept.append(step)
    return tuple(kept)


def _fewer_hunks(trace: Trace) -> Iterator[Trace]:
    for at, step in enumerate(trace.steps):
        if not isinstance(step, Apply):
            continue
        if step.claim is not None:
            yield _with_step(trace, at, replace(step, claim=None))
        for i in range(len(step.hunks)):
            yield _with_step(trace, at, replace(step, hunks=step.hunks[:i] + step.hunks[i + 1 :]))
        for i, hunk in enumerate(step.hunks):
            for smaller in _smaller_hunks(hunk):
                yield _with_step(trace, at, replace(step, hunks=(*step.hunks[:i], smaller, *step.hunks[i + 1 :])))


def _smaller_hunks(hunk: Hunk) -> Iterator[Hunk]:
    for i in range(len(hunk.insert)):
        yield replace(hunk, insert=hunk.insert[:i] + hunk.insert[i + 1 :])
    if hunk.end > hunk.start + 1:
        yield replace(hunk, end=hunk.end - 1)
        yield replace(hunk, start=hunk.start + 1)


def _fewer_lines(trace: Trace) -> Iterator[Trace]:
    size = max(1, len(trace.lines) // 2)
    while trace.lines:
        for at in range(0, len(trace.lines), size):
            fewer = replace(trace, lines=trace.lines[:at] + trace.lines[at + size :])
            yield _moved(fewer, at, min(size, len(trace.lines) - at))
            yield fewer
        if size == 1:
            break
        size //= 2
    for marker in trace.protected:
        yield replace(trace, protected=tuple(m for m in trace.protected if m != marker))
    for at, step in enumerate(trace.steps):
        if isinstance(step, (Append, Insert, Emit)):
            for i in range(len(step.lines)):
                yield _with_step(trace, at, replace(step, lines=step.lines[:i] + step.lines[i + 1 :]))


def _moved(trace: Trace, at: int, by: int) -> Trace:
    """Every coordinate below line ``at`` moved up ``by`` lines, as the lines it named have moved."""

    def move(n: int) -> int:
        return n if n <= at else max(at, n - by)

    steps: list[Step] = []
    for step in trace.steps:
        if isinstance(step, Apply):
            hunks = tuple(replace(h, start=move(h.start), end=move(h.end)) for h in step.hunks)
            steps.append(replace(step, hunks=hunks))
        elif isinstance(step, Insert):
            steps.append(replace(step, at=move(step.at)))
        else:
            steps.append(step)
    return replace(trace, steps=tuple(steps))


def _simpler_texts(trace: Trace) -> Iterator[Trace]:
    """Each text everywhere replaced by a short one no other text is, or by a shorter part of itself."""
    texts = _texts(trace)
    known = set(texts)
    free = (letter for letter in _letters() if letter not in known)
    for text in texts:
        if (len(text) == 1 and text in ascii_lowercase) or text in trace.protected:
            continue
        yield _renamed(trace, text, next(free))
        for shorter in (text[: len(text) // 2], text[len(text) // 2 :], text[:-1]):
            if shorter not in known:
                yield _renamed(trace, text, shorter)


def _letters() -> Iterator[str]:
    return chain(ascii_lowercase, (f"line{n}" for n in count()))


def _texts(trace: Trace) -> list[str]:
    found = dict.fromkeys(trace.lines)
    for step in trace.steps:
        if isinstance(step, Apply):
            found |= dict.fromkeys(line for hunk in step.hunks for line in hunk.insert)
        elif isinstance(step, (Append, Insert, Emit)):
            found |= dict.fromkeys(step.lines)
    return list(found)


def _renamed(trace: Trace, old: str, new: str) -> Trace:
    def lines(given: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(new if line == old else line for line in given)

    steps: list[Step] = []
    for step in trace.steps:
        if isinstance(step, Apply):
            steps.append(replace(step, hunks=tuple(replace(h, insert=lines(h.insert)) for h in step.hunks)))
        elif isinstance(step, (Append, Insert, Emit)):
            steps.append(replace(step, lines=lines(step.lines)))
        else:
            steps.append(step)
    return replace(trace, lines=lines(trace.lines), steps=tuple(steps))


def _with_step(trace: Trace, at: int, step: Step) -> Trace:
    return replace(trace, steps=(*trace.steps[:at], step, *trace.steps[at + 1 :]))


def _named(trace: Trace) -> Trace:
    """Snapshots called s1, s2, ... in the order they are taken."""
    names: dict[str, str] = {}
    steps: list[Step] = []
    for step in trace.steps:
        if isinstance(step, Read):
            names[step.name] = f"s{sum(isinstance(s, Read) for s in steps) + 1}"
            steps.append(Read(names[step.name]))
        elif isinstance(step, Apply):
            steps.append(replace(step, base=names[step.base]))
        else:
            steps.append(step)
    return replace(trace, steps=tuple(steps))
