"""Line by line: an operation is paused at each of its lines in turn, a rival runs, the operation goes on.

Threads of the engine under test, its own included, run one at a time; which one, a plan says: ``subject:7 rival
subject`` lets the subject run seven lines of the engine's code, then the rival to its end, then the subject. Nothing
is patched, so locks of every kind count: a thread that waits in one is seen asleep, and the plan goes on with the
next. With ``opcode`` for ``line`` the same between the instructions of a line.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from math import inf
from types import FrameType

from basebound.lenses.schedules.harness import (
    LIMIT_S,
    RIVAL,
    SUBJECT,
    ClientThread,
    ConcurrentHarness,
    Factory,
    Run,
    Trouble,
    asleep,
    stuck,
    traits_of,
)
from basebound.lenses.schedules.programs import BY_NAME, PROGRAMS, Program, fitting
from basebound.lenses.schedules.tracing import Level, Tracer, Where, place_of, tracer

GOT_IN = "rival-got-in"
WAITED = "rival-waited"

_POLL_S = 0.001
_UNSEEN_S = 0.02
_MOST_EVENTS = 4000


@dataclass(frozen=True)
class Segment:
    """``client`` runs ``events`` lines of the engine's code, or to its end."""

    client: str
    events: int | None = None

    def __str__(self) -> str:
        return self.client if self.events is None else f"{self.client}:{self.events}"

    @classmethod
    def read(cls, word: str) -> Segment:
        client, _, events = word.partition(":")
        return cls(client, int(events) if events else None)


class Conductor:
    """Lets one client at a time run the engine's code, by a plan. Engine threads work for whoever's turn it is."""

    def __init__(self, cap: int) -> None:
        self.spent: Counter[str] = Counter()
        self.stalls: list[str] = []
        self.pauses: list[str] = []
        self._cap = cap
        self._turn = threading.Condition()
        self._active = True
        self._current: str | None = None
        self._left: int | None = 0
        self._clients: dict[int, ClientThread] = {}
        self._threads: dict[int, int] = {}
        self._parked: dict[int, str] = {}
        self._ended: set[str] = set()
        self._beats = 0

    # -- in the threads

    def enter(self) -> None:
        """A client's thread begins: it waits for its first turn."""
        client = threading.current_thread()
        assert isinstance(client, ClientThread)
        with self._turn:
            self._clients[threading.get_ident()] = client
            self._await_turn(client.client)

    def leave(self, client: str) -> None:
        with self._turn:
            self._ended.add(client)
            self._beats += 1
            self._turn.notify_all()

    def event(self, frame: FrameType) -> None:
        """A line of the engine's code is about to run in this thread."""
        me = threading.get_ident()
        with self._turn:
            client = self._clients.get(me)
            owner = client.client if client is not None else self._current
            if not self._active or owner is None:
                return
            if client is None:
                self._threads[me] = threading.get_native_id()
            self._beats += 1
            if self._current == owner and self._left == 0:
                self.pauses.append(f"{owner} held before {place_of(frame)}")
            self._await_turn(owner)
            if self._left is not None:
                self._left -= 1
            self.spent[owner] += 1

    def _await_turn(self, owner: str) -> None:
        me = threading.get_ident()
        while self._active and owner not in self._ended and not (self._current == owner and self._left != 0):
            self._parked[me] = owner
            self._turn.notify_all()
            self._turn.wait()
        self._parked.pop(me, None)

    # -- in the thread that conducts

    def conduct(self, plan: Sequence[Segment], clients: Sequence[ClientThread], limit_s: float) -> bool:
        """Runs the plan, then whoever is left; ``False`` if nobody could go on for the length of the limit."""
        try:
            for segment in plan:
                self._play(segment)
            last, since = -1, time.monotonic()
            while len(self._ended) < len(clients):
                if self._beats != last:
                    last, since = self._beats, time.monotonic()
                elif time.monotonic() - since > limit_s:
                    return False
                for client in clients:
                    self._play(Segment(client.client))
            return True
        finally:
            with self._turn:
                self._active = False
                self._turn.notify_all()

    def _play(self, segment: Segment) -> None:
        """One turn: until it is used up, the client has or it waits for something."""
        with self._turn:
            self._current, self._left = segment.client, segment.events
            first = self.spent[segment.client]
            self._turn.notify_all()
        beats, since, polls = self._beats, time.monotonic(), 0
        while True:
            with self._turn:
                if segment.client in self._ended or (self._left == 0 and segment.client in self._parked.values()):
                    return
                if self.spent[segment.client] - first > self._cap:
                    break  # it spins
                self._turn.wait(_POLL_S)
                if beats != self._beats:
                    beats, since, polls = self._beats, time.monotonic(), 0
                    continue
            waits = self._waits(segment.client)
            polls = polls + 1 if waits else 0
            if polls >= 2 or (waits is None and time.monotonic() - since > _UNSEEN_S):
                break
        self.stalls.append(segment.client)

    def _waits(self, client: str) -> bool | None:
        """Whether every thread that may be at work for the client is asleep; ``None`` if that cannot be seen."""
        natives = [known.native for known in self._clients.values() if known.client == client]
        natives += [native for thread, native in self._threads.items() if thread not in self._parked]
        seen = [asleep(native) for native in natives]
        return None if None in seen or not seen else all(seen)


