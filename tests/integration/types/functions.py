"""Pure functions that fit what they are given as, and some that do not. The comments say what does not fit."""

from __future__ import annotations

import functools
from collections.abc import Sequence

from basebound import Charge, Config, Engine, Hunk, apply_function
from basebound import gate_function as gated

Lines = tuple[str, ...]


def apply(live_lines: Lines, authored_base: str, hunks: Sequence[Hunk], protected: Lines) -> Lines:
    return live_lines


def digest(lines: Lines) -> str:
    return repr(lines)


def gate(freed: int | None, charges: Sequence[Charge], edited: frozenset[str], artifacts: frozenset[str]) -> None: ...


def text_apply(live_lines: str, authored_base: int, hunks: Sequence[Hunk], protected: Lines) -> int:  # other types
    return 3


def bytes_digest(lines: Lines) -> bytes:  # no text
    return b""


def bool_gate(freed: int, charges: Sequence[Charge], edited: frozenset[str], artifacts: frozenset[str]) -> bool:  # int
    return True


def wrong_within(live_lines: Lines, authored_base: str, hunks: Sequence[Hunk], protected: Lines) -> Lines:
    return list(live_lines)  # type: ignore[return-value]  # a list


def bare_apply(live_lines, authored_base, hunks, protected):  # type: ignore[no-untyped-def]
    return live_lines


def half_gate(freed: int | None, charges, edited: frozenset[str], artifacts: frozenset[str]) -> None:  # type: ignore
    ...


class Bare:
    def __call__(self, live_lines, authored_base, hunks, protected):  # type: ignore[no-untyped-def]
        return live_lines


fits = apply_function(apply, digest)
by_keyword = apply_function(digest=digest, apply=apply)
by_lambda = apply_function(lambda live_lines, base, hunks, protected: live_lines, lambda lines: "".join(lines))
gate_fits = gated(gate)
another_name = fits

wrong = apply_function(text_apply, bytes_digest)  # type: ignore[arg-type]
half_wrong = apply_function(
    apply,
    digest=bytes_digest,  # type: ignore[arg-type]
)
wrong_gate = gated(bool_gate)  # type: ignore[arg-type]
returns_a_list = apply_function(wrong_within, digest)

bare = apply_function(bare_apply, digest)
half = gated(half_gate)
called = apply_function(Bare(), digest)
partly = apply_function(functools.partial(bare_apply), digest)


def made() -> apply_function:
    def local(live_lines: Lines, authored_base: str, hunks: Sequence[Hunk], protected: Lines) -> Lines:
        return live_lines

    return apply_function(local, digest)


def made_wrong() -> apply_function:
    def local(live_lines: str, authored_base: str, hunks: Sequence[Hunk], protected: Lines) -> Lines:  # a str
        return (live_lines,)

    return apply_function(local, digest)  # type: ignore[arg-type]


made_by_call = made()
wrong_by_call = made_wrong()


def factory(config: Config) -> Engine:
    return fits(config)


def wrong_factory(config: Config) -> Engine:
    return wrong(config)
