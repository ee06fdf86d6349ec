r"""Lines of a buffer, which may hold any character, as lines of a text file, and back.

Each buffer line is one file line that ends in ``\n``. What would end a file line early, or is not text to
some tool, is escaped with a backslash: the backslash itself, line feed, carriage return, NUL and the byte order
mark. The encoding is injective; a file without lines and one with an empty line differ (``""`` and ``"\n"``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_ESCAPES = {"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\0": "\\0", "\ufeff": "\\b"}
_TABLE = str.maketrans(_ESCAPES)
_PLAIN = {escaped: char for char, escaped in _ESCAPES.items()}
_ESCAPED = re.compile(r"\\[\\nr0b]")


def escape(line: str) -> str:
    """``line`` without the characters that a line of a text file cannot hold."""
    return line.translate(_TABLE)


def unescape(text: str) -> str:
    """The line :func:`escape` made ``text`` from.

    Total: an engine may have cut an escape in two, and what it left is shown as it stands.
    """
    return _ESCAPED.sub(lambda match: _PLAIN[match[0]], text)


def join(file_lines: Iterable[str]) -> str:
    r"""The text of a file with these lines, each ended by ``\n``."""
    return "".join(f"{line}\n" for line in file_lines)


def split(text: str) -> list[str]:
    """The lines :func:`join` made ``text`` from; a last line that lost its end is a line all the same."""
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    return lines
