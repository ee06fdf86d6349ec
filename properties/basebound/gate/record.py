"""What a report says of itself, so that somebody else can check it again: digests, versions, what was asked.

Digests are SHA-256, in hex.
"""

from __future__ import annotations

import ast
import hashlib
import json
import platform
import sys
from collections.abc import Iterator
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

from basebound.core.register import Requirement
from basebound.results.verdict import Verdict
from basebound.targets import catalogue
from basebound.version import __version__
from basebound_spec import ROOT

_OURS = frozenset({"basebound", "basebound_catalogue", "basebound_spec"})
_INSTALLED = ("site-packages", "dist-packages")


def record(verdict: Verdict) -> dict[str, Any]:
    """Everything but the verdict that a second run can be compared by."""
    source = verdict.target.source
    files, packages = sources(Path(source[0])) if source is not None else ({}, {})
    return {
        "suite": __version__,
        "python": platform.python_version(),
        "lenses": list(verdict.lenses),
        "spec": spec_digests(),
        "source": files,
        "packages": packages,
        "kills": kill_figures(),
    }


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def requirement_digest(row: Requirement) -> str:
    """Of all that is norm in a row: its id, level, profile, sentence and goals."""
    goals = [[goal.name, goal.means, goal.needs] for goal in row.goals]
    norm = [row.id, row.level, row.profile, row.sentence, goals]
    return digest(json.dumps(norm, ensure_ascii=False).encode("utf-8"))


@cache
def spec_digests() -> dict[str, str | None]:
    """Of the register, of the explaining text where it is shipped, and of all scenarios together."""
    text = ROOT / "SPEC.md"
    scenarios = hashlib.sha256()
    for path in sorted((ROOT / "scenarios").iterdir(), key=lambda path: path.name):
        if path.name.endswith(".ndjson"):
            scenarios.update(f"{path.name} {digest(path.read_bytes())}\n".encode())
    return {
        "register": digest((ROOT / "requirements.toml").read_bytes()),
        "text": digest(text.read_bytes()) if text.is_file() else None,
        "scenarios": scenarios.hexdigest(),
    }


def kill_figures() -> dict[str, Any] | None:
    """How many faults this suite catches, where its kill matrix is shipped with it."""
    path = catalogue.kills()
    if not path.is_file():
        return None
    data = path.read_bytes()
    figures = json.loads(data)
    return {"sha256": digest(data), **{key: figures[key] for key in ("caught", "of", "median_steps", "worst_steps")}}


def sources(start: Path) -> tuple[dict[str, str], dict[str, str]]:
    """The files a target is made of, by their path from its root, with their digests; and the packages they import.

    From ``start``, imports are followed as they are written, without running anything, as far as they lead to
    files beside it. A target inside an installed package is followed within that package. The suite is left out:
    its version stands for it.
    """
    if not start.is_file():
        return {}, {}
    root, own = _root(start)
    files: dict[str, str] = {}
    packages: dict[str, str] = {}
    waiting, seen = [start.resolve()], set[Path]()
    while waiting:
        path = waiting.pop()
        if path in seen:
            continue
        seen.add(path)
        data = path.read_bytes()
        files[path.relative_to(root).as_posix()] = digest(data)
        for name in _imports(data, path, root):
            top = name.partition(".")[0]
            found = _files(name, root) if top not in _OURS and own in (None, top) else []
            waiting += found
            if not found:
                packages |= _version(top)
    return dict(sorted(files.items())), dict(sorted(packages.items()))


def _root(start: Path) -> tuple[Path, str | None]:
    """The folder a file's modules are imported from; and the one package to keep to, where that folder holds others."""
    folder = start.resolve().parent
    while (folder / "__init__.py").is_file():
        folder = folder.parent
    top = start.resolve().relative_to(folder).parts[0].removesuffix(".py")
    return folder, top if folder.name in _INSTALLED else None


def _imports(data: bytes, path: Path, root: Path) -> Iterator[str]:
    """The dotted names a file imports, anywhere in it; of ``from a import b`` both ``a`` and ``a.b``."""
    try:
        tree = ast.parse(data)
    except (SyntaxError, ValueError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            package = path.parent.relative_to(root).parts
            above = package[: len(package) - node.level + 1] if node.level else ()
            base = ".".join((*above, *filter(None, [node.module])))
            yield from filter(None, [base, *(f"{base}.{alias.name}".lstrip(".") for alias in node.names)])


def _files(name: str, root: Path) -> list[Path]:
    """The files that importing ``name`` runs, as far as they lie below ``root``."""
    found: list[Path] = []
    place = root
    for part in name.split("."):
        place /= part
        found += [file for file in (place / "__init__.py", place.with_name(f"{part}.py")) if file.is_file()][:1]
    return found


@cache
def _version(top: str) -> dict[str, str]:
    if top in sys.stdlib_module_names or top in _OURS:
        return {}
    try:
        return {top: metadata.version(top)}
    except (metadata.PackageNotFoundError, ValueError):
        return {}
