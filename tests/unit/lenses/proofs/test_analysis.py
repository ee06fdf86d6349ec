"""What CrossHair is told, and what it makes of it: ideal hashes, deferred texts, magic values, odd targets."""

from __future__ import annotations

import base64
import hashlib
import hmac
import itertools
import json
import sys
from collections.abc import Callable, Sequence
from functools import partial
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from basebound import apply_function, gate_function
from basebound.lenses.proofs import analysis
from basebound.lenses.proofs.battery import BY_NAME
from basebound.lenses.proofs.crosshair import (
    fstrings,
    plugin,  # noqa: F401  # registers what stands in for parts of Python
)
from basebound.lenses.proofs.crosshair.tuple_slices import _Tuple
from basebound.lenses.proofs.subject import Kind, Subject
from basebound.model import Charge, Hunk, Reason, Rejected
from basebound_catalogue.mutants import pure

Lines = tuple[str, ...]


def as_read_in_a_child(name: str, file: Path) -> Any:
    """A copy of a module as a child reads a target's: its f-strings spelled out where CrossHair cannot see them."""
    with mock.patch.object(SourceFileLoader, "get_code", SourceFileLoader.get_code):
        fstrings.spell_out()
        spec = spec_from_file_location(name, file)
        assert spec is not None
        assert spec.loader is not None
        sys.modules[name] = module = module_from_spec(spec)
        spec.loader.exec_module(module)
    return module


functions = as_read_in_a_child("pure_functions_to_analyze", Path(pure.__file__))
writers = as_read_in_a_child("writers_to_analyze", Path(__file__).with_name("writers.py"))
framed, gating, in_range, rewriting = functions.framed, functions.gating, functions.in_range, functions.rewriting


def analyzed(target: Any, shape: str, seconds: float = 10.0) -> analysis.Analysis:
    kind = Kind.GATE if isinstance(target, gate_function) else Kind.APPLY
    return analysis.analyze(BY_NAME[shape], Subject(kind, target, frozenset({"base", "protected"})), seconds)


def encoded(lines: Lines) -> bytes:
    return b"".join([len(line).to_bytes(4, "big") + line.encode() for line in lines])


def updated(name: str, lines: Lines) -> Any:
    hashed = hashlib.new(name)
    for line in lines:
        hashed.update(len(line).to_bytes(4, "big"))
        hashed.update(line.encode())
    return hashed


def copied(lines: Lines) -> str:
    started = hashlib.sha256(b"begin")
    own = started.copy()
    own.update(encoded(lines))
    return own.hexdigest()


WAYS_OF_HASHING: dict[str, Callable[[Lines], str]] = {
    "one shot": lambda lines: hashlib.sha256(encoded(lines)).hexdigest(),
    "by keyword": lambda lines: hashlib.sha1(string=encoded(lines), usedforsecurity=False).hexdigest(),
    "fed line by line": lambda lines: updated("sha512", lines).hexdigest(),
    "by an alias": lambda lines: updated("SHA-256", lines).hexdigest(),
    "a copy": copied,
    "raw": lambda lines: hashlib.md5(encoded(lines), usedforsecurity=False).digest().hex(),
    "base64": lambda lines: base64.b64encode(hashlib.sha3_256(encoded(lines)).digest()).decode(),
    "keyed and sized": lambda lines: hashlib.blake2b(encoded(lines), digest_size=20, key=b"k").hexdigest(),
    "of any length": lambda lines: hashlib.shake_128(encoded(lines)).hexdigest(32),
    "under a key": lambda lines: hmac.new(b"key", encoded(lines), "sha256").hexdigest(),
    "under a key, at once": lambda lines: hmac.digest(b"key", encoded(lines), hashlib.sha512).hex(),
    "upper case": lambda lines: hashlib.sha256(encoded(lines)).hexdigest().upper(),
    "half of it": lambda lines: hashlib.sha256(encoded(lines)).hexdigest()[-32:],
    "a bytearray": lambda lines: hashlib.sha256(bytearray(encoded(lines))).hexdigest(),
    "a hash of hashes": lambda lines: hashlib.sha256(
        b"".join([hashlib.sha256(line.encode()).digest() for line in lines])
    ).hexdigest(),
    "a number": lambda lines: str(int(hashlib.sha256(encoded(lines)).hexdigest(), 16)),
}


