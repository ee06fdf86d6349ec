"""The meters a check runs an engine with, and lines made to measure.

An engine must use the meter it is given. One that counts by itself is found by meters whose figures
differ from the default's in size, and sometimes in the sign of a net.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from basebound.core.register import nearest
from basebound.errors import UsageError
from basebound.model import Meter, utf8_bytes


@dataclass(frozen=True)
class NamedMeter:
    """``count`` measures a line; ``make(n)`` gives a line of exactly ``n`` tokens, ``n >= smallest``."""

    name: str
    count: Meter
    make: Callable[[int], str]
    smallest: int


class MeterFailed(Exception):
    """Raised by a meter that was told to."""


class FailingMeter:
    """A meter that can be told to raise at one of its next calls."""

    def __init__(self, count: Meter) -> None:
        self._count, self._left = count, 0
        self.fired = False

    def arm(self, calls: int) -> None:
        self._left, self.fired = calls, False

    def disarm(self) -> bool:
        """Back to counting; says whether it has raised since it was armed."""
        fired, self.fired, self._left = self.fired, False, 0
        return fired

    def __call__(self, line: str) -> int:
        if self._left:
            self._left -= 1
            if not self._left:
                self.fired = True
                raise MeterFailed("the meter cannot be reached")
        return self._count(line)


METERS = {
    meter.name: meter
    for meter in (
        NamedMeter("utf8-bytes", utf8_bytes, lambda n: "x" * (n - 1), 1),
        NamedMeter("characters", len, lambda n: "x" * n, 0),
        NamedMeter("words", lambda line: len(line.split()), lambda n: " ".join(["w"] * n), 0),
        NamedMeter("lines", lambda line: 1, lambda n: "x", 1),
        NamedMeter("tens", lambda line: 10 * len(line) + 7, lambda n: "x" * ((n - 7) // 10), 7),
        NamedMeter("huge", lambda line: 2**60 + len(line), lambda n: "x" * max(0, n - 2**60), 2**60),
    )
}
"""By name. ``utf8-bytes`` is the contract's default and the only one the wire always has."""

DEFAULT = METERS["utf8-bytes"]


def meter(name: str) -> NamedMeter:
    """The meter called ``name``; a ``UsageError`` if there is none."""
    found = METERS.get(name)
    if found is None:
        raise UsageError("unknown-meter", f"there is no meter {name!r}", nearest(name, METERS, "basebound list meters"))
    return found
