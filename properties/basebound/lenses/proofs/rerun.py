"""Run a candidate again, outside CrossHair, with the real hash: ``python -m basebound.lenses.proofs.rerun``.

A fresh process reads one order (a JSON object) from standard input and writes what it saw to standard output.
Only what is broken here is reported as refuted.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Final

from basebound.core.trace import to_rows
from basebound.lenses.proofs.battery import BY_NAME
from basebound.lenses.proofs.cases import Answer, Broke, Case, Contents, Lines, Rewrite
from basebound.lenses.proofs.contracts import broken
from basebound.lenses.proofs.limits import RERUN, end_within
from basebound.lenses.proofs.observe import observe
from basebound.lenses.proofs.replayable import trace_of
from basebound.lenses.proofs.shapes import INSERTED, Character, Parameter, Shape, Text, Values, build, in_domain
from basebound.lenses.proofs.subject import Called, Kind, Subject, subject_of
from basebound.model import Config, Rejected
from basebound.targets.functions import apply_function
from basebound.targets.loading import load

TRIED: Final = {Kind.APPLY: 250_000, Kind.ENGINE: 100_000}
"""Contents whose real bases are compared when a cut hash is suspected; 100,000 find two with the same 32 bits with a
chance of 2 in 3, 250,000 almost surely."""
_VIEWS: Final[tuple[tuple[str, Callable[[str], str]], ...]] = (
    ("all", lambda base: base),
    ("the first 8 characters", lambda base: base[:8]),
    ("the last 8 characters", lambda base: base[-8:]),
)


def answer_to(called: Called, case: Case) -> Answer:
    """The answer, where any exception is an answer too: outside an analysis it can only be the target's own."""
    try:
        return observe(called, case)
    except Rejected as refusal:
        return Broke(f"refused what leads up to the case: {refusal}")
    except Exception as error:
        return Broke(f"raised {type(error).__name__}: {error}")


def rerun(subject: Subject, shape: Shape, values: Values) -> dict[str, Any] | None:
    """What is broken, on values as plain as possible, in the fields of a report; ``None`` if nothing is."""
    found = _broken(subject, shape, values)
    if not found:
        return None
    plain = simplified(subject, shape, dict(values), found)
    case = build(shape, plain, subject.budgeted)
    return reported(case, answer_to(subject.called, case))


def _broken(subject: Subject, shape: Shape, values: Values) -> frozenset[str]:
    if not in_domain(shape, values) or not _encodes(values):
        return frozenset()
    case = build(shape, values, subject.budgeted)
    return frozenset(broken(case, answer_to(subject.called, case)))


def simplified(subject: Subject, shape: Shape, values: dict[str, Any], found: frozenset[str]) -> dict[str, Any]:
    """``values`` with plainer ones in their place wherever all of ``found`` stays broken."""
    for parameter in shape.parameters:
        for plainer in _plainer(parameter):
            if plainer == values[parameter.name]:
                break
            tried = {**values, parameter.name: plainer}
            if found <= _broken(subject, shape, tried):
                values = tried
                break
    return values


def _plainer(parameter: Parameter) -> tuple[Any, ...]:
    if isinstance(parameter, Character):
        plain = "xyz" if parameter.name.startswith(INSERTED) else "abc"
        return ((-1,) if parameter.or_none else ()) + tuple(map(ord, plain))
    return ("", "a") if isinstance(parameter, Text) else (0, 1, 2, -1, 3)


def _encodes(values: Values) -> bool:
    """Whether every open text is one that a line may hold."""
    try:
        for value in values.values():
            str(value).encode()
    except UnicodeEncodeError:
        return False
    return True


def reported(case: Case, answer: Answer) -> dict[str, Any] | None:
    """A broken case in the fields of a report."""
    requirements = broken(case, answer)
    if not requirements:
        return None
    return {"requirements": list(requirements), "trace": to_rows(trace_of(case))}


def by_collision(subject: Subject, contents: bool) -> dict[str, Any] | None:
    """What is broken by two contents whose real bases agree as far as a cut hash compares them."""
    for pair in collisions(subject):
        if isinstance(pair, Contents) == contents:
            found = reported(pair, answer_to(subject.called, pair))
            if found:
                return found
    return None


def collisions(subject: Subject) -> Iterator[Case]:
    """Pairs of contents whose real bases agree, in whole or as far as a cut hash would compare them.

    An analysis with an ideal hash finds that a target compares only part of a digest, but not which contents agree
    in that part. A birthday search does, for up to 32 bits.
    """
    base_of = _base_of(subject.called)
    seen: list[dict[str, Lines]] = [{} for _ in _VIEWS]
    open_views = set(range(len(_VIEWS)))
    for number in range(TRIED.get(subject.kind, 0)):
        content: Lines = (str(number),)
        base = base_of(content)
        for view in sorted(open_views):
            part = _VIEWS[view][1](base)
            other = seen[view].setdefault(part, content)
            if other != content:
                open_views.discard(view)
                yield from _pair(subject, other, content)
        if not open_views:
            return


def _base_of(called: Called) -> Callable[[Lines], str]:
    if isinstance(called, apply_function):
        return called.digest
    factory: Any = called

    def base_of(lines: Lines) -> str:
        base: str = factory(Config(lines)).snapshot().base
        return base

    return base_of


def _pair(subject: Subject, first: Lines, second: Lines) -> Iterator[Case]:
    case = Rewrite(second, first, ())
    yield replace(case, budgeted=True) if subject.budgeted else case
    if subject.kind is Kind.APPLY:
        yield Contents(first, second)


def main() -> None:
    order = json.loads(sys.stdin.readline())
    end_within(RERUN)
    answers = os.dup(1)
    os.dup2(2, 1)  # what the target prints is not an answer
    sys.path[:0] = [entry for entry in order["path"] if entry not in sys.path]
    subject = subject_of(load(order["target"]))
    if "collide" in order:
        found: Any = by_collision(subject, order["collide"] == "contents")
    else:
        found = [rerun(subject, BY_NAME[order["shape"]], values) for values in order["values"]]
    with os.fdopen(answers, "w", encoding="utf-8") as out:
        out.write(json.dumps(found) + "\n")


if __name__ == "__main__":
    main()