def runs(
    factory: Factory,
    level: Level = "line",
    programs: Sequence[Program] = PROGRAMS,
    pauses: Sequence[int] = (1,),
    seconds: float = inf,
    where: Where | None = None,
    limit_s: float = LIMIT_S,
) -> Generator[Run, None, None]:
    """The sweep, ended after ``seconds``. ``pauses``: 1 pauses the subject at every place, 2 the rival as well, before
    the subject begins, at every pair of places.

    ``where`` says which code is the engine's; by default the modules of its classes. Engines with coroutines have no
    threads to interleave and give no runs.
    """
    until = time.monotonic() + seconds
    traits = traits_of(factory)
    if traits.asynchronous:
        return
    with tracer(level, where or traits.code) as trace:
        for program in fitting(programs, traits.limits):
            sweep = _Sweep(factory, program, level, trace, limit_s)
            once, twice = 1 in pauses, 2 in pauses
            for run in chain(sweep.whole(), sweep.once() if once else (), sweep.twice() if twice else ()):
                yield run
                if time.monotonic() > until:
                    return


class _Sweep:
    """All interleavings of one program with one pause, or two."""

    def __init__(self, factory: Factory, program: Program, level: Level, trace: Tracer, limit_s: float) -> None:
        self.factory, self.program, self.level, self.trace, self.limit_s = factory, program, level, trace, limit_s
        self.cap = _MOST_EVENTS
        self.alone: Counter[str] = Counter()

    def whole(self) -> Iterator[Run]:
        """One after the other, both ways round: warms the engine up, and counts its lines."""
        for first, second in ((SUBJECT, RIVAL), (RIVAL, SUBJECT)):
            run, spent = self.run((Segment(first), Segment(second)))
            self.alone |= spent
            yield run
        self.cap = 4 * max(self.alone.values(), default=0) + 50

    def once(self) -> Iterator[Run]:
        for events in range(1, self.alone[SUBJECT]):
            run, _ = self.run((Segment(SUBJECT, events), Segment(RIVAL), Segment(SUBJECT)))
            yield run
            if run.trouble:
                return

    def twice(self) -> Iterator[Run]:
        for before in range(1, self.alone[RIVAL]):
            for events in range(1, self.alone[SUBJECT]):
                plan = (Segment(RIVAL, before), Segment(SUBJECT, events), Segment(RIVAL), Segment(SUBJECT))
                run, _ = self.run(plan)
                yield run
                if run.trouble:
                    return

    def run(self, plan: Sequence[Segment]) -> tuple[Run, Counter[str]]:
        return play(self.factory, self.program, plan, self.level, self.trace, self.cap, self.limit_s)


def play(
    factory: Factory,
    program: Program,
    plan: Sequence[Segment],
    level: Level,
    trace: Tracer,
    cap: int = _MOST_EVENTS,
    limit_s: float = LIMIT_S,
) -> tuple[Run, Counter[str]]:
    """One run of ``plan``, and how many lines each client ran."""
    schedule = f"interleave {level} {program.name} {' '.join(map(str, plan))}"
    harness = ConcurrentHarness.of(factory, program)
    harness.build()
    harness.begin()
    conductor = Conductor(cap)
    trace.listener = conductor.event
    clients = [
        _Traced(SUBJECT, harness, program.subject, conductor, trace),
        _Traced(RIVAL, harness, program.rival, conductor, trace),
    ]
    for client in clients:
        client.start()
    went_on = conductor.conduct(plan, clients, limit_s)
    trace.listener = None
    exact = not conductor.stalls
    hangs = None if went_on and harness.ended(clients, limit_s) else stuck(clients)
    if hangs is None:
        hangs = harness.concluded(limit_s)
    if hangs is not None:
        return Run(schedule, harness.history(), exact, Trouble.HANG, hangs), conductor.spent
    harness.close()
    paused = len(plan) > 2
    reached = {WAITED if RIVAL in conductor.stalls else GOT_IN} if paused else set()
    where = "; ".join(conductor.pauses)
    return Run(schedule, harness.history(), exact, where=where, reached=frozenset(reached)), conductor.spent


def replay(factory: Factory, words: list[str], where: Where | None = None) -> Run:
    """``[level, program, segment, ...]``, from ``interleave line apply/append subject:7 rival subject``."""
    level: Level = "opcode" if words[0] == "opcode" else "line"
    traits = traits_of(factory)
    program, plan = BY_NAME[words[1]].within(traits.limits), [Segment.read(word) for word in words[2:]]
    with tracer(level, where or traits.code) as trace:
        for first, second in ((SUBJECT, RIVAL), (RIVAL, SUBJECT)):
            play(factory, program, (Segment(first), Segment(second)), level, trace)
        return play(factory, program, plan, level, trace)[0]


class _Traced(ClientThread):
    """A client whose engine calls are traced and conducted."""

    def __init__(
        self, name: str, harness: ConcurrentHarness, steps: Sequence[object], conductor: Conductor, trace: Tracer
    ) -> None:
        super().__init__(name, harness, steps)  # type: ignore[arg-type]
        self.conductor, self.trace = conductor, trace

    def run(self) -> None:
        self.native = threading.get_native_id()
        self.conductor.enter()
        self.trace.here()
        try:
            for step in self.steps:
                self.harness.perform(self.client, step)
        finally:
            self.trace.gone()
            self.conductor.leave(self.client)
