"""The two invariants, each shown failing and holding. Every figure is computed while you wait."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from basebound.demo.budget import budget
from basebound.demo.stale_base import stale_base

DEMOS: dict[str, Callable[[], Iterator[str]]] = {"stale-base": stale_base, "budget": budget}
