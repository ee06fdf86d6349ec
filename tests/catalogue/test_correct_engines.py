"""The correct engines against a small model of the contract, step by step: what it objects to is wrong with them."""

from __future__ import annotations

import asyncio
import random
import re
import sys
import threading
from collections.abc import Callable, Coroutine, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, cast

import pytest
from contract_model import Buffer
from tiers import slow_unless

from basebound.model import (
    EMISSION_KINDS,
    Config,
    Cost,
    Hunk,
    Meter,
    Patch,
    Reason,
    Receipt,
    Rejected,
    Snapshot,
    utf8_bytes,
)
from basebound_catalogue.correct import CORRECT
from basebound_catalogue.kinds import Correct, Fault
from basebound_catalogue.mutants.budget import BUDGET_FAULTS

LINES = ("", "a", "b", "a b", "é", "e\u0301", "a\nb", "\r", "日本", "x" * 30, "keep a", "\0", "a ", "A", "\\1", "{0}")
METERS: tuple[Meter, ...] = (utf8_bytes, len, lambda line: len(line.split()), lambda line: 10 * len(line) + 7)
FEW, MANY = 60, 300
STEPS = 20


class MeterBroke(Exception):
    """What the meter raises when a history makes it fail."""


@dataclass
class Meters:
    """A meter that can be made to fail, or to do something else first."""

    count: Meter
    broken: bool = False
    before: Callable[[], None] | None = None

    def __call__(self, line: str) -> int:
        if self.broken:
            raise MeterBroke
        if self.before is not None:
            action, self.before = self.before, None
            action()
        return self.count(line)


class Driver:
    """Calls an engine of any style: what gives an awaitable is run to its end on the one loop of the engine."""

    def __init__(self, engine: Correct | Fault, config: Config, inside: bool = False) -> None:
        self.loop: asyncio.AbstractEventLoop | None = None

        async def made() -> Any:
            return engine.make(config)

        self.engine = self.run(made()) if inside else engine.make(config)

    def run(self, work: Coroutine[Any, Any, Any]) -> Any:
        self.loop = self.loop or asyncio.new_event_loop()
        return self.loop.run_until_complete(work)

    def __call__(self, method: str, *values: Any) -> Any:
        answer = getattr(self.engine, method)(*values)
        return self.run(settle(answer)) if hasattr(answer, "__await__") else answer

    def answer(self, patch: Patch) -> Receipt | Rejected:
        try:
            return cast(Receipt, self("apply", patch))
        except Rejected as refusal:
            return refusal

    def close(self) -> None:
        if hasattr(self.engine, "close"):
            self("close")
        if self.loop is not None:
            self.loop.close()


async def settle(answer: Any) -> Any:
    return await answer if hasattr(answer, "__await__") else answer


@cache
def claims_of(engine: Correct | Fault) -> frozenset[str]:
    drive = Driver(engine, Config())
    stated = getattr(drive.engine, "profiles", None)
    budget = {"budget"} if hasattr(drive.engine, "emit") else set()
    drive.close()
    return frozenset({"base", "protected"} | budget if stated is None else stated)


@dataclass
class Seen:
    """A snapshot with the writes the engine had seen when it was taken."""

    snapshot: Snapshot
    writes: int


