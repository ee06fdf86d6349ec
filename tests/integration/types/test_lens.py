"""The lens in a whole check: it vouches for what fits, tells what does not, and fails nothing by itself."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from basebound.results.verdict import PASS, Verdict
from basebound.run.check import Options, check

ENGINES = Path(__file__).parent / "engines.py"
BAD = Path(__file__).parents[2] / "support" / "bad_targets.py"


def judged(target: str, *lenses: str) -> Verdict:
    return check(target, Options("quick", lenses=("types", *lenses), jobs=1))


def typed(verdict: Verdict) -> list[str]:
    return [row.requirement.id for row in verdict.judged for entry in row.evidence if entry["kind"] == "typed"]


def test_declarations_that_fit_are_evidence_for_answers_of_their_types() -> None:
    assert typed(judged("reference")) == ["BASE-ANSWER-TYPED"]
    assert typed(judged("adapter:git-update-ref")) == ["BASE-ANSWER-TYPED"]


def test_an_engine_without_annotations_stays_conformant_and_is_told_how_to_change_that(tmp_path: Path) -> None:
    file = tmp_path / "bare.py"
    text = (BAD.parents[2] / "properties/basebound_catalogue/plain.py").read_text()
    file.write_text(re.sub(r"(def \w+\((?:[^()]|\([^()]*\))*\)) -> [^:]+:", r"\1:", text))
    verdict = judged(f"{file}:PlainEngine", "scenarios")
    assert {row.verdict for row in verdict.judged if row.requirement.id == "BASE-ANSWER-TYPED"} == {PASS}
    assert verdict.exit_code == 0
    assert typed(verdict) == []
    assert any("annotate" in note for note in verdict.notes)


def test_a_mismatch_is_a_note_with_its_place_in_the_authors_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "engines.py"
    file.write_text(re.sub(r"  # type: ignore[^#\n]*", "", ENGINES.read_text()))
    monkeypatch.chdir(tmp_path)
    verdict = judged("engines.py:Narrow")
    line = next(n for n, text in enumerate(file.read_text().splitlines(), 1) if "lines: list[str]" in text)
    assert any(f"engines.py:{line}: expected def append" in note for note in verdict.notes)
    assert typed(verdict) == []
    assert verdict.exit_code == 3


def test_a_factory_without_a_name_of_its_own_is_told_how_to_have_one() -> None:
    verdict = judged("fault:no-guard")
    assert any("made inside a function" in note and "top of a module" in note for note in verdict.notes)
    assert typed(verdict) == []
