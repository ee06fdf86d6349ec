"""Where the code under test stands, as a report of a repository names it."""

from __future__ import annotations

from pathlib import Path


def within(file: str, root: Path) -> str | None:
    """``file`` from ``root`` with forward slashes; None if it lies elsewhere."""
    path, root = Path(file).resolve(), root.resolve()
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else None


def portable(target: str, root: Path) -> str:
    """The name of a target, the same on every machine that has its file at the same place below ``root``."""
    place, colon, name = target.rpartition(":")
    if not place.endswith(".py"):
        return target
    return f"{within(place, root) or Path(place).name}{colon}{name}"
