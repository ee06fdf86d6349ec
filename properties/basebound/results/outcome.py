"""What a call of an engine came to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from basebound.model import Reason, Receipt, Snapshot


@dataclass(frozen=True)
class Returned:
    """The call returned; ``value`` is a checked copy of what apply or snapshot gave.

    ``remark`` is said beside it where a refusal was due.
    """

    value: Snapshot | Receipt | None = None
    remark: str = ""


@dataclass(frozen=True)
class Refused:
    """``apply`` (or a gate) raised ``Rejected``."""

    reason: Reason
    message: str = ""


@dataclass(frozen=True)
class Raised:
    """The call raised something else; ``where`` is the innermost place in the target's own code, if known."""

    kind: str
    message: str = ""
    where: str = ""


@dataclass(frozen=True)
class Malformed:
    """The call returned something that is not of its declared type."""

    what: str


Outcome: TypeAlias = Returned | Refused | Raised | Malformed


def outcome_text(outcome: Outcome) -> str:
    """One outcome in a few words."""
    match outcome:
        case Raised(kind, message, where):
            return f"raised {kind}" + (f": {message}" if message else "") + (f" ({where})" if where else "")
        case Malformed(what):
            return what
        case Returned():
            return "done"
    return f"refused as {outcome.reason}" + (f": {outcome.message}" if outcome.message else "")
