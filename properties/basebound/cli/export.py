"""``basebound export``: the language-neutral part of the suite as plain files, to vendor and to run without Python."""

from __future__ import annotations

from importlib.resources.abc import Traversable
from pathlib import Path

import click

from basebound.core.register import spec_version
from basebound.errors import UsageError
from basebound_spec import ROOT

RUNNER = "run-traces.mjs"
_SCHEMAS = ("trace.schema.json", "wire.schema.json")
_EXPLAINING = ("SPEC.md", "incidents.md")


@click.group()
def export() -> None:
    """Write parts of the suite as plain files."""


@export.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
def scenarios(folder: Path) -> int:
    """Write the scenarios to FOLDER, with their schemas, the spec, and a page on running them without Python."""
    traces = sorted((file for file in (ROOT / "scenarios").iterdir() if file.name.endswith(".ndjson")), key=_name)
    files = {f"scenarios/{trace.name}": trace for trace in traces}
    files |= {name: ROOT / name for name in (*_SCHEMAS, *_EXPLAINING, RUNNER)}
    try:
        (folder / "scenarios").mkdir(parents=True, exist_ok=True)
        for name, source in files.items():
            (folder / name).write_bytes(source.read_bytes())
        (folder / "README.md").write_text(_page(len(traces)), encoding="utf-8")
    except OSError as error:
        raise UsageError(
            "cannot-write", f"the scenarios cannot be written to {folder}: {error}", "name another folder"
        ) from None
    click.echo(f"{len(traces)} scenarios, {len(_SCHEMAS)} schemas and a README in {folder}")
    return 0


def _name(file: Traversable) -> str:
    return file.name


def _page(count: int) -> str:
    return _PAGE.format(count=count, version=spec_version())


_PAGE = """# Scenarios of basebound, spec {version}

{count} histories with their expectations, for engines that let a language model rewrite its own context. Plain files:
nothing here needs Python. Vendor the folder, and run it in your own test suite.

## Run them

The runner is `run-traces.mjs`: 60 lines of JavaScript, Node 20 or later, no dependencies. It drives an engine
over its stdin and stdout, as `wire.schema.json` describes:

    node run-traces.mjs scenarios ./my-engine --its-arguments

It prints a line for each trace, then `N passed, N failed`, and exits 0 if some passed and none failed. A trace whose
profiles the engine does not claim, or whose hunks are more than it takes, is skipped.

## Write a runner of your own

A trace is NDJSON (`trace.schema.json`). The first line says how the engine starts; each other line is a step:

| step | do | then |
|---|---|---|
| `snapshot` | read the engine | keep what it shows under the name in `as` |
| `append`, `insert` | a foreign write of `lines` | |
| `emit` | the policy's own tokens, of one `kind` | |
| `apply` | a patch with `hunks`, authored against the snapshot `base` | `applied`, or refused: `expect` says which |
| `end_turn` | end the turn | |
| `expect` | read the engine | it shows exactly `lines` |

Play a trace only if the engine claims every profile in the header's `profiles` (absent: `base`) and none in `unless`,
and counts with the header's `meter` (`utf8-bytes`: the bytes of a line in UTF-8, plus 1). `SPEC.md` explains the
`requirements` of the header by their ids, `incidents.md` its `origin`.

Scenarios are the start, not the whole: `basebound check --wire 'CMD'` also searches, and tries every case of a small
world, on an engine in any language.
"""
