"""The normative spec: SPEC.md, the register of requirements, the scenarios and the schemas, as data."""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

VERSION: Final = "1.0"
ROOT: Final[Traversable] = files(__name__)
