"""``basebound check``: judge a target."""

from __future__ import annotations

import os
import random
from datetime import date
from pathlib import Path

import click

from basebound.cli.progress import progress
from basebound.cli.target import target_name, target_options
from basebound.errors import UsageError
from basebound.gate import waivers
from basebound.lenses.efforts import EFFORTS
from basebound.lenses.registry import LENSES
from basebound.lenses.search.lens import BACKENDS
from basebound.model import PROFILES
from basebound.report import html, json, junit, markdown, sarif
from basebound.report import traces as trace_files
from basebound.report.terminal import Terminal
from basebound.results.verdict import Verdict
from basebound.run.check import Options
from basebound.run.check import check as run_check

WRITERS = {
    "json": json.write,
    "junit": junit.write,
    "sarif": sarif.write,
    "html": html.write,
    "markdown": markdown.write,
}
_TRACES = Path(".basebound")


def _seed(context: click.Context, parameter: click.Parameter, value: str) -> int:
    if value == "random":
        return random.SystemRandom().randrange(2**32)
    try:
        return int(value)
    except ValueError:
        raise click.BadParameter(f"{value!r} is neither a whole number nor the word random") from None


def _reports(context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> list[tuple[str, Path]]:
    return [_report(value) for value in values]


def _report(value: str) -> tuple[str, Path]:
    form, equals, path = value.partition("=")
    if form not in WRITERS or not equals or not path:
        raise click.BadParameter(f"{value!r} is not FORMAT=PATH, FORMAT one of {', '.join(WRITERS)}")
    folder = Path(path).absolute().parent
    if not folder.is_dir():
        raise click.BadParameter(f"there is no folder {folder} to write {path!r} in")
    return form, Path(path)


_PROFILES = click.Choice(PROFILES)
_LENSES = click.Choice(LENSES)
_FILE = click.Path(dir_okay=False, path_type=Path)
_FOLDER = click.Path(file_okay=False, path_type=Path)


@click.command()
@click.argument("target", required=False)
@target_options
@click.option("--profile", "profiles", multiple=True, type=_PROFILES, help="Judge only this profile; repeatable.")
@click.option("--lens", "lenses", multiple=True, type=_LENSES, help="Run only this lens (technique); repeatable.")
@click.option(
    "--effort",
    type=click.Choice(EFFORTS),
    default="default",
    show_default=True,
    help="How much is run: quick takes seconds, thorough many minutes.",
)
@click.option(
    "--seed",
    default="0",
    metavar="N|random",
    callback=_seed,
    show_default=True,
    help="The same seed gives the same run.",
)
@click.option(
    "--backend",
    type=click.Choice(BACKENDS),
    default=BACKENDS[0],
    show_default=True,
    help="Hypothesis backend of the search; crosshair needs the extra crosshair-backend, and is slow.",
)
@click.option("--jobs", type=click.IntRange(1), default=None, help="Processes at once; default: the cores there are.")
@click.option(
    "--timeout", type=click.FloatRange(0.1), default=10.0, show_default=True, help="Seconds one call may take."
)
@click.option(
    "--report",
    "reports",
    multiple=True,
    metavar="FORMAT=PATH",
    callback=_reports,
    help=f"Write a report, as {', '.join(WRITERS)}; repeatable.",
)
@click.option(
    "--traces",
    type=click.Path(file_okay=False, path_type=Path),
    default=_TRACES,
    show_default=True,
    help="Folder for the traces of counterexamples, to replay.",
)
@click.option("--waivers", "waiving", type=_FILE, help="TOML file of broken requirements that are tolerated.")
@click.option("--write-waivers", "starting", type=_FILE, help="Write such a file from what is broken now.")
@click.option("-v", "--verbose", is_flag=True, help="Show which lenses ran, and the evidence for every requirement.")
def check(
    target: str | None,
    wire: str | None,
    mcp: str | None,
    mcp_map: str | None,
    profiles: tuple[str, ...],
    lenses: tuple[str, ...],
    effort: str,
    seed: int,
    backend: str,
    jobs: int | None,
    timeout: float,
    reports: list[tuple[str, Path]],
    traces: Path,
    waiving: Path | None,
    starting: Path | None,
    verbose: bool,
) -> int:
    """Judge TARGET (by default the bundled reference engine).

    TARGET is package.module:name or path/to/file.py:name, a class or function that takes a Config and returns an
    engine; or adapter:NAME, a bundled adapter of somebody else's engine.

    Exits 0 if every claimed MUST requirement passed, 1 on a violation, 2 if the target or an option is wrong, 3 if a
    claimed MUST was not exercised, 4 if the suite itself failed.
    """
    name = target_name(target, wire, mcp, mcp_map)
    jobs = jobs or os.cpu_count() or 1
    options = Options(effort, seed, profiles, lenses, jobs, timeout, backend)
    waived = waivers.load(waiving) if waiving is not None else ()
    if starting is not None:
        waivers.check_new(starting)
    terminal = Terminal()
    terminal.begin(name, effort, seed)
    with progress(terminal.console) as show:
        verdict = run_check(name, options, show, waivers=waived)
    files = _write_traces(verdict, traces)
    terminal.end(verdict, files, verbose)
    for form, path in reports:
        WRITERS[form](verdict, path)
        terminal.wrote(form, path)
    if starting is not None:
        terminal.started(starting, waivers.start(verdict, starting, date.today()))
    return verdict.exit_code


def _write_traces(verdict: Verdict, folder: Path) -> dict[str, Path]:
    try:
        return trace_files.write(verdict, folder)
    except OSError as error:
        fix = "name another folder with --traces"
        raise UsageError("cannot-write", f"counterexamples cannot be written to {folder}: {error}", fix) from None
