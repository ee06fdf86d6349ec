"""Usage errors carry a code, which scripts and tests go by, whatever the wording."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import basebound
from basebound import errors
from basebound.errors import Code, UsageError

CODES: tuple[Code, ...] = get_args(Code)


def test_a_code_is_kebab_case_and_stands_once() -> None:
    assert len(set(CODES)) == len(CODES)
    assert [code for code in CODES if not re.fullmatch(r"[a-z]+(-[a-z]+)+", code)] == []


def test_every_code_is_one_that_is_raised() -> None:
    files = Path(basebound.__file__).parents[1].rglob("*.py")
    text = "".join(file.read_text(encoding="utf-8") for file in files if str(file) != errors.__file__)
    assert [code for code in CODES if f'"{code}"' not in text] == []


def test_an_error_says_what_is_wrong_with_its_code_and_then_how_to_fix_it() -> None:
    assert str(UsageError("unknown-lens", "there is no lens 'x'", "name another")) == (
        "there is no lens 'x' [unknown-lens]\n  name another"
    )
    assert str(UsageError("unknown-lens", "there is no lens 'x'")) == "there is no lens 'x' [unknown-lens]"
