"""Everything that stands in for a part of Python while CrossHair looks, registered together.

This module imports CrossHair; only a child process does that.
"""

from __future__ import annotations

from functools import cache

from basebound.proofs import byte_makers, ideal_hash, text_makers


@cache
def install() -> None:
    """Make CrossHair ready in this process, once: ideal hashes, and texts and bytes that are made later."""
    ideal_hash.install()
    text_makers.install()
    byte_makers.install()
