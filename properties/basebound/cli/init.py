"""``basebound init``: start an adapter, a test and a CI job."""

from __future__ import annotations

from pathlib import Path

import click

from basebound.scaffold import DEFAULT, JOBS, KINDS, write


@click.command()
@click.argument("engine", default=DEFAULT)
@click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("."),
    show_default=True,
    help="Where the adapter and the test go.",
)
@click.option("--ci", type=click.Choice([*JOBS, "none"]), default="github", show_default=True, help="The job's system.")
@click.option(
    "--kind",
    type=click.Choice(KINDS),
    default=KINDS[0],
    show_default=True,
    help="What ENGINE is: a class with plain or with async methods, or a pure function.",
)
def init(engine: str, folder: Path, ci: str, kind: str) -> int:
    """Write a commented adapter for ENGINE (package.module:name), a pytest file and a CI job.

    They run as they are written, on a small engine inside the adapter, whose parts you replace by your own. Nothing
    that is there is overwritten.
    """
    made = write(engine, folder, None if ci == "none" else ci, kind)
    for path in (made.adapter, made.test, made.job):
        if path is not None:
            click.echo(f"wrote {path}")
    click.echo(f"\nnext: basebound check {made.target} --effort quick")
    click.echo(f"      pytest {made.test}")
    click.echo(f"then replace what is marked `yours` in {made.adapter}, one part at a time")
    return 0
