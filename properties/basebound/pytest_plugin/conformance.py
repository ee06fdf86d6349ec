"""``Conformance``: the suite as a test class, for a project that has its tests in pytest."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar

from basebound.model import Config


class Conformance:
    """One test for each requirement the engine claims, named by its id.

    A subclass gives ``engine``, or names a ``target`` as the command line does. The suite runs in processes of its
    own, which import the module of the class and call ``engine`` on a new instance: fixtures and ``conftest.py`` are
    not part of them, and what ``engine`` needs it makes itself. A plain or an ``async`` method will do.
    """

    target: ClassVar[str] = ""
    """In place of ``engine``: ``package.module:name``, ``path/to/file.py:name``, ``adapter:NAME``."""
    effort: ClassVar[str] = ""
    """``quick``, ``default`` or ``thorough``; empty leaves it to the options of the run."""
    profiles: ClassVar[tuple[str, ...]] = ()
    """Judge these profiles only; empty means all that the engine claims."""
    lenses: ClassVar[tuple[str, ...]] = ()
    """Run these lenses only; empty means all."""
    timeout: ClassVar[float] = 0.0
    """Seconds one call of the engine may take; 0 leaves it to the options of the run."""
    waivers: ClassVar[str] = ""
    """A file of waivers for this engine, relative to the module's folder."""
    engine_target: ClassVar[Callable[[Config], Any]]
    """The factory the suite's processes find the engine by."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.engine_target = partial(_engine, cls)

    def engine(self, config: Config) -> Any:
        """An engine that starts from ``config``: of the protocol ``Engine``, ``BudgetedEngine`` or ``Compactor``."""
        raise NotImplementedError(f"{type(self).__name__} gives neither a method engine(self, config) nor a target")


def _engine(case: type[Conformance], config: Config) -> Any:
    # A partial and no function: a function would be taken for the engine's own source.
    return case().engine(config)


def is_complete(case: type[Conformance]) -> bool:
    """Whether the class names its engine; one that does not is a base of others."""
    return bool(case.target) or case.engine is not Conformance.engine
