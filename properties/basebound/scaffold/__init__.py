"""What ``basebound init`` writes: an adapter, a test and a CI job, which run as they are written."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from string import Template

from basebound.errors import UsageError

KINDS = ("class", "async", "function")
"""What an engine may be: a class with plain or with ``async`` methods, or a pure function."""
JOBS = {"github": ".github/workflows/basebound.yml", "gitlab": "basebound.gitlab-ci.yml"}
"""The CI systems there is a job for, and the file each is in."""
DEFAULT = "my_engine"
_NAME = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*(:[A-Za-z_]\w*)?")
_TEMPLATES = Path(__file__).parent


@dataclass(frozen=True)
class Written:
    """The files that were made: the adapter and its name as a target, the test, and the CI job if there is one."""

    adapter: Path
    target: str
    test: Path
    job: Path | None


def write(engine: str, folder: Path, job: str | None, kind: str = "class") -> Written:
    """Start the files for ``engine``, ``package.module`` or ``package.module:name``; the job goes to this folder.

    ``kind`` is one of ``KINDS``. Raises ``UsageError`` where a file is there already, and then writes none.
    """
    if not _NAME.fullmatch(engine):
        raise UsageError(
            "not-an-import-name", f"{engine!r} does not name an engine", "write package.module, or package.module:name"
        )
    module, _, attribute = engine.partition(":")
    slug = _snake(attribute or module.rpartition(".")[2])
    adapter, test = folder / f"{slug}_adapter.py", folder / f"test_{slug}_conformance.py"
    fields = {
        "engine": engine,
        "statement": f"from {module} import {attribute or 'the_engine'}",
        "module": adapter.stem,
        "adapter": f"{slug}_target" if kind == "function" else f"{_camel(slug)}Adapter",
        "name": _camel(slug),
        "file": adapter.as_posix(),
        "test": test.as_posix(),
        "define": "async def" if kind == "async" else "def",
        "wait": "await " if kind == "async" else "",
        "clients": "tasks of one event loop" if kind == "async" else "threads",
    }
    templates = ("function.py", "function_test.py") if kind == "function" else ("adapter.py", "test.py")
    texts = {file: _filled(template, fields) for file, template in zip((adapter, test), templates, strict=True)}
    path = Path(JOBS[job]) if job is not None else None
    if path is not None:
        texts[path] = _filled(f"{job}.yml", fields)
    _check_new(list(texts))
    for file, text in texts.items():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return Written(adapter, f"{adapter.as_posix()}:{fields['adapter']}", test, path)


def _filled(template: str, fields: dict[str, str]) -> str:
    return Template((_TEMPLATES / f"{template}.tmpl").read_text(encoding="utf-8")).substitute(fields)


def _check_new(files: list[Path]) -> None:
    there = [str(file) for file in files if file.exists()]
    if there:
        fix = "nothing is overwritten and nothing was written: name another --folder, or move it away first"
        raise UsageError(
            "file-exists", f"{' and '.join(there)} {'is' if len(there) == 1 else 'are'} there already", fix
        )


def _snake(name: str) -> str:
    """``ContextBuffer`` as ``context_buffer``."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower().strip("_") or "engine"


def _camel(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))
