"""Keeps its content as one text and cuts it up with ``str.splitlines``, which knows a dozen kinds of line break."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "fakes"))

from correct import Engine, serve


class Splitlines(Engine):
    def _commit(self, lines: list[str]) -> None:
        super()._commit("\n".join(lines).splitlines())


serve(Splitlines)
