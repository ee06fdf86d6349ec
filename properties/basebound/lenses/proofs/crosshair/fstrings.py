"""f-strings of a target, where CrossHair does not see them: from Python 3.13 on.

There ``f"{line}"`` is made by instructions that its tracer cannot watch, so that an open value in a message is fixed to
one value a path. What a target's modules say is the same if ``"".join([format(line)])`` stands in its place, and that
is seen.
"""

from __future__ import annotations

import ast
import sys
from importlib.machinery import SourceFileLoader
from types import CodeType
from typing import Any, Final

_CONVERSIONS: Final = {ord("r"): "repr", ord("s"): "str", ord("a"): "ascii"}


def spell_out() -> None:
    """Read each module that is loaded from here on with its f-strings spelled out, and not from a cache."""
    if sys.version_info >= (3, 13):
        loader: Any = SourceFileLoader
        loader.get_code = _code


def _code(loader: SourceFileLoader, name: str) -> CodeType:
    path = loader.get_filename(name)
    tree = ast.parse(loader.get_data(path), path)
    return compile(spelled_out(tree), path, "exec", dont_inherit=True)


def spelled_out(tree: ast.Module) -> ast.Module:
    """``tree`` without f-strings; it does the same."""
    made: ast.Module = ast.fix_missing_locations(_Spelled().visit(tree))
    return made


class _Spelled(ast.NodeTransformer):
    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.expr:
        self.generic_visit(node)
        parts = [_formatted(part) if isinstance(part, ast.FormattedValue) else part for part in node.values]
        joined = ast.Attribute(ast.Constant(""), "join", ast.Load())
        return ast.copy_location(ast.Call(joined, [ast.List(parts, ast.Load())], []), node)

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        """``"%s" % (value,)``, which would be compiled as an f-string, as a call that is not."""
        self.generic_visit(node)
        match node:
            case ast.BinOp(ast.Constant(str()) as text, ast.Mod(), ast.Tuple() as values):
                return ast.copy_location(ast.Call(ast.Attribute(text, "__mod__", ast.Load()), [values], []), node)
        return node


def _formatted(part: ast.FormattedValue) -> ast.expr:
    converted = _CONVERSIONS.get(part.conversion)
    value = _called(converted, part.value) if converted else part.value
    return _called("format", value, part.format_spec or ast.Constant(""))


def _called(name: str, *given: ast.expr) -> ast.expr:
    """A call of a builtin, whatever its name means where it is called."""
    builtins = ast.Call(ast.Name("__import__", ast.Load()), [ast.Constant("builtins")], [])
    return ast.Call(ast.Attribute(builtins, name, ast.Load()), [*given], [])
