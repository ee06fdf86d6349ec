"""What is known of an engine of the catalogue."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from basebound.model import Config

Factory = Callable[[Config], Any]


@dataclass(frozen=True)
class Fault:
    """A faulty engine that breaks one known thing.

    ``requirement``: the id that a check must report as failed. ``origin``: where the fault was seen, in the
    words that ``incidents.md`` explains. ``about``: the fault in one sentence.
    """

    id: str
    requirement: str
    origin: str
    about: str
    make: Factory


@dataclass(frozen=True)
class Correct:
    """A correct engine of some style; no check may ever report it."""

    id: str
    about: str
    make: Factory


@dataclass(frozen=True)
class Vacuous:
    """An engine that does no work; it may pass no requirement that has content."""

    id: str
    about: str
    make: Factory
