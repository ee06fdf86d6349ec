"""Ways of writing values into texts: bases of written-out lines, and messages of refusals.

Not imported, but read as a child reads a target's modules (see ``test_analysis.py``).
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from basebound import apply_function
from basebound.model import Hunk, Reason, Rejected
from basebound_catalogue.mutants.pure import framed

Lines = tuple[str, ...]

DEFERRED: dict[str, Callable[[Lines], str]] = {
    "json": lambda lines: hashlib.sha256(json.dumps(lines).encode()).hexdigest(),
    "compact json": lambda lines: json.dumps(list(lines), ensure_ascii=False, separators=(",", ":")),
    "json after a prefix": lambda lines: hashlib.sha256(b"v1:" + json.dumps(lines).encode()).hexdigest(),
    "json of a dictionary": lambda lines: hashlib.sha256(
        json.dumps({"n": len(lines), "lines": lines}, sort_keys=True).encode()
    ).hexdigest(),
    "% of bytes": lambda lines: hashlib.sha256(
        b"".join([b"%d:%b," % (len(line.encode()), line.encode()) for line in lines])
    ).hexdigest(),
    "bytes of a text": lambda lines: hashlib.sha256(
        b"".join([bytes(f"{len(line)}:", encoding="ascii") + bytes(line, "utf-8") for line in lines])
    ).hexdigest(),
    "text of numbers": lambda lines: hashlib.sha256(
        b"".join([f"{len(line)}:{line}".encode() for line in lines])
    ).hexdigest(),
    "repr": lambda lines: hashlib.sha256(repr(lines).encode()).hexdigest(),
    "f-string": lambda lines: hashlib.sha256(f"{len(lines)} {list(lines)!r}".encode()).hexdigest(),
}


@dataclass(frozen=True)
class Spot:
    start: int
    rest: object


class Measured(NamedTuple):
    start: int
    end: int


class Named:
    def __init__(self, start: int) -> None:
        self.start = start

    def __str__(self) -> str:
        return f"from {self.start}"


def printed(hunk: Hunk) -> str:
    print("refused", hunk, hunk.start)
    print(f"refused {hunk}", file=sys.stderr)
    return "printed"


MESSAGES: dict[str, Callable[[Hunk, Lines], Any]] = {
    "f-string": lambda hunk, live: f"{hunk.start:>8} to {hunk.end}, of {len(live)}: {hunk.insert!r} {live!r}",
    "str": lambda hunk, live: "at " + str(hunk.start) + ", " + repr(hunk.end),
    "joined": lambda hunk, live: ", ".join([str(hunk.start), hex(hunk.end), bin(hunk.start), oct(hunk.end), *live]),
    "%": lambda hunk, live: "at %d: %s" % (hunk.start, hunk.insert),  # noqa: UP031
    "% of names": lambda hunk, live: "%(start)05d" % {"start": hunk.start},  # noqa: UP031
    "format": lambda hunk, live: "{} to {end:,}".format(hunk.start, end=hunk.end),  # noqa: UP032
    "a dataclass": lambda hunk, live: f"{hunk} {Spot(hunk.start, (Reason.BAD_HUNK, [hunk]))}",
    "a named tuple": lambda hunk, live: f"{Measured(hunk.start, hunk.end)}",
    "a dictionary": lambda hunk, live: f"{ {'start': hunk.start} }",
    "its own text": lambda hunk, live: f"{Named(hunk.start)}",
    "no text": lambda hunk, live: hunk,
    "printed": lambda hunk, live: printed(hunk),
}


def refusing(message: Callable[[Hunk, Lines], Any]) -> apply_function:
    def apply(live: Lines, authored: str, hunks: Sequence[Hunk], protected: Lines) -> Lines:
        if authored != framed(live):
            raise Rejected(Reason.STALE_BASE, f"live is {live!r} and not {authored}")
        for hunk in hunks:
            if not 0 <= hunk.start <= hunk.end <= len(live):
                raise Rejected(Reason.BAD_HUNK, message(hunk, live))
            live = live[: hunk.start] + hunk.insert + live[hunk.end :]
        return live

    return apply_function(apply, framed)


BROKEN_MESSAGES: dict[str, tuple[Callable[[Hunk], str], str]] = {
    "too many values": (lambda hunk: "%d" % (hunk.start, hunk.end), "TypeError"),  # noqa: F507, UP031
    "no such conversion": (lambda hunk: f"{hunk.start:zz}", "ValueError"),
    "too many bytes": (lambda hunk: str(b"%d" % (hunk.start, hunk.end)), "TypeError"),
    "no bytes": (lambda hunk: str(b"%b" % hunk.start), "TypeError"),
    "no character": (lambda hunk: "%c" % (hunk.start,), "OverflowError"),  # noqa: UP031
}
