"""Canaries: they sing where every stand-in works, and each falls silent when its own does not."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from basebound.lenses.proofs import child, selftest
from basebound.lenses.proofs.crosshair import (
    byte_makers,
    ideal_hash,
    plugin,  # noqa: F401  # registers the stand-ins
    text_makers,
    tuple_slices,
)
from basebound.lenses.proofs.crosshair.api import replace_in_analyses
from basebound.lenses.proofs.crosshair.canary import CANARIES, Canary
from basebound.lenses.proofs.proving import check

LISTEN = """
import json
from basebound.lenses.proofs.crosshair import fstrings
fstrings.spell_out()
from basebound.lenses.proofs.crosshair import canary
{more}
silent = []
for one in canary.CANARIES:
    try:
        one.sing()
    except canary.CanaryFailed:
        silent.append(one.what)
print()
print(json.dumps(silent))
"""


def silent(more: str) -> list[str]:
    """The canaries that fail in a process of their own."""
    command = [sys.executable, "-c", LISTEN.format(more=more)]
    path = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run(command, capture_output=True, text=True, env=path, timeout=300, check=True)
    names: list[str] = json.loads(done.stdout.rpartition("\n\n")[2])
    return names


def test_every_canary_sings_with_the_plugin() -> None:
    assert silent("from basebound.lenses.proofs.crosshair import plugin") == []


@pytest.mark.slow
def test_no_canary_sings_without_the_plugin() -> None:
    assert silent("canary.SECONDS = 1.0") == [canary.what for canary in CANARIES]


@pytest.mark.parametrize("canary", CANARIES, ids=lambda canary: canary.what)
def test_what_a_canary_calls_true_is_true_and_what_it_calls_false_is_false(canary: Canary) -> None:
    numbers = [(a, b) for a in range(-3, 130) for b in (-2, 0, 1, 2, 65, 127)]
    assert all(canary.true(*pair) for pair in numbers)
    assert all(canary.false(*pair) for pair in numbers) == canary.ideal


@contextmanager
def replaced(function: Any, lie: Callable[..., Any]) -> Iterator[None]:
    before = replace_in_analyses(function, lie)
    try:
        yield
    finally:
        replace_in_analyses(function, before)


class Deaf(ideal_hash.IdealHash):
    """Of all contents the same hash."""

    def update(self, data: Any, /) -> None:
        pass

    def copy(self) -> Deaf:
        return self


def one_hash(*given: Any, **named: Any) -> Deaf:
    return Deaf("sha256", b"", (), 32, 64)


def same(*given: Any, **named: Any) -> str:
    return "same"


LIES: dict[str, Callable[[], AbstractContextManager[Any]]] = {
    "hashlib's constructors": lambda: replaced(hashlib.sha256, one_hash),
    "hashlib.new": lambda: replaced(hashlib.new, one_hash),
    "keyed hashes": lambda: replaced(hashlib.blake2b, one_hash),
    "hashes cut short": lambda: mock.patch.object(ideal_hash, "token", lambda number, size: f"{number:02x}" * size),
    "hmac.new": lambda: replaced(hmac.new, one_hash),
    "hmac.digest": lambda: replaced(hmac.digest, lambda *given: b"same"),
    "hmac.compare_digest": lambda: replaced(hmac.compare_digest, lambda *given: True),
    "repr": lambda: replaced(repr, same),
    "texts of what changes later": lambda: mock.patch.object(text_makers, "copied", lambda value: value),
    "str": lambda: replaced(str, same),
    "format": lambda: replaced(format, same),
    "f-strings": lambda: replaced(format, same),
    "% of a text": lambda: replaced(str.__mod__, same),
    "% that Python makes an f-string of": lambda: replaced(str, same),
    "str.join": lambda: replaced(str.join, same),
    "hex": lambda: replaced(hex, same),
    "oct": lambda: replaced(oct, same),
    "bin": lambda: replaced(bin, same),
    "print": lambda: replaced(print, lambda *given, **named: None),
    "json.dumps": lambda: replaced(json.dumps, same),
    "json.loads": lambda: replaced(json.loads, lambda text: ["a", "b"]),
    "% of bytes": lambda: mock.patch.object(byte_makers._Template, "__mod__", lambda left, values: left.text),
    "bytes of a text": lambda: replaced(bytes, lambda *given: b"same"),
    "slices of a tuple": lambda: mock.patch.object(tuple_slices._Tuple, "__getitem__", lambda left, key: left.items),
}


@pytest.mark.parametrize("canary", CANARIES, ids=lambda canary: canary.what)
def test_a_stand_in_that_lies_makes_proofs_unavailable_and_is_named(
    canary: Canary, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(selftest, "CANARIES", (canary,))
    with LIES[canary.what]():
        why = child.why_unavailable()
    assert why is not None
    assert f"what stands in for {canary.what} does not work" in why


def test_a_check_with_a_broken_stand_in_proves_nothing_and_says_which_and_what_to_do(tmp_path: Path) -> None:
    target = tmp_path / "meddling.py"
    target.write_text(
        "from basebound.lenses.proofs.crosshair import ideal_hash\n"
        "from basebound_catalogue.mutants.pure import plain\n"
        "ideal_hash.SHORTEST = 1000\n"  # of all contents the same hash
    )
    report = check(f"{target}:plain", "default", jobs=1, only=frozenset({"fresh-0"}))
    assert report.unavailable is not None
    assert f"CrossHair {child.release()} does not work here" in report.unavailable.what
    assert "what stands in for hashlib's constructors" in report.unavailable.what
    assert "pip install 'crosshair-tool==" in report.unavailable.fix
    assert report.requirements_proved() == {}
