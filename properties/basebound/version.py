"""The version of the suite; ``pyproject.toml`` has the same."""

from __future__ import annotations

__version__ = "1.0.0"
