"""``basebound verify``: check a report again."""

from __future__ import annotations

import os
import platform
from pathlib import Path

import click
from rich.console import Console

from basebound.cli.progress import progress
from basebound.cli.target import target_name, target_options
from basebound.errors import UsageError
from basebound.gate.verify import Difference, Verification, differences, load
from basebound.run.again import again

_FILE = click.Path(dir_okay=False, path_type=Path)
_SAME, _DIFFERS = 0, 1


@click.command()
@click.argument("report", type=_FILE)
@click.argument("target", required=False)
@target_options
@click.option("--jobs", type=click.IntRange(1), default=None, help="Processes at once; default: the cores there are.")
@click.option(
    "--timeout", type=click.FloatRange(0.1), default=10.0, show_default=True, help="Seconds one call may take."
)
@click.option("--statement", type=_FILE, help="Where nothing differs, write the report as an in-toto statement here.")
def verify(
    report: Path,
    target: str | None,
    wire: str | None,
    mcp: str | None,
    mcp_map: str | None,
    jobs: int | None,
    timeout: float,
    statement: Path | None,
) -> int:
    """Check TARGET again as REPORT (a JSON report) records it, and say what differs.

    The run has the report's effort, seed, profiles and lenses, and repeats its counterexamples. Exit 0: nothing
    differs; 1: something does; 2: the report or the target cannot be used.
    """
    loaded = load(report)
    name = target_name(target, wire, mcp, mcp_map)
    if statement is not None and not statement.absolute().parent.is_dir():
        raise UsageError(
            "no-such-folder",
            f"there is no folder {statement.absolute().parent} to write {statement} in",
            "make it first",
        )
    with progress(Console(highlight=False, soft_wrap=True)) as show:
        verdict = again(loaded, name, jobs or os.cpu_count() or 1, timeout, show)
    found = differences(loaded, verdict)
    _say(loaded, name, found)
    if found:
        if statement is not None:
            click.echo(f"no statement is written to {statement}: it would say what does not hold", err=True)
        return _DIFFERS
    if statement is not None:
        from basebound.gate.statement import write

        write(loaded, statement)
        click.echo(f"statement: {statement}")
    return _SAME


def _say(report: Verification, target: str, found: list[Difference]) -> None:
    record = report.data["record"]
    if record.get("python") != platform.python_version():
        click.echo(f"note: the report was made with Python {record.get('python')}, this is {platform.python_version()}")
    if not record.get("source"):
        click.echo(
            "note: the report names no source files of the target, so a change of them shows only in the verdicts"
        )
    for difference in found:
        click.echo(f"{difference.what}: {difference.text}")
    same = f"same: {len(report.verdicts)} requirements have the same verdicts on {target} as in {report.path}"
    count = f"{len(found)} difference{'s' if len(found) != 1 else ''}"
    click.echo(f"differs: {count} between {report.path} and this run on {target}" if found else same)
