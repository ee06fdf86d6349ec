"""What all tests share."""

from __future__ import annotations

import pytest


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """The fast tests end by saying how to run the others."""
    if config.getoption("markexpr") == "not slow":
        terminalreporter.write_line("the slow tests: python -m pytest -n auto -m slow")
