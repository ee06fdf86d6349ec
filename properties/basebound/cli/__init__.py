"""The command line. Exit codes: 0 conformant, 1 violations, 2 usage, 3 inconclusive, 4 the suite itself failed."""

from __future__ import annotations

import sys
import traceback

import click

from basebound.cli.audit import audit
from basebound.cli.badge import badge
from basebound.cli.bench import bench
from basebound.cli.check import check
from basebound.cli.demo import demo
from basebound.cli.explain import explain
from basebound.cli.export import export
from basebound.cli.init import init
from basebound.cli.listing import listing
from basebound.cli.replay import replay
from basebound.cli.verify import verify
from basebound.cli.wire_doctor import wire_doctor
from basebound.errors import UsageError

USAGE, SUITE_FAILED, INTERRUPTED = 2, 4, 130


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="basebound")
def program() -> None:
    """Judge engines that let a language model rewrite its own context.

    There are two invariants. A patch takes effect only on the content it was authored against. A rewrite commits
    only if it frees more tokens than all that it costs.

    Start with: basebound check path/to/file.py:Engine
    """


for command in (check, replay, audit, verify, init, explain, listing, demo, badge, bench, export, wire_doctor):
    program.add_command(command)


def main() -> None:
    """Run the program and leave with the contract's exit codes."""
    try:
        code = program.main(standalone_mode=False)
    except UsageError as error:
        click.echo(f"basebound: {error}", err=True)
        sys.exit(USAGE)
    except click.ClickException as error:
        error.show()
        sys.exit(USAGE)
    except (click.Abort, KeyboardInterrupt):
        click.echo("basebound: interrupted", err=True)
        sys.exit(INTERRUPTED)
    except Exception:
        traceback.print_exc()
        click.echo(
            "basebound: the suite itself failed, so there is no verdict on the target; please report the lines above",
            err=True,
        )
        sys.exit(SUITE_FAILED)
    sys.exit(code if isinstance(code, int) else 0)
