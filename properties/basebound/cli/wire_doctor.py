"""``basebound wire-doctor``: the first steps of an engine on the wire, one by one, each with its own diagnosis."""

from __future__ import annotations

import click

from basebound.targets.wire import climb
from basebound.targets.wire.engine import words

SOUND, FAULTY, UNUSABLE = 0, 1, 2
_BEFORE_A_CHECK = ("start", "initialize")


@click.command("wire-doctor")
@click.option("--wire", required=True, metavar="CMD", help="The command of the engine.")
@click.option(
    "--timeout", type=click.FloatRange(0.1), default=5.0, show_default=True, help="Seconds one answer may take."
)
def wire_doctor(wire: str, timeout: float) -> int:
    """Try an engine on the wire step by step: does it start, answer, keep to the protocol, refuse, end?

    Exits 0 if every step works, 1 if one does not, and 2 if the engine cannot even be initialized.
    """
    for rung in climb(words(wire), timeout):
        if rung.fault is None:
            click.echo(f"ok    {rung.name:11}  {rung.said}")
            continue
        fault = rung.fault
        click.echo(f"FAIL  {rung.name:11}  {fault.kind}: {fault.seen}")
        click.echo(f"      likely cause: {fault.cause}")
        click.echo(f"      fix:          {fault.fix}")
        return UNUSABLE if rung.name in _BEFORE_A_CHECK else FAULTY
    click.echo("every step works; next: basebound check --wire CMD")
    return SOUND
