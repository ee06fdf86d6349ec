"""What all tests share."""

from __future__ import annotations

import os
from typing import Any

import pytest

os.environ["PYTEST_ADDOPTS"] = "-p no:langsmith_plugin"
"""For each pytest that a test starts: what ``pyproject.toml`` says of ours."""


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Each process takes a stretch of the tests as they stand, so that those of a file share what is made for them."""
    from xdist.scheduler import WorkStealingScheduling

    return WorkStealingScheduling(config, log) if config.getoption("dist") == "load" else None


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """The fast tests end by saying how to run the others."""
    if config.getoption("markexpr") == "not slow":
        terminalreporter.write_line("the slow tests: python -m pytest -n auto -m slow")
