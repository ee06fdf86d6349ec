"""``basebound replay``: run one trace step by step."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from basebound.cli.target import target_name, target_options
from basebound.core.register import by_id
from basebound.core.trace import Trace, load
from basebound.report.story import Line, scene_lines, scenes
from basebound.report.terminal import Terminal
from basebound.run.messages import Replayed
from basebound.run.pool import Died
from basebound.run.replay import replay_on


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
    """Run TRACE (a file of trace/1) on TARGET; show the outcome of each step, and what it breaks."""
    loaded = load(trace)
    name = target_name(target, wire, mcp, mcp_map)
    ended = replay_on(name, loaded, timeout, click.echo)
    if isinstance(ended, Died):
        click.echo(f"{name} hung or ended its process: {ended.said}")
        return 1
    terminal = Terminal()
    for line in _lines(loaded, ended):
        terminal.say(line)
    violated = [finding for finding in ended.findings if by_id()[finding.requirement].level == "MUST"]
    wrong = {finding.step for finding in violated} | {number for number, _ in ended.unmet}
    number = f"{len(wrong)} step{'s' if len(wrong) > 1 else ''}"
    click.echo(f"{number} had an outcome that is not allowed" if wrong else "every step had an outcome that is allowed")
    return 1 if wrong else 0


def _lines(trace: Trace, ended: Replayed) -> Iterator[Line]:
    """Each step as it went, and under it what it breaks."""
    unmet = dict(ended.unmet)
    for scene in scenes(trace, ended.steps, {finding.step for finding in ended.findings} | set(unmet)):
        yield from scene_lines(scene)
        for finding in ended.findings:
            if finding.step == scene.number - 1:
                said = f"breaks {finding.requirement}: allowed {finding.allowed}; seen {finding.seen}"
                yield Line(f"       {said}", hang=9)
        if scene.number - 1 in unmet:
            yield Line(f"       {unmet[scene.number - 1]}", hang=9)
    for finding in ended.findings:
        if finding.step < 0:
            yield Line(f"breaks {finding.requirement}: {finding.seen}")
    if ended.drawing:
        yield Line("")
        yield from (Line(line, hang=7) for line in ended.drawing.splitlines())
        yield Line("")
