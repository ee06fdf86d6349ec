"""Bases that two contents share, and bases that do not stay."""

from __future__ import annotations

import hashlib
import json
import unicodedata
import zlib
from collections.abc import Callable, Sequence
from itertools import count

from basebound.model import Config, Patch
from basebound_catalogue.plain import Lines, PlainEngine, Shelf, digest

BaseFunction = Callable[[Lines], str]

shelf = Shelf()


# A base is usually written in one line, and tried on texts that differ a lot. Each of these tells
# such texts apart, and takes two near ones for the same.


def based_on(function: BaseFunction) -> type[PlainEngine]:
    """An engine whose base is ``function`` of its lines."""

    class Based(PlainEngine):
        def base_of(self, lines: Lines) -> str:
            return function(lines)

    return Based


def weak_base(id: str, origin: str, about: str, function: BaseFunction) -> None:
    shelf.fault(id, "BASE-IDENTITY", origin, about)(based_on(function))


def each(change: Callable[[str], str]) -> BaseFunction:
    """A good hash, but of lines that were changed first."""
    return lambda lines: digest(json.dumps([change(line) for line in lines]))


def part(choose: Callable[[Lines], Sequence[object]]) -> BaseFunction:
    """A good hash of the number of lines and of a part of them."""
    return lambda lines: digest(json.dumps([len(lines), *choose(lines)]))


def line_hashes(lines: Lines) -> list[int]:
    return [int(digest(line)[:16], 16) for line in lines]


def xor_of_line_hashes(lines: Lines) -> str:
    total = len(lines)
    for value in line_hashes(lines):
        total ^= value
    return f"{total:x}"


def without_trailing_blanks(lines: Lines) -> Lines:
    end = len(lines)
    while end and not lines[end - 1].strip():
        end -= 1
    return lines[:end]


def length_in_a_byte(lines: Lines) -> str:
    hashed = hashlib.sha256()
    for line in lines:
        data = line.encode()
        hashed.update(bytes([len(data) & 0xFF]) + data)
    return hashed.hexdigest()


