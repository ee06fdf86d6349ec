"""Engines of installed packages; a test of one that is not installed is skipped, and says what to install."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from basebound.errors import TargetError
from basebound.model import Config, Engine
from basebound.targets.adapters import find, load

Start = Callable[..., Engine]


@pytest.fixture(scope="session")
def factory_of() -> Callable[[str], Any]:
    """``factory_of(NAME)``: the adapter's factory, or a skip where its package or program is missing."""

    def factory(name: str) -> Any:
        try:
            return load(find(name))
        except TargetError as missing:
            if missing.code not in ("missing-package", "missing-program"):
                raise
            pytest.skip(str(missing))

    return factory


@pytest.fixture
def start(factory_of: Callable[[str], Any]) -> Iterator[Start]:
    """``start(NAME, LINES, **attributes)``: a new engine with these class attributes; all are closed at the end."""
    engines: list[Any] = []

    def started(name: str, lines: Sequence[str], **attributes: object) -> Engine:
        factory = factory_of(name)
        if attributes:
            factory = type(factory.__name__, (factory,), attributes)
        engines.append(factory(Config(lines=tuple(lines))))
        engine: Engine = engines[-1]
        return engine

    yield started
    for engine in engines:
        close(engine)


def close(engine: Any) -> None:
    """Ends ``engine``; ``close`` is optional in the contract."""
    getattr(engine, "close", lambda: None)()
