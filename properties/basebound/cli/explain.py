"""``basebound explain``: one requirement, with a broken run that is made while you wait."""

from __future__ import annotations

from collections.abc import Iterator

import click

from basebound.core.register import Requirement, requirement
from basebound.lenses.proofs.lens import reach
from basebound.lenses.proofs.shapes import listed
from basebound.report.story import Line, story
from basebound.report.terminal import Terminal
from basebound.targets import catalogue


@click.command()
@click.argument("identifier", metavar="ID")
def explain(identifier: str) -> int:
    """Show requirement ID: its sentence, why it is there, an engine that breaks it, and a way to fix it."""
    row, terminal = requirement(identifier), Terminal()
    for line in _about(row):
        terminal.say(line)
    _broken_run(row, terminal)
    return 0


def _about(row: Requirement) -> Iterator[Line]:
    yield Line(f"{row.id} ({row.level}, {row.profile})")
    yield Line(f"  {row.sentence}", "sentence")
    yield Line("")
    yield Line(f"  why:    {row.why}", hang=10)
    yield Line(f"  fix:    {row.fix}", hang=10)
    yield Line(f"  origin: {row.origin}", hang=10)
    yield Line("")
    yield Line("  it passes only if a check has seen:")
    for goal in row.goals:
        needs = f" (where the engine has {goal.needs})" if goal.needs else ""
        yield Line(f"    {goal.means}{needs}", hang=6)
    yield from _proofs(row)


def _proofs(row: Requirement) -> Iterator[Line]:
    """For which values CrossHair can prove the requirement."""
    default = reach(row.id)
    more = [bounds for bounds in reach(row.id, "thorough") if bounds not in default]
    if default:
        yield Line("")
        yield Line("  CrossHair can prove it for all values of:")
        yield from (Line(f"    {bounds}", hang=6) for bounds in listed(default))
    if default and more:
        yield Line("  and with --effort thorough also of:")
        yield from (Line(f"    {bounds}", hang=6) for bounds in listed(more))


def _broken_run(row: Requirement, terminal: Terminal) -> None:
    for fault in (fault for fault in catalogue.faults() if fault.requirement == row.id):
        found = catalogue.first_kill(fault)
        if found is not None:
            terminal.say(Line(""))
            terminal.say(Line(f"  a run that breaks it, of fault:{fault.id}. {fault.about}"))
            terminal.story(story(found), headed=False)
            return
