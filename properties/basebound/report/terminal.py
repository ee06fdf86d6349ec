"""The verdict on a terminal, and as plain lines where there is none."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console
from rich.text import Text

from basebound.model import PROFILES
from basebound.register import spec_version
from basebound.report.story import Story, shown, story
from basebound.run.check import Options
from basebound.verdict import FAIL, INCONCLUSIVE, NOT_CLAIMED, PASS, WAIVED, Judged, Verdict

_MARKS = {
    PASS: ("pass", "green"),
    FAIL: ("FAIL", "bold red"),
    INCONCLUSIVE: ("open", "yellow"),
    NOT_CLAIMED: ("-", "dim"),
    WAIVED: ("waived", "yellow"),
}
_MANY = 10
_SIGNS = {"+": "yellow", "-": "dim", " ": ""}


class Terminal:
    """Writes one check to a console. Text is never wrapped or highlighted where it is not a terminal."""

    def __init__(self, console: Console | None = None) -> None:
        self.console = console or Console(highlight=False, soft_wrap=True)

    def begin(self, target: str, options: Options) -> None:
        self._say(f"basebound, spec {spec_version()}: {target}, effort {options.effort}, seed {options.seed}")

    def end(self, verdict: Verdict, files: dict[str, Path], verbose: bool) -> None:
        """The stories of what is broken, what is open, and the summary."""
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

    def story(self, told: Story, replay: str = "", also: tuple[str, ...] = ()) -> None:
        """One counterexample."""
        say = self._say
        say("")
        say(f"{told.id}  {told.level}, {told.profile}", "bold red")
        say(f"  {told.sentence}", "bold")
        if also:
            say(f"  The same history also breaks {', '.join(also)}.")
        say("")
        self._start(told)
        for scene in told.scenes:
            style = "bold" if scene.breaks else ""
            say(f"{'>' if scene.breaks else ' '} {scene.number:>3}  {scene.who} {scene.what}", style)
            if scene.outcome:
                say(f"       {scene.outcome}", "red" if scene.breaks else "dim")
        say(f"  allowed: {told.allowed}", "green")
        say(f"  seen:    {told.seen}", "red")
        if told.drawing:
            say("")
            for line in told.drawing:
                say(f"  {line}")
        if told.rows:
            say(f"\n  {told.title}:")
            for row in told.rows:
                remark = f"   <- {row.remark}" if row.remark else ""
                say(f"  {row.sign} {row.number:>3} | {shown(row.text)}{remark}", _SIGNS[row.sign])
        say("")
        for note in told.notes:
            say(f"  note:   {note}")
        if replay:
            say(f"  replay: {replay}")
        say(f"  mend:   {told.mend}")

    def _start(self, told: Story) -> None:
        protected = f", protected: {', '.join(map(repr, told.protected))}" if told.protected else ""
        meter = f", meter: {told.meter}" if told.meter != "utf8-bytes" else ""
        lines = f"{len(told.start)} line{'s' if len(told.start) != 1 else ''}"
        self._say(f"    0  the engine starts with {lines}{protected}{meter}")
        for number, line in enumerate(told.start[:8]):
            self._say(f"         {number:>3} | {shown(line)}", "dim")
        if len(told.start) > 8:
            self._say(f"         ... {len(told.start) - 8} more", "dim")

    def _stories(self, verdict: Verdict, files: dict[str, Path]) -> None:
        for rows in _by_history([row for row in verdict.judged if _broken(row)]):
            first = rows[0]
            assert first.counterexample is not None
            path = files.get(first.requirement.id)
            replay = f"basebound replay {path} {verdict.target.name}" if path else ""
            self.story(story(first.counterexample), replay, tuple(row.requirement.id for row in rows[1:]))

    def _advice(self, verdict: Verdict) -> None:
        for row in verdict.judged:
            if row.verdict == FAIL and row.requirement.level == "SHOULD" and row.counterexample is not None:
                self._say("")
                self._say(f"{row.requirement.id}  advice, not a violation", "yellow")
                self._say(f"  {row.requirement.sentence}")
                self._say(f"  seen: {row.counterexample.finding.seen}")
                self._say(f"  mend: {row.requirement.mend}")

    def _open(self, verdict: Verdict) -> None:
        rows = [row for row in verdict.judged if row.verdict == INCONCLUSIVE]
        if rows:
            self._say("\nnot exercised, so neither passed nor failed:", "yellow")
        for row in rows[:_MANY]:
            owed = "; ".join(goal.means for goal in row.unreached)
            self._say(f"  {row.requirement.id}: never seen: {owed}", "yellow")
        if len(rows) > _MANY:
            self._say(f"  and {len(rows) - _MANY} more: -v shows them", "yellow")

    def _waivers(self, verdict: Verdict) -> None:
        if verdict.waived:
            self._say("\nknown to be broken, and waived:", "yellow")
        for row in verdict.waived:
            self._say(f"  {row.requirement.id}: {row.note}", "yellow")
        if verdict.complaints:
            self._say("\nwaivers that must go:", "bold red")
        for complaint in verdict.complaints:
            self._say(f"  {complaint}", "red")

    def _all(self, verdict: Verdict) -> None:
        self._say("")
        for row in verdict.judged:
            word, style = _MARKS[row.verdict]
            by = ", ".join(_evidence(entry) for entry in row.evidence) if row.verdict == PASS else row.note
            self._say(f"  {word:6}  {row.requirement.id:26} {by}", style)

    def _summary(self, verdict: Verdict) -> None:
        self._say("")
        for profile in PROFILES:
            rows = [
                row for row in verdict.judged if row.requirement.profile == profile and row.requirement.level == "MUST"
            ]
            if not rows:
                continue
            claimed = [row for row in rows if row.verdict != NOT_CLAIMED]
            if not claimed:
                self._say(f"  {profile:11} not claimed", "dim")
                continue
            counts = [(sum(row.verdict == v for row in claimed), word) for v, word in _WORDS.items()]
            parts = ", ".join(f"{count} {word}" for count, word in counts if count)
            limits = sorted({row.note for row in rows if row.verdict == NOT_CLAIMED})
            aside = f" ({len(rows) - len(claimed)} not asked: {'; '.join(limits)})" if limits else ""
            self._say(f"  {profile:11} {parts}{aside}")
        for note in verdict.notes:
            self._say(f"  note: {note}", "dim")
        runs = sum(lens.runs for lens in verdict.tallies.values())
        steps = sum(lens.steps for lens in verdict.tallies.values())
        style = {"conformant": "bold green", "violations": "bold red", "inconclusive": "bold yellow"}[verdict.name]
        waived = f", {len(verdict.waived)} waived" if verdict.waived else ""
        waivers = "waiver" if len(verdict.complaints) == 1 else "waivers"
        gone = f", {len(verdict.complaints)} {waivers} must go" if verdict.complaints else ""
        work = f"{runs:,} histories, {steps:,} steps, {verdict.elapsed:.1f} s"
        self._say(f"{verdict.name}{waived}{gone}: {verdict.target.name}, {work}", style)

    def _say(self, text: str, style: str = "") -> None:
        self.console.print(Text(text, style=style))


_WORDS = {PASS: "passed", FAIL: "broken", INCONCLUSIVE: "not exercised", WAIVED: "waived"}


def _broken(row: Judged) -> bool:
    return row.verdict == FAIL and row.requirement.level == "MUST" and row.counterexample is not None


def _by_history(rows: list[Judged]) -> list[list[Judged]]:
    """Requirements broken by one and the same history, told together."""
    groups: dict[object, list[Judged]] = {}
    for row in rows:
        found = row.counterexample
        assert found is not None
        groups.setdefault((found.trace, found.finding.step), []).append(row)
    return list(groups.values())


def _evidence(entry: dict[str, object]) -> str:
    return f"{entry['kind']} ({entry['lens']}: {entry['runs']:,} runs, {entry['steps']:,} steps)"
