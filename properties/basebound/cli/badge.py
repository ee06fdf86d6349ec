"""``basebound badge``: a small picture of a verdict."""

from __future__ import annotations

from pathlib import Path

import click

from basebound.errors import UsageError
from basebound.report.badge import badge as draw
from basebound.report.badge import load


@click.command()
@click.argument("report", type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Where to write it; default: standard output.",
)
def badge(report: Path, output: Path | None) -> int:
    """Draw REPORT, a JSON report of `check`, as an SVG badge."""
    drawn = draw(load(report))
    if output is None:
        click.echo(drawn, nl=False)
        return 0
    try:
        output.write_text(drawn, encoding="utf-8")
    except OSError as error:
        raise UsageError(
            "cannot-write", f"the badge cannot be written to {output}: {error}", "name another file with -o"
        ) from None
    click.echo(f"badge: {output}")
    return 0
