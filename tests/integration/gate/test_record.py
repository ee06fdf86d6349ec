"""What a report carries so that it can be checked again."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path

import basebound
from basebound.core.register import Goal, by_id
from basebound.gate import record


def files(folder: Path, **texts: str) -> None:
    for name, text in texts.items():
        path = folder / (name.replace("__", "/") + ".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def test_sources_follow_imports_as_far_as_they_lead_to_files_beside(tmp_path: Path) -> None:
    files(
        tmp_path,
        engine="import json, store\nfrom shop import ledger\nimport basebound\n\ndef late():\n    import lazy.part\n",
        store="import engine\n",
        shop__ledger="from . import money\nfrom .deep.cents import CENTS\n",
        shop__money="",
        shop__deep__cents="from ..money import EURO\n",
        lazy__part="",
        unrelated="",
    )
    for package in ("shop", "shop/deep", "lazy"):
        (tmp_path / package / "__init__.py").write_text("")
    found, packages = record.sources(tmp_path / "engine.py")
    assert list(found) == [
        "engine.py",
        "lazy/__init__.py",
        "lazy/part.py",
        "shop/__init__.py",
        "shop/deep/__init__.py",
        "shop/deep/cents.py",
        "shop/ledger.py",
        "shop/money.py",
        "store.py",
    ]
    assert found["store.py"] == hashlib.sha256(b"import engine\n").hexdigest()
    assert packages == {}


def test_a_target_inside_a_package_is_named_from_the_packages_folder(tmp_path: Path) -> None:
    files(tmp_path, app__engines__buffer="from app import meter\nimport click\n", app__meter="")
    for package in ("app", "app/engines"):
        (tmp_path / package / "__init__.py").write_text("")
    found, packages = record.sources(tmp_path / "app/engines/buffer.py")
    assert {"app/engines/buffer.py", "app/meter.py"} <= found.keys()
    assert list(packages) == ["click"]


def test_an_installed_target_is_followed_within_its_own_package(tmp_path: Path) -> None:
    site = tmp_path / "site-packages"
    files(site, app__engine="import other\nfrom app import meter\n", app__meter="", other="")
    (site / "app/__init__.py").write_text("")
    found, _ = record.sources(site / "app/engine.py")
    assert "other.py" not in found
    assert "app/meter.py" in found


def test_a_source_that_is_no_python_is_taken_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "engine.mjs").write_text("import fs from 'node:fs'\n")
    assert list(record.sources(tmp_path / "engine.mjs")[0]) == ["engine.mjs"]
    assert record.sources(tmp_path / "gone.py") == ({}, {})


def test_the_digest_of_a_requirement_is_of_its_norm_alone() -> None:
    row = by_id()["BASE-REPLAY"]
    same = record.requirement_digest(row)
    assert record.requirement_digest(replace(row, why="else", fix="else", origin="else")) == same
    assert record.requirement_digest(replace(row, sentence=row.sentence + " ")) != same
    assert record.requirement_digest(replace(row, goals=(*row.goals, Goal("more", "more")))) != same


def test_kill_figures_are_those_of_the_shipped_matrix(tmp_path: Path, monkeypatch) -> None:
    matrix = tmp_path / "kills.json"
    monkeypatch.setattr("basebound_catalogue.KILLS", matrix)
    assert record.kill_figures() is None
    figures = {"caught": 9, "of": 10, "median_steps": 50, "worst_steps": 700}
    matrix.write_text(json.dumps({**figures, "faults": []}))
    found = record.kill_figures()
    assert found == {**figures, "sha256": hashlib.sha256(matrix.read_bytes()).hexdigest()}


def test_a_report_carries_its_record(tmp_path: Path, gate) -> None:
    files(
        tmp_path, engine="from basebound_catalogue.plain import PlainEngine\n\n\nclass Engine(PlainEngine):\n    pass\n"
    )
    assert gate("check", "engine.py:Engine", "--report", "json=report.json", "--seed", "4").returncode == 0
    report = json.loads((tmp_path / "report.json").read_text())
    kept = report["record"]
    assert (report["seed"], report["effort"], kept["lenses"]) == (4, "quick", ["scenarios"])
    assert kept["suite"] == basebound.__version__
    assert kept["source"] == {"engine.py": hashlib.sha256((tmp_path / "engine.py").read_bytes()).hexdigest()}
    assert len(kept["spec"]["register"]) == 64
    assert {row["id"]: row["sha256"] for row in report["requirements"]} == {
        row.id: record.requirement_digest(row) for row in by_id().values()
    }
