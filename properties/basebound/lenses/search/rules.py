"""The moves of a search: short sequences of steps, each an attack on one kind of rule.

A move reads, disturbs, applies and reads again, and ends, where it provoked a refusal, with the twin:
an acceptable patch on the content the refusal left. How a choice falls is the dice's affair.
"""

from __future__ import annotations

from basebound.core.hunks import removed
from basebound.core.meters import NamedMeter
from basebound.core.trace import Append, Apply, Emit, EndTurn, Insert, Read
from basebound.lenses.search import contents
from basebound.lenses.search.choices import ChoiceSource
from basebound.model import EMISSION_KINDS, Cost, Hunk
from basebound.session.session import Session

_NAMES_KEPT = 6
_SLACK = 400


class ActionGenerator:
    """Makes moves in one session. ``dice`` is set anew before each move."""

    def __init__(self, session: Session, meter: NamedMeter, draw: ChoiceSource) -> None:
        self.session, self.meter, self.draw = session, meter, draw
        self._names: list[str] = []
        self._taken = 0
        self._last: Apply | None = None
        claims = session.context.claims
        self.budgeted, self.guarded = "budget" in claims, bool(session.start.protected)

    @property
    def lines(self) -> tuple[str, ...]:
        return self.session.lines

    # -- building blocks

    def read(self) -> str:
        self._taken += 1
        name = f"s{self._taken}"
        self.session.do(Read(name))
        self._names = [*self._names[-_NAMES_KEPT + 1 :], name]
        return name

    def observe(self) -> None:
        """Read, mostly: an engine may behave only because somebody looked."""
        if self.draw.chance(85):
            self.read()

    def apply(self, base: str, hunks: tuple[Hunk, ...], claim: Cost | None = None) -> None:
        self._last = Apply(base, hunks, claim)
        self.session.do(self._last)
        self.observe()

    def append(self, lines: tuple[str, ...]) -> None:
        self.session.do(Append(lines))

    def some_lines(self, most: int = 3) -> tuple[str, ...]:
        return contents.lines(self.draw, self.lines, most)

    def removable(self) -> list[int]:
        state = self.session.oracle.state
        marked = state.protected
        return [
            at
            for at, (text, line_id) in enumerate(zip(state.lines, state.ids, strict=True))
            if line_id not in state.artifacts and not any(marker in text for marker in marked)
        ]

    def slack(self) -> None:
        """Where the budget counts, a line that pays for whatever the move inserts."""
        if self.budgeted:
            owed = self.session.oracle.state.ledger.owed()
            self.append((self.meter.make(max(self.meter.smallest, owed + _SLACK)),))

    def hunks(self, most: int = 3) -> tuple[Hunk, ...]:
        """Good hunks that break no rule, as far as there are any; with a budget they free more than they cost."""
        draw, length = self.draw, len(self.lines)
        free = self.removable()
        limit = self.session.target.max_hunks or most
        found: list[Hunk] = []
        for _ in range(draw.between(1, min(limit, most))):
            if free and draw.chance(70):
                start = draw.pick(free)
                end = start + 1
                while end in free and draw.chance(40):
                    end += 1
            else:
                start = end = draw.below(length + 1)
            insert = self.some_lines() if start == end or draw.chance(60) else ()
            if not any(_meet(start, end, other) for other in found):
                found.append(Hunk(start, end, insert))
        if self.budgeted:
            found = self._paying(found, free)
        return tuple(found)

    def _paying(self, found: list[Hunk], free: list[int]) -> list[Hunk]:
        """With a budget: also remove the largest line there is, in one of the hunks or in one of its own."""
        state = self.session.oracle.state
        if not free:
            return found
        at = max(free, key=lambda n: state.size((state.lines[n],)))
        if at in removed(found, len(state.lines)) or any(_meet(at, at + 1, hunk) for hunk in found):
            return found
        limit = self.session.target.max_hunks
        return [Hunk(at, at + 1)] if limit is not None and len(found) >= limit else [*found, Hunk(at, at + 1)]

    def positive_control(self) -> None:
        """An acceptable patch on the content as it is."""
        name = self.read()
        self.apply(name, self.hunks(1))

    # -- moves of profile base

    def write(self) -> None:
        draw = self.draw
        lines = self.some_lines(4) if draw.chance(90) else ()
        if draw.chance(40):
            self.session.do(Insert(draw.below(len(self.lines) + 1), lines))
        else:
            self.append(lines)
        self.observe()

    def commit(self) -> None:
        self.slack()
        name = self.read()
        self.apply(name, self.hunks())
        if self.draw.chance(30):
            self.apply(name, self._last.hunks if self._last else ())

    def nothing(self) -> None:
        """A patch that changes nothing, or two reads in a row."""
        name = self.read()
        if self.draw.chance(50) and self.lines:
            at = self.draw.below(len(self.lines))
            self.apply(name, (Hunk(at, at + 1, (self.lines[at],)),))
        else:
            self.apply(name, self.draw.pick(((), (Hunk(0, 0),), (Hunk(len(self.lines), len(self.lines)),))))
        self.read()

    def whole(self) -> None:
        """Replace or delete everything."""
        self.slack()
        name = self.read()
        insert = self.some_lines() if self.draw.chance(60) else ()
        self.apply(name, (Hunk(0, len(self.lines), insert),))

    def stale(self) -> None:
        self.slack()
        name = self.draw.pick(self._names) if self._names and self.draw.chance(25) else self.read()
        hunks = self.hunks()
        for _ in range(self.draw.between(1, 2)):
            self._disturb(hunks)
        if self.draw.chance(70):
            self.read()
        kind = self.draw.below(20)
        self.apply(name, () if kind == 0 else self._bad(len(self.lines)) if kind < 4 else hunks)
        if self.draw.chance(20):
            self.apply(name, hunks)
        if self.draw.chance(60):
            fresh = self.read()
            fits = all(hunk.end <= len(self.lines) for hunk in hunks)
            self.apply(fresh, hunks if fits and self.draw.chance(50) else self.hunks(1))

    def _disturb(self, hunks: tuple[Hunk, ...]) -> None:
        draw, lines = self.draw, self.lines
        top = min((hunk.start for hunk in hunks), default=0)
        kind = draw.below(7)
        if kind == 0:
            self.append(self.some_lines())
        elif kind == 1:
            self.session.do(Insert(draw.below(min(top, len(lines)) + 1), self.some_lines()))
        elif kind == 2:
            target = lines[top : top + 3] or ("a",)
            self.session.do(Insert(0, target))
        elif kind == 3:
            self.apply(self.read(), self.hunks(1))
        elif kind == 4:
            self._replace_one_line()
        elif kind == 5:
            self.append(("",))
        elif self.budgeted:
            self.session.do(Emit(draw.pick(EMISSION_KINDS), self.some_lines(2)))
        else:
            self.session.do(Insert(len(lines), lines[top : top + 1] or ("b",)))

    def _replace_one_line(self) -> None:
        """A second author changes a line and nothing else: the number of lines stays."""
        free = self.removable()
        if free:
            at = self.draw.pick(free)
            new = contents.near(self.draw, (self.lines[at],))
            if self.budgeted:
                new = ("",)
            self.apply(self.read(), (Hunk(at, at + 1, new[:1]),))

    def bad_hunk(self) -> None:
        self.slack()
        name = self.read()
        good = self.hunks(1) if self.draw.chance(40) else ()
        bad = self._bad(len(self.lines))
        both = (*good, *bad) if self.draw.chance(50) else (*bad, *good)
        self.apply(name, both)
        self.positive_control()

    def _bad(self, length: int) -> tuple[Hunk, ...]:
        draw = self.draw
        insert = self.some_lines(2) if draw.chance(50) else ()
        at = draw.below(length + 1)
        far = length + draw.pick((1, 1, 2, 40))
        kind = draw.below(8)
        if kind == 0:
            return (Hunk(at, far, insert),)
        if kind == 1:
            return (Hunk(length + 1, far, insert),)
        if kind == 2:
            return (Hunk(-1, at, insert),)
        if kind == 3:
            return (Hunk(-draw.between(1, length + 1), draw.pick((-1, 0, length)), insert),)
        if kind == 4 and length:
            return (Hunk(draw.between(1, length), 0, insert),)
        if kind == 5 and length > 1:
            cut = draw.below(length - 1)
            return (Hunk(cut, cut + 2, insert), Hunk(cut + 1, min(length, cut + 3), ("b",)))
        if kind == 6 and length > 1:
            cut = draw.below(length - 1)
            return (Hunk(cut, cut + 2, insert), Hunk(cut + 1, cut + 1, ("b",)))
        if kind == 7 and length > 3:
            return (Hunk(0, 2, insert), Hunk(3, 4), Hunk(1, 2))
        if kind == 7 and length:
            cut = draw.below(length)
            return (Hunk(cut, cut + 1, insert), Hunk(cut, cut + 1, insert))
        return (Hunk(at, far, insert),)

    def become(self, content: tuple[str, ...]) -> None:
        """Turn the buffer into ``content``: one patch where that is accepted, else delete and append."""
        name = self.read()
        if not self.budgeted and self.draw.chance(60):
            self.apply(name, (Hunk(0, len(self.lines), content),))
            return
        self.apply(name, (Hunk(0, len(self.lines)),))
        self.append(content)

    def near_collision(self) -> None:
        name = self.read()
        before = self.lines
        hunks = (Hunk(0, min(1, len(before))),) if before else (Hunk(0, 0, ("a",)),)
        self.become(contents.near(self.draw, before))
        self.read()
        self.apply(name, hunks)

    def come_back(self) -> None:
        """A, B, A, and sometimes C: a patch of B on A, of A on A, of A on C."""
        self.slack()
        first = self.read()
        before = len(self.lines)
        hunks = self.hunks(1)
        self.append((*self.some_lines(2), self.meter.make(_SLACK)))
        between = self.read()
        self.apply(self.read(), (Hunk(before, len(self.lines)),))
        if self.draw.chance(50):
            self.apply(between, (Hunk(0, min(1, before)),))
        if self.draw.chance(40):
            self.apply(first, hunks)
        else:
            self.append(self.some_lines(2))
            self.observe()
            self.apply(first, hunks)

    def again(self) -> None:
        """Submit the last patch once more, or an old snapshot's."""
        if self._last is not None and self.draw.chance(70):
            self.session.do(self._last)
            self.observe()
        elif self._names:
            self.apply(self.draw.pick(self._names), self.hunks(1))

    def order(self) -> None:
        """Several hunks that meet: adjacent ranges, insertions at one point and at the start of a range."""
        if (self.session.target.max_hunks or 9) < 2:
            return
        self.append(("a", "b", "c"))
        self.slack()
        name = self.read()
        free = [at for at in self.removable() if at + 1 in self.removable()]
        if not free:
            return
        at = self.draw.pick(free)
        one = Hunk(at, at, self.some_lines(2))
        two = one if self.draw.chance(20) else Hunk(at, at, self.some_lines(2))
        pair = (Hunk(at, at + 1, self.some_lines(2)), Hunk(at + 1, at + 2))
        hunks = self.draw.pick(
            (
                pair,
                pair[::-1],
                (one, two),
                (two, one, pair[0]),
                (pair[0], one),
                (pair[0], Hunk(at + 1, at + 1, ("x",))),
                (pair[1], one, two),
            )
        )
        most = self.session.target.max_hunks
        pays = self.budgeted and (most is None or len(hunks) < most) and len(self.lines) - 1 > at + 1
        last = len(self.lines) - 1
        self.apply(name, (*hunks, Hunk(last, last + 1)) if pays else hunks)

    def crowd(self) -> None:
        """Many hunks at once, in any order."""
        most = self.session.target.max_hunks or 60
        self.append(tuple(f"n{n}" for n in range(12)))
        self.slack()
        name = self.read()
        free = self.removable()[:: self.draw.between(1, 3)][-most:]
        hunks = [Hunk(at, at + 1, ("m",) if self.draw.chance(30) else ()) for at in free]
        if self.draw.chance(50):
            hunks.reverse()
        self.apply(name, tuple(hunks))

    # -- moves of profile protected

    def protected(self) -> None:
        if not self.guarded:
            return
        draw = self.draw
        self.slack()
        if draw.chance(50):
            marked = draw.pick(("{}", "x {} y", "\n{}", "{}{}")).format(*[draw.pick(self.session.start.protected)] * 2)
            self.session.do(Insert(draw.below(len(self.lines) + 1), (marked, marked.swapcase())))
        name = self.read()
        markers = self.session.start.protected
        at_risk = [at for at, text in enumerate(self.lines) if any(marker in text for marker in markers)]
        if not at_risk:
            return
        at = draw.pick(at_risk)
        length = len(self.lines)
        mine = (self.lines[at],)
        limit = self.session.target.max_hunks or 9
        options: list[tuple[Hunk, ...]] = [
            (Hunk(at, at + 1),),
            (Hunk(at, at + 1, mine),),
            (Hunk(at, at + 1, ("b",)),),
            (Hunk(max(0, at - 1), at + 1),),
            (Hunk(max(0, at - 1), min(length, at + 2), mine),),
            (Hunk(0, length),),
            (Hunk(at, at, ("a",)),),
            (Hunk(at + 1, at + 1, ("a",)),),
            (Hunk(at + 1, min(length, at + 2)),),
            (Hunk(max(0, at - 1), at),),
        ]
        if limit > 1 and at:
            options += [
                (Hunk(0, 0, mine), Hunk(at, at + 1)),
                (Hunk(0, 1), Hunk(at, at + 1)),
                (Hunk(at + 1, at + 1, mine), Hunk(at, at + 1)),
            ]
        self.apply(name, draw.pick(options))
        self.positive_control()

    def keep_later(self) -> None:
        """A patch that inserts a protected line, and one that tries to take it out again."""
        if not self.guarded:
            return
        self.slack()
        name = self.read()
        at = self.draw.below(len(self.lines) + 1)
        paying = self._paying([Hunk(at, at, (self.draw.pick(self.session.start.protected),))], self.removable())
        self.apply(name, tuple(paying))
        where = [n for n, text in enumerate(self.lines) if any(m in text for m in self.session.start.protected)]
        if where:
            self.apply(self.read(), (Hunk(where[-1], where[-1] + 1),))

    # -- moves of profile budget

    def emit(self) -> None:
        if self.budgeted:
            self.session.do(Emit(self.draw.pick(EMISSION_KINDS), self.some_lines(2) if self.draw.chance(95) else ()))
            self.observe()

    def end_turn(self) -> None:
        if not self.budgeted:
            return
        name = self.read()
        self.session.do(EndTurn())
        self.observe()
        if self.draw.chance(40):
            self.apply(name, self.hunks(1))

    def boundary(self) -> None:
        """A patch whose net is exactly what the dice says, near zero, in the middle of a turn of some kind."""
        if not self.budgeted:
            return
        draw, make, smallest = self.draw, self.meter.make, self.meter.smallest
        if draw.chance(30):
            self.session.do(EndTurn())
        for _ in range(draw.pick((0, 1, 1, 2, 2, 5))):
            size = draw.between(max(1, smallest), smallest + 6)
            self.session.do(Emit(draw.pick(EMISSION_KINDS), (make(size),)))
            if draw.chance(25):
                self.apply(self.read(), (Hunk(0, 0, ("refused",)),))
        ledger = self.session.oracle.state.ledger
        without_one = [1 - ledger.owed((entry.kind,)) for entry in ledger.unpaid]
        net = draw.pick(
            (0, 1, 0, 1, -1, 2, max(1, ledger.paid), max(1, ledger.foreign // 2), ledger.dropped, *without_one)
        )
        kept = draw.pick((smallest, smallest + 3, smallest + 20))
        filler = ledger.owed() + kept + net
        if filler < smallest or filler > 5000:
            return
        self.append((make(filler),))
        name = self.read()
        last = len(self.lines) - 1
        insert = (make(kept),)
        if kept >= 5 and self.meter.name == "utf8-bytes" and draw.chance(30):
            insert = ("\u00e9" * ((kept - 1) // 2) + "x" * ((kept - 1) % 2),)
        self.apply(name, (Hunk(last, last + 1, insert),), self._claim(filler, kept))

    def _claim(self, freed: int, inserted: int) -> Cost | None:
        draw = self.draw
        owed = self.session.oracle.state.ledger
        right = owed.cost(freed, inserted)
        kind = draw.below(9)
        if kind < 4:
            return None
        if kind == 4:
            return right
        if kind == 5:
            return Cost(freed + 1000, 0, 0)
        if kind == 6:
            return Cost(0, inserted + 1000, 0)
        part = draw.below(3)
        value = None if kind == 7 else -1
        amounts = [right.freed, right.rewrite, right.measurement]
        amounts[part] = value
        return Cost(*amounts)

    def reorder(self) -> None:
        name = self.read()
        free = self.removable()
        if len(free) < 2 or (self.session.target.max_hunks or 9) < 2:
            return
        at, to = free[0], free[-1]
        self.apply(name, (Hunk(at, at + 1), Hunk(to + 1, to + 1, (self.lines[at],))))

    def artifacts(self) -> None:
        """Edit a line of the plan, what stands in its old place, a copy of it, or between its lines."""
        if not self.budgeted:
            return
        draw, session = self.draw, self.session
        if draw.chance(50):
            session.do(EndTurn())
        text = draw.pick(("plan", "b", "", "xx"))
        session.do(Emit(draw.pick(EMISSION_KINDS), (text, text + "2", text)[: draw.between(1, 3)]))
        self.slack()
        if draw.chance(50):
            self.append((text, text))
        if draw.chance(40):
            session.do(Insert(draw.below(min(3, len(self.lines)) + 1), self.some_lines(2)))
        if draw.chance(25):
            self.apply(self.read(), self.hunks(1))
            self.slack()
        if draw.chance(20):
            session.do(EndTurn())
        self._edit_near_artifact()

    def _edit_near_artifact(self) -> None:
        name = self.read()
        draw, state = self.draw, self.session.oracle.state
        locked = [
            at
            for at, line_id in enumerate(state.ids)
            if line_id in state.artifacts or line_id in state.former_artifacts
        ]
        stood = [at for at in state.artifacts.values() if at < len(state.lines)]
        texts = {state.lines[at] for at in locked}
        copies = [at for at, line in enumerate(state.lines) if line in texts and at not in locked]
        near = dict.fromkeys((*locked[:1], *locked[-1:], *stood[:2], *copies[-2:]))
        options: list[tuple[list[int], int | None]] = [([at], None) for at in near]
        options += [([], at) for at in locked[1:2]]
        if not options:
            return
        gone, point = draw.pick(options)
        restated = (self.lines[gone[0]],) if gone and draw.chance(20) else ()
        hunk = Hunk(gone[0], gone[0] + 1, restated) if gone else Hunk(point or 0, point or 0, ("x",))
        self.apply(name, tuple(self._paying([hunk], [at for at in self.removable() if at not in gone])))


def _meet(start: int, end: int, other: Hunk) -> bool:
    """Whether a range or point touches another: kept apart here, met on purpose in ``order``."""
    return start <= other.end and other.start <= end


BASE_MOVES = (
    "write",
    "commit",
    "nothing",
    "whole",
    "stale",
    "bad_hunk",
    "near_collision",
    "come_back",
    "again",
    "order",
    "crowd",
)
PROTECTED_MOVES = ("protected", "keep_later")
BUDGET_MOVES = ("emit", "end_turn", "boundary", "reorder", "artifacts")
