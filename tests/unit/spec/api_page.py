"""Writes ``API.md`` from the docstrings: ``python tests/unit/spec/api_page.py``. A test compares."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
from pathlib import Path

import basebound

PAGE = Path(basebound.__file__).with_name("API.md")
ROOMS = {
    "basebound": basebound.__all__,
    "basebound.history": ["Recorder"],
    "basebound.targets.wire": ["Client", "Answer"],
}
HEAD = """# The public API

What an adapter, a test or a script may import; all else may change without notice. `python tests/unit/spec/api_page.py`
makes this page from the docstrings. The ids are requirements, explained in [SPEC.md](../../spec/basebound_spec/SPEC.md)
and by `basebound explain ID`.
"""


def page() -> str:
    parts = [HEAD]
    for room, names in ROOMS.items():
        parts.append(f"## {room}\n")
        parts += [entry(getattr(importlib.import_module(room), name)) for name in names]
    return "\n".join(parts)


def entry(public: type) -> str:
    """The heading, the code and the docstring of one class, then its methods and attributes."""
    node = ast.parse(inspect.getsource(public)).body[0]
    assert isinstance(node, ast.ClassDef)
    following = [*node.body[1:], None]
    listed = "\n".join(filter(None, map(member, node.body, following)))
    return f"### {node.name}\n\n{construction(node)}{prose(ast.get_docstring(node))}\n" + (
        f"\n{listed}\n" if listed else ""
    )


def construction(node: ast.ClassDef) -> str:
    """How an object is made, where its users make one."""
    for made in node.body:
        if isinstance(made, ast.FunctionDef) and made.name == "__init__":
            return f"```python\n{node.name}({arguments(made)})\n```\n\n"
    if any("dataclass" in ast.unparse(decorator) for decorator in node.decorator_list):
        fields = ", ".join(ast.unparse(field) for field in node.body if isinstance(field, ast.AnnAssign))
        return f"```python\n{node.name}({fields})\n```\n\n"
    return ""


def arguments(function: ast.FunctionDef) -> str:
    return re.sub(r"^self(, /)?(, )?", "", ast.unparse(function.args))


def member(node: ast.stmt, after: ast.stmt | None) -> str:
    """One row of the list under a class: a public method, a property, or an attribute that says what it is."""
    if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
        is_property = any(ast.unparse(decorator) == "property" for decorator in node.decorator_list)
        call = "" if is_property else f"({arguments(node)})"
        result = f" -> {ast.unparse(node.returns)}" if node.returns is not None else ""
        said = ast.get_docstring(node)
        return f"- `{node.name}{call}{result}`" + (f": {flat(said)}" if said else "")
    is_told = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
    if is_told and isinstance(node, (ast.Assign, ast.AnnAssign)):
        return f"- `{ast.unparse(node)}`: {flat(after.value.value)}"
    return ""


def flat(docstring: str) -> str:
    return " ".join(prose(docstring).split())


def prose(docstring: str | None) -> str:
    """A docstring as Markdown."""
    assert docstring, "a public name says what it is"
    return re.sub(r":\w+:`([^`]*)`", r"`\1`", docstring).replace("``", "`")


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
