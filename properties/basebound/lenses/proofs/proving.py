"""Check a target by proof: shapes are shared out to child processes, candidates are run again, results come back.

The parent never imports CrossHair and never imports the target. A child that does not answer in time is
ended; whatever it was analyzing is undecided.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from collections import deque
from dataclasses import dataclass
from typing import Any, Final

from basebound.core.register import Role, requirements, with_role
from basebound.core.trace import from_rows
from basebound.errors import TargetError
from basebound.lenses.proofs.battery import battery
from basebound.lenses.proofs.limits import RERUN, SLACK, START
from basebound.lenses.proofs.results import LeftOpen, ProofReport, Proved, Refuted, Result, Unavailable
from basebound.lenses.proofs.shapes import TAIL, Depth, Shape
from basebound.lenses.proofs.subject import Kind
from basebound.targets.process import Closed, Ending, How, Lines, TooLate, TooLong, ours, python


@dataclass(frozen=True)
class Bound:
    """How long an effort takes, in seconds: of analysis for a shape at first, for one that this leaves open, and for a
    hunt; of wall clock for everything, and for what else is broken, once something is."""

    first: float
    shape: float
    hunt: float
    everything: float
    more: float


BOUNDS: Final = {
    Depth.QUICK: Bound(2.0, 2.0, 1.0, 15.0, 1.0),
    Depth.DEFAULT: Bound(8.0, 25.0, 2.5, 120.0, 6.0),
    Depth.THOROUGH: Bound(25.0, 120.0, 30.0, 1800.0, 60.0),
}
GIVE_UP_AFTER: Final = 3
"""After so many shapes, if something else than time went wrong in all of them, CrossHair cannot follow the target."""
NOT_AT_QUICK: Final = "every path was followed; proofs need --effort default"
AFTER_REFUTED: Final = "a counterexample was found, so nothing is proved"
ABOUT_BASES: Final = frozenset(row.id for row in requirements() if row.stale or row.role is Role.SHARED_BASE)
"""What a cut hash breaks."""


class ChildEnded(Exception):
    """The child did not answer: it was too slow and was ended, or it ended by itself. ``last``: the end of its log."""

    def __init__(self, ending: Ending, last: str) -> None:
        self.ending = ending
        super().__init__(ending.of("its process") + (f": {last[:200]}" if last and not ending.late else ""))


class JsonChild(Lines):
    """A child that answers orders, both one line of JSON."""

    def __init__(self, module: str) -> None:
        super().__init__(python(module), ours(PYTHONHASHSEED="0"))

    def ask(self, order: dict[str, Any], seconds: float) -> Any:
        """Send one order and wait for its answer; raises :class:`ChildEnded`."""
        deadline = time.monotonic() + seconds
        try:
            self.write(json.dumps(order).encode() + b"\n", deadline)
            return json.loads(self.line(deadline))
        except TooLate:
            ending = Ending.hung(seconds)
        except TooLong:
            ending = Ending(How.FLOODED)
        except Closed:
            ending = Ending.exited(self.last_words())
        self.end()
        raise ChildEnded(ending, self.printed.last_line)

    def end(self, grace: float = 0.2) -> Ending:
        """It ends by itself when there are no more orders, unless it is at work."""
        self.close_input()
        return super().end(grace)


@dataclass
class _Job:
    """``again``: whether a first, shorter analysis has left it open."""

    shape: Shape
    results: tuple[Result, ...] = ()
    again: bool = False


class _Run:
    """One check under way, shared by the threads that each keep a child busy."""

    def __init__(
        self,
        target: str,
        depth: Depth,
        deadline: float,
        only: frozenset[str] | None,
        part: tuple[int, int],
        until: frozenset[str],
    ) -> None:
        self.target, self.depth, self.deadline, self.only = target, depth, deadline, only
        self.part, self.bound, self.began = part, BOUNDS[depth], time.monotonic()
        self.kind, self.abilities, self.until = Kind.ENGINE, frozenset[str](), until
        self.astray, self.followed, self.gave_up, self.found = 0, 0, False, False
        self.lock, self.collision_lock = threading.Lock(), threading.Lock()
        self.collisions: dict[str, dict[str, Any] | None] = {}
        self.jobs: list[_Job] = []
        self.waiting: deque[_Job] = deque()
        self.children: list[JsonChild] = []

    def start_child(self) -> tuple[JsonChild, dict[str, Any]]:
        child = JsonChild("basebound.lenses.proofs.child")
        order = {"target": self.target, "path": sys.path}
        self.children.append(child)
        try:
            return child, child.ask(order, min(START, max(1.0, self.deadline - time.monotonic())))
        except BaseException:
            child.end()
            raise

    def share_out(self, kind: Kind, abilities: frozenset[str]) -> None:
        """The shapes that fit, in the order of :func:`_turn`; of several parts every so manieth."""
        self.kind, self.abilities = kind, abilities
        fit = [shape for shape in battery(kind, self.depth) if shape.needs <= abilities]
        jobs = [_Job(shape) for shape in fit if self.only is None or shape.name in self.only]
        first, parts = self.part
        mine = sorted(jobs, key=lambda job: _turn(job.shape))[first::parts]
        self.jobs = [job for job in jobs if job in mine]
        self.waiting.extend(mine)

    def next_job(self) -> _Job | None:
        with self.lock:
            return self.waiting.popleft() if self.waiting else None

    def work(self, child: JsonChild) -> None:
        """Take shapes until there is none left; a child that ended is replaced for the next one.

        A shape that is open for want of time waits until the others have had theirs.
        """
        current: JsonChild | None = child
        try:
            while (job := self.next_job()) is not None:
                left = self.deadline - time.monotonic()
                if left <= 0 or self.gave_up:
                    job.results = job.results or (self._undecided(job.shape, self._why_not_analyzed()),)
                    continue
                try:
                    if current is None:
                        current, _ = self.start_child()
                    job.results = self._analyze(current, job, left)
                except ChildEnded as ended:
                    job.results = (self._undecided(job.shape, str(ended)),)
                    if current is not None:
                        current.end()
                    current = None
                self._take_note(job)
        finally:
            if current is not None:
                current.end()

    def _take_note(self, job: _Job) -> None:
        """A counterexample shortens the rest, unless another is wanted; a target that cannot be followed ends it."""
        with self.lock:
            if self._wants_more(job):
                job.again = True
                self.waiting.append(job)
            refuted = [result for result in job.results if isinstance(result, Refuted)]
            if refuted and not self.found:
                self.found = True
                if not self.until:
                    self.deadline = min(self.deadline, time.monotonic() + self.bound.more)
            if any(self.until.intersection(result.requirements) for result in refuted):
                self.gave_up = True
                for child in self.children:
                    child.kill()
            left = [result for result in job.results if isinstance(result, LeftOpen)]
            if any(not result.followed and not result.late for result in left):
                self.astray += 1
            else:
                self.followed += 1
            self.gave_up = self.gave_up or (self.astray >= GIVE_UP_AFTER and not self.followed)

    def _wants_more(self, job: _Job) -> bool:
        """Whether it was time alone that a first analysis lacked."""
        late = any(isinstance(result, LeftOpen) and result.late for result in job.results)
        return late and not job.again and not job.shape.hunt and self.bound.first < self.bound.shape

    def _why_not_analyzed(self) -> str:
        if self.found:
            return AFTER_REFUTED
        if self.gave_up:
            return f"skipped: CrossHair could not follow the first {GIVE_UP_AFTER} shapes"
        return "skipped: the time for all proofs was used up"

    def _analyze(self, child: JsonChild, job: _Job, left: float) -> tuple[Result, ...]:
        shape = job.shape
        seconds = self.bound.hunt if shape.hunt else self.bound.shape if job.again else self.bound.first
        answer = child.ask({"shape": shape.name, "seconds": seconds}, min(left, seconds * SLACK))
        refuted, unrepeated = self._run_again(shape, answer)
        false = {requirement for result in refuted for requirement in result.requirements}
        rest = tuple(requirement for requirement in shape.covered(self.kind) if requirement not in false)
        if answer["exhausted"] and not answer["candidates"] and self.depth > Depth.QUICK and not shape.hunt:
            return (Proved(shape.name, rest, answer["paths"], answer["seconds"], self._setting(shape)),)
        why = self._why_open(shape, answer, unrepeated)
        followed = not unrepeated and (shape.hunt or bool(refuted) or answer["exhausted"])
        late = not unrepeated and not answer["candidates"] and answer["paths"] > 0
        return (*refuted, LeftOpen(shape.name, rest, why, answer["paths"], answer["seconds"], followed, late))

    def _setting(self, shape: Shape) -> str:
        if self.kind is not Kind.ENGINE:
            return ""
        pays = "budget" in self.abilities and Kind.APPLY in shape.kinds
        return "on a new engine" + (f" with {TAIL!r} at the end of each line, so that a patch pays" if pays else "")

    def _why_open(self, shape: Shape, answer: dict[str, Any], unrepeated: str) -> str:
        if unrepeated:
            return unrepeated
        if shape.hunt:
            found = "found" if answer["candidates"] else "nothing found"
            return f"a hunt proves nothing; {found} on {answer['paths']} paths"
        if answer["candidates"]:
            return AFTER_REFUTED
        return NOT_AT_QUICK if answer["exhausted"] else str(answer["why"])

    def _run_again(self, shape: Shape, answer: dict[str, Any]) -> tuple[tuple[Refuted, ...], str]:
        """The candidates that repeat outside CrossHair, and what to say of one that does not."""
        candidates = answer["candidates"]
        if not candidates:
            return (), ""
        refuted: dict[tuple[str, ...], Refuted] = {}
        unrepeated = ""
        try:
            order = {"shape": shape.name, "values": [candidate["values"] for candidate in candidates]}
            for candidate, found in zip(candidates, self._rerun(order), strict=True):
                again = found or (self._collision(shape) if ABOUT_BASES.issuperset(candidate["requirements"]) else None)
                if again is None:
                    unrepeated = _unrepeated(candidate)
                    continue
                requirements = tuple(again["requirements"])
                seconds = time.monotonic() - self.began
                refuted.setdefault(requirements, Refuted(shape.name, requirements, from_rows(again["trace"]), seconds))
        except ChildEnded as ended:
            unrepeated = f"a candidate could not be run again outside CrossHair: {ended}"
        return tuple(refuted.values()), unrepeated

    def _collision(self, shape: Shape) -> dict[str, Any] | None:
        """Two contents whose real bases agree; looked for once a check, for each way of comparing."""
        kind = "contents" if with_role(Role.SHARED_BASE) in shape.covers else "rewrite"
        with self.collision_lock:
            if kind not in self.collisions:
                self.collisions[kind] = self._rerun({"collide": kind})
            return self.collisions[kind]

    def _rerun(self, order: dict[str, Any]) -> Any:
        child = JsonChild("basebound.lenses.proofs.rerun")
        try:
            return child.ask({"target": self.target, "path": sys.path, **order}, RERUN)
        finally:
            child.end()

    def _undecided(self, shape: Shape, why: str) -> LeftOpen:
        return LeftOpen(shape.name, shape.covered(self.kind), why, 0, 0.0)


def _turn(shape: Shape) -> tuple[int, int]:
    """Small ones first, which find most of what is wrong; of the others the longest, so that none is left over."""
    return shape.depth, shape.weight if shape.depth is Depth.QUICK else -shape.weight


def _unrepeated(candidate: dict[str, Any]) -> str:
    raised = f"; inside, {candidate['error']} was raised" if candidate["error"] else ""
    against = ", ".join(candidate["requirements"])
    return f"a candidate against {against} did not repeat outside CrossHair, with real hashes and numbers{raised}"


def check(
    target: str,
    effort: str = "default",
    *,
    seconds: float | None = None,
    jobs: int = 2,
    only: frozenset[str] | None = None,
    part: tuple[int, int] = (0, 1),
    until: frozenset[str] = frozenset(),
) -> ProofReport:
    """Put every shape of the effort that fits ``target`` to CrossHair.

    ``target``: a target's usual name. ``effort``: ``quick``, ``default`` or ``thorough``. ``seconds``: the wall clock
    for everything, else that of the effort. ``jobs``: child processes. ``only``: the names of the shapes to analyze.
    ``part``: which of how many parts of the battery, from 0. ``until``: the refutation of one of these is enough.
    Raises :class:`TargetError` if the target cannot be used.
    """
    began = time.monotonic()
    depth = Depth[effort.upper()]
    run = _Run(target, depth, began + (seconds or BOUNDS[depth].everything), only, part, until)
    problem = _begin(run, jobs)
    results = problem if problem else tuple(result for job in run.jobs for result in job.results)
    return ProofReport(results, time.monotonic() - began)


def _begin(run: _Run, jobs: int) -> tuple[Result, ...]:
    """Start the first child, and with what it says of the target all of the work; a problem ends it at once."""
    try:
        child, first = run.start_child()
    except ChildEnded as ended:
        return (Unavailable(f"the process that runs CrossHair did not start: {ended}", "try crosshair's own command"),)
    if not first.get("ready"):
        child.end()
        return (_problem(first),)
    run.share_out(Kind(first["kind"]), frozenset(first["abilities"]))
    extra = [threading.Thread(target=_work_alone, args=(run,)) for _ in range(min(jobs, len(run.jobs)) - 1)]
    for thread in extra:
        thread.start()
    run.work(child)
    for thread in extra:
        thread.join()
    return ()


def _work_alone(run: _Run) -> None:
    try:
        child, first = run.start_child()
    except ChildEnded:
        return  # the first child does all of it
    if first.get("ready"):
        run.work(child)
    else:
        child.end()


def _problem(first: dict[str, Any]) -> Result:
    if "unusable" in first:
        raise TargetError(first["code"], first["unusable"], first["fix"])
    if "unavailable" in first:
        return Unavailable(first["unavailable"], first["fix"])
    return Unavailable(
        "the target's methods are async, and CrossHair cannot follow those",
        "prove its synchronous core: name an apply_function or gate_function of it",
    )
