"""From the name of a target to its factory; a name that leads nowhere is answered with what was probably meant."""

from __future__ import annotations

import difflib
import functools
import importlib
import importlib.util
import inspect
import os
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

from basebound.core.register import PureFunction
from basebound.errors import TargetError, UsageError
from basebound.model import Config
from basebound.targets import catalogue

REFERENCE = "basebound.targets.reference:ReferenceEngine"
_KINDS = ("adapter", *catalogue.KINDS, "wire", "mcp")
_FORMS = "write package.module:name, path/to/file.py:name, reference, or adapter:NAME"
_SHOWN = 5


def find(name: str) -> Callable[[Config], Any]:
    """The factory a name stands for; nothing is built. Raises ``TargetError``."""
    kind, _, rest = name.partition(":")
    if name == "reference":
        return find(REFERENCE)
    if kind == "adapter":
        from basebound.targets import adapters

        return adapters.load(adapters.find(rest))
    if kind == "wire":
        from basebound.targets.wire import WireTarget

        return WireTarget(rest)
    if kind == "mcp":
        from basebound.targets import mcp

        return mcp.find(rest)
    if kind in catalogue.KINDS:
        return catalogue.engine(kind, rest)
    return _attribute(name)


def said(error: BaseException) -> str:
    """An exception of the target on one line, with the place in its own code that it comes from."""
    place = _place(error)
    text = f"{type(error).__name__}: {error}"[:500]
    return f"{text} (at {place})" if place else text


def a(name: str) -> str:
    """``name`` with its article."""
    return f"an {name}" if name[:1].lower() in "aeiou" else f"a {name}"


def _attribute(name: str) -> Callable[[Config], Any]:
    if "::" in name:
        first, *parts = [part for part in name.split("::") if part] or [""]
        meant = f"did you mean {first}:{'.'.join(parts)}?" if parts else _FORMS
        raise TargetError("target-two-colons", f"{name!r} has two colons, where a target has one", meant)
    place, _, path = name.rpartition(":")
    if not place or not path:
        raise _incomplete(name)
    module = _named(place, name)
    found: Any = module
    for part in path.split("."):
        if not hasattr(found, part):
            raise TargetError("no-such-attribute", f"{place} has no {path!r}", _nearest_in(module, place, path))
        found = getattr(found, part)
    if not callable(found):
        what = f"{name} is {a(type(found).__name__)}, and cannot be called"
        raise TargetError(
            "not-callable", what, "a target is a class or function that takes a Config and returns an engine"
        )
    return _taking_config(found, name)


# A name without all of its parts


def _incomplete(name: str) -> TargetError:
    """What is wrong with a name that lacks a part: the place, what is in it, or both."""
    if name.startswith(":"):
        return TargetError("target-without-place", f"{name!r} says what, and not where it is", _FORMS)
    place = name.rstrip(":")
    if _is_file(place):
        return _unnamed(place, "file", _file_module(Path(place), name))
    if place.isascii() and all(part.isidentifier() for part in place.split(".")):
        found = _importable(place)
        if found is not None:
            return _unnamed(place, "module", found)
        parent, _, last = place.rpartition(".")
        outer = _importable(parent) if parent else None
        if outer is not None and hasattr(outer, last):
            meant = f"did you mean {parent}:{last}?"
            return TargetError(
                "target-without-colon", f"{name!r} has no colon between the module and what is in it", meant
            )
    known = {"reference": "reference", **{short: full for full, short in _bundled()}}
    close = difflib.get_close_matches(place, known, n=3, cutoff=0.7)
    meant = f"did you mean {_either(known[one] for one in close)}?" if close else _FORMS
    return TargetError("unknown-target", f"{name!r} does not name a target", meant)


def _bundled() -> Iterator[tuple[str, str]]:
    from basebound.targets.adapters import ADAPTERS

    return ((f"adapter:{adapter.name}", adapter.name) for adapter in ADAPTERS)


def _importable(place: str) -> ModuleType | None:
    """The module of that name, if there is one; only what is found without error counts."""
    _look_here()
    try:
        if importlib.util.find_spec(place) is None:
            return None
    except (ImportError, ValueError):
        return None
    return _module(place, place)


