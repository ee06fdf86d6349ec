"""``basebound bench``: its commands belong to the catalogue, and are imported when one of them is asked for."""

from __future__ import annotations

import click

from basebound.targets import catalogue


class _HandedOver(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return catalogue.bench().list_commands(ctx)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return catalogue.bench().get_command(ctx, cmd_name)


bench = _HandedOver("bench", help="Measure the suite itself.")
