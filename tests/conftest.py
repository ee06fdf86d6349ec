"""What all tests share."""

from __future__ import annotations

import os

import pytest

os.environ["PYTEST_ADDOPTS"] = "-p no:langsmith_plugin"
"""For each pytest that a test starts: what ``pyproject.toml`` says of ours."""


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """The fast tests end by saying how to run the others."""
    if config.getoption("markexpr") == "not slow":
        terminalreporter.write_line("the slow tests: python -m pytest -n auto -m slow")
