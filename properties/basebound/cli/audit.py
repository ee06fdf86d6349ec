"""``basebound audit``: judge a recorded history without the engine."""

from __future__ import annotations

from pathlib import Path

import click

from basebound.core.register import by_id
from basebound.history import BUDGET, Illegal, Undecided, blame, draw
from basebound.run.audit import Audit
from basebound.run.audit import audit as judge

VIOLATION, INCONCLUSIVE = 1, 3


@click.command()
@click.argument("trace", type=click.Path(path_type=Path))
@click.option(
    "--budget",
    type=click.IntRange(1),
    default=BUDGET,
    show_default=True,
    help="How many places for calls in an order are tried at most.",
)
def audit(trace: Path, budget: int) -> int:
    """Judge TRACE, a history recorded in trace/1 with what each call saw: is there an order that explains it?

    Exits 0 if there is, 1 if there is none or a call of a single client breaks a requirement, 3 if it cannot be
    decided within the budget.
    """
    found = judge(trace, budget)
    clients = len({operation.client for operation in found.history.operations})
    click.echo(f"{len(found.history.operations)} calls of {clients} client{'s' if clients != 1 else ''}")
    violated = _single_client(found)
    if isinstance(found.verdict, Illegal):
        for broken in blame(found.verdict):
            click.echo(f"breaks {broken.requirement}: {broken.sentence}")
        click.echo("\n" + draw(found.verdict))
        return VIOLATION
    if violated:
        return VIOLATION
    if isinstance(found.verdict, Undecided):
        spent = f"{found.verdict.placements} of {found.verdict.budget} placements"
        click.echo(f"undecided after {spent}: {found.verdict.why}; raise --budget to try more")
        return INCONCLUSIVE
    click.echo("the calls have an order that explains every answer")
    return 0


def _single_client(found: Audit) -> bool:
    """Say what a single client's calls break; whether a MUST is among it."""
    violated = False
    for finding, operation in found.findings:
        row = by_id()[finding.requirement]
        if row.profile not in found.claims or row.level != "MUST":
            continue
        violated = True
        click.echo(f"call {finding.step + 1}, {operation.step.op}: breaks {row.id}: {row.sentence}")
        click.echo(f"  allowed: {finding.allowed}\n  seen:    {finding.seen}")
    return violated
