"""Where in the author's own files a class and its methods stand; read, not run."""

from __future__ import annotations

import ast
import importlib.util
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path


@dataclass(frozen=True)
class Place:
    file: Path
    line: int


@lru_cache(maxsize=64)
def parsed(file: Path) -> ast.Module:
    """The syntax of ``file``; raises ``SyntaxError``."""
    return ast.parse(file.read_text(encoding="utf-8"), str(file))


def file_of(module: str) -> Path | None:
    """The source file of ``module``; its parent packages are imported to find it, the module is not."""
    try:
        spec = importlib.util.find_spec(module)
    except (ImportError, AttributeError, ValueError):
        return None
    return Path(spec.origin) if spec is not None and spec.origin and spec.origin.endswith(".py") else None


def definition(file: Path, name: str) -> Place | None:
    """Where the top-level ``name`` (or ``Outer.inner``) is defined or assigned in ``file``."""
    node = find(parsed(file).body, name.split("."))
    return None if node is None else Place(file, node.lineno)


def method(file: Path, class_name: str, method_name: str, depth: int = 6) -> Place | None:
    """Where a class or the nearest of its bases that can be found defines the method."""
    node = find(parsed(file).body, class_name.split("."))
    if not isinstance(node, ast.ClassDef) or depth == 0:
        return None
    for child in node.body:
        if _names(child, method_name):
            return Place(file, child.lineno)
    for base in node.bases:
        found = _in_base(file, base, method_name, depth - 1)
        if found is not None:
            return found
    return None


def _in_base(file: Path, base: ast.expr, method_name: str, depth: int) -> Place | None:
    if isinstance(base, ast.Subscript):
        base = base.value
    if not isinstance(base, ast.Name):
        return None
    if find(parsed(file).body, [base.id]) is not None:
        return method(file, base.id, method_name, depth)
    for node in parsed(file).body:
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                if (alias.asname or alias.name) == base.id:
                    other = file_of(node.module)
                    return None if other is None else method(other, alias.name, method_name, depth)
    return None


def enclosing(file: Path, line: int) -> str:
    """The innermost function that ``line`` of ``file`` belongs to; empty outside of any."""
    best, name = 0, ""
    for node in ast.walk(parsed(file)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and line in _lines(node) and node.lineno > best:
            best, name = node.lineno, node.name
    return name


def spans(file: Path, name: str) -> list[range]:
    """The lines of a definition in ``file``, and of a class's bases that stand in the same file."""
    node = find(parsed(file).body, name.split("."))
    if node is None:
        return []
    bases = node.bases if isinstance(node, ast.ClassDef) else []
    inherited = [
        span for base in bases if isinstance(base, ast.Name) and base.id != name for span in spans(file, base.id)
    ]
    return [_lines(node), *inherited]


def _lines(node: ast.stmt) -> range:
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)


def find(body: list[ast.stmt], path: list[str]) -> ast.stmt | None:
    """The statement that defines or assigns the name, looked for inside classes and functions part by part."""
    for node in body:
        if _names(node, path[0]):
            if len(path) == 1:
                return node
            return find(node.body, path[1:]) if isinstance(node, ast.ClassDef | ast.FunctionDef) else None
        if isinstance(node, ast.If | ast.Try):
            found = find(node.body, path)
            if found is not None:
                return found
    return None


def _names(node: ast.stmt, name: str) -> bool:
    if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        return node.name == name
    if isinstance(node, ast.AnnAssign):
        return isinstance(node.target, ast.Name) and node.target.id == name
    return isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == name for t in node.targets)
