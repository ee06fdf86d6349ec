"""The plugin's options, and what a class or target is judged with.

The command line comes before the class, the class before the ini file, and that before Hypothesis' profile.
"""

from __future__ import annotations

import os
import re
import sys
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from basebound.lenses.efforts import EFFORTS
from basebound.lenses.registry import LENSES
from basebound.model import PROFILES

if TYPE_CHECKING:
    from basebound.pytest_plugin.conformance import Conformance
    from basebound.run.check import Options

_QUICK_BELOW, _THOROUGH_FROM = 100, 500
"""``max_examples`` of a Hypothesis profile: fewer than its default are quick, five times as many thorough."""
_SECONDS = 10.0
_FOLDER = ".basebound"


@dataclass(frozen=True)
class Case:
    """One target to judge, and how. ``folder`` keeps its counterexamples from run to run.

    ``replays`` is whether those kept are run first; ``path`` is a folder the target's module is imported from.
    """

    target: str
    options: Options
    waivers: Path | None
    folder: Path
    replays: bool
    path: str | None = None


def add_options(parser: pytest.Parser) -> None:
    group = parser.getgroup("basebound", "conformance of engines that let a model rewrite its context")
    group.addoption(
        "--basebound", action="append", default=[], metavar="TARGET", help="judge TARGET as `basebound check` does"
    )
    group.addoption("--basebound-effort", choices=EFFORTS, help="how much is run")
    group.addoption(
        "--basebound-profile", action="append", default=[], choices=PROFILES, help="judge only this profile"
    )
    group.addoption("--basebound-lens", action="append", default=[], choices=LENSES, help="run only this lens")
    group.addoption("--basebound-timeout", type=float, metavar="S", help="seconds one call of an engine may take")
    group.addoption("--basebound-jobs", type=int, metavar="N", help="processes the suite uses at once")
    group.addoption("--basebound-waivers", metavar="FILE", help="TOML file of broken requirements that are tolerated")
    parser.addini("basebound_effort", "how much is run: quick, default or thorough")
    parser.addini("basebound_waivers", "a file of waivers, from the root directory")
    parser.addini("basebound_inconclusive", "what a MUST that was not exercised does: fail or warn", default="fail")


def named_case(config: pytest.Config, target: str) -> Case:
    """The case of ``--basebound TARGET``."""
    given = config.getoption("basebound_waivers")
    return _case(config, target, None, Path(given) if given else _ini_waivers(config), None)


def class_case(config: pytest.Config, case: type[Conformance], module: Any) -> Case:
    """The case of a class, whose engine is found by its module's name, or its file."""
    given = config.getoption("basebound_waivers")
    own = Path(module.__file__).parent / case.waivers if case.waivers else None
    waivers = Path(given) if given else own or _ini_waivers(config)
    place, path = (None, None) if case.target else _place(module)
    target = case.target or f"{place}:{case.__qualname__}.engine_target"
    return _case(config, target, case, waivers, path)


def _case(
    config: pytest.Config, target: str, case: type[Conformance] | None, waivers: Path | None, path: str | None
) -> Case:
    from basebound.run.check import Options

    option = config.getoption
    effort = option("basebound_effort") or (case.effort if case else "") or _ini_effort(config)
    options = Options(
        effort=effort or _hypothesis_effort(),
        seed=_seed(config),
        profiles=tuple(option("basebound_profile")) or (case.profiles if case else ()),
        lenses=tuple(option("basebound_lens")) or (case.lenses if case else ()),
        jobs=option("basebound_jobs") or os.cpu_count() or 1,
        seconds=option("basebound_timeout") or (case.timeout if case else 0.0) or _SECONDS,
    )
    folder = config.rootpath / _FOLDER / re.sub(r"[^\w.-]+", "-", target).strip("-")
    return Case(target, options, waivers, folder, _has_database(), path)


def _place(module: Any) -> tuple[str, str | None]:
    """How another process finds a test module: by name where it is part of a package, else by its file.

    The second is the folder the package is imported from.
    """
    file = Path(module.__file__).resolve()
    folder = file.parent
    while (folder / "__init__.py").is_file():
        folder = folder.parent
    if folder != file.parent:
        return ".".join(file.relative_to(folder).with_suffix("").parts), str(folder)
    here = Path.cwd()
    return str(file.relative_to(here) if file.is_relative_to(here) else file), None


def _ini_effort(config: pytest.Config) -> str:
    effort: str = config.getini("basebound_effort")
    if effort and effort not in EFFORTS:
        raise pytest.UsageError(f"basebound_effort = {effort!r}: the efforts are {', '.join(EFFORTS)}")
    return effort


def _ini_waivers(config: pytest.Config) -> Path | None:
    name: str = config.getini("basebound_waivers")
    return config.rootpath / name if name else None


def inconclusive_fails(config: pytest.Config) -> bool:
    word = config.getini("basebound_inconclusive")
    if word not in ("fail", "warn"):
        raise pytest.UsageError(f"basebound_inconclusive = {word!r}: it is fail or warn")
    return bool(word == "fail")


def _hypothesis_effort() -> str:
    """By the profile that is loaded; where nothing has imported Hypothesis, none is."""
    hypothesis = sys.modules.get("hypothesis")
    examples = hypothesis.settings().max_examples if hypothesis is not None else _QUICK_BELOW
    if examples < _QUICK_BELOW:
        return "quick"
    return "thorough" if examples >= _THOROUGH_FROM else "default"


def _has_database() -> bool:
    hypothesis = sys.modules.get("hypothesis")
    return hypothesis is None or hypothesis.settings().database is not None


def _seed(config: pytest.Config) -> int:
    """``--hypothesis-seed``, where text stands for a number of its own; 0 without it."""
    text = config.getoption("--hypothesis-seed", default=None)
    if text is None:
        return 0
    try:
        return int(text)
    except ValueError:
        return zlib.crc32(str(text).encode("utf-8"))
