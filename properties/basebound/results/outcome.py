"""What a call of an engine came to, and what the oracle says of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

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


@dataclass(frozen=True)
class Finding:
    """A broken requirement: what was allowed at step number ``step`` (from 0), and what was seen instead.

    ``ambiguous`` says that one of several unread steps is to blame, and not which.
    """

    requirement: str
    step: int
    allowed: str
    seen: str
    ambiguous: bool = False


class Break(NamedTuple):
    """A broken requirement before it has a step: the rule, what was allowed, what was seen."""

    rule: str
    allowed: str
    seen: str
    ambiguous: bool = False
