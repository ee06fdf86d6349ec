"""The markdown report, for a pull request's comment or a job's summary: always below 60,000 characters.

Engines and their content are quoted in code spans and fences that nothing in them can close, so that they neither
format the page nor mention anybody.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from basebound.core.register import spec_version
from basebound.report.evidence import because
from basebound.report.story import text
from basebound.report.summary import WORDS, by_history, by_profile, expired, failed, headline, work
from basebound.results.verdict import FAIL, INCONCLUSIVE, NOT_CLAIMED, PASS, WAIVED, Judged, Verdict

LIMIT = 60_000
"""Characters; a comment may have 65,536."""
_CELL, _STORY = 160, 4_000
_SIGNS = {"conformant": "✅", "violations": "❌", "inconclusive": "⚠️"}
_COLUMNS = (PASS, FAIL, INCONCLUSIVE, WAIVED)


def write(verdict: Verdict, path: Path) -> None:
    """Write ``verdict`` to ``path``."""
    path.write_text(page(verdict), encoding="utf-8", errors="replace")


def page(verdict: Verdict) -> str:
    """``verdict`` as markdown; what does not fit is left out from the end, and said to be."""
    made = _Page()
    name = code(verdict.target.name, 200)
    made.add(f"## {_SIGNS[verdict.name]} basebound: {headline(name, verdict)}\n\n{_facts(verdict)}\n\n")
    made.add(_profiles(verdict) + "\n")
    complaints = [(code(one),) for one in verdict.complaints]
    made.table(f"### {expired(len(complaints))}: remove or renew", ("waiver",), complaints)
    broken, advice = failed(verdict, "MUST"), failed(verdict, "SHOULD")
    open_ = [row for row in verdict.judged if row.verdict == INCONCLUSIVE]
    made.table("### Broken", ("requirement", "what must hold", "seen"), map(_broken, broken))
    made.table("### Not exercised", ("requirement", "what must hold", "why"), map(_why, open_))
    made.table("### Waived", ("requirement", "what must hold", "waiver"), map(_waived, verdict.waived))
    made.table(
        "### Advice: SHOULD not met (does not change the exit code)",
        ("requirement", "what should hold", "seen"),
        map(_broken, advice),
    )
    made.stories("### Counterexamples", by_history([*broken, *verdict.waived, *advice]))
    everything = made.details("All requirements", _table(_ALL, map(_row, verdict.judged)))
    if not everything:
        made.add("\nThe table of all requirements does not fit here; the other reports have it.\n")
    made.add(_last(verdict))
    return made.text


def code(text: str, most: int = _CELL) -> str:
    """``text`` on one line in a code span that stands anywhere, table cells included."""
    some = text[: 4 * most]
    flat = re.sub(r"\s+", " ", some).strip()
    if len(flat) > most or len(some) < len(text):
        flat = f"{flat[:most]}…"
    if not flat:
        return ""
    ticks = "`" * (_longest_run(flat) + 1)
    space = " " if flat[0] == "`" or flat[-1] == "`" else ""
    return f"{ticks}{space}{flat}{space}{ticks}".replace("|", "\\|")


def plain(text: str) -> str:
    """Text of the register's own, safe in a table cell."""
    return text.replace("|", "\\|").replace("<", "&lt;")


def fenced(text: str, most: int = _STORY) -> str:
    """``text`` in a fence longer than any run of backticks in it; from ``most`` characters on it is cut."""
    cut = text if len(text) <= most else f"{text[:most]}\n... ({len(text):,} characters)"
    fence = "`" * max(3, _longest_run(cut) + 1)
    return f"{fence}text\n{cut.rstrip()}\n{fence}\n"


def _longest_run(text: str) -> int:
    return max((len(run) for run in re.findall("`+", text)), default=0)


class _Page:
    """Collects blocks as long as there is room for them and for the note that others are missing."""

    _KEPT = 1_000

    def __init__(self) -> None:
        self.text = ""

    def add(self, block: str, kept: int = 0) -> bool:
        """Add ``block`` if at least ``kept`` characters are left after it."""
        fits = len(self.text) + len(block) + kept < LIMIT
        self.text += block if fits else ""
        return fits

    def table(self, title: str, columns: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> None:
        """A table under a title; nothing if it has no rows."""
        listed = list(rows)
        if not listed or not self.add(f"{title}\n\n{_table(columns, ())}", self._KEPT):
            return
        missing = sum(not self.add(_cells(row), self._KEPT) for row in listed)
        self.add(f"\n{missing} more do not fit here; the other reports have them.\n\n" if missing else "\n")

    def stories(self, title: str, groups: list[list[Judged]]) -> None:
        """The counterexamples, each folded; the first is open."""
        if not groups or not self.add(f"{title}\n\n", self._KEPT):
            return
        missing = sum(not self.details(*_story(rows), opened=at == 0) for at, rows in enumerate(groups))
        if missing:
            self.add(f"\n{missing} more counterexamples do not fit here; the other reports have them.\n\n")

    def details(self, title: str, body: str, opened: bool = False) -> bool:
        shown = " open" if opened else ""
        return self.add(f"<details{shown}><summary>{title}</summary>\n\n{body}\n</details>\n\n", self._KEPT)


_ALL = ("requirement", "level", "verdict", "evidence")


def _facts(verdict: Verdict) -> str:
    asked = f"spec {spec_version()}, effort {verdict.effort}, seed {verdict.seed}"
    return f"**{verdict.name}** · {asked} · {work(verdict)}"


def _profiles(verdict: Verdict) -> str:
    binding = (row for row in verdict.judged if row.requirement.level == "MUST")
    rows = (_profile(name, [row.verdict for row in own]) for name, own in by_profile(binding))
    return _table(("profile", *(WORDS[column] for column in _COLUMNS)), rows)


def _profile(name: str, verdicts: list[str]) -> tuple[str, ...]:
    if set(verdicts) == {NOT_CLAIMED}:
        return (name, "not claimed", *[""] * (len(_COLUMNS) - 1))
    return (name, *(str(verdicts.count(column) or "") for column in _COLUMNS))


def _broken(row: Judged) -> tuple[str, ...]:
    found = row.counterexample
    return code(row.requirement.id), plain(row.requirement.sentence), code(found.finding.seen) if found else ""


def _why(row: Judged) -> tuple[str, ...]:
    return code(row.requirement.id), plain(row.requirement.sentence), plain(because(row))


def _waived(row: Judged) -> tuple[str, ...]:
    return code(row.requirement.id), plain(row.requirement.sentence), code(row.note)


def _row(row: Judged) -> tuple[str, ...]:
    evidence = code(because(row)) if row.counterexample is not None else plain(because(row))
    return code(row.requirement.id), row.requirement.level, row.verdict, evidence


def _story(rows: list[Judged]) -> tuple[str, str]:
    first = rows[0]
    assert first.counterexample is not None
    also = [f"<code>{row.requirement.id}</code>" for row in rows[1:]]
    title = f"<code>{first.requirement.id}</code> {plain(first.requirement.sentence)}"
    named = f"The same history also breaks {', '.join(also)}.\n\n" if also else ""
    return title, named + fenced(text(first.counterexample))


def _table(columns: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    return _cells(columns) + _cells(tuple("---" for _ in columns)) + "".join(map(_cells, rows))


def _cells(row: tuple[str, ...]) -> str:
    return f"| {' | '.join(row)} |\n"


def _last(verdict: Verdict) -> str:
    return "\n".join(f"- note: {code(note)}" for note in verdict.notes[:5]) + ("\n" if verdict.notes else "")
