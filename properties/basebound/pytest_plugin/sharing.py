"""Each target is described and judged once in a run of pytest, however many processes pytest-xdist has it in."""

from __future__ import annotations

import fcntl
import pickle
import shutil
import tempfile
import zlib
from collections.abc import Callable, MutableMapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import pytest

if TYPE_CHECKING:
    from basebound.pytest_plugin.judging import Outcome
    from basebound.pytest_plugin.options import Case
    from basebound.results.claims import Claims, Described

T = TypeVar("T")
_FOLDER = "basebound_folder"


class Sharing:
    """What was found, by case: in memory, and in a folder where there are several processes."""

    key = pytest.StashKey["Sharing"]()

    def __init__(self, config: pytest.Config) -> None:
        given = getattr(config, "workerinput", {}).get(_FOLDER)
        self._folder = Path(given) if given and Path(given).is_dir() else None
        self._owns = False
        self._found: dict[str, Any] = {}

    def offer(self, workerinput: MutableMapping[str, Any]) -> None:
        """In the process that starts the workers: give one of them the folder."""
        if self._folder is None:
            self._folder, self._owns = Path(tempfile.mkdtemp(prefix="basebound-pytest-")), True
        workerinput[_FOLDER] = str(self._folder)

    def close(self) -> None:
        if self._owns and self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)

    def described(self, case: Case) -> Claims | Described | str:
        """What the target says of itself, or why it cannot be loaded."""
        from basebound.pytest_plugin.judging import describe

        return self._once("described", case, describe)

    def outcome(self, case: Case) -> Outcome:
        from basebound.pytest_plugin.judging import judge

        return self._once("outcome", case, judge)

    def outcomes(self) -> list[Outcome]:
        """All targets judged in this run, by any of its processes."""
        found = {name: value for name, value in self._found.items() if name.startswith("outcome")}
        if self._owns and self._folder is not None:
            for path in sorted(self._folder.glob("outcome-*.pickle")):
                found[path.stem] = pickle.loads(path.read_bytes())
        return list(found.values())

    def _once(self, kind: str, case: Case, make: Callable[[Case], T]) -> T:
        name = f"{kind}-{zlib.crc32(repr(case).encode('utf-8')):08x}"
        if name not in self._found:
            self._found[name] = make(case) if self._folder is None else _shared(self._folder / name, case, make)
        found: T = self._found[name]
        return found


def _shared(path: Path, case: Case, make: Callable[[Case], T]) -> T:
    """Made by the first process that comes, under a lock that ends with it; read by the others."""
    kept = path.with_suffix(".pickle")
    with open(path.with_suffix(".lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if kept.is_file():
            found: T = pickle.loads(kept.read_bytes())
            return found
        made = make(case)
        writing = path.with_suffix(".writing")
        writing.write_bytes(pickle.dumps(made))
        writing.rename(kept)
        return made
