"""``basebound demo``: an invariant shown failing and holding."""

from __future__ import annotations

import click

from basebound.demo import DEMOS


@click.command()
@click.argument("name", type=click.Choice(list(DEMOS)))
def demo(name: str) -> int:
    """Show an invariant failing, and holding."""
    for line in DEMOS[name]():
        click.echo(line)
    return 0