@pytest.mark.parametrize("way", WAYS_OF_HASHING)
def test_a_correct_base_is_proved_however_the_hash_is_called(way: str) -> None:
    for shape in ("stale-1-1", "identity-1x2") if way == "one shot" else ("stale-1-1",):
        seen = analyzed(rewriting(digest=WAYS_OF_HASHING[way]), shape)
        assert (seen.exhausted, seen.candidates) == (True, []), (way, seen.why)


def test_digests_may_be_compared_in_constant_time_and_without_regard_to_case() -> None:
    for fresh in (hmac.compare_digest, lambda authored, live: authored.upper() == live.upper()):
        assert analyzed(rewriting(fresh=fresh), "stale-1-1").exhausted


@pytest.mark.parametrize(
    "cut",
    [
        lambda digest: digest[:8],
        lambda digest: digest[-16:],
        lambda digest: digest[:31],
        lambda digest: digest[::2][:15],
        lambda digest: str(int(digest, 16) % 2**64),
    ],
)
def test_a_cut_digest_is_no_ideal_one(cut: Callable[[str], str]) -> None:
    seen = analyzed(rewriting(digest=lambda lines: cut(framed(lines))), "stale-1-1", 2.0)
    assert any(name.startswith("BASE-STALE-") for found in seen.candidates for name in found.requirements)


def test_a_short_digest_is_no_ideal_one() -> None:
    short = rewriting(digest=lambda lines: hashlib.blake2b(encoded(lines), digest_size=8).hexdigest())
    assert analyzed(short, "stale-1-1", 2.0).candidates


def test_hashing_a_text_that_is_not_encoded_fails_as_it_always_does() -> None:
    careless = rewriting(digest=lambda lines: hashlib.sha256("".join(lines)).hexdigest())  # type: ignore[arg-type]
    assert [found.error for found in analyzed(careless, "stale-1-1").candidates] == ["TypeError"]


def test_an_unknown_hash_fails_as_it_always_does() -> None:
    assert [
        f.error
        for f in analyzed(rewriting(digest=lambda lines: updated("sha0", lines).hexdigest()), "fresh-1").candidates
    ] == ["ValueError"]


@pytest.mark.parametrize("way", writers.DEFERRED)
def test_a_base_of_written_out_lines_is_proved_without_writing_them_out(way: str) -> None:
    for shape in ("stale-1-2", "fresh-1"):
        seen = analyzed(rewriting(digest=writers.DEFERRED[way]), shape)
        assert (seen.exhausted, seen.candidates) == (True, []), (shape, seen.why)


def test_what_is_done_to_a_written_text_is_done_to_its_real_characters() -> None:
    folded = rewriting(digest=lambda lines: json.dumps(lines).lower())
    seen = analyzed(folded, "stale-1-1", 1.5)
    assert not seen.exhausted or seen.candidates


def test_lines_read_back_from_json_are_the_lines() -> None:
    def splice(live: Lines, hunks: Sequence[Hunk]) -> Lines:
        lines = json.loads(json.dumps(live))
        for hunk in hunks:
            lines[hunk.start : hunk.end] = hunk.insert
        return tuple(lines)

    assert analyzed(rewriting(splice=splice), "fresh-1").exhausted


@pytest.mark.parametrize("way", writers.MESSAGES)
def test_messages_that_name_open_values_do_not_keep_a_shape_from_being_exhausted(way: str) -> None:
    seen = analyzed(writers.refusing(writers.MESSAGES[way]), "fresh-1")
    assert (seen.exhausted, seen.candidates) == (True, [])


@pytest.mark.parametrize("way", writers.BROKEN_MESSAGES)
def test_a_message_that_cannot_be_made_fails_as_it_always_does(way: str) -> None:
    message, error = writers.BROKEN_MESSAGES[way]
    seen = analyzed(writers.refusing(lambda hunk, live: message(hunk)), "fresh-0", 3.0)
    assert error in [found.error for found in seen.candidates]


def test_a_text_that_is_made_later_shows_what_was_there_before() -> None:
    def splice(live: Lines, hunks: Sequence[Hunk]) -> Lines:
        lines = [line for hunk in hunks for line in hunk.insert]
        told = str(writers.Spot(1, lines))
        lines.clear()
        return live if told.endswith("[])") else live[: hunks[0].start] + hunks[0].insert + live[hunks[0].end :]

    assert analyzed(rewriting(splice=splice), "fresh-0", 2.0).candidates == []


