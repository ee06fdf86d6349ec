"""The module that mypy is given: it asks of a target, line by line, whether it is what the protocols say.

Each question stands on a line of its own, so an error's line says what was asked. Questions are asked of one
method at a time: a protocol of all of them would be refused as a whole.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

HEAD: Final = """\
from collections.abc import Awaitable, Sequence
from typing import Any, Protocol, TypeVar, overload
from basebound.model import Config, Patch, Receipt, Snapshot
import {module} as the_module

T = TypeVar("T")

@overload
def built(made: Awaitable[T]) -> T: ...
@overload
def built(made: T) -> T: ...
def built(made: Any) -> Any: ...

{protocols}
target = the_module.{name}
"""

METHODS: Final = {
    "snapshot": ("()", "Snapshot"),
    "append": ("(lines: Sequence[str], /)", "None"),
    "apply": ("(patch: Patch, /)", "Receipt"),
    "insert": ("(at: int, lines: Sequence[str], /)", "None"),
    "emit": ("(kind: str, lines: Sequence[str], /)", "None"),
    "end_turn": ("()", "None"),
    "close": ("()", "None"),
}
"""What is asked of each method: parameters and result, as in the protocols of :mod:`basebound.model`."""

REQUIRED: Final = ("snapshot", "append", "apply")
TOGETHER: Final = ("emit", "end_turn")
"""Having one of these makes the other required: together they are profile ``budget``."""


@dataclass(frozen=True)
class Question:
    """``what``: ``factory``, ``call``, ``engine``, or with a ``method``: ``has``, ``type``, ``plain`` or ``async``."""

    what: str
    method: str = ""


def probe(module: str, name: str) -> tuple[str, dict[int, Question]]:
    """The probe's text, and what is asked on which of its lines (from 1)."""
    lines = HEAD.format(module=module, name=name, protocols="\n".join(_protocols())).splitlines()
    questions: dict[int, Question] = {}

    def ask(text: str, what: str, method: str = "") -> None:
        lines.append(text)
        questions[len(lines)] = Question(what, method)

    ask("reveal_type(target)", "factory")
    ask("engine = built(target(Config()))", "call")
    ask("reveal_type(engine)", "engine")
    for method in METHODS:
        ask(f"engine.{method}", "has", method)
        ask(f"reveal_type(engine.{method})", "type", method)
        ask(f"plain_{method}: Plain_{method} = engine", "plain", method)
        ask(f"async_{method}: Async_{method} = engine", "async", method)
    return "\n".join(lines) + "\n", questions


def _protocols() -> list[str]:
    """Two protocols for each method, one plain and one that is awaited."""
    texts: list[str] = []
    for method, (parameters, result) in METHODS.items():
        own = "(self)" if parameters == "()" else f"(self, {parameters[1:]}"
        texts.append(f"class Plain_{method}(Protocol):\n    def {method}{own} -> {result}: ...")
        texts.append(f"class Async_{method}(Protocol):\n    def {method}{own} -> Awaitable[{result}]: ...")
    return texts
