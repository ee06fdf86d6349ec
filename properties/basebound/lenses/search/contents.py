"""What buffers are made of in a search: few texts, many duplicates, and the near-collisions weak bases fall for.

Each text is here because some engine takes it for another: as a separator, a pattern, a marker of a
diff, white space to strip, a character to normalise or a value that is falsy.
"""

from __future__ import annotations

import unicodedata
from typing import Final

from basebound.lenses.search.choices import ChoiceSource

PLAIN: Final = ("a", "b", "c", "the quick brown fox", "b", "xx", "xxxx")
ODD: Final = (
    "",
    " ",
    "a ",
    "\ta",
    "a\nb",
    "a\n",
    "\n",
    "b\r\n",
    "\r",
    "A",
    "\u00e9",
    "e\u0301",
    "\u4e2d\u6587",
    "\U0001f600",
    "\u2028",
    "a\x0cb",
    "a\x0bb",
    "a\r",
    "1234567\u00e9",
    "\x00",
    "\ufeff",
    "$&",
    "\\1",
    "\\g<0>",
    "{0}",
    "%s",
    "- a",
    "+ a",
    "@@ -1 +1 @@",
    "0",
    "-1",
    "None",
    "[]",
    '"a"',
    "a,b",
    "a|b",
    "#",
    "a\u0000b",
)
MARKERS: Final = ("KEEP", "[pin]")
ODD_START: Final = ("", "a", "a\nb", "b", "", "a ", "c", "b")
LONG: Final = ("long " * 3000, "\u4e2d" * 5000)


def line(draw: ChoiceSource, live: tuple[str, ...]) -> str:
    """One line: often a copy of a live one, mostly a plain one, sometimes odd."""
    roll = draw.below(10)
    if roll < 3 and live:
        return draw.pick(live)
    if roll < 7:
        return draw.pick(PLAIN)
    return draw.pick(ODD)


def lines(draw: ChoiceSource, live: tuple[str, ...], most: int = 3) -> tuple[str, ...]:
    return tuple(line(draw, live) for _ in range(draw.between(1, most)))


def start(draw: ChoiceSource) -> tuple[str, ...]:
    """An initial content, from none to some hundred lines."""
    kind = draw.below(12)
    if kind == 0:
        return ()
    if kind == 1:
        return ("",)
    if kind == 2:
        return ODD_START
    if kind == 3:
        size = draw.pick((17, 33, 65, 130, 300))
        return tuple(f"{n % 7} {draw.pick(PLAIN)}" for n in range(size))
    if kind == 4:
        return ("a", draw.pick(LONG), "b")
    return tuple(line(draw, ()) for _ in range(draw.between(1, 8)))


def near(draw: ChoiceSource, content: tuple[str, ...]) -> tuple[str, ...]:
    """Another content that a weak identity takes for ``content``; the same one where there is no such."""
    if not content:
        return ("",)
    candidates = [other for other in _near(draw, content) if other != content]
    return draw.pick(candidates) if candidates else (*content, "")


def _near(draw: ChoiceSource, content: tuple[str, ...]) -> list[tuple[str, ...]]:
    at = draw.below(len(content))
    text = content[at]
    swapped = _put(_put(content, at, content[-1 - at]), len(content) - 1 - at, text)
    out = [
        (*content, ""),
        ("", *content),
        content[:-1] if not content[-1] else (*content, " "),
        swapped,
        content[::-1],
        _put(content, at, text + " "),
        _put(content, at, text.rstrip()),
        _put(content, at, text + "\r"),
        _put(content, at, text.swapcase()),
        _put(content, at, unicodedata.normalize("NFC", text)),
        _put(content, at, unicodedata.normalize("NFD", text)),
        _put(content, at, text[::-1]),
        _put(content, at, text + "\u00e9"),
        _put(content, at, text + "\u00ea"),
        _put(content, at, "".join(chr(ord(c) + 1) if ord(c) > 127 else c for c in text)),
        _put(content, at, text[:-1] + "z") if text else content,
        _split(content, at),
        (*content, content[at]),
        (*content[:at], *content[at + 1 :]) if not text or content.count(text) > 1 else content,
        content[:at] + content[at + 1 :] + (text,),
    ]
    if at + 1 < len(content):
        after = content[at + 1]
        joins = ("\n", "", " ", ",", "\r\n", "\x00", "|")
        out += [(*content[:at], text + join + after, *content[at + 2 :]) for join in joins]
        moved = text[-1:]
        out.append((*content[:at], text[:-1], moved + after, *content[at + 2 :]))
    return out


def _split(content: tuple[str, ...], at: int) -> tuple[str, ...]:
    parts = content[at].split("\n") if "\n" in content[at] else [content[at][:1], content[at][1:]]
    return (*content[:at], *parts, *content[at + 1 :])


def _put(content: tuple[str, ...], at: int, text: str) -> tuple[str, ...]:
    return (*content[:at], text, *content[at + 1 :])
