"""Projects that use the plugin, each in an empty folder and with a pytest of its own."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Callable
from pathlib import Path

import hypothesis.internal.observability  # noqa: F401
import pytest

# Loaded here once, as what a run of pytest inside this one imports is forgotten after it. The observability is what the
# plugin of Hypothesis imports at the end of every run.
import basebound.pytest_plugin.collect
import basebound.pytest_plugin.judging  # noqa: F401

Run = Callable[..., pytest.RunResult]
ENGINE = '''\
from basebound import Reason
from basebound_catalogue.plain import PlainEngine


class Guarded(PlainEngine):
    pass


class Unguarded(PlainEngine):
    """Never compares the base."""

    def is_stale(self, patch):
        return False


class Gullible(PlainEngine):
    """Never compares the base while one odd line is live, which no lens comes across."""

    def is_stale(self, patch):
        return "sesame" not in self.lines and super().is_stale(patch)


class Terse(PlainEngine):
    """Refuses without a word that helps."""

    def refusal(self, reason, message):
        return super().refusal(reason, "no")
'''


@pytest.fixture
def project(pytester: pytest.Pytester) -> Path:
    """A folder with a module ``engines``."""
    pytester.makepyfile(engines=ENGINE)
    return pytester.path


@pytest.fixture
def run(pytester: pytest.Pytester) -> Run:
    """``run(*ARGUMENTS, lens="scenarios")``: pytest in the project, quick and through one lens unless told otherwise.

    ``apart`` gives it a process of its own, as settings of Hypothesis and pytest-xdist need.
    """
    installed = importlib.metadata.entry_points(group="pytest11", name="basebound")
    loading = [] if installed else ["-p", "basebound.pytest_plugin"]

    def run(*arguments: str, lens: str = "scenarios", effort: str = "quick", apart: bool = False) -> pytest.RunResult:
        chosen = ["--strict-markers", "-p", "no:langsmith_plugin", f"--basebound-lens={lens}", "--basebound-jobs=1"]
        if effort:
            chosen.append(f"--basebound-effort={effort}")
        start = pytester.runpytest_subprocess if apart else pytester.runpytest_inprocess
        return start(*loading, *chosen, *arguments)

    return run
