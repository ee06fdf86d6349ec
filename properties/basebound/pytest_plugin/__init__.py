"""The pytest plugin: conformance classes, and ``pytest --basebound TARGET``.

It is loaded by every run of pytest where basebound is installed, so that this module imports little; the rest
comes with the first class or target.
"""

from __future__ import annotations

import sys
from collections.abc import Generator
from typing import Any

import pytest

from basebound.model import PROFILES
from basebound.pytest_plugin.options import add_options
from basebound.pytest_plugin.sharing import Sharing

_WORDS = {
    "inconclusive": ("I", {"yellow": True}),
    "waived": ("w", {"yellow": True}),
    "advice": ("a", {"yellow": True}),
}
"""Outcomes of their own, beside pytest's: what was not exercised, what is waived, a SHOULD that is not met."""
_TITLES = {
    "inconclusive": "basebound: not exercised, so neither passed nor failed",
    "waived": "basebound: broken, and waived",
    "advice": "basebound: advice, SHOULD not met (does not fail the run)",
}


def pytest_addoption(parser: pytest.Parser) -> None:
    add_options(parser)


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    for level in ("MUST", "SHOULD"):
        line = f"basebound_{level.lower()}: a requirement of basebound of the level {level}"
        config.addinivalue_line("markers", line)
    for profile in PROFILES:
        config.addinivalue_line("markers", f"basebound_{profile}: a requirement of basebound's profile {profile}")
    config.stash[Sharing.key] = Sharing(config)
    named = config.getoption("basebound")
    if named and config.args_source is not pytest.Config.ArgsSource.ARGS:
        config.args[:] = []  # the target alone is asked for, not whatever lies in this folder


def pytest_unconfigure(config: pytest.Config) -> None:
    if Sharing.key in config.stash:
        config.stash[Sharing.key].close()


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tell a worker of pytest-xdist where results are shared."""
    node.config.stash[Sharing.key].offer(node.workerinput)


def pytest_pycollect_makeitem(collector: pytest.Module | pytest.Class, name: str, obj: object) -> Any:
    conformance = sys.modules.get("basebound.pytest_plugin.conformance")
    if conformance is None or not isinstance(obj, type) or not issubclass(obj, conformance.Conformance):
        return None
    if not conformance.is_complete(obj):
        return []
    from basebound.pytest_plugin.collect import ConformanceClass

    return ConformanceClass.from_parent(collector, name=name, obj=obj)


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    named = collector.config.getoption("basebound")
    if isinstance(collector, pytest.Session) and named and report.passed:
        from basebound.pytest_plugin.collect import NamedTarget

        for target in named:
            report.result.append(NamedTarget.from_parent(collector, name=f"basebound[{target}]", target=target))
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    word = getattr(item, "basebound_word", "")
    if word and report.when == "call":
        report.basebound_word = word  # type: ignore[attr-defined]
    return report


@pytest.hookimpl(tryfirst=True)
def pytest_report_teststatus(report: pytest.TestReport | pytest.CollectReport) -> Any:
    word = getattr(report, "basebound_word", "")
    if word not in _WORDS or (report.failed and word != "inconclusive"):
        return None
    letter, colour = _WORDS[word]
    markup = {"red": True} if report.failed else colour
    return word, letter, (word.upper(), markup)


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    for word, title in _TITLES.items():
        reports = terminalreporter.getreports(word)
        if reports:
            terminalreporter.section(title)
        for report in reports:
            terminalreporter.line(f"{report.nodeid}: {getattr(report, 'wasxfail', '') or report.longreprtext}")
    verdicts = config.stash[Sharing.key].outcomes()
    if verdicts:
        terminalreporter.section("basebound")
    for outcome in verdicts:
        for line in outcome.summary():
            terminalreporter.line(line)
