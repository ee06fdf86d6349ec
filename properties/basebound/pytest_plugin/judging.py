"""One target judged, with what is known of it from before: kept counterexamples first, then the whole suite."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from basebound.core.register import by_id
from basebound.core.trace import Trace, load
from basebound.errors import TraceError, UsageError
from basebound.gate import waivers
from basebound.pytest_plugin.options import Case
from basebound.report import traces
from basebound.report.summary import work
from basebound.results.claims import Claims, Described
from basebound.results.verdict import NOT_CLAIMED, Verdict
from basebound.run.check import check
from basebound.run.pool import Pool
from basebound.targets.claims import ask


@dataclass(frozen=True)
class Outcome:
    """What judging came to: a verdict, or why there is none. ``notes`` are about the kept counterexamples."""

    target: str
    verdict: Verdict | None
    error: str = ""
    files: dict[str, Path] | None = None
    notes: tuple[str, ...] = ()

    def summary(self) -> Iterator[str]:
        """A line for the whole, and what else there is to say."""
        verdict = self.verdict
        if verdict is None:
            yield f"{self.target}: not judged"
            return
        waived = f", {len(verdict.waived)} waived" if verdict.waived else ""
        asked = f"effort {verdict.effort}, seed {verdict.seed}"
        yield f"{self.target}: {verdict.name}{waived}; {asked}, {work(verdict)}"
        yield from (f"  {note}" for note in (*verdict.notes, *self.notes))


def describe(case: Case) -> Claims | Described | str:
    """What the target says of itself, or why it cannot be loaded."""
    seconds = case.options.seconds
    with _reachable(case):
        told = ask(case.target, seconds)
        if told is not None:
            return told
        try:
            with Pool(case.target, 1, seconds) as pool:  # slower, and says what is wrong
                return pool.describe()
        except UsageError as error:
            return str(error)


def judge(case: Case) -> Outcome:
    """Judge the target of ``case`` and keep its counterexamples in its folder."""
    try:
        with _reachable(case):
            waiving = waivers.load(case.waivers) if case.waivers is not None else ()
            kept = _kept(case.folder) if case.replays else {}
            verdict = check(case.target, case.options, waivers=waiving, known=kept)
    except UsageError as error:
        return Outcome(case.target, None, str(error))
    except Exception:  # told once, in the tests of this target, and not tried again for each of them
        failed = "basebound itself failed, so there is no verdict on the target; please report this"
        return Outcome(case.target, None, f"{failed}\n{traceback.format_exc()}")
    fixed = _fixed(verdict, kept)
    notes = [_forget(case.folder, name) for name in fixed]
    files, said = _keep(case.folder, verdict)
    return Outcome(case.target, verdict, "", files, (*notes, *said))


@contextmanager
def _reachable(case: Case) -> Iterator[None]:
    """For a while, the suite's processes find the test module's package."""
    path = list(sys.path)
    if case.path is not None and case.path not in sys.path:
        sys.path.append(case.path)
    try:
        yield
    finally:
        sys.path[:] = path


def _kept(folder: Path) -> dict[str, Trace]:
    """The counterexamples of earlier runs; a file that is none is left alone."""
    found: dict[str, Trace] = {}
    for path in sorted(folder.glob("*.ndjson")):
        if path.stem in by_id():
            try:
                found[path.stem] = load(path)
            except TraceError:
                continue
    return found


def _fixed(verdict: Verdict, kept: dict[str, Trace]) -> list[str]:
    held = {row.requirement.id for row in verdict.judged if row.counterexample is None and row.verdict != NOT_CLAIMED}
    return [name for name in kept if name in held]


def _forget(folder: Path, name: str) -> str:
    path = traces.place(folder, name)
    path.unlink(missing_ok=True)
    return f"{name} is fixed: the history that broke it holds now, and {shown(path)} is removed"


def _keep(folder: Path, verdict: Verdict) -> tuple[dict[str, Path], list[str]]:
    """Each counterexample as a trace file, by requirement id; and what stood in the way."""
    try:
        return traces.write(verdict, folder), []
    except OSError as error:
        return {}, [f"counterexamples cannot be kept in {folder}: {error}"]


def shown(path: Path) -> Path:
    """``path`` as it is typed here."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path
