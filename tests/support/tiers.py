"""Which cases of a test are fast, and which wait for the slow run."""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import Any

import pytest


def slow_unless(fast: Container[Any], cases: Iterable[Any], key: str = "") -> list[Any]:
    """``cases`` for ``parametrize``: those ``fast`` names, by their value or its field ``key``, run by default."""
    return [
        pytest.param(case, marks=() if (getattr(case, key) if key else case) in fast else pytest.mark.slow)
        for case in cases
    ]
