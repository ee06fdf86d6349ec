"""The process in which CrossHair runs: ``python -m basebound.lenses.proofs.child``.

Orders and answers are JSON, one a line. The first order says which target; the answer is ``{"ready": true, ...}`` or
why nothing can be looked at. Each further order names a shape; the answer is what the look came to. What the
target prints goes to standard error.
"""

from __future__ import annotations

import json
import logging
import os
import sys
from collections.abc import Iterator
from typing import IO, Any, Final

from basebound.errors import UsageError
from basebound.lenses.proofs.battery import BY_NAME
from basebound.lenses.proofs.crosshair import fstrings
from basebound.lenses.proofs.limits import SLACK, START, end_within, go_on, limit_memory
from basebound.lenses.proofs.subject import Subject, subject_of
from basebound.targets import loading

MEND: Final = "install a version that works with this Python: pip install --upgrade crosshair-tool z3-solver"


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
            _answer(answers, **_look(subject, order))
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
        _answer(answers, unusable=error.what, fix=error.fix)
        return None
    if target.asynchronous:
        _answer(answers, asynchronous=True)
        return None
    try:
        from basebound.lenses.proofs.crosshair import stand_ins

        stand_ins.install()
        _self_test()
    except BaseException as error:  # whatever is wrong with an installation: it is told, and never a pass
        _answer(answers, unavailable=f"CrossHair does not work here: {type(error).__name__}: {error}", fix=MEND)
        return None
    _wall()
    logging.disable()  # a handler would write open values out, one case at a time
    subject = subject_of(target)
    go_on()
    _answer(answers, ready=True, kind=subject.kind.value, abilities=sorted(subject.abilities))
    return subject


def _self_test() -> None:
    """CrossHair must prove what is true and refute what is false, or nothing it says here counts."""
    from basebound.lenses.proofs.crosshair.canary import run

    run()


def _wall() -> None:
    """Files and sockets are closed to the target from here on: what it is tried with is not what it was made for."""
    from basebound.lenses.proofs.crosshair.api import engage_auditwall

    engage_auditwall()


def _look(subject: Subject, order: dict[str, Any]) -> dict[str, Any]:
    from basebound.lenses.proofs import analysis

    try:
        seen = analysis.look(BY_NAME[order["shape"]], subject, order["seconds"])
    except MemoryError:
        return {"exhausted": False, "why": "the memory bound was reached", "paths": 0, "seconds": 0.0, "candidates": []}
    except (Exception, SystemExit) as error:
        why = f"the analysis ended early: {type(error).__name__}: {error}"[:300]
        return {"exhausted": False, "why": why, "paths": 0, "seconds": 0.0, "candidates": []}
    return {
        "exhausted": seen.exhausted,
        "why": seen.why,
        "paths": seen.paths,
        "seconds": seen.seconds,
        "candidates": [
            {"values": candidate.values, "requirements": candidate.requirements, "error": candidate.error}
            for candidate in seen.candidates
        ],
    }


if __name__ == "__main__":
    main()
