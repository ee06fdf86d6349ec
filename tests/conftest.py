"""What all tests share."""

from __future__ import annotations

import os
from collections.abc import Generator
from typing import Any

import pytest

os.environ["PYTEST_ADDOPTS"] = "-p no:langsmith_plugin"
"""For each pytest that a test starts: what ``pyproject.toml`` says of ours."""


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Each process takes a stretch of the tests as they stand, so that those of a file share what is made for them."""
    from xdist.scheduler import WorkStealingScheduling

    return WorkStealingScheduling(config, log) if config.getoption("dist") == "load" else None


@pytest.hookimpl(optionalhook=True, wrapper=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> Generator[None, int, int]:
    """Three processes for two cores in the fast tests, which wait a quarter of their time for what they start."""
    cores = yield
    return cores * 3 // 2 if config.getoption("markexpr") == "not slow" else cores


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """The fast tests end by saying how to run the others."""
    if config.getoption("markexpr") == "not slow":
        terminalreporter.write_line("the slow tests: python -m pytest -n auto -m slow")
