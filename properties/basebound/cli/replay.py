"""``basebound replay``: run one trace step by step."""

from __future__ import annotations

from pathlib import Path

import click

from basebound.cli.target import target_name, target_options
from basebound.register import by_id
from basebound.report.story import scenes
from basebound.run.pool import Died
from basebound.run.replay import replay_on
from basebound.trace import load


@click.command()
@click.argument("trace", type=click.Path(path_type=Path))
@click.argument("target", required=False)
@target_options
@click.option(
    "--timeout", type=click.FloatRange(0.1), default=10.0, show_default=True, help="Seconds one call may take."
)
def replay(
    trace: Path, target: str | None, wire: str | None, mcp: str | None, mcp_map: str | None, timeout: float
) -> int:
    """Run TRACE (a file of trace/1) on TARGET, say what each step came to, and what it breaks."""
    loaded = load(trace)
    name = target_name(target, wire, mcp, mcp_map, timeout)
    ended = replay_on(name, loaded, timeout, click.echo)
    if isinstance(ended, Died):
        click.echo(f"{name} did not survive it: {ended.said}")
        return 1
    broken = {finding.step: finding for finding in ended.findings}
    unmet = dict(ended.unmet)
    for scene in scenes(loaded, ended.told, set(broken) | set(unmet)):
        click.echo(f"{'>' if scene.breaks else ' '} {scene.number:>3}  {scene.who} {scene.what}")
        if scene.outcome:
            click.echo(f"       {scene.outcome}")
        for finding in ended.findings:
            if finding.step == scene.number - 1:
                click.echo(f"       breaks {finding.requirement}: allowed {finding.allowed}; seen {finding.seen}")
        if scene.number - 1 in unmet:
            click.echo(f"       {unmet[scene.number - 1]}")
    for finding in ended.findings:
        if finding.step < 0:
            click.echo(f"breaks {finding.requirement}: {finding.seen}")
    if ended.drawing:
        click.echo(f"\n{ended.drawing}\n")
    violated = [finding for finding in ended.findings if by_id()[finding.requirement].level == "MUST"]
    clean = not violated and not unmet
    click.echo(
        "every step came to what is allowed"
        if clean
        else f"{len(violated) + len(unmet)} steps did not come to what is allowed"
    )
    return 0 if clean else 1
