"""The catalogue's own claims: well-formed, complete, and every fault differs from the engine it was made from."""

from __future__ import annotations

import contextlib
import io
import random
import re
import subprocess
import sys
import threading
import tomllib
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any

import pytest
from contract_model import Buffer

from basebound.core.trace import Append, Apply, Insert, Read
from basebound.errors import UsageError
from basebound.model import Config, Hunk, Patch, Reason, Receipt, Rejected, Snapshot
from basebound.targets import catalogue as targets
from basebound_catalogue.catalogue import FAULTS, KINDS, VACUOUS, by_id
from basebound_catalogue.kinds import Factory, Fault
from basebound_catalogue.mutants.base import BASE_FAULTS
from basebound_catalogue.mutants.protected import PROTECTED_FAULTS
from basebound_catalogue.plain import PlainEngine

MINE = (*BASE_FAULTS, *PROTECTED_FAULTS)
Step = Read | Append | Insert | Apply


def requirements(*profiles: str) -> set[str]:
    register = tomllib.loads(files("basebound_spec").joinpath("requirements.toml").read_text("utf-8"))
    return {entry["id"] for entry in register["requirement"] if not profiles or entry["profile"] in profiles}


# ------------------------------------------------------------------- the catalogue


@pytest.mark.parametrize("kind", KINDS)
def test_ids_are_unique_and_in_kebab_case(kind: str) -> None:
    ids = [entry.id for entry in KINDS[kind]]
    assert sorted(set(ids)) == sorted(ids)
    assert [id for id in ids if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", id)] == []


def test_every_fault_names_a_requirement_of_the_register() -> None:
    assert {fault.requirement for fault in FAULTS} <= requirements()


def test_every_requirement_of_base_and_protected_has_a_fault() -> None:
    assert requirements("base", "protected") - {fault.requirement for fault in MINE} == set()


def test_every_fault_tells_its_origin_and_what_it_does_in_one_sentence() -> None:
    assert [fault.id for fault in MINE if not fault.origin or not re.fullmatch(r"[A-Z0-9a-z].*\.", fault.about)] == []


def test_an_engine_is_found_by_kind_and_id() -> None:
    assert all(by_id(kind, entry.id) is entry for kind, entries in KINDS.items() for entry in entries)


def test_the_prefixes_of_targets_are_the_kinds_of_engines() -> None:
    assert tuple(KINDS) == targets.KINDS


def test_an_unknown_id_names_what_comes_near() -> None:
    with pytest.raises(UsageError, match="fault:nearest-match"):
        by_id("fault", "nearest-mach")
    with pytest.raises(UsageError, match="free-pass:echo"):
        by_id("free-pass", "qqqqqq")
    with pytest.raises(UsageError, match=r"\[unknown-kind\]"):
        by_id("wrong", "no-guard")


@pytest.mark.parametrize("entry", VACUOUS, ids=lambda entry: entry.id)
def test_a_vacuous_engine_claims_all_that_it_does_not_do(entry: Any) -> None:
    engine = entry.make(Config(lines=("a", "b")))
    assert engine.profiles == {"base", "protected", "budget"}
    assert all(
        callable(getattr(engine, name)) for name in ("snapshot", "append", "insert", "apply", "emit", "end_turn")
    )


# -------------------------------------------------------------------- random histories

WORDS = (
    *("", " ", "a", "b", "A", "ab", "ba", "a ", " a", "\ta", "a\nb", "a\r\nb", "a\n", "b\na", "a\\nb", "\\n", "a\0b"),
    *("\u00e9", "e\u0301", "\u00fc", "\u2028", r"\1\g<0>", "$& $$", "{x} {}", "%s 5%%", "<b>&", "a b", "a  b", "a\tb"),
    *("[pin]", "x [pin] y", "[PIN]", "pin", "keep", "xkeepx", "[pin]\nx", "x\n[pin]", "[pin] keep", "pins"),
    *("a line longer than twenty-four characters: one", "a line longer than twenty-four characters: two"),
)
MARKERS: Sequence[tuple[str, ...]] = ((), (), ("[pin]",), ("[pin]", "keep"), ("keep", "pin"), (" pin ",), ("",))


@dataclass(frozen=True)
class History:
    """A start, and steps with the coordinates and names that PlainEngine's course gave rise to."""

    config: Config
    steps: tuple[Step, ...]


class Author:
    """Draws a history while it is run on a :class:`PlainEngine`."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.words = self.random.sample(WORDS, self.random.randint(3, 8))
        self.config = Config(self.text(self.random.choice((0, 1, 3, 6, 24))), self.random.choice(MARKERS))
        self.engine = PlainEngine(self.config)
        self.seen: list[tuple[str, Snapshot]] = []
        self.steps: list[Step] = []
        self.patches: list[Apply] = []

    def text(self, most: int) -> tuple[str, ...]:
        return tuple(self.random.choice(self.words) for _ in range(self.random.randint(0, most)))

    def history(self) -> History:
        self.read()
        for _ in range(self.random.randint(4, 30)):
            self.random.choice((self.read, self.append, self.insert, self.edit, self.edit, self.edit, self.again))()
        return History(self.config, tuple(self.steps))

    def read(self) -> None:
        name = f"s{len(self.seen)}"
        self.seen.append((name, self.engine.snapshot()))
        self.steps.append(Read(name))

    def append(self) -> None:
        lines = self.random.choice((self.text(3), self.text(3), self.engine.lines[-1:], self.engine.lines[:2]))
        self.engine.append(lines)
        self.steps.append(Append(lines))

    def insert(self) -> None:
        at = self.place(self.engine.lines)
        lines = self.text(2)
        self.engine.insert(at, lines)
        self.steps.append(Insert(at, lines))

    def again(self) -> None:
        if self.patches:
            self.submit(self.random.choice(self.patches[-3:]))

    def edit(self) -> None:
        if self.random.random() < 0.6:
            self.read()
        name, base = self.random.choice(self.seen[-3:] if self.random.random() < 0.7 else self.seen)
        draw = self.random.choice((self.tidy, self.tidy, self.tidy, self.wild, self.swap, self.near, self.whole))
        hunks = draw(base.lines)
        self.submit(Apply(name, tuple(hunks)))

    def submit(self, step: Apply) -> None:
        self.steps.append(step)
        self.patches.append(step)
        with contextlib.suppress(Rejected):
            self.engine.apply(Patch(dict(self.seen)[step.base], step.hunks))

    def tidy(self, lines: tuple[str, ...]) -> list[Hunk]:
        """Hunks that fit, some at one point, some adjacent, in any order."""
        number = self.random.choice((0, 1, 1, 1, 2, 2, 3))
        cuts = sorted(self.place(lines) for _ in range(number * 2))
        hunks = [Hunk(cuts[at], cuts[at + 1], self.fill(lines, cuts[at])) for at in range(0, number * 2, 2)]
        self.random.shuffle(hunks)
        return hunks

    def place(self, lines: tuple[str, ...]) -> int:
        return self.random.choice((0, len(lines), self.random.randint(0, len(lines))))

    def fill(self, lines: tuple[str, ...], at: int) -> tuple[str, ...]:
        return self.random.choice((self.text(2), self.text(3), (), ("",), lines[at : at + 1], lines[at : at + 3]))

    def wild(self, lines: tuple[str, ...]) -> list[Hunk]:
        bounds = range(-2, len(lines) + 3)
        return [
            *self.tidy(lines),
            *(Hunk(self.random.choice(bounds), self.random.choice(bounds), self.text(1)) for _ in range(2)),
        ][: self.random.randint(1, 3)]

    def swap(self, lines: tuple[str, ...]) -> list[Hunk]:
        if len(lines) < 2:
            return []
        at = self.random.randrange(len(lines) - 1)
        return [Hunk(at, at + 2, lines[at : at + 2][::-1])]

    def near(self, lines: tuple[str, ...]) -> list[Hunk]:
        """One or two lines by others that a careless encoding takes for the same."""
        at = self.place(lines)
        old = lines[at : at + 2]
        text = "\n".join(old)
        forms = [tuple(unicodedata.normalize(form, line) for line in old) for form in ("NFC", "NFD")]
        spelled = [(text.replace("\n", "\\n"),), (text.replace("\\n", "\n"),), (text,), tuple(text.split("\n"))]
        shorter = [tuple(map(str.rstrip, old)), tuple(map(str.casefold, old)), tuple(line[:24] for line in old)]
        others = [*forms, *spelled, *shorter]
        return [Hunk(at, at + len(old), self.random.choice(others))] if old else []

    def whole(self, lines: tuple[str, ...]) -> list[Hunk]:
        return [Hunk(0, len(lines), self.random.choice(((), self.text(2), lines)))]


def long_life() -> History:
    """Some hundred contents, all read: short bases and small counters run out."""
    steps: list[Step] = [Read("first")]
    for number in range(700):
        steps += [Append((f"{number}",)), Read(f"s{number}")]
    return History(Config(), tuple(steps))


def large() -> History:
    """Long lines, many lines and many hunks; changes far down, far right and far up."""
    lines = tuple(f"{number} {'.' * 40}" for number in range(90))
    steps: list[Step] = [Read("s0"), Append(("x" * 70000,)), Read("s1")]
    for name, at in (("s2", 70), ("s3", 0), ("s4", 80)):
        steps += [Apply(steps[-1].name, (Hunk(at, at + 1, ("changed",)),)), Read(name)]  # type: ignore[union-attr]
    steps += [Apply("s4", tuple(Hunk(at, at + 1, ("many",)) for at in range(0, 60, 2))), Read("s5")]
    steps += [Append(tuple(map(str, range(4000)))), Read("s6"), Apply("s6", (Hunk(0, 1),)), Read("s7")]
    return History(Config(lines), tuple(steps))


def conflicts_in_a_row() -> History:
    """One stale patch after another, so that what depends on luck or on a count comes up."""
    steps: list[Step] = [Read("old")]
    for number in range(300):
        steps += [Append((f"{number}",)), Read(f"s{number}"), Apply(f"s{number - 1}" if number else "old", ())]
    return History(Config(("a",)), tuple(steps))


def near_collisions() -> History:
    """Contents that a checksum, or a length in one byte, takes for one another."""
    several = ("aaa", "x" * 97, "x" * 97, "x" * 59)
    steps: list[Step] = [Append(("uejgtcuo",)), Read("s1"), Apply("s1", (Hunk(0, 1, ("iiwucoup",)),)), Read("s2")]
    steps += [Apply("s2", (Hunk(0, 1, ("aaa" + ("a" + "x" * 97) * 2 + ";" + "x" * 59,)),)), Read("s3")]
    steps += [Apply("s3", (Hunk(0, 1, several),)), Read("s4")]
    return History(Config(), tuple(steps))


@cache
def histories() -> tuple[History, ...]:
    drawn = [Author(seed).history() for seed in range(1500)]
    return (*drawn[:500], large(), long_life(), conflicts_in_a_row(), near_collisions(), *drawn[500:])


class Bystander:
    """Runs a history on an engine and notes what can be seen from outside, opaque strings by number."""

    def __init__(self, make: Factory, history: History) -> None:
        self.engine = make(history.config)
        self.snapshots: dict[str, Any] = {}
        self.shown: dict[str, Any] = {}
        self.bases: dict[object, int] = {}
        self.history = history

    def notes(self) -> Iterator[object]:
        for step in self.history.steps:
            try:
                yield self.note(step)
            except Rejected as refusal:
                yield refusal.reason, self.told(step, str(refusal.message))
            except (Exception, SystemExit) as error:
                yield type(error)
        yield self.seen(self.engine.snapshot())
        yield [tuple(snapshot.lines) == self.shown[name] for name, snapshot in self.snapshots.items()]

    def note(self, step: Step) -> object:
        if isinstance(step, Read):
            self.snapshots[step.name] = snapshot = self.engine.snapshot()
            self.shown[step.name] = tuple(snapshot.lines)
            return self.seen(snapshot)
        if isinstance(step, Append):
            lent = list(step.lines)
            self.engine.append(lent)
            lent.append("changed by its owner")
        elif isinstance(step, Insert):
            self.engine.insert(step.at, list(step.lines))
        else:
            return self.seen(self.engine.apply(Patch(self.base(step), step.hunks)))
        return None

    def base(self, step: Apply) -> Snapshot:
        snapshot: Snapshot = self.snapshots[step.base]
        rebuilt = len(step.hunks) % 2 == 0 and type(snapshot) is Snapshot
        return replace(snapshot, lines=tuple(snapshot.lines)) if rebuilt else snapshot

    def seen(self, value: object) -> object:
        if not isinstance(value, Snapshot | Receipt):
            return type(value)
        lines = value.lines if isinstance(value, Snapshot) else None
        number = self.bases.setdefault(value.base, len(self.bases))
        return type(lines), lines, number, type(value.revision), value.revision

    def told(self, step: Step, message: str) -> object:
        authored = self.snapshots[step.base].base[:8] if isinstance(step, Apply) else ""
        return authored in message, "re-author" in message


@cache
def plain_notes(number: int) -> list[object]:
    return list(Bystander(PlainEngine, histories()[number]).notes())


def separating_history(fault: Fault) -> int | None:
    """The number of the first history on which the fault shows, if there is one."""
    for number, history in enumerate(histories()):
        notes = Bystander(fault.make, history).notes()
        if any(note != expected for note, expected in zip(notes, plain_notes(number), strict=True)):
            return number
    return None


# What cannot be compared note by note, as it does not come back, ends the process, or floods it.
UNBOUNDED = {"lock-kept-by-refusal", "empty-hunk-hangs", "bad-hunk-kills-the-process", "refusal-floods-output"}


@pytest.mark.parametrize("fault", [f for f in MINE if f.id not in UNBOUNDED], ids=lambda fault: fault.id)
def test_a_fault_can_be_told_from_the_engine_it_was_made_from(fault: Fault) -> None:
    assert separating_history(fault) is not None


# --------------------------------------------------------- the engine they were made from


@pytest.mark.parametrize("seeds", [range(start, start + 60) for start in range(0, 300, 60)], ids=str)
def test_the_plain_engine_does_what_the_contract_says(seeds: range) -> None:
    for seed in seeds:
        try:
            keeps_to_the_contract(Author(seed).history())
        except Exception as problem:
            problem.add_note(f"in the history of seed {seed}")
            raise


def keeps_to_the_contract(history: History) -> None:
    engine, model = PlainEngine(history.config), Buffer.of(history.config.lines, history.config.protected, budget=False)
    snapshots: dict[str, Snapshot] = {}
    bases: dict[str, tuple[str, ...]] = {}
    for step in history.steps:
        before = engine.snapshot()
        if isinstance(step, Read):
            snapshots[step.name] = before
        elif isinstance(step, Append):
            engine.append(list(step.lines))
            model.append(step.lines)
        elif isinstance(step, Insert):
            engine.insert(step.at, list(step.lines))
            model.insert(step.at, step.lines)
        else:
            submit(engine, model, Patch(snapshots[step.base], step.hunks))
        after = engine.snapshot()
        assert after.lines == model.texts
        assert (after.revision > before.revision) == (after.lines != before.lines)
        assert bases.setdefault(after.base, after.lines) == after.lines


def submit(engine: PlainEngine, model: Buffer, patch: Patch) -> None:
    before, reasons = engine.snapshot(), model.reasons(patch.base.lines, patch.hunks)
    if reasons:
        with pytest.raises(Rejected) as refused:
            engine.apply(patch)
        assert refused.value.reason in reasons
        assert engine.snapshot() == before
    else:
        model.apply(patch.hunks)
        receipt = engine.apply(patch)
        assert receipt == Receipt(engine.snapshot().base, engine.snapshot().revision)


def test_the_plain_engine_says_why_a_patch_is_stale_and_what_to_do() -> None:
    engine = PlainEngine(Config(("a",)))
    authored = engine.snapshot()
    engine.append(["b"])
    live = engine.snapshot()
    with pytest.raises(Rejected) as refused:
        engine.apply(Patch(authored, ()))
    assert refused.value.reason is Reason.STALE_BASE
    assert all(text in refused.value.message for text in (authored.base[:8], live.base[:8], "re-author"))


# ------------------------------------------------------------- hangs, floods and exits


def stale_patch(engine: Any) -> Patch:
    authored = engine.snapshot()
    engine.append(["b"])
    return Patch(authored, ())


def comes_back(call: Any, *given: object) -> bool:
    """Whether the call ends within half a second, in any way."""

    def run() -> None:
        with contextlib.suppress(Rejected):
            call(*given)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(0.5)
    return not thread.is_alive()


def made(id: str) -> Any:
    return by_id("fault", id).make(Config(("a",)))


def test_a_lock_kept_by_a_refusal_stops_the_next_write() -> None:
    engine = made("lock-kept-by-refusal")
    assert comes_back(engine.apply, stale_patch(engine))
    assert not comes_back(engine.append, ["c"])


def test_an_empty_hunk_hangs() -> None:
    engine = made("empty-hunk-hangs")
    assert comes_back(engine.apply, Patch(engine.snapshot(), ()))
    assert not comes_back(engine.apply, Patch(engine.snapshot(), (Hunk(0, 0),)))


def test_a_refusal_floods_the_output() -> None:
    engine = made("refusal-floods-output")
    with contextlib.redirect_stdout(io.StringIO()) as output, pytest.raises(Rejected):
        engine.apply(stale_patch(engine))
    assert len(output.getvalue()) == 8 * 2**20


def test_a_bad_hunk_kills_the_process() -> None:
    program = (
        "from basebound_catalogue.catalogue import by_id\n"
        "from basebound.model import Config, Hunk, Patch\n"
        "engine = by_id('fault', 'bad-hunk-kills-the-process').make(Config())\n"
        "engine.apply(Patch(engine.snapshot(), (Hunk(0, 9),)))\n"
    )
    assert subprocess.run([sys.executable, "-c", program], timeout=60, check=False).returncode == 70
