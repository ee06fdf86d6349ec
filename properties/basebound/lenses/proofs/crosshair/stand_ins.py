"""Everything that stands in for a part of Python while CrossHair looks, registered together.

This module imports CrossHair; only a child process does that.
"""

from __future__ import annotations

from functools import cache

from basebound.lenses.proofs.crosshair import byte_makers, ideal_hash, text_makers, tuple_slices


@cache
def install() -> None:
    """Make CrossHair ready in this process, once."""
    ideal_hash.install()
    text_makers.install()
    byte_makers.install()
    tuple_slices.install()
