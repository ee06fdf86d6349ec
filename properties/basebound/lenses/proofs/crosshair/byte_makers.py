"""The ways of making bytes of open values that CrossHair itself would fix to one value a path.

``b"%d:%b" % (size, data)`` is put together of its parts, and ``bytes(text, encoding)`` is ``text.encode(encoding)``.

This module imports CrossHair; only a child process does that.
"""

from __future__ import annotations

import re
from typing import Any, Final

from basebound.lenses.proofs.crosshair.api import (
    NoTracing,
    before_remainder,
    deep_realize,
    python_type,
    replace_in_analyses,
)
from basebound.lenses.proofs.crosshair.copies import is_open

_PARTS: Final = re.compile(rb"(%.)", re.DOTALL)
_TYPES: Final[dict[bytes, tuple[type, ...]]] = {
    b"%d": (int, bool),
    b"%i": (int, bool),
    b"%u": (int, bool),
    b"%b": (bytes, bytearray),
    b"%s": (bytes, bytearray),
}
"""The conversions that are put together here, and for values of which types."""


def install() -> None:
    """Register with CrossHair; acts only inside an analysis of this process."""

    def to_bytes(*given: Any, **named: Any) -> Any:
        if len(given) + len(named) < 2:
            return exact(*given, **named)
        text, *rest = given
        return text.encode(*rest, **named)

    exact = replace_in_analyses(bytes, to_bytes)
    before_remainder(lambda left: _Template(left) if type(left) is bytes else None)


class _Template:
    """The bytes on the left of ``%``."""

    def __init__(self, text: bytes) -> None:
        self.text = text

    def __mod__(self, values: Any) -> Any:
        with NoTracing():
            parts = _parts(self.text, values)
            if parts is None:
                return self.text % deep_realize(values)
        made: Any = b""
        for part in parts:
            with NoTracing():
                number = python_type(part) in (int, bool)
            made = made + (str(int(part)).encode() if number else part)
        return made


def _parts(template: bytes, values: Any) -> list[Any] | None:
    """Literals and values in their order; ``None`` where nothing is open, or Python itself should do it."""
    left = list(values) if type(values) is tuple else [values]
    if not is_open(left):
        return None
    parts: list[Any] = []
    for part in _PARTS.split(template):
        if part[:1] != b"%":
            parts.append(part)
        elif part == b"%%":
            parts.append(b"%")
        elif left and python_type(left[0]) in _TYPES.get(part, ()):
            parts.append(left.pop(0))
        else:
            return None
    return None if left else parts
