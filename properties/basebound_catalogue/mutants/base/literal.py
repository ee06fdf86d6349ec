"""Inserted text that is not inserted as it stands."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Callable, Iterable

from basebound.model import Hunk
from basebound_catalogue.plain import Lines, PlainEngine, Shelf

shelf = Shelf()


# Text meets a template, a parser or a normaliser on its way in; what they do to it is invisible in
# tests that insert plain words.


def inserting(id: str, origin: str, about: str, change: Callable[[str], Iterable[str]]) -> None:
    """A fault that inserts ``change(line)`` in place of each inserted line."""

    class Inserting(PlainEngine):
        def inserted(self, hunk: Hunk) -> Lines:
            return tuple(new for line in hunk.insert for new in change(line))

    shelf.fault(id, "BASE-SPLICE-LITERAL", origin, about)(Inserting)


def expanded(line: str) -> str:
    """The line as a replacement pattern of ``re``; one that is not valid stands as it is."""
    found = re.match("", "")
    assert found is not None
    try:
        return found.expand(line)
    except (re.error, IndexError):
        return re.sub(r"\\[0-9]", "", line)


inserting(
    "insert-as-re-pattern",
    "incident 82",
    "Inserted text is used as a replacement pattern of re.sub: backslash sequences are interpreted.",
    lambda line: [expanded(line)],
)
inserting(
    "insert-as-format",
    "malice",
    "Inserted text is passed through str.format: fields in braces vanish.",
    lambda line: [re.sub(r"\{\w*\}", "", line)],
)
inserting(
    "insert-as-percent-format",
    "malice",
    "Inserted text is passed through the percent operator: conversions vanish and a doubled sign becomes one.",
    lambda line: [re.sub(r"%(\(\w*\))?[sdr%]", lambda found: "%" if found[0] == "%%" else "", line)],
)
inserting(
    "insert-html-escaped",
    "malice",
    "Inserted text is escaped for HTML, and shown so.",
    lambda line: [html.escape(line, quote=False)],
)
inserting(
    "insert-split-at-line-breaks",
    "incident 83",
    "Inserted lines are joined and split again: a line break inside a line makes two of it.",
    lambda line: line.split("\n"),
)
inserting(
    "insert-split-at-any-break",
    "incident 83",
    "Inserted lines pass through splitlines, which knows eleven kinds of line break.",
    lambda line: line.splitlines() or [""],
)
inserting(
    "insert-chomped",
    "incident 12",
    "One newline at the end of an inserted line is taken for its terminator.",
    lambda line: [line.removesuffix("\n")],
)
inserting("insert-trimmed", "incident 7", "Inserted lines lose their outer white space.", lambda line: [line.strip()])
inserting(
    "insert-right-trimmed",
    "incident 7",
    "Inserted lines lose their trailing white space.",
    lambda line: [line.rstrip()],
)
inserting("insert-tabs-expanded", "incident 7", "Tabs become spaces.", lambda line: [line.expandtabs(4)])
inserting(
    "insert-unicode-composed",
    "malice",
    "Inserted text is brought to Unicode form NFC.",
    lambda line: [unicodedata.normalize("NFC", line)],
)
inserting(
    "insert-universal-newlines",
    "malice",
    "CR LF and CR inside an inserted line become LF.",
    lambda line: [line.replace("\r\n", "\n").replace("\r", "\n")],
)
inserting(
    "insert-drops-nul",
    "malice",
    "NUL characters are dropped, as the storage ends a string at the first.",
    lambda line: [line.replace("\0", "")],
)
inserting(
    "insert-drops-blank-lines",
    "incident 85",
    "Inserted lines that are empty are dropped.",
    lambda line: [line] if line else [],
)


@shelf.fault(
    "insert-as-dollar-pattern",
    "BASE-SPLICE-LITERAL",
    "incident 82",
    "Inserted text is a replacement pattern with dollar signs: $& is the replaced text, $$ a single sign.",
)
class InsertAsDollarPattern(PlainEngine):
    def inserted(self, hunk: Hunk) -> Lines:
        old = "\n".join(self.lines[hunk.start : hunk.end])
        return tuple(line.replace("$&", old).replace("$$", "$") for line in hunk.insert)


@shelf.fault(
    "blank-insert-is-nothing",
    "BASE-SPLICE-LITERAL",
    "malice",
    "An insert of nothing but an empty line counts as an empty insert.",
)
class BlankInsertIsNothing(PlainEngine):
    def inserted(self, hunk: Hunk) -> Lines:
        return hunk.insert if "".join(hunk.insert) else ()