weak_base(
    "base-joined-by-newline",
    "published sample code",
    "The base hashes the lines joined with newlines: a line break inside a line looks like the end of one.",
    lambda lines: digest("\n".join(lines)),
)
weak_base(
    "base-newline-after-each",
    "published sample code",
    "The base hashes each line ended by a newline, without escaping newlines inside lines.",
    lambda lines: digest("".join(f"{line}\n" for line in lines)),
)
weak_base(
    "base-joined-by-nothing",
    "malice",
    "The base hashes the lines joined with nothing in between: a character may move to the next line unseen.",
    lambda lines: digest("".join(lines)),
)
weak_base(
    "base-joined-by-nul",
    "malice",
    "The base hashes the lines joined with NUL, which no line holds: but no line and one empty line are one.",
    lambda lines: digest("\0".join(lines)),
)
weak_base(
    "base-escape-not-escaped",
    "malice",
    "A newline inside a line is spelled as backslash and n before hashing, a backslash stays: both read the same.",
    lambda lines: digest("".join(line.replace("\n", "\\n") + "\n" for line in lines)),
)
weak_base(
    "base-xor-of-line-hashes",
    "incident 52",
    "The base is the exclusive or of the lines' hashes and their number: order does not count, and pairs cancel.",
    xor_of_line_hashes,
)
weak_base(
    "base-sum-of-line-hashes",
    "malice",
    "The base is the sum of the lines' hashes: order does not count.",
    lambda lines: f"{sum(line_hashes(lines)):x}",
)
weak_base(
    "base-distinct-lines",
    "incident 33",
    "The base hashes the lines in order of first appearance, each once: another copy of a known line is not seen.",
    lambda lines: digest(json.dumps(list(dict.fromkeys(lines)))),
)
weak_base(
    "base-additive-checksum",
    "malice",
    "The base is the number of lines and the sum of their code points: anagrams and reorders collide.",
    lambda lines: f"{len(lines)}-{sum(ord(character) for line in lines for character in line)}",
)
weak_base(
    "base-crc32",
    "malice",
    "The base is a CRC-32: two lines of one length and one checksum collide in every content.",
    lambda lines: f"{zlib.crc32(json.dumps(lines).encode()):08x}",
)
weak_base(
    "base-adler32",
    "malice",
    "The base is an Adler-32: what leaves the sum, and the sum of the sums, is not seen.",
    lambda lines: f"{zlib.adler32(json.dumps(lines).encode()):08x}",
)
weak_base(
    "base-length-in-a-byte",
    "malice",
    "Each line is hashed behind its length in one byte, so that a line of 259 bytes may read like several.",
    length_in_a_byte,
)
weak_base(
    "base-lines-stripped",
    "incident 1",
    "The base hashes the lines without their outer white space: indentation is not seen.",
    each(str.strip),
)
weak_base(
    "base-lines-right-stripped",
    "incident 7",
    "The base hashes the lines without their trailing white space.",
    each(str.rstrip),
)
weak_base(
    "base-text-right-stripped",
    "incident 12",
    "The base hashes the text without its trailing blank lines.",
    lambda lines: digest(json.dumps(without_trailing_blanks(lines))),
)
weak_base(
    "base-blank-lines-ignored",
    "incident 85",
    "The base hashes the lines that are not blank: a blank line may come or go unseen.",
    lambda lines: digest(json.dumps([line for line in lines if line.strip()])),
)
weak_base("base-casefolded", "incident 63", "The base hashes the lines casefolded.", each(str.casefold))
weak_base(
    "base-unicode-composed",
    "malice",
    "The base hashes the lines in Unicode form NFC: composed and decomposed text collide.",
    each(lambda line: unicodedata.normalize("NFC", line)),
)
weak_base(
    "base-ascii-only",
    "malice",
    "The base encodes as ASCII and puts a question mark for what does not fit: all other characters collide.",
    each(lambda line: line.encode("ascii", "replace").decode("ascii")),
)
weak_base(
    "base-line-ends-normalised",
    "malice",
    "The base takes CR LF and CR for LF.",
    each(lambda line: line.replace("\r\n", "\n").replace("\r", "\n")),
)
weak_base(
    "base-two-hex-digits",
    "incident 52",
    "The base is the first 2 of 64 hex digits: there are 256 bases.",
    lambda lines: digest(json.dumps(lines))[:2],
)
weak_base(
    "base-four-hex-digits",
    "incident 51",
    "The base is the first 4 of 64 hex digits: among a few hundred contents two are likely to share one.",
    lambda lines: digest(json.dumps(lines))[:4],
)
weak_base(
    "base-byte-size",
    "incident 55",
    "The base is the size in bytes and the number of lines.",
    lambda lines: f"{len(lines)}-{sum(len(line.encode('utf-8')) for line in lines)}",
)
weak_base(
    "base-line-sizes",
    "incident 55",
    "The base hashes the length of each line: a change that keeps it is not seen.",
    part(lambda lines: [len(line) for line in lines]),
)
weak_base(
    "base-first-64-lines",
    "incident 65",
    "The base hashes the first 64 lines and the number of lines.",
    part(lambda lines: lines[:64]),
)
weak_base(
    "base-first-kibibyte",
    "incident 66",
    "The base hashes the first 1024 characters and the number of lines.",
    part(lambda lines: [json.dumps(lines)[:1024]]),
)
weak_base(
    "base-last-four-lines",
    "incident 17",
    "The base hashes the last 4 lines and the number of lines: what changes further up is not seen.",
    part(lambda lines: lines[-4:]),
)
weak_base(
    "base-first-and-last-line",
    "incidents 10, 11",
    "The base hashes the first line, the last line and the number of lines.",
    part(lambda lines: lines[:1] + lines[-1:]),
)
weak_base(
    "base-line-heads",
    "incident 71",
    "The base hashes the first 24 characters of each line.",
    each(lambda line: line[:24]),
)

shelf.fault(
    "base-line-count",
    "BASE-STALE-LENGTH",
    "incident 54",
    "The base is the number of lines: a change that restores it is not seen.",
)(based_on(lambda lines: f"n{len(lines)}"))


# A tag that is unique is easily mistaken for one that identifies.


@shelf.fault(
    "base-salted-per-read",
    "BASE-IDENTITY-STABLE",
    "incident 61",
    "Each read hands out the base with a new suffix: all of them are accepted, but two reads never agree.",
)
class SaltedPerRead(PlainEngine):
    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.salts = count()

    def live_base(self) -> str:
        return f"{super().live_base()}-{next(self.salts)}"

    def is_stale(self, patch: Patch) -> bool:
        return patch.base.base.partition("-")[0] != super().live_base()


@shelf.fault(
    "base-counts-calls",
    "BASE-IDENTITY-STABLE",
    "incidents 61, 64",
    "The base covers a time stamp that moves with every call: no patch is ever fresh.",
)
class CountsCalls(PlainEngine):
    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.clock = count()

    def live_base(self) -> str:
        return digest(f"{next(self.clock)} {super().live_base()}")