def _unnamed(place: str, kind: str, module: ModuleType) -> TargetError:
    what = f"{place} is a {kind}, and a target is something in it"
    names = factories(module)
    if names:
        return TargetError("target-without-name", what, f"did you mean {_either(f'{place}:{name}' for name in names)}?")
    fix = f"write {place}:NAME; nothing in it looks like a class or function that takes a Config and returns an engine"
    return TargetError("target-without-name", what, fix)


def _nearest_in(module: ModuleType, place: str, path: str) -> str:
    public = [known for known in vars(module) if not known.startswith("_")]
    close = difflib.get_close_matches(path, public, n=3, cutoff=0.5)
    if close:
        return f"did you mean {_either(f'{place}:{name}' for name in close)}?"
    names = factories(module)
    if names:
        return f"what in it looks like an engine's factory: {', '.join(names)}"
    return "nothing in it looks like a class or function that takes a Config and returns an engine"


def factories(module: ModuleType) -> list[str]:
    """Names of what looks like a factory in ``module`` itself: classes of engines, pure targets, functions of a Config.

    Where there is nothing of the kind: engines it imports, or what it has that takes one argument.
    """
    public = {name: value for name, value in vars(module).items() if not name.startswith("_") and callable(value)}
    own = {name: value for name, value in public.items() if _is_own(value, module)}
    likely = [name for name, value in own.items() if _looks_like_a_factory(value)]
    shown_on = [name for name, value in public.items() if inspect.isclass(value) and _is_engine(value)]
    found = likely or shown_on or [name for name, value in own.items() if _takes_one(value)]
    return found[:_SHOWN]


def _is_own(value: Any, module: ModuleType) -> bool:
    made = isinstance(value, functools.partial) or _is_pure(value)
    return made or getattr(value, "__module__", None) == module.__name__


def _looks_like_a_factory(value: Any) -> bool:
    if inspect.isclass(value):
        return _is_engine(value)
    if isinstance(value, functools.partial):
        return _looks_like_a_factory(value.func) or _takes_one(value)
    return _is_pure(value) or (_takes_one(value) and "config" in str(inspect.signature(value)).lower())


def _is_pure(value: Any) -> bool:
    """Whether it is a pure function made a target."""
    return isinstance(getattr(type(value), "pure", None), PureFunction)


def _is_engine(value: type) -> bool:
    has = {name for name in ("snapshot", "append", "apply", "compact") if callable(getattr(value, name, None))}
    protocol = value.__module__ == Config.__module__
    return not protocol and {"snapshot", "append"} <= has and len(has) > 2 and _takes_one(value)


def _takes_one(value: Any) -> bool:
    try:
        inspect.signature(value).bind(Config())
    except (TypeError, ValueError):
        return False
    return True


def _either(names: Iterable[str]) -> str:
    return " or ".join(names)


# Files and modules


def _named(place: str, name: str) -> ModuleType:
    return _file_module(Path(place), name) if _is_file(place) else _module(place, name)


def _is_file(place: str) -> bool:
    path = Path(place)
    return place.endswith(".py") or os.sep in place or place.startswith(".") or (bool(path.suffix) and path.is_file())


def _file_module(path: Path, name: str) -> ModuleType:
    if path.is_dir():
        held = sorted(file.name for file in path.glob("*.py"))[:_SHOWN]
        fix = f"name a file in it; it holds {', '.join(held) or 'no Python file'}"
        raise TargetError("not-a-python-file", f"{path} is a folder, and not a Python file", fix)
    if not path.is_file():
        raise TargetError("no-such-file", f"there is no file {path}", _nearest_file(path, name))
    if path.suffix != ".py":
        raise TargetError("not-a-python-file", f"{path} is not a Python file", "name a file that ends in .py")
    existing = sys.modules.get(path.stem)
    if existing is not None and getattr(existing, "__file__", None) == str(path.resolve()):
        return existing
    spec = importlib.util.spec_from_file_location(path.stem, path.resolve())
    if spec is None or spec.loader is None:
        raise TargetError("not-a-python-file", f"{path} is not a Python file", "name a file that ends in .py")
    module = importlib.util.module_from_spec(spec)
    loader = spec.loader
    folder = str(path.resolve().parent)
    if folder not in sys.path:
        sys.path.insert(0, folder)
    sys.modules[path.stem] = module
    with _no_bytecode():
        return _importing(lambda: loader.exec_module(module) or module, str(path))  # type: ignore[func-returns-value]


