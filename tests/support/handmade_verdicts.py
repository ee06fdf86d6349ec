"""Verdicts made by hand, so that what a report says of them is fixed; and one real one, of a real adapter."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from basebound.core.register import requirement, requirements
from basebound.core.trace import Append, Apply, Emit, Read, Step, Trace
from basebound.model import Hunk, Reason, Receipt, Snapshot, utf8_bytes
from basebound.results.claims import Described
from basebound.results.counterexample import Counterexample
from basebound.results.finding import Finding
from basebound.results.outcome import Outcome, Raised, Refused, Returned
from basebound.results.steps import ExecutedStep
from basebound.results.verdict import FAIL, INCONCLUSIVE, NOT_CLAIMED, PASS, WAIVED, Judged, Tally, Verdict
from basebound.results.waiver import Waiver
from basebound.run.check import Options, check

ENGINE = Path(__file__).parents[1] / "unit" / "report" / "engine.py"
HOSTILE = (
    "</script><script>document.title='owned'</script>",
    "<!-- <script> -->",
    "<img src=x onerror=alert(1)>",
    "``` @team #1 | a cell | ```",
    "</details>\n\n# heading\n- [ ] task",
    "nul \x00 bell \x07 escape \x1b[31m",
    "separators \u2028 \u2029 \x85 right-to-left \u202e",
    "e\u0301 combined",
    "]]> <![CDATA[ &amp; 'quoted' \"twice\"",
)


def size(lines: tuple[str, ...]) -> int:
    return sum(map(utf8_bytes, lines))


def told(step: Step, outcome: Outcome, lines: tuple[str, ...], **books: object) -> ExecutedStep:
    return ExecutedStep(step, outcome, lines, **{"size": size(lines), **books})  # type: ignore[arg-type]


def stale(name: str, lines: tuple[str, ...] = ("plan", "result: ok"), added: str = "result: failed") -> Counterexample:
    """An engine that compares nothing and writes what its author would have: a line appended unseen is lost."""
    live, last = (*lines, added), len(lines)
    patch = Apply("s1", (Hunk(last - 1, last, ("summary",)),), expect="stale-base")
    steps = (
        told(Read("s1"), Returned(Snapshot(lines, "b0", 0)), lines),
        told(Append((added,)), Returned(), live),
        told(patch, Returned(Receipt("b2", 2)), live),
    )
    trace = Trace(lines, (), "utf8-bytes", tuple(entry.step for entry in steps))
    allowed = "refused as stale-base: the live content is not the content the patch was authored against"
    finding = Finding(name, 2, allowed, "applied")
    return Counterexample(name, trace, steps, finding, "scenarios", 12, (*lines[:-1], "summary"))


def unpaid(name: str) -> Counterexample:
    """An engine that leaves a rationale out of its costs."""
    lines = ("a long line to be removed", "why: it is long")
    read = Returned(Snapshot(lines, "b1", 1))
    patch = Apply("s1", (Hunk(0, 1, ("a short line",)),), expect="not-freed")
    after = ("a short line", lines[1])
    steps = (
        told(Emit("rationale", lines[1:]), Returned(), lines, unpaid=16, artifacts=(1,)),
        told(Read("s1"), read, lines, unpaid=16, artifacts=(1,)),
        told(patch, Returned(Receipt("b2", 2)), lines, artifacts=(1,)),
    )
    trace = Trace(lines[:1], (), "utf8-bytes", tuple(entry.step for entry in steps))
    finding = Finding(name, 2, "refused as not-freed (net -3: freed 26, rewrite 29, measurement 0)", "applied")
    return Counterexample(name, trace, steps, finding, "search", 318, after)


def unprotected(name: str) -> Counterexample:
    """An engine that knows no markers."""
    lines = ("pin: keep this", "x")
    patch = Apply("s1", (Hunk(0, 1),), expect="protected")
    steps = (
        told(Read("s1"), Returned(Snapshot(lines, "b0", 0)), lines),
        told(patch, Returned(Receipt("b1", 1)), lines),
    )
    trace = Trace(lines, ("pin:",), "utf8-bytes", tuple(entry.step for entry in steps))
    return Counterexample(name, trace, steps, Finding(name, 1, "refused as protected", "applied"), "box", 2, lines[1:])


def raising(name: str) -> Counterexample:
    """An engine that fails where it has to refuse; a rival was refused before."""
    patch = Apply("s1", (Hunk(0, 5),), expect="bad-hunk")
    steps = (
        told(Read("s1"), Returned(Snapshot(("a",), "b0", 0)), ("a",)),
        told(Apply("s1", (Hunk(9, 9, ("x",)),)), Refused(Reason.BAD_HUNK, "9 is past the end"), ("a",)),
        told(patch, Raised("IndexError", "list index out of range", f"{ENGINE}:7"), ("a",)),
    )
    trace = Trace(("a",), (), "utf8-bytes", tuple(entry.step for entry in steps))
    finding = Finding(name, 2, "refused as bad-hunk", "raised IndexError: list index out of range")
    return Counterexample(name, trace, steps, finding, "box", 40, repeats="sometimes", notes=("only now and then",))


def passed(name: str) -> Judged:
    scenario = {"kind": "scenario", "lens": "scenarios", "runs": 124, "steps": 1154, "goals": ["tried"]}
    searched = {"kind": "searched", "lens": "box", "runs": 4001, "steps": 22010, "goals": ["tried", "twin"]}
    return Judged(requirement(name), PASS, (scenario, searched))


def judged(rows: tuple[Judged, ...], **changes: object) -> Verdict:
    target = Described("engine.py:Engine", frozenset({"base", "protected", "budget"}), True, None, False, None, None)
    tallies = {"scenarios": Tally(124, 1154), "box": Tally(4001, 22010)}
    verdict = Verdict(target, "quick", 7, frozenset({"base", "protected", "budget"}), rows, tallies, 12.34)
    return replace(verdict, **changes)  # type: ignore[arg-type]


ROWS = (
    Judged(requirement("BASE-STALE-APPEND"), FAIL, passed("BASE-REPLAY").evidence, stale("BASE-STALE-APPEND")),
    Judged(requirement("BASE-STALE-LENGTH"), FAIL, (), stale("BASE-STALE-LENGTH")),
    Judged(requirement("BASE-STALE-MESSAGE"), FAIL, (), stale("BASE-STALE-MESSAGE", ("a", "b"))),
    passed("BASE-REPLAY"),
    Judged(requirement("BASE-HUNK-RANGE"), FAIL, (), raising("BASE-HUNK-RANGE")),
    Judged(
        requirement("BASE-INSERT-EXACT"),
        INCONCLUSIVE,
        unreached=requirement("BASE-INSERT-EXACT").goals,
    ),
    Judged(
        requirement("PROTECTED-REFUSED"),
        WAIVED,
        (),
        unprotected("PROTECTED-REFUSED"),
        note="waived until 2031-05-01 by ada: the old store has no markers",
        waiver=Waiver("PROTECTED-REFUSED", "the old store has no markers", "ada", date(2031, 5, 1)),
    ),
    Judged(requirement("PROTECTED-REST"), NOT_CLAIMED, note="the target does not claim protected"),
    Judged(requirement("BUDGET-CHARGE-RATIONALE"), FAIL, (), unpaid("BUDGET-CHARGE-RATIONALE")),
    passed("BUDGET-NET-ONE"),
)


@pytest.fixture
def verdict() -> Verdict:
    """Of every verdict one; broken in four ways, one of them told of two requirements."""
    source = (str(ENGINE), 4)
    told = judged(
        ROWS, notes=("search 0: stopped after 36 of 60 runs, as 3 s had passed: a slow engine, or a busy machine",)
    )
    return replace(told, target=replace(told.target, source=source))


@pytest.fixture
def conformant() -> Verdict:
    return judged((passed("BASE-REPLAY"), passed("BUDGET-NET-ONE")))


@pytest.fixture
def complained(conformant: Verdict) -> Verdict:
    return replace(conformant, complaints=("the waiver of BASE-REPLAY matches nothing any more: remove it",))


@pytest.fixture
def hostile() -> Verdict:
    """An engine whose every word tries to leave the place it is quoted in."""
    found = stale("BASE-STALE-APPEND", HOSTILE, "\n".join(HOSTILE))
    refusal = Refused(Reason.STALE_BASE, " ".join(HOSTILE) + "\ud800")
    shown = tuple(replace(one, outcome=refusal) if one.step.op == "apply" else one for one in found.steps)
    finding = replace(found.finding, seen=" ".join(HOSTILE), allowed=HOSTILE[0])
    row = Judged(
        requirement("BASE-STALE-APPEND"), FAIL, (), replace(found, steps=shown, finding=finding, notes=HOSTILE)
    )
    told = judged((row,), notes=HOSTILE, complaints=HOSTILE)
    return replace(told, target=replace(told.target, name="/".join(HOSTILE)))


def numbered(number: int) -> Counterexample:
    """A counterexample of 60 lines and 40 steps, in the words of no other."""
    lines = tuple(f"tool: call {number}.{n} answered with {'a long line of text ' * 4}" for n in range(60))
    found = stale("BASE-STALE-APPEND", lines, f"tool: call {number} failed")
    reads = tuple(told(Read(f"r{n}"), Returned(Snapshot(lines, "b0", 0)), lines, unpaid=n) for n in range(37))
    steps = (*reads, *found.steps)
    finding = replace(found.finding, step=len(steps) - 1)
    trace = replace(found.trace, steps=tuple(entry.step for entry in steps))
    return replace(found, steps=steps, trace=trace, finding=finding)


@pytest.fixture
def sixty() -> Verdict:
    """60 broken requirements, each with a long history of its own."""
    rows = requirements()[:60]
    assert len(rows) == 60
    return judged(tuple(Judged(row, FAIL, (), replace(numbered(n), requirement=row.id)) for n, row in enumerate(rows)))


@pytest.fixture(scope="session")
def real() -> Verdict:
    """GNU patch, judged by the scenarios."""
    if shutil.which("patch") is None:
        pytest.skip("needs GNU patch; there is no `patch` on the path")
    return check("adapter:gnu-patch", Options(effort="quick", lenses=("scenarios",), jobs=1))


@pytest.fixture
def written(tmp_path: Path) -> Callable[[Callable[[Verdict, Path], None], Verdict], Path]:
    """Writes a verdict by a report's own writer, and gives the file."""

    def write(writer: Callable[[Verdict, Path], None], told: Verdict) -> Path:
        path = tmp_path / "report"
        writer(told, path)
        return path

    return write
