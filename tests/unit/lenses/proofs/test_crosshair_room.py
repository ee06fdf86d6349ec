"""One module knows CrossHair's names, so that one module changes with them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import basebound
from basebound.lenses.proofs import crosshair as room

API = Path(room.__file__).with_name("api.py")
PRIVATE = {"_codepoints", "_force_into_codepoints", "_PATCH_REGISTRATIONS", "detach_path", "trace_op"}
"""Attributes of CrossHair's objects that are used there."""


def named(file: Path) -> Iterator[str]:
    """The modules and attributes of CrossHair that a file names."""
    for node in ast.walk(ast.parse(file.read_text())):
        match node:
            case ast.Import():
                yield from [name.name for name in node.names if name.name.startswith("crosshair")]
            case ast.ImportFrom(module=str(module)) if module.startswith("crosshair"):
                yield module
            case ast.Attribute(attr=name) | ast.FunctionDef(name=name) if name in PRIVATE:
                yield name
            case ast.Constant(value=str(text)) if text.startswith("crosshair."):
                yield text


def test_only_one_module_names_what_is_crosshairs() -> None:
    files = Path(basebound.__file__).parent.rglob("*.py")
    assert [str(file) for file in files if file != API and list(named(file))] == []


def test_that_module_names_all_of_them() -> None:
    assert set(named(API)) >= {*PRIVATE, "crosshair.core_and_libs"}
