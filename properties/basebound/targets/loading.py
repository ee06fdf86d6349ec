"""A target: its factory, and what an engine built by it says of itself, with a message for each way that can fail."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from basebound.core.register import PureFunction
from basebound.errors import TargetError
from basebound.model import EMISSION_KINDS, PROFILES, Config, Hunk, Patch, Snapshot
from basebound.targets.naming import REFERENCE, a, as_pure, find, said

__all__ = ["REFERENCE", "Target", "describe", "find", "load"]

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

    ``pure``: which pure function it is; None for a whole engine.
    ``source``: the file and line of the target's own code, where there is one. ``meters``: the names of those it can
    be asked with; None for all. ``piped``: the engine is another process, and what it is told goes through a pipe.
    ``stated``: the engine says itself what it claims; otherwise it is assumed.
    """

    name: str
    factory: Callable[[Config], Any]
    profiles: frozenset[str]
    inserts: bool
    max_hunks: int | None
    asynchronous: bool
    pure: PureFunction | None = None
    source: tuple[str, int] | None = None
    meters: tuple[str, ...] | None = None
    piped: bool = False
    stated: bool = True


def load(name: str) -> Target:
    """The target called ``name``: ``module:attribute``, ``file.py:attribute``, ``reference``, ``adapter:NAME`` or
    ``wire:COMMAND``, an engine in another process, or ``mcp:MAP COMMAND``, an MCP server that edits files.

    Raises ``TargetError``, whose code says what is wrong with it.
    """
    return describe(name, find(name))


def describe(name: str, factory: Callable[[Config], Any]) -> Target:
    """Build one engine with an empty ``Config`` and read what it says of itself."""
    engine, awaited = asyncio.run(_built(name, factory))
    _check_engine(name, engine)
    profiles, stated = _profiles(name, engine)
    _check_methods(name, engine, profiles, as_pure(factory))
    limit = _read(name, engine, "max_hunks")
    if limit is not None and (isinstance(limit, bool) or not isinstance(limit, int) or limit < 1):
        what = f"max_hunks of {name} is {_shown(limit)}"
        raise TargetError("wrong-max-hunks", what, "it is an attribute: None, or a whole number above zero")
    plain = not awaited and not any(inspect.iscoroutinefunction(getattr(engine, method, None)) for method in _CALLS)
    pure = getattr(factory, "pure", None)
    inserts = callable(getattr(engine, "insert", None))
    source = getattr(factory, "source", None) if hasattr(factory, "source") else _source(factory, engine)
    meters, piped = getattr(factory, "meters", None), getattr(factory, "piped", False)
    stated = getattr(factory, "stated", stated)
    return Target(name, factory, profiles, inserts, limit, not plain, pure, source, meters, piped, stated)


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
        what = f"{name} cannot build an engine of an empty Config: {said(error)}"
        raise TargetError("build-failed", what, as_pure(factory) or _fix_of(name, error)) from None
    return engine, awaited


def _fix_of(name: str, error: BaseException) -> str:
    """What to do about an exception of a factory: most have nothing to do with what it was given."""
    if isinstance(error, AttributeError) and isinstance(error.obj, Config):
        return "a Config has the fields lines, protected and count_tokens"
    if isinstance(error, ImportError):
        return "install what it imports beside basebound"
    if isinstance(error, (NameError, AttributeError)):
        return "the code of the factory is wrong, whatever it is given: fix it there"
    return (
        f"it is called as {name.rpartition(':')[2]}(Config()): no lines, no markers, the default meter; all are allowed"
    )


def _check_engine(name: str, engine: object) -> None:
    """An engine is an object of its own: not nothing, and not the class it would be an instance of."""
    if inspect.isclass(engine):
        made = engine.__name__
        fix = f"return {made}(config), an instance; or name the class itself as the target"
        raise TargetError("gives-a-class", f"{name} gives the class {made}, and not an engine", fix)
    if engine is None:
        raise TargetError(
            "gives-nothing", f"{name} gives None, and not an engine", "does it end in `return` with the engine?"
        )


def _read(name: str, engine: object, attribute: str) -> Any:
    """An optional attribute of an engine; None where it has none."""
    try:
        return getattr(engine, attribute, None)
    except Exception as error:  # it may be a property, and raise anything
        raise TargetError(
            "unreadable-attribute", f"{attribute} of {name} cannot be read: {said(error)}", "fix it there"
        ) from None


def _profiles(name: str, engine: object) -> tuple[frozenset[str], bool]:
    """What ``engine`` claims, and whether it says so itself."""
    claimed = _read(name, engine, "profiles")
    if claimed is None:
        methods = {"budget": ("emit", "end_turn"), "compaction": ("compact",)}
        by_methods = {p for p, needed in methods.items() if all(callable(getattr(engine, m, None)) for m in needed)}
        plain = {"base", "protected"} if callable(getattr(engine, "apply", None)) or not by_methods else set()
        return frozenset(plain | by_methods), False
    if callable(claimed):
        what = f"profiles of {name} is {_shown(claimed)}, and it is read and not called"
        raise TargetError(
            "wrong-profiles", what, 'write profiles = frozenset({"base"}) in the class, or make it a property'
        )
    if isinstance(claimed, str) or not isinstance(claimed, Iterable):
        what = f"profiles of {name} is {_shown(claimed)}"
        raise TargetError("wrong-profiles", what, 'it is a container of names, as {"base", "protected"}')
    names = list(claimed)
    for profile in names:
        if profile not in PROFILES:
            raise TargetError(
                "unknown-profile",
                f"{name} claims {profile!r}, which is no profile",
                f"the profiles are {', '.join(PROFILES)}",
            )
    if not names:
        raise TargetError("no-profile", f"{name} claims no profile", f"the profiles are {', '.join(PROFILES)}")
    return frozenset(names), True


def _check_methods(name: str, engine: object, profiles: frozenset[str], instead: str) -> None:
    """``instead``: what the author meant, where there is reason to think that it is no factory of engines."""
    for profile in PROFILES:
        for method in _NEEDED[profile] if profile in profiles else ():
            found = _read(name, engine, method)
            if callable(found):
                continue
            lacks = (
                f"which has no method {method!r}" if found is None else f"whose {method} is {_shown(found)}, no method"
            )
            what = f"{name} gives {a(type(engine).__name__)}, {lacks}"
            fix = instead or f"an engine of profile {profile} has {', '.join(_NEEDED[profile])}"
            raise TargetError("missing-method", what, fix)
    for method, arguments in _CALLS.items():
        found = _read(name, engine, method)
        if callable(found):
            _check_signature(name, method, found, arguments)


def _shown(value: object) -> str:
    """A value that should be something else: methods without the address in their text."""
    if inspect.isroutine(value):
        return "a method"
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."


def _check_signature(name: str, method: str, found: Callable[..., Any], arguments: tuple[object, ...]) -> None:
    try:
        inspect.signature(found).bind(*arguments)
    except TypeError as error:
        what = f"{method} of {name} cannot be called as the contract does: {error}"
        fix = f"it is called with {len(arguments)} argument{'s' if len(arguments) != 1 else ''}, by position"
        raise TargetError("wrong-signature", what, fix) from None
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
