"""Canaries: before a proof counts, each stand-in has to get a true statement confirmed and a false one refuted.

A new release of CrossHair may call a stand-in no more, or call it otherwise. Then CrossHair may not be able to follow
what it could (the true statement stays open), or it may follow something else than what Python does (the false one is
confirmed). Either way the canary of the stand-in fails, and there are no proofs.

Statements are about two open numbers; where one is short of all numbers, it says so. This module has to be imported
after :func:`.fstrings.spell_out`, as the modules of a target are.

This module imports CrossHair; only a child process does that.
"""

from __future__ import annotations

import hashlib
import hmac
import inspect
import io
import json
from collections.abc import Callable, Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from basebound.lenses.proofs.crosshair.api import IgnoreAttempt, NotDeterministic, NoTracing, PathEnd, follow_paths

Statement: TypeAlias = Callable[[int, int], bool]
SECONDS: Final = 10.0
"""CPU seconds for one statement: a bound for the case that something is wrong, and far more than any takes."""
PATHS: Final = 60
"""A confirmed statement takes a dozen paths at most, or its open values were tried one by one."""


class CanaryFailed(Exception):
    """CrossHair did not confirm what is true, or did not refute what is false."""


@dataclass(frozen=True)
class Canary:
    """``true`` holds for all numbers and ``false`` does not; to tell so, CrossHair needs the stand-in for ``what``.

    ``ideal``: ``false`` is false of ideal hashes only; real ones of so few values happen to differ.
    """

    what: str
    true: Statement
    false: Statement
    ideal: bool = False

    def sing(self) -> None:
        """Put both statements to CrossHair; raises :class:`CanaryFailed`."""
        for kind, statement, expected in (("true", self.true, "confirmed"), ("false", self.false, "refuted")):
            outcome = _outcome(statement, self.ideal)
            if outcome != expected:
                raise CanaryFailed(
                    f"what stands in for {self.what} does not work: a {kind} statement came out as {outcome}"
                )


def _outcome(statement: Statement, ideal: bool) -> str:
    """What CrossHair says of a statement: ``confirmed``, ``refuted``, ``open``, or what is wrong with what it says."""
    told: list[str] = []
    given_up = 0

    def call(values: Mapping[str, Any]) -> bool:
        nonlocal given_up
        try:
            return bool(statement(values["a"], values["b"]))
        except IgnoreAttempt:
            given_up += 1
            raise

    def at_the_end(end: PathEnd) -> bool:
        if end.raised is None and end.answer:
            return False
        values, _ = end.concrete()
        with NoTracing():
            if end.raised is not None:
                told.append(type(end.raised).__name__)
            else:
                told.append("refuted" if ideal or not _holds(statement, values) else f"refuted by {values}, which hold")
        return True

    try:
        confirmed = follow_paths(call, _SIGNATURE, at_the_end, SECONDS, PATHS)
    except NotDeterministic as error:
        return type(error).__name__
    return told[0] if told else "confirmed" if confirmed and not given_up else "open"


def _holds(statement: Statement, values: dict[str, int]) -> bool:
    """Whether it does in Python alone; what it prints is for nobody."""
    with redirect_stdout(io.StringIO()):
        return statement(values["a"], values["b"])


_SIGNATURE: Final = inspect.Signature(
    [inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=int) for name in "ab"]
)


# -------------------------------------------------------------------------------------- statements


def characters(*numbers: int) -> bool:
    """Whether all are code points of ASCII characters."""
    return all((number >= 0) & (number <= 127) for number in numbers)


def tells_apart(write: Callable[[int], Any]) -> Statement:
    """Two characters are written alike if and only if they are one."""
    return lambda a, b: not characters(a, b) or (write(a) == write(b)) == (a == b)


def never_alike(write: Callable[[int], Any]) -> Statement:
    return lambda a, b: not characters(a, b) or write(a) != write(b)


def _utf8(a: int) -> bytes:
    return chr(a).encode()


def _fed(a: int) -> bytes:
    hashed = hashlib.new("SHA-256", b"1:")
    hashed.update(_utf8(a))
    return hashed.copy().digest()


