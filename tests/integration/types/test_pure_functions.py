"""mypy against what ``apply_function`` and ``gate_function`` take: the functions an author gives are compared."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from basebound.lenses.types import TypeReport, check_types
from basebound.run.check import Options, check

FUNCTIONS = Path(__file__).parent / "functions.py"


@pytest.fixture(scope="session")
def authored(as_authored: Callable[[str, str], Path]) -> Path:
    return as_authored("functions.py", "authored_functions.py")


def typed(authored: Path, cache: Path, name: str) -> TypeReport:
    return check_types(f"{authored}:{name}", cache=cache)


@pytest.mark.parametrize(
    ("name", "roles"),
    [
        ("fits", {"apply", "digest"}),
        ("by_keyword", {"apply", "digest"}),
        ("by_lambda", {"apply", "digest"}),
        ("another_name", {"apply", "digest"}),
        ("made_by_call", {"apply", "digest"}),
        ("factory", {"apply", "digest"}),
        ("gate_fits", {"gate"}),
    ],
)
def test_functions_that_fit_are_typed_however_they_are_given(
    authored: Path, cache: Path, name: str, roles: set[str]
) -> None:
    report = typed(authored, cache, name)
    assert (report.verdict, report.mismatches, report.untyped) == ("fits", (), ())
    assert set(report.typed) == roles


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("wrong", {("apply", "def text_apply"), ("digest", "def bytes_digest")}),
        ("half_wrong", {("digest", "def bytes_digest")}),
        ("wrong_gate", {("gate", "def bool_gate")}),
        ("wrong_by_call", {("apply", "def local(live_lines: str")}),
        ("wrong_factory", {("apply", "def text_apply"), ("digest", "def bytes_digest")}),
        ("returns_a_list", {("apply", "return list(live_lines)")}),
    ],
)
def test_a_function_that_does_not_fit_is_told_with_the_line_where_its_author_wrote_it(
    authored: Path, cache: Path, name: str, expected: set[tuple[str, str]]
) -> None:
    report = typed(authored, cache, name)
    lines = authored.read_text().splitlines()
    where = {(role, next(n for n, line in enumerate(lines, 1) if text in line)) for role, text in expected}
    assert report.verdict == "mismatches"
    assert {(row.method, row.line) for row in report.mismatches} == where
    assert {Path(row.file) for row in report.mismatches} == {authored}


def test_what_a_function_is_and_what_it_is_given_as_are_told_side_by_side(authored: Path, cache: Path) -> None:
    (row,) = typed(authored, cache, "wrong_gate").mismatches
    assert row.message == (
        "expected gate(freed: int | None, charges: Sequence[Charge], edited: frozenset[str], artifacts: frozenset[str])"
        " -> None; got def (freed: int, charges: Sequence[Charge], edited: frozenset[str], artifacts: frozenset[str])"
        " -> bool"
    )


@pytest.mark.parametrize(
    ("name", "untyped", "fix"),
    [
        ("bare", ("apply",), "annotate live_lines, authored_base, hunks, protected and the result of bare_apply ("),
        ("half", ("gate",), "annotate charges of half_gate ("),
        ("called", ("apply",), "give a `def` with annotations as the apply ("),
        ("partly", ("apply",), "give a `def` with annotations as the apply ("),
    ],
)
def test_of_a_function_without_annotations_its_own_parameters_are_named(
    authored: Path, cache: Path, name: str, untyped: tuple[str, ...], fix: str
) -> None:
    report = typed(authored, cache, name)
    assert (report.verdict, report.untyped) == ("inconclusive", untyped)
    assert report.fix.startswith(fix)


def test_targets_of_equally_long_lines_are_told_apart(tmp_path: Path, cache: Path) -> None:
    file = tmp_path / "two_gates.py"
    functions = FUNCTIONS.read_text().partition("fits = ")[0]
    file.write_text(functions + "one = gated(gate)\ntwo = gated(bool_gate)\n")
    assert check_types(f"{file}:one", cache=cache).verdict == "fits"
    assert check_types(f"{file}:two", cache=cache).verdict == "mismatches"
    assert check_types(f"{file}:one", cache=cache).verdict == "fits"


def test_a_pure_target_of_another_module_is_followed_to_where_its_functions_are(
    tmp_path: Path, authored: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pure_parts.py").write_text(authored.read_text())
    (tmp_path / "pure_target.py").write_text("from pure_parts import wrong_gate as target\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    report = check_types("pure_target:target", cache=cache)
    assert {(Path(row.file).name, row.method) for row in report.mismatches} == {("pure_parts.py", "gate")}


def test_in_a_check_a_pure_target_has_its_evidence_and_its_note(authored: Path) -> None:
    fits = check(f"{authored}:fits", Options("quick", lenses=("types",), jobs=1))
    kinds = {row.requirement.id: {entry["kind"] for entry in row.evidence} for row in fits.judged if row.evidence}
    assert kinds == {"BASE-ANSWER-TYPED": {"typed"}}
    wrong = check(f"{authored}:wrong", Options("quick", lenses=("types",), jobs=1))
    assert any("authored_functions.py:" in note and "expected digest(" in note for note in wrong.notes)
