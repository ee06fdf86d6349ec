"""``python -m basebound`` is the command line."""

from __future__ import annotations

from basebound.cli import main

main()