def _written(writer: str, write: Callable[[int], Any]) -> Canary:
    return Canary(writer, tells_apart(write), never_alike(write))


def _later(writer: str, write: Callable[[int], str], *texts: str) -> Canary:
    """A text that nobody reads is made without telling its values apart; one that is read is what Python makes.

    ``texts`` are those of 0, 1 and 2.
    """

    def true(a: int, b: int) -> bool:
        return bool(write(a)) and (not 0 <= a <= 2 or write(a) == texts[a])

    return Canary(writer, true, lambda a, b: not 0 <= a <= 2 or write(a) != texts[1])


def _emptied(a: int) -> str:
    """The text of a list as it was, not as it is by the time that the text is read."""
    numbers = [a]
    text = "%d: %s" % (0, numbers)  # noqa: UP031
    numbers.clear()
    return text


def _printed(a: int) -> str:
    print("to nobody who reads it", a)
    out = io.StringIO()
    if 0 <= a <= 2:
        print(a, file=out)
    return "printed " + out.getvalue()


def _sliced(a: int, b: int) -> tuple[str, ...]:
    return ("p", "q")[a:b]


CANARIES: Final = (
    _written("hashlib's constructors", lambda a: hashlib.sha256(_utf8(a)).hexdigest()),
    _written("hashlib.new", _fed),
    _written("keyed hashes", lambda a: hashlib.blake2b(_utf8(a), key=b"k", digest_size=20).digest()),
    Canary(
        "hashes cut short",
        lambda a, b: hashlib.sha256(b"").hexdigest()[:8] == hashlib.sha256(b"").hexdigest()[:8],
        tells_apart(lambda a: hashlib.sha256(_utf8(a)).hexdigest()[:8]),
        ideal=True,
    ),
    _written("hmac.new", lambda a: hmac.new(b"key", _utf8(a), "sha256").hexdigest()),
    _written("hmac.digest", lambda a: hmac.digest(b"key", _utf8(a), "sha256")),
    Canary(
        "hmac.compare_digest",
        lambda a, b: not characters(a, b) or hmac.compare_digest(_fed(a), _fed(b)) == (a == b),
        lambda a, b: not characters(a, b) or not hmac.compare_digest(_fed(a), _fed(b)),
    ),
    _written("repr", lambda a: repr((chr(a), [a]))),
    _later("texts of what changes later", _emptied, "0: [0]", "0: [1]", "0: [2]"),
    _written("str", lambda a: str([chr(a)])),
    _later("format", lambda a: format(a, ">4"), "   0", "   1", "   2"),
    _later("f-strings", lambda a: f"at {a:>2}", "at  0", "at  1", "at  2"),
    _later("% of a text", lambda a: "%d of %s" % (a, [a]), "0 of [0]", "1 of [1]", "2 of [2]"),  # noqa: UP031
    _later("% that Python makes an f-string of", lambda a: "%s!" % (a,), "0!", "1!", "2!"),  # noqa: UP031
    _later("str.join", lambda a: ", ".join([str(a), "b"]), "0, b", "1, b", "2, b"),
    _later("hex", lambda a: hex(a), "0x0", "0x1", "0x2"),
    _later("oct", lambda a: oct(a), "0o0", "0o1", "0o2"),
    _later("bin", lambda a: bin(a), "0b0", "0b1", "0b10"),
    _later("print", _printed, "printed 0\n", "printed 1\n", "printed 2\n"),
    _written("json.dumps", lambda a: json.dumps({"line": chr(a), "n": a})),
    Canary(
        "json.loads",
        lambda a, b: not characters(a, b) or json.loads(json.dumps([chr(a), chr(b)])) == [chr(a), chr(b)],
        lambda a, b: not characters(a) or json.loads(json.dumps(chr(a))) != "a",
    ),
    _written("% of bytes", lambda a: b"%d:%b" % (1, _utf8(a))),
    _written("bytes of a text", lambda a: bytes(chr(a), "utf-8")),
    Canary(
        "slices of a tuple",
        lambda a, b: not 0 <= a <= b <= 2 or len(_sliced(a, b)) == b - a,
        lambda a, b: _sliced(a, b) != ("q",),
    ),
)
