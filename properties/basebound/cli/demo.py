"""``basebound demo``: an invariant shown failing and holding."""

from __future__ import annotations

import click

from basebound.demo import DEMOS
from basebound.report.story import Line
from basebound.report.terminal import Terminal


@click.command()
@click.argument("name", type=click.Choice(list(DEMOS)))
def demo(name: str) -> int:
    """Show an invariant failing, and holding."""
    terminal = Terminal()
    for line in DEMOS[name]():
        terminal.say(Line(line, hang=len(line) - len(line.lstrip()) + 2))
    return 0
