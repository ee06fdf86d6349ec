"""The process in which CrossHair runs: ``python -m basebound.lenses.proofs.child``.

Orders and answers are JSON, one a line. The first order says which target; the answer is ``{"ready": true, ...}`` or
why nothing can be analyzed. Each further order names a shape; the answer is what its analysis came to. What the
target prints goes to standard error.
"""

from __future__ import annotations

import json
import logging
import os
import sys
from collections.abc import Iterator
from importlib.metadata import distributions
from typing import IO, Any, Final

from basebound.errors import UsageError
from basebound.lenses.proofs.battery import BY_NAME
from basebound.lenses.proofs.crosshair import fstrings
from basebound.lenses.proofs.limits import SLACK, START, end_within, go_on, limit_memory
from basebound.lenses.proofs.subject import Subject, subject_of
from basebound.targets import loading

NEWEST: Final = "0.0.113"
"""The newest release of CrossHair that the canaries were heard on; the oldest stands in ``pyproject.toml``."""
FIX: Final = f"install a release that works: pip install 'crosshair-tool=={NEWEST}' (or a newer one), with z3-solver"


def main() -> None:
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8", buffering=1)
    os.dup2(2, 1)
    orders = _orders(sys.stdin)
    start = next(orders)
    end_within(START)
    sys.path[:0] = [entry for entry in start["path"] if entry not in sys.path]
    limit_memory()
    subject = _prepare(start["target"], answers)
    if subject is not None:
        for order in orders:
            end_within(order["seconds"] * SLACK)
            _answer(answers, **_analyze(subject, order))
            go_on()


def _orders(source: IO[str]) -> Iterator[dict[str, Any]]:
    for line in source:
        yield json.loads(line)


def _answer(answers: IO[str], **fields: Any) -> None:
    answers.write(json.dumps(fields) + "\n")
    answers.flush()


def _prepare(name: str, answers: IO[str]) -> Subject | None:
    fstrings.spell_out()
    try:
        target = loading.load(name)
    except UsageError as error:
        _answer(answers, code=error.code, unusable=error.what, fix=error.fix)
        return None
    if target.asynchronous:
        _answer(answers, asynchronous=True)
        return None
    if (problem := why_unavailable()) is not None:
        _answer(answers, unavailable=problem, fix=FIX)
        return None
    _wall()
    logging.disable()  # a handler would write open values out, one case at a time
    subject = subject_of(target)
    go_on()
    _answer(answers, ready=True, kind=subject.kind.value, abilities=sorted(subject.abilities))
    return subject


def why_unavailable() -> str | None:
    """What is wrong with CrossHair here, if anything: it must prove what is true and refute what is false."""
    try:
        from basebound.lenses.proofs import selftest
        from basebound.lenses.proofs.crosshair import plugin  # noqa: F401  # to be imported is what it is for

        selftest.run()
    except BaseException as error:  # whatever is wrong with an installation: it is said, and never a pass
        return f"CrossHair {release()} does not work here: {type(error).__name__}: {error}"
    return None


def release() -> str:
    """The release of CrossHair that is installed, or nothing."""
    return next((found.version for found in distributions(name="crosshair-tool")), "")


def _wall() -> None:
    """Files and sockets are closed to the target from here on: what it is tried with is not what it was made for."""
    from basebound.lenses.proofs.crosshair.api import engage_auditwall

    engage_auditwall()


def _analyze(subject: Subject, order: dict[str, Any]) -> dict[str, Any]:
    from basebound.lenses.proofs import analysis

    try:
        done = analysis.analyze(BY_NAME[order["shape"]], subject, order["seconds"])
    except MemoryError:
        return {"exhausted": False, "why": "the memory bound was reached", "paths": 0, "seconds": 0.0, "candidates": []}
    except (Exception, SystemExit) as error:
        why = f"the analysis ended early: {type(error).__name__}: {error}"[:300]
        return {"exhausted": False, "why": why, "paths": 0, "seconds": 0.0, "candidates": []}
    return {
        "exhausted": done.exhausted,
        "why": done.why,
        "paths": done.paths,
        "seconds": done.seconds,
        "candidates": [
            {"values": candidate.values, "requirements": candidate.requirements, "error": candidate.error}
            for candidate in done.candidates
        ],
    }


if __name__ == "__main__":
    main()
