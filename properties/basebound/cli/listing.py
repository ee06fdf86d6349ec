"""``basebound list``: what there is."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import click

from basebound.core.meters import METERS
from basebound.core.register import requirements
from basebound.report.story import Line
from basebound.report.terminal import Terminal
from basebound.targets import catalogue

Rows = list[dict[str, Any]]


def _requirements() -> Rows:
    return [
        {
            "id": row.id,
            "level": row.level,
            "profile": row.profile,
            "sentence": row.sentence,
            "origin": row.origin,
            "goals": [goal.means for goal in row.goals],
        }
        for row in requirements()
    ]


def _faults() -> Rows:
    return [
        {"id": f.id, "requirement": f.requirement, "origin": f.origin, "about": f.about} for f in catalogue.faults()
    ]


def _adapters() -> Rows:
    from basebound.targets.adapters import ADAPTERS

    return [
        {
            "name": a.name,
            "extra": a.extra,
            "program": a.program,
            "needs": f"{a.program} (Debian package)"
            if a.program
            else f"basebound[{a.extra}]"
            if a.extra
            else "nothing",
            "profiles": sorted(a.profiles),
            "summary": a.summary,
        }
        for a in ADAPTERS
    ]


def _meters() -> Rows:
    return [{"name": name} for name in METERS]


_LISTS: dict[str, tuple[Callable[[], Rows], tuple[str, ...]]] = {
    "requirements": (_requirements, ("id", "level", "profile", "sentence")),
    "faults": (_faults, ("id", "requirement", "about")),
    "adapters": (_adapters, ("name", "needs", "summary")),
    "meters": (_meters, ("name",)),
}


@click.command("list")
@click.argument("what", type=click.Choice(list(_LISTS)))
@click.option("--json", "as_json", is_flag=True, help="An array of objects.")
def listing(what: str, as_json: bool) -> int:
    """Show the requirements, the faulty engines, the bundled adapters or the meters."""
    rows, columns = _LISTS[what]
    found = rows()
    if as_json:
        click.echo(json.dumps(found, ensure_ascii=False, indent=1))
        return 0
    widths = [max(len(str(row[column])) for row in found) for column in columns[:-1]]
    terminal = Terminal()
    for row in found:
        cells = [str(row[column]).ljust(width) for column, width in zip(columns[:-1], widths, strict=True)]
        terminal.say(Line("  ".join([*cells, str(row[columns[-1]])]), hang=4))
    return 0