@dataclass
class Model(Buffer):
    """The contract's buffer, and what reads may show of its bases and revisions."""

    writes: int = 0
    """Changes of content and writes that changed nothing."""
    last: Seen | None = None
    changed: int = 0
    """Changes of content since the last read."""
    idle: int = 0
    """Writes since then that changed nothing but may raise the revision."""
    bases: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def append(self, texts: Sequence[str]) -> None:
        super().append(texts)
        self.idle += not texts

    def insert(self, at: int, texts: Sequence[str]) -> None:
        super().insert(at, texts)
        self.wrote(bool(texts))

    def emit(self, kind: str, texts: Sequence[str]) -> None:
        super().emit(kind, texts)
        self.wrote(bool(texts))

    def apply(self, hunks: Sequence[Hunk]) -> Cost:
        before = self.texts
        cost = super().apply(hunks)
        self.wrote(self.texts != before)
        self.idle += self.texts == before
        return cost

    def wrote(self, changed: bool) -> None:
        self.writes += 1
        self.changed += changed

    def read(self, shown: Snapshot) -> Seen:
        assert type(shown.lines) is tuple
        assert type(shown.base) is str
        assert type(shown.revision) is int
        assert shown.lines == self.texts
        assert self.bases.setdefault(shown.base, shown.lines) == shown.lines
        if self.last is not None:
            before = self.last.snapshot
            assert shown.revision >= before.revision + self.changed
            if not self.changed and not self.idle:
                assert shown == before
            if shown.revision == before.revision:
                assert shown.base == before.base
        self.last, self.changed, self.idle = Seen(shown, self.writes), 0, 0
        return self.last


def random_lines(rng: random.Random, most: int) -> list[str]:
    return [rng.choice(LINES) for _ in range(rng.randint(0, most))]


def random_claim(rng: random.Random) -> Cost | None:
    if rng.random() < 0.8:
        return None
    return Cost(*(rng.choice((None, -1, 0, 0, 3, 3, 9, 50)) for _ in range(3)))


def random_hunks(rng: random.Random, length: int, most: int) -> tuple[Hunk, ...]:
    hunks = []
    for _ in range(min(most, rng.choice((0, 1, 1, 1, 2, 2, 3)))):
        start = rng.randint(-1 if rng.random() < 0.05 else 0, length)
        end = min(start + rng.choice((0, 1, 1, 2, 3)), length if rng.random() < 0.95 else length + 1)
        if rng.random() < 0.03:
            start, end = end, start
        hunks.append(Hunk(start, end, tuple(random_lines(rng, 2)) if rng.random() < 0.6 else ()))
    return tuple(hunks)


def balanced(rng: random.Random, model: Model, hunks: tuple[Hunk, ...]) -> tuple[Hunk, ...]:
    """With one line more, by which the patch gains next to nothing, or would if some emissions were free."""
    if not hunks or rng.random() < 0.5:
        return hunks
    cost = model.cost(hunks)
    wanted = cost.freed - cost.rewrite - cost.measurement - rng.choice((-1, 0, 1, 1, 2))
    wanted += sum(tokens for _, tokens in model.unpaid if rng.random() < 0.3)
    padding = next(("x" * n for n in range(120) if model.meter("x" * n) == wanted), None)
    return hunks if padding is None else (*hunks[:-1], replace(hunks[-1], insert=(*hunks[-1].insert, padding)))