def _nearest_file(path: Path, name: str) -> str:
    files = [file.name for file in path.parent.glob("*.py")] if path.parent.is_dir() else []
    close = difflib.get_close_matches(path.name, files, n=3, cutoff=0.7)
    if close:
        return f"did you mean {_either(str(path.parent / one) for one in close)}?"
    return f"the target {name!r} is looked for from {Path.cwd()}"


@contextmanager
def _no_bytecode() -> Iterator[None]:
    """A file is judged where it stands: no ``__pycache__`` is left beside it."""
    kept, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        yield
    finally:
        sys.dont_write_bytecode = kept


def _module(place: str, name: str) -> ModuleType:
    _look_here()
    close = difflib.get_close_matches(place, _KINDS, n=1, cutoff=0.75)
    fix = f"did you mean {close[0]}:{name.partition(':')[2]}?" if close else ""
    return _importing(lambda: importlib.import_module(place), place, fix)


def _look_here() -> None:
    if "" not in sys.path and str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))


def _importing(run: Callable[[], ModuleType], place: str, meant: str = "") -> ModuleType:
    try:
        return run()
    except UsageError:
        raise
    except ModuleNotFoundError as error:
        if error.name and (place == error.name or place.startswith(error.name + ".")):
            fix = f"is its folder on the path? It is looked for from {Path.cwd()} and in this Python's packages"
            raise TargetError("no-such-module", f"there is no module {error.name!r}", meant or fix) from None
        fix = f"install it beside basebound: it is imported by {_place(error) or place}"
        raise TargetError("missing-package", f"{place} cannot be imported: {error}", fix) from None
    except (Exception, SystemExit) as error:
        what = f"{place} cannot be imported: {said(error)}"
        raise TargetError(
            "import-failed", what, "the module is run when it is imported: fix it, or guard what must not run"
        ) from None


def _taking_config(found: Any, name: str) -> Callable[[Config], Any]:
    try:
        inspect.signature(found).bind(Config())
    except TypeError as error:
        what = f"{name} cannot be called with a Config alone: {error}"
        fix = "wrap it: a function of one argument, or functools.partial with the others given"
        raise TargetError("takes-no-config", what, as_pure(found) or fix) from None
    except ValueError:
        pass
    factory: Callable[[Config], Any] = found
    return factory


_PURE = {
    "apply": ("apply_function(apply, digest)", ("live", "base", "hunk", "protect")),
    "gate": ("gate_function(gate)", ("freed", "charge", "edit", "artifact")),
    "digest": ("apply_function(apply, digest)", ("lines",)),
}
"""How each pure function becomes a target, and what the names of its parameters hold."""


def as_pure(found: Any) -> str:
    """How to make ``found`` a target, where its parameters look like those of a pure apply, gate or digest."""
    try:
        names = [parameter.name.lower() for parameter in inspect.signature(found).parameters.values()]
    except (TypeError, ValueError):
        return ""
    for role, (made, meant) in _PURE.items():
        alike = sum(part in name for part, name in zip(meant, names, strict=False))
        if not inspect.isclass(found) and len(names) == len(meant) and 2 * alike > len(meant):
            helper = made.partition("(")[0]
            return f"it looks like a pure {role}: from basebound import {helper}, and make it {made}"
    return ""


def _place(error: BaseException) -> str:
    """The innermost line of the traceback that is the target's own, not ours and not the standard library's."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = str(Path(__file__).parent.parent) + os.sep
    own = [
        f for f in frames if not f.filename.startswith((ours, "<frozen")) and os.sep + "lib" + os.sep not in f.filename
    ]
    return f"{own[-1].filename}:{own[-1].lineno}" if own else ""
