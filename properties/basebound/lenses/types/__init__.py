"""Type a target against the protocols before anything runs: ``check_types(target)``."""

from __future__ import annotations

from basebound.lenses.types.mypy import Mismatch, TypeReport, check_types

__all__ = ["Mismatch", "TypeReport", "check_types"]
