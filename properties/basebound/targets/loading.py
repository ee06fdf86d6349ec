"""From the name of a target to a factory that builds engines, with a message of its own for each way it can fail."""

from __future__ import annotations

import asyncio
import importlib
import importlib.util
import inspect
import os
import sys
import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from basebound.errors import TargetError
from basebound.model import EMISSION_KINDS, PROFILES, Config, Hunk, Patch, Snapshot
from basebound.register import nearest

REFERENCE = "basebound.targets.reference:ReferenceEngine"
_CALLS: dict[str, tuple[object, ...]] = {
    "snapshot": (),
    "append": (["line"],),
    "insert": (0, ["line"]),
    "apply": (Patch(Snapshot((), "", 0), (Hunk(0, 0, ("line",)),)),),
    "emit": (EMISSION_KINDS[0], ["line"]),
    "end_turn": (),
    "compact": (list,),
    "close": (),
}
_NEEDED = {
    "base": ("snapshot", "append", "apply"),
    "protected": ("snapshot", "append", "apply"),
    "atomic": ("snapshot", "append", "apply"),
    "budget": ("snapshot", "append", "apply", "emit", "end_turn"),
    "compaction": ("snapshot", "append", "compact"),
}


@dataclass(frozen=True)
class Target:
    """A loaded target: the factory, and what an engine built by it says of itself.

    ``covers``: prefixes of the requirements a pure function decides; None for a whole engine.
    ``source``: the file and line of the target's own code, where there is one. ``meters``: the names of those it can
    be asked with; None for all. ``piped``: the engine is another process, and what it is told goes through a pipe.
    """

    name: str
    factory: Callable[[Config], Any]
    profiles: frozenset[str]
    inserts: bool
    max_hunks: int | None
    asynchronous: bool
    covers: tuple[str, ...] | None = None
    source: tuple[str, int] | None = None
    meters: tuple[str, ...] | None = None
    piped: bool = False


def load(name: str) -> Target:
    """The target called ``name``: ``module:attribute``, ``file.py:attribute``, ``reference``, ``adapter:NAME`` or
    ``wire:COMMAND``, an engine in another process, or ``mcp:MAP COMMAND``, an MCP server that edits files.

    Raises ``TargetError``, whose stage says how far it came: name, import, attribute, build, describe.
    """
    return describe(name, find(name))


def find(name: str) -> Callable[[Config], Any]:
    """The factory a name stands for; nothing is built."""
    kind, _, rest = name.partition(":")
    if name == "reference":
        return find(REFERENCE)
    if kind == "adapter":
        from basebound import adapters

        return adapters.load(adapters.find(rest))
    if kind == "wire":
        from basebound.targets.wire import WireTarget

        return WireTarget(rest)
    if kind == "mcp":
        from basebound.targets import mcp

        return mcp.find(rest)
    if kind in ("fault", "correct", "free-pass"):
        from basebound.faults import catalogue

        made: Callable[[Config], Any] = catalogue.by_id(kind, rest).make
        return made
    return _attribute(name)


def _attribute(name: str) -> Callable[[Config], Any]:
    place, colon, path = name.rpartition(":")
    if not colon or not place or not path:
        mend = "write package.module:name, path/to/file.py:name, reference, or adapter:NAME"
        raise TargetError("name", f"{name!r} does not name a target", mend)
    module = _file_module(Path(place), name) if _is_file(place) else _module(place, name)
    found: Any = module
    for part in path.split("."):
        if not hasattr(found, part):
            public = [known for known in vars(module) if not known.startswith("_")]
            mend = nearest(path, public, f"python -c 'import {module.__name__}; help({module.__name__})'")
            raise TargetError("attribute", f"{place} has no {path!r}", mend)
        found = getattr(found, part)
    if not callable(found):
        what = f"{name} is {_a(type(found).__name__)}, and cannot be called"
        raise TargetError(
            "attribute", what, "a target is a class or function that takes a Config and returns an engine"
        )
    return _taking_config(found, name)


def _is_file(place: str) -> bool:
    return place.endswith(".py") or os.sep in place


def _file_module(path: Path, name: str) -> ModuleType:
    if not path.is_file():
        raise TargetError("import", f"there is no file {path}", f"the target {name!r} is looked for from {Path.cwd()}")
    existing = sys.modules.get(path.stem)
    if existing is not None and getattr(existing, "__file__", None) == str(path.resolve()):
        return existing
    spec = importlib.util.spec_from_file_location(path.stem, path.resolve())
    if spec is None or spec.loader is None:
        raise TargetError("import", f"{path} is not a Python file", "name a file that ends in .py")
    module = importlib.util.module_from_spec(spec)
    loader = spec.loader
    folder = str(path.resolve().parent)
    if folder not in sys.path:
        sys.path.insert(0, folder)
    sys.modules[path.stem] = module
    return _importing(lambda: loader.exec_module(module) or module, str(path))  # type: ignore[func-returns-value]


def _module(place: str, name: str) -> ModuleType:
    if "" not in sys.path and str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    return _importing(lambda: importlib.import_module(place), place)


def _importing(run: Callable[[], ModuleType], place: str) -> ModuleType:
    try:
        return run()
    except ModuleNotFoundError as error:
        if error.name and (place == error.name or place.startswith(error.name + ".")):
            mend = f"is its folder on the path? It is looked for from {Path.cwd()} and in this Python's packages"
            raise TargetError("import", f"there is no module {error.name!r}", mend) from None
        mend = f"install it beside basebound: it is imported by {_place(error) or place}"
        raise TargetError("import", f"{place} cannot be imported: {error}", mend) from None
    except (Exception, SystemExit) as error:
        what = f"{place} cannot be imported: {_said(error)}"
        raise TargetError(
            "import", what, "the module is run when it is imported: mend it, or guard what must not run"
        ) from None


