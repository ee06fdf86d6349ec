"""How a check shows that it is under way: a live line on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from basebound.run.check import Status

_PLAIN_EVERY = 10.0


@contextmanager
def progress(console: Console) -> Iterator[Callable[[Status], None]]:
    """A function to call with each status; what it draws is gone when the block ends."""
    if not console.is_terminal:
        yield _plain(console)
        return
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[detail]}"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("starting", total=None, detail="")

        def show(status: Status) -> None:
            bar.update(
                task,
                total=status.units,
                completed=status.done,
                description=status.doing or "explaining",
                detail=_detail(status),
            )

        yield show


def _plain(console: Console) -> Callable[[Status], None]:
    last = time.monotonic()

    def show(status: Status) -> None:
        nonlocal last
        if time.monotonic() - last >= _PLAIN_EVERY:
            last = time.monotonic()
            console.print(f"{status.done} of {status.units} units of work done: {_detail(status)}", highlight=False)

    return show


def _detail(status: Status) -> str:
    broken = f", {status.broken} broken" if status.broken else ""
    return f"{status.runs:,} histories, {status.steps:,} steps{broken}"
