"""mypy against the protocols: what fits, what does not and where, and what cannot be said."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

from basebound.errors import TargetError
from basebound.lenses.types import TypeReport, check_types

Typed: TypeAlias = Callable[[str], TypeReport]


@pytest.fixture(scope="session")
def plain_engines(as_authored: Callable[[str, str], Path]) -> Path:
    return as_authored("engines.py", "engines.py")


@pytest.fixture
def typed(cache: Path, plain_engines: Path) -> Typed:
    return lambda name: check_types(f"{plain_engines}:{name}", cache=cache)


def line_of(file: str, text: str) -> int:
    return next(n for n, line in enumerate(Path(file).read_text().splitlines(), start=1) if text in line)


@pytest.mark.parametrize(
    "name", ["Fits", "FitsAsynchronously", "WithABudget", "OwnBusiness", "factory", "slow_factory", "part"]
)
def test_an_annotated_engine_fits_however_it_is_made(typed: Typed, name: str) -> None:
    report = typed(name)
    assert (report.verdict, report.mismatches, report.untyped) == ("fits", (), ())
    assert {"snapshot", "append", "apply"} <= set(report.typed)


@pytest.mark.parametrize(
    ("name", "method", "code", "where"),
    [
        ("Narrow", "append", "assignment", "def append(self, lines: list[str])"),
        ("narrow_factory", "append", "assignment", "def append(self, lines: list[str])"),
        ("OtherResult", "apply", "assignment", "def apply(self, patch: Patch) -> str"),
        ("HalfABudget", "end_turn", "attr-defined", "class HalfABudget"),
        ("NoApply", "apply", "attr-defined", "class NoApply"),
        ("WrongWithin", "snapshot", "arg-type", "return Snapshot(list(self.lines), 7, 0)"),
        ("NeedsMore", "factory", "call-arg", "class NeedsMore"),
    ],
)
def test_a_mismatch_is_told_with_its_line_in_the_authors_file(
    typed: Typed, name: str, method: str, code: str, where: str
) -> None:
    report = typed(name)
    assert report.verdict == "mismatches"
    found = [row for row in report.mismatches if row.method == method]
    assert found
    assert {row.code for row in found} == {code}
    assert {row.line for row in found} == {line_of(found[0].file, where)}
    assert Path(found[0].file).name == "engines.py"


def test_a_mismatch_says_what_was_expected_and_what_is_there(typed: Typed) -> None:
    (row,) = typed("Narrow").mismatches
    assert row.message == (
        "expected def append(lines: Sequence[str], /) -> None, plain or async; got def (lines: list[str])"
    )


@pytest.mark.parametrize("name", ["Untyped", "untyped_factory"])
def test_without_annotations_nothing_is_said_and_how_to_change_that_is(typed: Typed, name: str) -> None:
    report = typed(name)
    assert report.verdict == "inconclusive"
    assert report.untyped
    assert report.why
    assert "annotate" in report.fix


def test_the_reference_fits_with_its_budget(cache: Path) -> None:
    report = check_types("reference", cache=cache)
    assert report.verdict == "fits"
    assert {"emit", "end_turn", "insert"} <= set(report.typed)


def test_a_package_module_is_found_by_its_name(cache: Path) -> None:
    assert check_types("basebound_catalogue.mutants.pure:plain", cache=cache).verdict == "fits"


@pytest.mark.parametrize(("target", "code"), [("engines", "unknown-target"), ("nowhere.py:Engine", "no-such-module")])
def test_a_name_that_is_none_is_a_usage_error(target: str, code: str) -> None:
    with pytest.raises(TargetError) as refused:
        check_types(target)
    assert refused.value.code == code


def test_a_name_that_the_file_lacks_is_a_usage_error(typed: Typed) -> None:
    with pytest.raises(TargetError, match=r"\[no-such-attribute\]"):
        typed("Nothing")


def test_when_mypy_does_not_end_in_time_nothing_is_said(plain_engines: Path, tmp_path: Path) -> None:
    report = check_types(f"{plain_engines}:Fits", seconds=0.05, cache=tmp_path)
    assert report.verdict == "inconclusive"
    assert "0.05 s" in report.why


def test_a_file_that_does_not_parse_is_inconclusive_with_its_reason(tmp_path: Path, cache: Path) -> None:
    file = tmp_path / "broken.py"
    file.write_text("class Engine(:\n")
    report = check_types(f"{file}:Engine", cache=cache)
    assert report.verdict == "inconclusive"
    assert report.why
