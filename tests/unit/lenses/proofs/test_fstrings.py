"""f-strings spelled out do what they did."""

from __future__ import annotations

import ast
from decimal import Decimal
from typing import Any

import pytest

from basebound.lenses.proofs.crosshair.fstrings import spelled_out

NAMES: dict[str, Any] = {"n": 1234, "text": "naïve", "ratio": Decimal("0.125"), "width": 9, "format": None, "str": 3}


@pytest.mark.parametrize(
    "written",
    [
        "f''",
        "f'no value'",
        "f'{n}'",
        "f'{{{n}}} of {text}'",
        "f'{text!r} {text!s} {text!a}'",
        "f'{n:>8,} {n:x} {ratio:.1%}'",
        "f'{n:>{width}}|{text!r:*^{width + 3}}'",
        "f'{n=} {text=!s} {ratio=:.2f}'",
        "f'{[f\"{x}-\" for x in range(3)]} {(lambda: n)()}'",
        "'before ' f'{n}' ' after'",
        "rf'\\d{n}'",
        "'%s and %r' % (n, f'{text}')",
    ],
)
def test_a_text_is_the_same_when_it_is_spelled_out(written: str) -> None:
    tree = spelled_out(ast.parse(f"made = {written}"))
    assert not any(isinstance(node, ast.JoinedStr) for node in ast.walk(tree))
    names = dict(NAMES)
    exec(compile(tree, "<spelled out>", "exec"), names)
    assert names["made"] == eval(written, dict(NAMES))


def test_an_error_keeps_its_line() -> None:
    tree = spelled_out(ast.parse("n = 1\n\nmade = f'{n} {m}'"))
    with pytest.raises(NameError) as caught:
        exec(compile(tree, "<spelled out>", "exec"), {})
    assert caught.traceback[-1].lineno + 1 == 3