class History:
    """One random history of an engine, judged step by step."""

    def __init__(self, engine: Correct | Fault, seed: int) -> None:
        self.rng = rng = random.Random(seed)
        self.meter = Meters(rng.choice(METERS))
        lines = tuple(random_lines(rng, 5))
        markers = rng.choice(((), (), (), ("keep",), ("keep", "b"), ("",)))
        markers = markers if "protected" in claims_of(engine) else ()
        self.drive = Driver(engine, Config(lines, markers, self.meter), inside=rng.random() < 0.1)
        self.budget = "budget" in claims_of(engine)
        self.model = Model.of(lines, markers, self.meter.count, self.budget)
        self.seen = [self.look()]

    def look(self) -> Seen:
        return self.model.read(self.drive("snapshot"))

    def run(self) -> None:
        writes = ["append", "append", "apply", "apply", "apply", "apply", "restore", "look"]
        writes += ["insert"] * hasattr(self.drive.engine, "insert")
        writes += ["emit", "emit", "emit", "end_turn"] * self.budget
        try:
            for _ in range(STEPS):
                self.meter.broken = self.rng.random() < 0.04
                getattr(self, self.rng.choice(writes))()
                self.meter.broken = False
                if self.rng.random() < 0.7:
                    self.seen.append(self.look())
            self.look()
        finally:
            self.drive.close()

    def write(self, method: str, *values: Any) -> bool:
        """Whether the call took effect; the caller changes its list afterwards. A broken meter changes nothing."""
        given = list(values[-1])
        try:
            assert self.drive(method, *values[:-1], given) is None
        except MeterBroke:
            assert self.meter.broken
            return False
        finally:
            given[:] = ["changed afterwards"]
        return True

    def append(self) -> None:
        lines = random_lines(self.rng, 3)
        if self.write("append", lines):
            self.model.append(lines)

    def insert(self) -> None:
        at, lines = self.rng.randint(0, len(self.model.lines)), random_lines(self.rng, 2)
        if self.write("insert", at, lines):
            self.model.insert(at, lines)

    def emit(self) -> None:
        kind, lines = self.rng.choice(EMISSION_KINDS), random_lines(self.rng, 2)
        if self.write("emit", kind, lines):
            self.model.emit(kind, lines)

    def end_turn(self) -> None:
        assert self.drive("end_turn") is None
        self.model.end_turn()

    def restore(self) -> None:
        """Brings an earlier content back by a patch on the live one: A-B-A."""
        earlier, length = self.rng.choice(self.seen).snapshot.lines, len(self.model.lines)
        self.judge(self.look(), (Hunk(0, length, earlier),), None)

    def apply(self) -> None:
        seen = self.look() if self.rng.random() < 0.7 else self.rng.choice(self.seen)
        most = getattr(self.drive.engine, "max_hunks", 3)
        hunks = balanced(self.rng, self.model, random_hunks(self.rng, len(seen.snapshot.lines), most))
        self.judge(seen, hunks, random_claim(self.rng))

    def judge(self, seen: Seen, hunks: tuple[Hunk, ...], claim: Cost | None) -> None:
        shown, broken = seen.snapshot, self.meter.broken
        stale = shown.lines != self.model.texts
        if not stale and seen.writes != self.model.writes:
            live = self.look()
            assert live.snapshot.base == shown.base or live.snapshot.revision > shown.revision
            stale = live.snapshot.base != shown.base
        rebuilt = Snapshot((*shown.lines,), "".join(shown.base), shown.revision)
        expected = {Reason.STALE_BASE} if stale else self.model.reasons(shown.lines, hunks, claim)
        try:
            answer = self.drive.answer(Patch(rebuilt, hunks, claim))
        except MeterBroke:
            assert broken
            assert not stale
            return
        if isinstance(answer, Rejected):
            assert answer.reason in expected, (answer, expected)
            if stale:
                self.check_message(str(answer), shown)
            return
        assert not expected, expected
        self.check_receipt(answer, self.model.apply(hunks))

    def check_message(self, message: str, authored: Snapshot) -> None:
        live = self.look().snapshot
        assert authored.base[:8] in message or str(authored.revision) in message
        assert live.base[:8] in message or str(live.revision) in message
        assert re.search("re-?author", message)

    def check_receipt(self, receipt: Receipt, cost: Cost) -> None:
        if self.budget and receipt.cost is not None:
            assert receipt.cost == cost
        if self.rng.random() < 0.8:
            live = self.look().snapshot
            assert (receipt.base, receipt.revision) == (live.base, live.revision)


by_id = pytest.mark.parametrize("correct", CORRECT, ids=[correct.id for correct in CORRECT])


@pytest.mark.slow
def test_the_model_convicts_nine_of_ten_faulty_engines() -> None:
    def convicted(fault: Fault) -> bool:
        try:
            for seed in range(200):
                History(fault, seed).run()
        except Exception:
            return True
        return False

    escaped = [fault.id for fault in BUDGET_FAULTS if not convicted(fault)]
    assert len(escaped) * 10 <= len(BUDGET_FAULTS), escaped


