"""Looks for one legal order of a history: a search that has nothing to search where answers leave no choice.

Revisions never fall and each names one content, so the answers that carry one (snapshots and receipts)
stand in a known order, and the content between two of them is known at both ends. What is placed
between them are the calls that answer nothing: appends, inserts and emissions, patches whose answer was
lost, and refusals. Walking from one known content to the next, at most one of them fits at a time unless
texts repeat or answers were lost; then it is one step an operation. Where several fit, the walk is a
depth-first search that remembers the dead ends it has seen and stops at a budget.

A call may be placed when no unplaced answered call had ended before it began. A placed call changes
the content (a write), or agrees with it (a read, a refusal).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from math import inf
from random import Random

from basebound.core.trace import Apply, Insert
from basebound.history.operations import CallHistory, Lines, Operation
from basebound.model import Reason

NOWHERE = -1


class Placement(IntEnum):
    """What placing an operation asks of the state, and does to it."""

    COMMIT = 0  # a committed patch: content before is its base, content after its splice, revision known
    IDLE = 1  # a committed patch that changed nothing: shows both, and may raise the revision
    READ = 2  # shows content and revision
    STALE = 3  # refused as stale: the content is another one, or has come back since
    FRESH = 4  # refused for another reason: the content is the one its author saw
    WRITE = 5  # append, insert or emit; answers nothing
    PATCH = 6  # a patch of unknown outcome: if it took effect, then like a commit


@dataclass(frozen=True, slots=True)
class Placeable:
    """An operation as the search needs it. Contents are numbers into :attr:`Problem.contents`.

    ``need``: the content before; ``leave``: the content after; ``least``: a revision the state has
    reached, since the patch's author saw it; ``at`` is ``None`` for a write at the end.
    """

    placement: Placement
    t0: float
    t1: float
    revision: int = 0
    need: int = NOWHERE
    leave: int = NOWHERE
    least: float = -inf
    lines: Lines = ()
    at: int | None = None


class Problem:
    """A history made ready: contents numbered, operations sorted by placement and time."""

    def __init__(self, history: CallHistory, relaxed: frozenset[int] = frozenset()) -> None:
        """``relaxed`` operations ask for nothing: reads and refusals are gone, writes may happen any time or never."""
        self.contents: list[Lines] = []
        self._numbers: dict[Lines, int] = {}
        self.start, self.revision = self.number(history.lines), history.revision
        self.items: dict[int, Placeable] = {}
        for index, operation in enumerate(history.operations):
            item = self._item(operation, index in relaxed)
            if item is not None:
                self.items[index] = item
        items = self.items
        must = [index for index, item in items.items() if item.t1 < inf]
        self.must = sorted(must, key=lambda index: items[index].t1)
        self.may = [index for index, item in items.items() if item.t1 == inf]
        answers = [
            index for index in must if items[index].placement in (Placement.COMMIT, Placement.IDLE, Placement.READ)
        ]
        self.answers = sorted(answers, key=lambda i: (items[i].revision, items[i].placement, items[i].t0))
        silent = (Placement.STALE, Placement.FRESH, Placement.WRITE)
        self.silent = sorted((i for i in must if items[i].placement in silent), key=lambda index: items[index].t0)
        self.refusals = sum(items[index].placement in (Placement.STALE, Placement.FRESH) for index in self.silent)
        self.patches = [index for index in self.may if items[index].placement is Placement.PATCH]
        writes = [index for index in (*self.silent, *self.may) if items[index].placement is Placement.WRITE]
        self.inserts = any(items[index].at is not None for index in writes)
        self.empty = [
            index for index in self.may if items[index].placement is Placement.WRITE and not items[index].lines
        ]
        self.returns = bool(self.patches) or any(not items[index].lines for index in writes)
        self.by_first: dict[str, list[int]] = {}
        for index in self.may:
            if items[index].lines:
                self.by_first.setdefault(items[index].lines[0], []).append(index)
        self.by_need: dict[int, list[int]] = {}
        self.by_prefix: dict[tuple[int, str], list[int]] = {}
        for index in self.patches:
            need = items[index].need
            self.by_need.setdefault(need, []).append(index)
            for length, line in enumerate(self.contents[need], start=1):
                self.by_prefix.setdefault((length, line), []).append(index)
        names = Random(0)
        self.names = {index: names.getrandbits(128) for index in self.may}

    def known(self, lines: Lines) -> int:
        return self._numbers.get(lines, NOWHERE)

    def number(self, lines: Lines) -> int:
        found = self._numbers.get(lines)
        if found is None:
            found = self._numbers[lines] = len(self.contents)
            self.contents.append(lines)
        return found

    def _item(self, operation: Operation, relaxed: bool) -> Placeable | None:
        known = operation.answered and not relaxed
        t0 = -inf if relaxed else operation.t0
        t1 = operation.t1 if known and operation.t1 is not None else inf
        if operation.added is not None:
            at = operation.step.at if isinstance(operation.step, Insert) and operation.added else None
            return Placeable(Placement.WRITE, t0, t1, lines=operation.added, at=at)
        if isinstance(operation.step, Apply):
            return self._patch(operation, known, t0, t1)
        if known and operation.seen is not None:
            seen = operation.seen
            return Placeable(Placement.READ, t0, t1, seen.revision, self.number(seen.lines))
        return None

    def _patch(self, operation: Operation, known: bool, t0: float, t1: float) -> Placeable | None:
        assert operation.authored is not None
        need, least = self.number(operation.authored.lines), operation.authored.revision
        if known and operation.refusal is not None:
            placement = Placement.STALE if operation.refusal is Reason.STALE_BASE else Placement.FRESH
            return Placeable(placement, t0, t1, need=need, least=least)
        if operation.refusal is not None or operation.left is None:
            return None  # nothing happened, or nothing can have
        leave = self.number(operation.left)
        if known and operation.receipt is not None:
            placement = Placement.IDLE if leave == need else Placement.COMMIT
            return Placeable(placement, t0, t1, operation.receipt.revision, need, leave, least)
        return Placeable(Placement.PATCH, t0, inf, need=need, leave=leave, least=least)


class OutOfBudget(Exception):
    """The search placed more operations than it was allowed to."""


@dataclass(frozen=True, slots=True)
class DeadEnd:
    """How far the search came: what was placed last, what is still to be placed, and when it was stuck."""

    placed: int
    last: tuple[int, ...]
    done: bytes
    reached: float


@dataclass(slots=True)
class OrderState:
    """Where the walk is. The content is the first ``length`` lines of the numbered one.

    The revision is ``revision`` if ``exact``, else that or higher. ``answers``, ``silent`` and ``ends`` count how
    far each sorted list is used up, ``answered`` and ``refusals`` how many answers are placed and refusals are not;
    ``used`` is the exclusive or of the 128-bit random
    names of the placed operations of unknown outcome, and stands for their set.
    """

    content: int
    length: int
    revision: float
    exact: bool
    refusals: int
    answers: int = 0
    answered: int = 0
    silent: int = 0
    ends: int = 0
    used: int = 0

    def copy(self) -> OrderState:
        return OrderState(
            self.content, self.length, self.revision, self.exact, self.refusals,
            self.answers, self.answered, self.silent, self.ends, self.used,
        )  # fmt: skip


@dataclass(slots=True)
class Fork:
    """A place where several operations fitted: the state there, and those not yet tried."""

    state: OrderState
    open: list[int]
    placed: int
    options: list[int]


class Search:
    """One search. ``run`` returns a legal order (indices); ``None`` if there is none, and ``dead_end`` says where."""

    def __init__(self, problem: Problem, budget: int) -> None:
        self.problem = problem
        self.budget = budget
        self.placements = 0
        self.order: list[int] = []
        self.done = bytearray(max(problem.items, default=-1) + 1)
        known = problem.revision is not None
        self.state = OrderState(
            content=problem.start,
            length=len(problem.contents[problem.start]),
            revision=-inf if problem.revision is None else problem.revision,
            exact=known,
            refusals=problem.refusals,
        )
        self.open: list[int] = []  # silent operations that have begun
        self.forks: list[Fork] = []
        self.seen: set[tuple[object, ...]] = set()
        self.dead_end: DeadEnd | None = None
        self.reached: float = -inf  # no unplaced answered call ended before this instant

    def run(self) -> list[int] | None:
        while self._advance():
            if self._only_writes_left():
                break
            forced = self._forced()
            if forced is not None:
                self._place(forced)
                continue
            options = self._options()
            if len(options) > 1 and not self._remember():
                options = []
            if not options:
                self._note_dead_end()
                if not self._back():
                    return None
                continue
            if len(options) > 1:
                self.forks.append(Fork(self.state.copy(), self.open.copy(), len(self.order), options[1:]))
            self._place(options[0])
        return self.order

    # -- time

    def _advance(self) -> bool:
        """Moves time on to the first end among the unplaced answered calls; ``False`` if all are placed."""
        problem, state, done = self.problem, self.state, self.done
        must, items = problem.must, problem.items
        ends = state.ends
        while ends < len(must) and done[must[ends]]:
            ends += 1
        state.ends = ends
        if ends == len(must):
            return False
        self.reached = reached = items[must[ends]].t1
        silent, at = problem.silent, state.silent
        while at < len(silent) and items[silent[at]].t0 <= reached:
            self.open.append(silent[at])
            at += 1
        state.silent = at
        return True

    def _only_writes_left(self) -> bool:
        """With nothing left to agree with, appends go in the order of their ends."""
        problem, state = self.problem, self.state
        if state.refusals or problem.inserts or self._next() is not None:
            return False
        self.order += [index for index in problem.must[state.ends :] if not self.done[index]]
        return True

    # -- what may come next

    def _next(self) -> int | None:
        """The unplaced answer with the lowest revision; at one revision its commit comes first."""
        answers, at = self.problem.answers, self.state.answers
        return answers[at] if at < len(answers) else None

    def _forced(self) -> int | None:
        """An operation that costs nothing to place now rather than later."""
        state, items = self.state, self.problem.items
        if state.refusals:
            for index in self.open:
                if (
                    items[index].placement is not Placement.WRITE
                    and self._least_revision(items[index]) == state.revision
                ):
                    return index
        if state.exact or not self.problem.returns:
            answer = next(self._answers(), None)
            if answer is not None and items[answer].placement is Placement.COMMIT:
                # A refusal that only asks for a revision the commit is above anyway must not miss its content.
                return next(self._placeable_refusals(items[answer].revision - 1), answer)
            return answer
        return None

    def _answers(self) -> Iterator[int]:
        """The answers that agree with the state, among those of the lowest revision.

        Patches that changed nothing may have raised that revision, so they come in any order; of the reads, the
        first to begin comes first.
        """
        first = self._next()
        if first is None:
            return
        items = self.problem.items
        revision = items[first].revision
        answers = self.problem.answers
        for at in range(self.state.answers, len(answers)):
            index = answers[at]
            item = items[index]
            if item.revision != revision:
                return
            if not self.done[index]:
                if item.t0 <= self.reached and self._agrees(item):
                    yield index
                if item.placement is not Placement.IDLE:
                    return

    def _agrees(self, item: Placeable) -> bool:
        """Whether a read or a commit with a known revision may come now."""
        state = self.state
        if not self._holds(item.need):
            return False
        if item.placement is Placement.READ:
            return item.revision == state.revision if state.exact else item.revision >= state.revision
        if state.exact and state.revision < item.least:
            return False
        return item.revision >= max(state.revision, item.least) + (item.placement is Placement.COMMIT)

    def _least_revision(self, item: Placeable) -> float | None:
        """The lowest revision the state may have for a refusal to be right now; ``None`` if it cannot be."""
        state = self.state
        here = self._holds(item.need)
        if item.placement is Placement.FRESH and not here:
            return None
        least = item.least + (item.placement is Placement.STALE and here)
        if state.exact:
            return state.revision if state.revision >= least else None
        return max(state.revision, least)

    def _placeable_refusals(self, ceiling: float) -> Iterator[int]:
        """Refusals that are right now if the revision is some value up to ``ceiling``."""
        for index in self.open if self.state.refusals else ():
            item = self.problem.items[index]
            if item.placement is not Placement.WRITE:
                least = self._least_revision(item)
                if least is not None and least <= ceiling:
                    yield index

    def _options(self) -> list[int]:
        """Everything that may come next, the likeliest first."""
        state, problem = self.state, self.problem
        following = self._next()
        ceiling: float = inf
        if following is not None:
            item = problem.items[following]
            ceiling = item.revision - (item.placement is Placement.COMMIT)
        options = [] if state.exact or not problem.returns else list(self._answers())
        options += self._placeable_refusals(ceiling)
        options += self._writes(following, ceiling)
        return options

    def _writes(self, following: int | None, ceiling: float) -> list[int]:
        items, state = self.problem.items, self.state
        target = NOWHERE if following is None else items[following].need
        chosen: dict[tuple[Lines, int | None], int] = {}
        idle: list[int] = []
        candidates = [index for index in self.open if items[index].placement is Placement.WRITE]
        for index in (*candidates, *self._unanswered_writes(target)):
            item = items[index]
            if not item.lines:
                idle.append(index)
            elif state.revision + 1 <= ceiling:
                key = (item.lines, item.at)
                other = chosen.get(key)
                if other is not None:  # of two equal writes the one that must end first
                    if item.t1 < items[other].t1:
                        chosen[key] = index
                elif self._written(item, target) is not None:
                    chosen[key] = index
        writes = sorted(chosen.values(), key=lambda index: items[index].t1)
        return writes + self._patches(target, ceiling) + idle

    def _unanswered_writes(self, target: int) -> Iterator[int]:
        """Writes of unknown outcome that might help: to reach a content, or to explain a refusal."""
        problem, state = self.problem, self.state
        if not problem.may:
            return
        candidates: list[int]
        if problem.inserts or target == NOWHERE:
            candidates = problem.may if problem.inserts or state.refusals else []
        else:
            here = problem.contents[state.content][: state.length]
            ahead = (problem.contents[goal] for goal in self._goals(here, target))
            nexts = {lines[state.length] for lines in ahead if len(lines) > state.length}
            candidates = [index for line in nexts for index in problem.by_first.get(line, ())]
            candidates += problem.empty if state.exact else ()
        for index in candidates:
            if problem.items[index].placement is Placement.WRITE and self._available(index):
                yield index

    def _available(self, index: int) -> bool:
        return not self.done[index] and self.problem.items[index].t0 <= self.reached

    def _patches(self, target: int, ceiling: float) -> list[int]:
        """Patches of unknown outcome that may act on the live content."""
        problem, state = self.problem, self.state
        if not problem.patches:
            return []
        here = problem.known(problem.contents[state.content][: state.length])
        return [index for index in problem.by_need.get(here, ()) if self._patchable(index, target, ceiling)]

    def _patchable(self, index: int, target: int, ceiling: float) -> bool:
        item, state = self.problem.items[index], self.state
        if not self._available(index):
            return False
        if state.exact and state.revision < item.least:
            return False
        if item.leave == item.need:
            return state.exact  # it can only help to raise a revision that is known
        if max(state.revision, item.least) + 1 > ceiling:
            return False
        return target == NOWHERE or self._leads(self.problem.contents[item.leave], target)

    # -- contents

    def _holds(self, content: int) -> bool:
        """Whether the live content is the numbered one."""
        state, contents = self.state, self.problem.contents
        whole = len(contents[state.content]) == state.length
        if content == state.content:
            return whole
        if whole or len(contents[content]) != state.length:
            return False
        return contents[content] == contents[state.content][: state.length]

    def _goals(self, lines: Lines, target: int) -> Iterator[int]:
        """Contents that may begin with ``lines`` and are worth walking to: the next known one, and those on which
        a lost patch may have acted.
        """
        problem = self.problem
        if target != NOWHERE:
            yield target
        every = problem.inserts or not lines
        for index in problem.patches if every else problem.by_prefix.get((len(lines), lines[-1]), ()):
            if not self.done[index]:
                yield problem.items[index].need

    def _leads(self, lines: Lines, target: int) -> bool:
        """Whether writes can lead from ``lines`` to a goal: they only add, and without inserts only at the end."""
        contents = self.problem.contents
        goals = self._goals(lines, target)
        if self.problem.inserts:
            return any(_within(lines, contents[goal]) for goal in goals)
        return any(contents[goal][: len(lines)] == lines for goal in goals)

    def _written(self, item: Placeable, target: int) -> tuple[int, int] | None:
        """The content after a write, or ``None`` where it leads nowhere."""
        state, problem = self.state, self.problem
        here, length = problem.contents[state.content], state.length
        if target != NOWHERE and item.at is None:
            goal = problem.contents[target]
            if goal[length : length + len(item.lines)] == item.lines and (
                state.content == target or goal[:length] == here[:length]
            ):
                return target, length + len(item.lines)
            if not problem.inserts and not problem.patches:
                return None
        if item.at is not None and not 0 <= item.at <= length:
            return None
        at = length if item.at is None else item.at
        lines = (*here[:at], *item.lines, *here[at:length])
        if target != NOWHERE and not self._leads(lines, target):
            return None
        return problem.number(lines), len(lines)

    # -- moves

    def _place(self, index: int) -> None:
        self.placements += 1
        if self.placements > self.budget:
            raise OutOfBudget
        problem, state = self.problem, self.state
        item = problem.items[index]
        placement = item.placement
        self.order.append(index)
        self.done[index] = 1
        if item.t1 == inf:
            state.used ^= problem.names[index]
        if placement <= Placement.READ:
            if placement is Placement.COMMIT:
                state.content, state.length = item.leave, len(problem.contents[item.leave])
            state.revision, state.exact = item.revision, True
            state.answered += 1
            while state.answers < len(problem.answers) and self.done[problem.answers[state.answers]]:
                state.answers += 1
        elif placement is Placement.WRITE:
            self._write(item)
            if item.t1 < inf:
                self.open.remove(index)
        elif placement is Placement.PATCH:
            changed = item.leave != item.need
            state.content, state.length = item.leave, len(problem.contents[item.leave])
            state.revision, state.exact = max(state.revision, item.least) + changed, False
        else:
            least = self._least_revision(item)
            assert least is not None
            state.revision = least
            state.refusals -= 1
            self.open.remove(index)

    def _write(self, item: Placeable) -> None:
        state = self.state
        state.exact = False
        if item.lines:
            following = self._next()
            target = NOWHERE if following is None else self.problem.items[following].need
            written = self._written(item, target)
            assert written is not None
            state.content, state.length = written
            state.revision += 1

    def _remember(self) -> bool:
        """Notes that this state was searched; ``False`` if it had been before, in vain."""
        state = self.state
        key = (
            state.content, state.length, state.revision, state.exact, state.answers, state.answered, state.silent,
            state.used, tuple(sorted(self.open)), self._idles_at_hand(),
        )  # fmt: skip
        if key in self.seen:
            return False
        self.seen.add(key)
        return True

    def _idles_at_hand(self) -> tuple[int, ...]:
        """The unplaced ones among the patches that changed nothing, at the lowest revision."""
        problem, first = self.problem, self._next()
        if first is None or problem.items[first].placement is not Placement.IDLE:
            return ()
        left: list[int] = []
        for at in range(self.state.answers, len(problem.answers)):
            index = problem.answers[at]
            if problem.items[index].placement is not Placement.IDLE:
                break
            if not self.done[index]:
                left.append(index)
        return tuple(left)

    def _note_dead_end(self) -> None:
        if self.dead_end is None or len(self.order) > self.dead_end.placed:
            self.dead_end = DeadEnd(len(self.order), tuple(self.order[-256:]), bytes(self.done), self.reached)

    def _back(self) -> bool:
        """Returns to the last fork with something left to try, and takes it."""
        if not self.forks:
            return False
        fork = self.forks[-1]
        for index in self.order[fork.placed :]:
            self.done[index] = 0
        del self.order[fork.placed :]
        self.state, self.open = fork.state.copy(), fork.open.copy()
        self._advance()
        choice = fork.options.pop(0)
        if not fork.options:
            self.forks.pop()
        self._place(choice)
        return True


def _within(part: Lines, whole: Lines) -> bool:
    """Whether ``part`` is left when some lines of ``whole`` are taken out."""
    if len(part) > len(whole):
        return False
    rest = iter(whole)
    return all(line in rest for line in part)
