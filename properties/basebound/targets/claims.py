"""What a target claims, asked in a process that does nothing else: ``python -m basebound.targets.claims TARGET FILE``.

It is for who must know which requirements a target will be judged by before it is judged, and comes back sooner
than a worker of the suite.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path

from basebound.core.register import PureFunction
from basebound.results.claims import Claims
from basebound.targets.process import Child, ours, python
from basebound.targets.process.environment import BOUND


def ask(target: str, seconds: float) -> Claims | None:
    """The claims of ``target``; None where it does not load, or does not come back within ``seconds``."""
    with tempfile.TemporaryDirectory(prefix="basebound-") as folder:
        answer = Path(folder) / "claims.json"
        Child(python(__name__, target, str(answer)), ours(**{BOUND: str(seconds)})).finish(seconds)
        return _read(answer)


def _read(answer: Path) -> Claims | None:
    try:
        row = json.loads(answer.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    pure = None if row["pure"] is None else PureFunction(row["pure"])
    return Claims(frozenset(row["profiles"]), row["inserts"], row["max_hunks"], pure)


def _answer(name: str, answer: Path) -> None:
    from basebound.targets.loading import load

    target = load(name)
    claims = Claims(target.profiles, target.inserts, target.max_hunks, target.pure)
    writing = answer.with_suffix(".writing")
    writing.write_text(json.dumps({**asdict(claims), "profiles": sorted(claims.profiles)}), encoding="utf-8")
    writing.rename(answer)  # whole, or not there
    os._exit(0)  # whatever threads the target has left


if __name__ == "__main__":
    _answer(sys.argv[1], Path(sys.argv[2]))