def test_texts_made_later_are_put_together_and_looked_into_like_any_other() -> None:
    def splice(live: Lines, hunks: Sequence[Hunk]) -> Lines:
        told = ("at %d" % hunks[0].start + ", " + str(len(live)) + " ").rstrip()  # noqa: UP031
        return live if told == "at 0, 0" else ()

    found = analyzed(rewriting(splice=splice), "fresh-0", 5.0).candidates
    assert "BASE-SPLICE-EXACT" in found[0].requirements


def test_a_range_may_be_read_before_it_is_looked_at() -> None:
    def sound(hunk: Hunk, length: int) -> bool:
        lines = tuple(range(length))
        gone = lines[hunk.start : hunk.end], lines[hunk.start :], lines[: hunk.end]
        return in_range(hunk, length) and len(gone[0]) == hunk.end - hunk.start

    for shape in ("fresh-0", "fresh-2"):
        seen = analyzed(rewriting(sound=sound), shape)
        assert (seen.exhausted, seen.candidates) == (True, []), (shape, seen.why)


def test_a_slice_at_an_open_place_is_the_one_that_python_makes() -> None:
    places = [None, *range(-5, 6)]
    for size, start, stop in itertools.product(range(4), places, places):
        items = tuple(range(size))
        assert _Tuple(items)[slice(start, stop)] == items[start:stop]


def test_a_magic_coordinate_is_found() -> None:
    magic = rewriting(sound=lambda hunk, n: 0 <= hunk.start <= hunk.end <= n or hunk.start == 86_028_121)
    found = analyzed(magic, "fresh-1", 5.0).candidates
    assert found
    assert 86_028_121 in found[0].values.values()


def test_a_magic_text_is_found_by_a_hunt() -> None:
    magic = rewriting(
        splice=lambda live, hunks: (
            live if any(line.startswith("%%!") for hunk in hunks for line in hunk.insert) else hunks[0].insert
        )
    )
    found = analyzed(magic, "hunt-inserted", 5.0).candidates
    assert found
    assert found[0].values["text"].startswith("%%!")


def test_an_exception_of_the_target_is_a_candidate() -> None:
    def apply(live: Lines, authored: str, hunks: Sequence[Hunk], protected: Lines) -> Lines:
        stale: dict[str, Lines] = {}
        return live[: hunks[0].start] if authored == framed(live) else stale["base"]

    seen = analyzed(apply_function(apply, framed), "stale-1-1")
    assert ("KeyError", ("BASE-ANSWER-TYPED",)) in [(found.error, found.requirements) for found in seen.candidates]


def test_a_target_that_remembers_is_not_proved() -> None:
    count = itertools.count()

    def remembers(lines: Lines) -> str:
        return framed(lines) if next(count) % 3 else framed((*lines, "third"))

    seen = analyzed(rewriting(digest=remembers), "stale-1-1", 2.0)
    assert not seen.exhausted or seen.candidates


def test_a_look_ends_in_time() -> None:
    def slow(lines: Lines) -> str:
        total = 0
        for line in lines:
            for character in line:
                for _ in range(40):
                    total = total * 31 + ord(character)
        return hex(total)

    seen = analyzed(rewriting(digest=slow), "identity-1x2-unicode", 0.5)
    assert not seen.exhausted
    assert seen.why


def test_a_gate_is_looked_at_as_a_gate() -> None:
    assert analyzed(gating(), "amounts-one").exhausted
    late = gating(counted=lambda charges: [charge for charge in charges if charge.tokens != 7_919])
    assert analyzed(late, "amounts-one", 3.0).candidates


def test_a_partial_of_a_gate_is_called_like_any_other() -> None:
    def gate(margin: int, freed: int | None, charges: Sequence[Charge], edited: Any, artifacts: Any) -> None:
        amounts = [freed, *[charge.tokens for charge in charges]]
        if any(amount is None or amount < 0 for amount in amounts):
            raise Rejected(Reason.UNPROVEN)
        if (freed or 0) - sum([charge.tokens or 0 for charge in charges]) <= margin:
            raise Rejected(Reason.NOT_FREED)

    assert analyzed(gate_function(partial(gate, 0)), "amounts-one").exhausted
    assert analyzed(gate_function(partial(gate, 5)), "amounts-one", 3.0).candidates
