"""The reference stands alone: standard library only, and small enough to read in one sitting."""

from __future__ import annotations

import doctest
import json
import shutil
import subprocess
import sys
from pathlib import Path

import basebound_reference

PACKAGE = Path(basebound_reference.__file__).parent


def test_it_imports_nothing_but_the_standard_library(tmp_path: Path) -> None:
    shutil.copytree(PACKAGE, tmp_path / PACKAGE.name, ignore=shutil.ignore_patterns("__pycache__"))
    modules = sorted(f"{PACKAGE.name}.{source.stem}" for source in PACKAGE.glob("[!_]*.py"))
    program = (
        "import importlib, json, sys\n"
        f"sys.path.insert(0, {str(tmp_path)!r})\n"
        f"for name in {modules!r}: importlib.import_module(name)\n"
        "print(json.dumps(sorted({name.partition('.')[0] for name in sys.modules})))\n"
    )
    run = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program], capture_output=True, text=True, timeout=60, check=False
    )
    assert run.returncode == 0, run.stderr
    loaded = set(json.loads(run.stdout))
    assert PACKAGE.name in loaded
    assert loaded - sys.stdlib_module_names == {PACKAGE.name, "__main__"} - sys.stdlib_module_names


def test_the_example_in_its_docstring_runs() -> None:
    outcome = doctest.testmod(basebound_reference)
    assert outcome.attempted > 5
    assert outcome.failed == 0