@pytest.mark.parametrize("histories", slow_unless((FEW,), (FEW, MANY)))
@by_id
def test_an_engine_keeps_to_the_contract_in_random_histories(correct: Correct, histories: int) -> None:
    for seed in range(histories):
        try:
            History(correct, seed).run()
        except Exception as problem:
            problem.add_note(f"in the history of seed {seed} of {correct.id}")
            raise


def claiming(*profiles: str) -> list[Correct]:
    return [correct for correct in CORRECT if claims_of(correct).issuperset(profiles)]


ATOMIC = claiming("atomic")
by_atomic_id = pytest.mark.parametrize("correct", ATOMIC, ids=[correct.id for correct in ATOMIC])


@pytest.fixture
def hasty_threads() -> Iterator[None]:
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


async def shorten_once(engine: Any) -> None:
    """Takes one character off the first line, tried again whenever somebody else was faster."""
    while True:
        shown = await settle(engine.snapshot())
        try:
            await settle(engine.apply(Patch(shown, (Hunk(0, 1, (shown.lines[0][1:],)),))))
            return
        except Rejected as refusal:
            if refusal.reason is not Reason.STALE_BASE:
                raise


@by_atomic_id
@pytest.mark.usefixtures("hasty_threads")
def test_an_engine_that_claims_atomic_loses_no_update_of_rivals(correct: Correct) -> None:
    drive = Driver(correct, Config(lines=("x" * 1000,)))

    async def client(name: int) -> None:
        for turn in range(10):
            await shorten_once(drive.engine)
            await settle(drive.engine.append([f"{name}/{turn}"]))

    if asyncio.iscoroutinefunction(drive.engine.snapshot):

        async def together() -> None:
            await asyncio.gather(*(client(name) for name in range(4)))

        drive.run(together())
    else:
        threads = [threading.Thread(target=lambda n=name: asyncio.run(client(n))) for name in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    first, *rest = drive("snapshot").lines
    assert first == "x" * (1000 - 4 * 10)
    assert sorted(rest) == sorted(f"{name}/{turn}" for name in range(4) for turn in range(10))
    assert [line for line in rest if line[0] == "2"] == [f"2/{turn}" for turn in range(10)]
    drive.close()


@pytest.mark.parametrize(
    "correct",
    [correct for correct in claiming("atomic", "budget") if correct.id != "async-lock"],
    ids=lambda correct: correct.id,
)
def test_an_engine_that_claims_atomic_lets_no_rival_in_while_the_meter_runs(correct: Correct) -> None:
    meter = Meters(utf8_bytes)
    drive = Driver(correct, Config(lines=("first", "second", "third"), count_tokens=meter))
    rivals: list[threading.Thread] = []

    def start_rival() -> None:
        rivals.append(threading.Thread(target=lambda: drive("append", ["rival"])))
        rivals[0].start()
        rivals[0].join(0.05)

    shown = drive("snapshot")
    meter.before = start_rival
    answer = drive.answer(Patch(shown, (Hunk(1, 2),)))
    expected: tuple[str, ...] = ("first", "third", "rival")
    if isinstance(answer, Rejected):
        assert answer.reason is Reason.STALE_BASE
        expected = ("first", "second", "third", "rival")
    rivals[0].join()
    assert drive("snapshot").lines == expected
    drive.close()


def test_the_engines_are_unlike_each_other() -> None:
    classes = [correct.make for correct in CORRECT if isinstance(correct.make, type)]
    assert len({correct.id for correct in CORRECT}) == len({correct.make for correct in CORRECT}) == len(CORRECT)
    assert all(engine.__bases__ == (object,) for engine in classes)


def test_an_actor_that_nobody_closed_leaves_no_thread_behind() -> None:
    before = threading.active_count()
    (make,) = [correct.make for correct in CORRECT if correct.id == "actor"]
    for _ in range(20):
        make(Config()).append(["x"])
    for thread in threading.enumerate()[before:]:
        thread.join(5)
    assert threading.active_count() == before