def _taking_config(found: Any, name: str) -> Callable[[Config], Any]:
    try:
        inspect.signature(found).bind(Config())
    except TypeError as error:
        what = f"{name} cannot be called with a Config alone: {error}"
        mend = "wrap it: a function of one argument, or functools.partial with the others given"
        raise TargetError("build", what, mend) from None
    except ValueError:
        pass
    factory: Callable[[Config], Any] = found
    return factory


def describe(name: str, factory: Callable[[Config], Any]) -> Target:
    """Build one engine with an empty ``Config`` and read what it says of itself."""
    engine, awaited = asyncio.run(_built(name, factory))
    profiles = _profiles(name, engine)
    _check_methods(name, engine, profiles)
    limit = getattr(engine, "max_hunks", None)
    if limit is not None and (isinstance(limit, bool) or not isinstance(limit, int) or limit < 1):
        raise TargetError("describe", f"max_hunks of {name} is {limit!r}", "it is None or a whole number above zero")
    plain = not awaited and not any(inspect.iscoroutinefunction(getattr(engine, method, None)) for method in _CALLS)
    covers = getattr(factory, "covers", None)
    inserts = callable(getattr(engine, "insert", None))
    source = getattr(factory, "source", None) if hasattr(factory, "source") else _source(factory, engine)
    meters, piped = getattr(factory, "meters", None), getattr(factory, "piped", False)
    return Target(name, factory, profiles, inserts, limit, not plain, covers, source, meters, piped)


async def _built(name: str, factory: Callable[[Config], Any]) -> tuple[Any, bool]:
    try:
        engine = factory(Config())
        awaited = inspect.isawaitable(engine)
        if awaited:
            engine = await engine
        close = getattr(engine, "close", None)
        if callable(close) and not inspect.isclass(engine):
            closing = close()
            if inspect.isawaitable(closing):
                await closing
    except TargetError:
        raise
    except (Exception, SystemExit) as error:
        what = f"{name} cannot build an engine of an empty Config: {_said(error)}"
        raise TargetError(
            "build", what, "Config() has no lines, no markers and the default meter: all three are allowed"
        ) from None
    return engine, awaited


def _profiles(name: str, engine: object) -> frozenset[str]:
    claimed = getattr(engine, "profiles", None)
    if claimed is None:
        methods = {"budget": ("emit", "end_turn"), "compaction": ("compact",)}
        by_methods = {p for p, needed in methods.items() if all(callable(getattr(engine, m, None)) for m in needed)}
        plain = {"base", "protected"} if callable(getattr(engine, "apply", None)) or not by_methods else set()
        return frozenset(plain | by_methods)
    if isinstance(claimed, str) or not isinstance(claimed, Iterable):
        raise TargetError(
            "describe", f"profiles of {name} is {claimed!r}", 'it is a container of names, as {"base", "protected"}'
        )
    names = list(claimed)
    for profile in names:
        if profile not in PROFILES:
            raise TargetError(
                "describe", f"{name} claims {profile!r}, which is no profile", f"the profiles are {', '.join(PROFILES)}"
            )
    if not names:
        raise TargetError("describe", f"{name} claims no profile", f"the profiles are {', '.join(PROFILES)}")
    return frozenset(names)


def _check_methods(name: str, engine: object, profiles: frozenset[str]) -> None:
    for profile in PROFILES:
        for method in _NEEDED[profile] if profile in profiles else ():
            if not callable(getattr(engine, method, None)):
                what = f"{name} gives {_a(type(engine).__name__)}, which has no method {method!r}"
                raise TargetError("describe", what, f"an engine of profile {profile} has {', '.join(_NEEDED[profile])}")
    for method, arguments in _CALLS.items():
        found = getattr(engine, method, None)
        if callable(found):
            _check_signature(name, method, found, arguments)


def _check_signature(name: str, method: str, found: Callable[..., Any], arguments: tuple[object, ...]) -> None:
    try:
        inspect.signature(found).bind(*arguments)
    except TypeError as error:
        what = f"{method} of {name} cannot be called as the contract does: {error}"
        mend = f"it is called with {len(arguments)} argument{'s' if len(arguments) != 1 else ''}, by position"
        raise TargetError("describe", what, mend) from None
    except ValueError:
        return


def _source(factory: object, engine: object) -> tuple[str, int] | None:
    for candidate in (factory, type(engine)):
        try:
            file = inspect.getsourcefile(candidate)  # type: ignore[arg-type]
            if file:
                return file, inspect.getsourcelines(candidate)[1]  # type: ignore[arg-type]
        except (TypeError, OSError):
            continue
    return None


def _said(error: BaseException) -> str:
    place = _place(error)
    text = f"{type(error).__name__}: {error}"[:500]
    return f"{text} (at {place})" if place else text


def _place(error: BaseException) -> str:
    """The innermost line of the traceback that is the target's own, not ours and not the standard library's."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = str(Path(__file__).parent.parent)
    own = [
        f for f in frames if not f.filename.startswith((ours, "<frozen")) and os.sep + "lib" + os.sep not in f.filename
    ]
    return f"{own[-1].filename}:{own[-1].lineno}" if own else ""


def _a(name: str) -> str:
    return f"an {name}" if name[:1].lower() in "aeiou" else f"a {name}"
