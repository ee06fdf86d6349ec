"""An ideal hash for hashlib's constructors, in an analysis.

A real hash cannot be turned round by a solver: left alone, CrossHair fixes one concrete text a path and
nothing is ever proved. Here a digest is a token that stands for its preimage, and two tokens are equal if
and only if the preimages are. Asking for a digest therefore asks the solver "is this the same content as
one hashed before?", and both answers are followed.

What that assumes, and no more: a whole digest of 16 bytes or longer has no collision. Tokens look like real
digests, but all the difference between two of them stands in the middle: whoever compares less than half
of a digest sees no difference. Shorter digests are all alike. So a cut hash is found out, and the pair of
contents is then looked for with the real hash (see :mod:`basebound.lenses.proofs.rerun`).

Every way of calling is covered: ``sha256(data)``, ``hashlib.new(name, data)``, ``update``, ``copy``, ``digest``,
``hexdigest``, keyed and sized blake2, shake's lengths, ``hmac.new``, and ``hmac.compare_digest`` on the results.

This module imports CrossHair; only a child process does that.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable
from typing import Any, Final

from basebound.lenses.proofs.crosshair.api import (
    NoTracing,
    of_this_path,
    python_type,
    realize,
    replace_in_analyses,
)

SHORTEST: Final = 16
"""Bytes below which a digest is not taken for ideal."""

_REAL_NEW: Final = hashlib.new
_CONSTRUCTORS: Final = {
    name: getattr(hashlib, name) for name in sorted(hashlib.algorithms_guaranteed) if hasattr(hashlib, name)
}


class Preimages:
    """What has been hashed on the path under way; CrossHair makes a new one for each path."""

    def __init__(self, *_: object) -> None:
        self.rows: list[tuple[object, Any]] = []


def _number(function: object, preimage: Any) -> int:
    """The same number for the same hash function and preimage on this path, else another."""
    with NoTracing():
        rows: list[tuple[object, Any]] = of_this_path(Preimages).rows
        known = list(rows)
    for number, (by, earlier) in enumerate(known):
        if by == function and earlier == preimage:  # the solver decides, and follows both answers
            return number
    with NoTracing():
        rows.append((function, preimage))
        return len(rows) - 1


def token(number: int, size: int) -> str:
    """``size`` bytes in hexadecimal that differ from another number's in the middle four digits only."""
    if size < SHORTEST:
        return "a" * (2 * size)
    high, low = divmod(number % 256, 16)
    middle = f"{high:x}{low:x}{low:x}{high:x}"
    return "a" * (size - 2) + middle + "b" * (size - 2)


class IdealHash:
    """The interface of a hashlib object over :func:`token`."""

    def __init__(self, name: str, data: Any, settings: tuple[object, ...], size: int, block_size: int) -> None:
        self.name, self.digest_size, self.block_size = name, size, block_size
        self._settings = settings
        self._data: Any = b""
        self.update(data)

    def update(self, data: Any, /) -> None:
        with NoTracing():
            kind = python_type(data)
            if not issubclass(kind, bytes | bytearray | memoryview):
                raise TypeError("Strings must be encoded before hashing")
        whole = data if kind is bytes else bytes(data)
        with NoTracing():
            first = type(self._data) is bytes and not self._data
        self._data = whole if first else self._data + whole

    def copy(self) -> IdealHash:
        return IdealHash(self.name, self._data, self._settings, self.digest_size, self.block_size)

    def hexdigest(self, *length: int) -> str:
        size = realize(length[0]) if length else self.digest_size
        number = _number((self.name, self._settings), self._data)
        with NoTracing():
            return token(number, size)

    def digest(self, *length: int) -> bytes:
        text = self.hexdigest(*length)
        with NoTracing():
            return bytes.fromhex(text)


def _stand_in(name: str) -> Callable[..., IdealHash]:
    def constructor(*given: Any, **settings: Any) -> IdealHash:
        data = given[0] if given else settings.pop("data", settings.pop("string", b""))
        with NoTracing():
            plain = {key: realize(value) for key, value in settings.items()}
            real = _REAL_NEW(name, **plain)  # checks the settings and knows the sizes
        return IdealHash(real.name, data, tuple(sorted(plain.items())), real.digest_size, real.block_size)

    return constructor


def _new(name: str, *given: Any, **settings: Any) -> IdealHash:
    with NoTracing():
        plain = _REAL_NEW(realize(name)).name  # the one name of its aliases; raises as ever for a name that is none
    return _stand_in(plain)(*given, **settings)


def _keyed(key: Any, msg: Any = None, digestmod: Any = "") -> IdealHash:
    """As ``hmac.new``: of every key a hash function of its own."""
    with NoTracing():
        plain = realize(key)
        real = hmac.new(plain, digestmod=realize(digestmod))
        settings = ("key", bytes(plain))
    return IdealHash(real.name, b"" if msg is None else msg, settings, real.digest_size, real.block_size)


def install() -> None:
    """Register the stand-ins with CrossHair; they act only inside an analysis of this process."""
    stand_ins: dict[Any, Callable[..., Any]] = {
        hashlib.new: _new,
        hmac.new: _keyed,
        hmac.digest: lambda key, msg, digest: _keyed(key, msg, digest).digest(),
        hmac.compare_digest: lambda a, b: a == b,
    }
    for name, constructor in _CONSTRUCTORS.items():
        stand_ins[constructor] = _stand_in(name)
    for real, stand_in in stand_ins.items():
        replace_in_analyses(real, stand_in)
