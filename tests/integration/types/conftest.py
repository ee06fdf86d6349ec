"""What the tests of types share: one cache for mypy, and files as their author would have them."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("mypy")


@pytest.fixture(scope="session")
def as_authored(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str], Path]:
    """A copy of a file beside this one under another name, without our own notes to mypy."""

    def copied(name: str, called: str) -> Path:
        file = tmp_path_factory.mktemp("author") / called
        text = (Path(__file__).parent / name).read_text()
        file.write_text(re.sub(r"  # type: ignore[^#\n]*", "", text))
        return file

    return copied
