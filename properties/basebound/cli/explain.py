"""``basebound explain``: one requirement, with a broken run that is made while you wait."""

from __future__ import annotations

import click

from basebound.register import Requirement, requirement
from basebound.report.story import plain_lines, story
from basebound.run.events import Counterexample


@click.command()
@click.argument("identifier", metavar="ID")
def explain(identifier: str) -> int:
    """Show requirement ID: its sentence, why it is there, an engine that breaks it, and a way to mend it."""
    row = requirement(identifier)
    click.echo(f"{row.id} ({row.level}, profile {row.profile})\n\n  {row.sentence}\n")
    click.echo(f"why:    {row.why}")
    click.echo(f"mend:   {row.mend}")
    click.echo(f"origin: {row.origin}\n")
    click.echo("a check says pass only when it has seen:")
    for goal in row.goals:
        needs = f" (where the engine has {goal.needs})" if goal.needs else ""
        click.echo(f"  {goal.means}{needs}")
    _broken_run(row)
    return 0


def _broken_run(row: Requirement) -> None:
    from basebound.bench.kills import first_kill
    from basebound.faults import FAULTS

    faults = [fault for fault in FAULTS if fault.requirement == row.id]
    for fault in faults:
        found = first_kill(fault)
        if isinstance(found, Counterexample):
            click.echo(f"\na broken run: the engine {fault.id}, {fault.about}\n")
            for line in plain_lines(story(found)):
                click.echo(line)
            return
