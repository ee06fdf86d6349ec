"""The verdict on a terminal, and as plain lines where there is none."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from pathlib import Path

from rich.console import Console
from rich.text import Text

from basebound.core.register import spec_version
from basebound.report.evidence import because, phrase
from basebound.report.story import Line, Story, lines, story
from basebound.report.summary import WORDS, by_history, by_profile, expired, failed, work
from basebound.results.verdict import FAIL, INCONCLUSIVE, NOT_CLAIMED, PASS, WAIVED, Verdict

_MARKS = {
    PASS: ("pass", "green"),
    FAIL: ("FAIL", "bold red"),
    INCONCLUSIVE: ("not exercised", "yellow"),
    NOT_CLAIMED: ("-", "dim"),
    WAIVED: ("waived", "yellow"),
}
_MANY = 10
_STYLES = {
    "title": "bold red",
    "sentence": "bold",
    "breaks": "bold",
    "aside": "dim",
    "allowed": "green",
    "seen": "red",
    "new": "yellow",
}
_NARROW = 40
"""Columns below which nothing is wrapped."""


class Terminal:
    """Writes one check to a console. Text is wrapped and coloured only where that is a terminal."""

    def __init__(self, console: Console | None = None) -> None:
        self.console = console or Console(highlight=False, soft_wrap=True)

    def begin(self, target: str, effort: str, seed: int) -> None:
        self._say(f"basebound, spec {spec_version()}: {target}, effort {effort}, seed {seed}")

    def end(self, verdict: Verdict, files: dict[str, Path], verbose: bool) -> None:
        """The stories of what is broken, what was not exercised, and the summary."""
        self._stories(verdict, files)
        self._advice(verdict)
        self._open(verdict)
        self._waivers(verdict)
        if verbose:
            self._all(verdict)
        self._summary(verdict)

    def wrote(self, form: str, path: Path) -> None:
        self._say(f"{form} report: {path}", "dim")

    def started(self, path: Path, waived: tuple[str, ...]) -> None:
        named = ", ".join(waived) or "nothing, as no MUST requirement is broken"
        self._say(f"waivers: {path} waives {named}", "dim")

    def story(self, shown: Story, replay: str = "", also: tuple[str, ...] = (), *, headed: bool = True) -> None:
        """One counterexample."""
        self.say(Line(""))
        for line in lines(shown, replay, also, headed=headed):
            self.say(line)

    def say(self, line: Line) -> None:
        """One line, and where it is too long for a terminal, as many as it takes."""
        for text in self._wrapped(line):
            self.console.print(Text(text, style=_STYLES.get(line.part, line.part)))

    def _wrapped(self, line: Line) -> Iterator[str]:
        width, indent = self.console.width, " " * (line.hang or 0)
        for number, part in enumerate(line.text.split("\n")):
            text = part if number == 0 else indent + part
            if not self.console.is_terminal or line.hang is None or len(text) <= width or width < _NARROW:
                yield text
            else:
                yield from textwrap.wrap(text, width, subsequent_indent=indent, break_on_hyphens=False)

    def _stories(self, verdict: Verdict, files: dict[str, Path]) -> None:
        for rows in by_history(failed(verdict, "MUST")):
            first = rows[0]
            assert first.counterexample is not None
            path = files.get(first.requirement.id)
            replay = f"basebound replay {path} {verdict.target.name}" if path else ""
            self.story(story(first.counterexample), replay, tuple(row.requirement.id for row in rows[1:]))

    def _advice(self, verdict: Verdict) -> None:
        for row in failed(verdict, "SHOULD"):
            self._say("")
            self._say(f"{row.requirement.id}: SHOULD not met (does not change the exit code)", "yellow")
            self._say(f"  {row.requirement.sentence}")
            self._say(f"  {because(row)}", hang=8)
            self._say(f"  fix:  {row.requirement.fix}", hang=8)

    def _open(self, verdict: Verdict) -> None:
        rows = [row for row in verdict.judged if row.verdict == INCONCLUSIVE]
        if rows:
            self._say("")
            self._say("not exercised, so neither passed nor failed (try a higher --effort, and every lens):", "yellow")
        for row in rows[:_MANY]:
            self._say(f"  {row.requirement.id}: {because(row)}", "yellow", 4)
        if len(rows) > _MANY:
            self._say(f"  and {len(rows) - _MANY} more; -v shows all", "yellow")

    def _waivers(self, verdict: Verdict) -> None:
        if verdict.waived:
            self._say("")
            self._say("broken, and waived:", "yellow")
        for row in verdict.waived:
            self._say(f"  {row.requirement.id}: {row.note}", "yellow", 4)
        if verdict.complaints:
            self._say("")
            self._say("expired or unused waivers (remove or renew them; they set exit code 1):", "bold red")
        for complaint in verdict.complaints:
            self._say(f"  {complaint}", "red", 4)

    def _all(self, verdict: Verdict) -> None:
        """How much each lens ran, and for every requirement the lenses that reached its goals."""
        self._say("")
        self._say("lenses that ran:")
        for lens, done in verdict.tallies.items():
            if done.runs:
                self._say(f"  {phrase({'kind': lens, 'runs': done.runs, 'steps': done.steps})}")
        self._say("")
        self._say("requirements, and the lenses that reached their goals:")
        for row in verdict.judged:
            advice = row.verdict == FAIL and row.requirement.level == "SHOULD"
            word, style = ("advice", "yellow") if advice else _MARKS[row.verdict]
            by = ", ".join(map(_lens, row.evidence)) if row.verdict == PASS else row.note or because(row)
            self._say(f"  {word:13}  {row.requirement.id:25}  {by}", style, 44)

    def _summary(self, verdict: Verdict) -> None:
        self._say("")
        for profile, rows in by_profile(row for row in verdict.judged if row.requirement.level == "MUST"):
            claimed = [row for row in rows if row.verdict != NOT_CLAIMED]
            if not claimed:
                self._say(f"  {profile:11} not claimed", "dim")
                continue
            counts = {word: sum(row.verdict == v for row in claimed) for v, word in WORDS.items()}
            parts = ", ".join(f"{count} {word}" for word, count in counts.items() if count)
            limits = sorted({row.note for row in rows if row.verdict == NOT_CLAIMED})
            aside = f" ({len(rows) - len(claimed)} not claimed: {'; '.join(limits)})" if limits else ""
            self._say(f"  {profile:11} {parts}{aside}", hang=14)
        for note in verdict.notes:
            self._say(f"  note: {note}", "dim", 8)
        style = {"conformant": "bold green", "violations": "bold red", "inconclusive": "bold yellow"}[verdict.name]
        waived = f", {len(verdict.waived)} waived" if verdict.waived else ""
        complaints = f", {expired(len(verdict.complaints))}" if verdict.complaints else ""
        self._say(f"{verdict.name}{waived}{complaints}: {verdict.target.name}, {work(verdict)}", style)

    def _say(self, text: str, style: str = "", hang: int = 2) -> None:
        self.say(Line(text, style, hang))


def _lens(entry: dict[str, object]) -> str:
    """The lens of an entry, whose figures stand above for all requirements; a proof has its own."""
    return str(entry["lens"]) if "runs" in entry else phrase(entry)
