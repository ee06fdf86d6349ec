"""The command line as other people's jobs use it: exit codes, lists, replays, reports."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import program
import pytest

from basebound.core.register import requirements

BAD = Path(__file__).parents[2] / "support" / "bad_targets.py"


def basebound(folder: Path, *arguments: str) -> tuple[int, str, str]:
    done = program.basebound(folder, *arguments)
    return done.returncode, done.stdout, done.stderr


def test_check_without_a_target_judges_the_reference_and_exits_0(tmp_path: Path) -> None:
    profiles = [option for name in ("base", "protected", "budget") for option in ("--profile", name)]
    code, output, _ = basebound(tmp_path, "check", "--effort", "quick", "--lens", "scenarios", *profiles)
    assert code == 0, output
    assert "conformant: reference" in output


def test_a_replay_counts_each_step_that_does_not_come_to_what_is_allowed_once(tmp_path: Path) -> None:
    (tmp_path / "lax.py").write_text(
        "from basebound import gate_function\n\n\ndef gate(freed, charges, edited, artifacts): ...\n\n\n"
        "lax = gate_function(gate)\n"
    )
    rows = (
        {"basebound": "trace/1", "config": {"lines": [], "protected": []}, "meter": "utf8-bytes"},
        {"op": "gate", "freed": 0, "charges": [], "edited": [], "artifacts": [], "expect": "not-freed"},
    )
    (tmp_path / "gate.ndjson").write_text("".join(json.dumps(row) + "\n" for row in rows))
    code, output, _ = basebound(tmp_path, "replay", "gate.ndjson", "lax.py:lax")
    assert code == 1
    assert output.splitlines()[-1] == "1 step had an outcome that is not allowed"


def test_a_violation_exits_1_and_the_counterexample_it_writes_replays(tmp_path: Path) -> None:
    target = "fault:no-guard"
    code, output, _ = basebound(tmp_path, "check", target, "--effort", "quick", "--lens", "scenarios")
    assert code == 1
    trace = ".basebound/BASE-STALE-APPEND.ndjson"
    assert f"basebound replay {trace} {target}" in output
    assert basebound(tmp_path, "replay", trace, target)[0] == 1
    code, output, _ = basebound(tmp_path, "replay", trace, "reference")
    assert code == 0
    assert "every step had an outcome that is allowed" in output


def test_what_was_not_exercised_exits_3(tmp_path: Path) -> None:
    code, output, _ = basebound(tmp_path, "check", f"{BAD}:Plain", "--effort", "quick", "--lens", "box")
    assert code == 3
    assert "not exercised, so neither passed nor failed" in output


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("check", "--effort", "huge"), "huge"),
        (("check", "--seed", "seven"), "neither a whole number nor the word random"),
        (("check", "--report", "pdf=x"), "is not FORMAT=PATH"),
        (("check", "--report", "json=no/such/folder/x.json"), "there is no folder"),
        (("check", "--profile", "bases"), "bases"),
        (
            (
                "check",
                "--nonsense",
            ),
            "--nonsense",
        ),
        (("explain", "BASE-STALE"), "[unknown-requirement]"),
        (("replay", "nowhere.ndjson"), "[trace-unreadable]"),
        (("list", "engines"), "engines"),
        (("demo", "nothing"), "nothing"),
    ],
)
def test_a_wrong_option_exits_2_and_says_what_is_wrong(arguments: tuple[str, ...], said: str, tmp_path: Path) -> None:
    code, output, errors = basebound(tmp_path, *arguments)
    assert code == 2
    assert said in output + errors
    assert "Traceback" not in errors


def test_a_broken_trace_is_named_by_its_line(tmp_path: Path) -> None:
    path = tmp_path / "t.ndjson"
    path.write_text('{"basebound":"trace/1","config":{}}\n{"op":"apply","base":"s1","hunks":[]}\n')
    code, _, errors = basebound(tmp_path, "replay", str(path))
    assert code == 2
    assert "t.ndjson, line 2: " in errors
    assert "[trace-unknown-snapshot]" in errors


def test_a_drawn_seed_is_printed(tmp_path: Path) -> None:
    _, output, _ = basebound(tmp_path, "check", "--seed", "random", "--effort", "quick", "--lens", "scenarios")
    assert "seed 0" not in output.splitlines()[0]
    assert "seed " in output.splitlines()[0]


def test_the_json_report_has_the_contract_s_fields(tmp_path: Path) -> None:
    code, _, _ = basebound(
        tmp_path, "check", "fault:no-guard", "--effort", "quick", "--lens", "scenarios", "--report", "json=r.json"
    )
    assert code == 1
    report = json.loads((tmp_path / "r.json").read_text())
    assert report["basebound"] == "report/1"
    assert {"spec", "target", "profiles", "seed", "verdict", "requirements", "elapsed_s"} <= set(report)
    assert [row["id"] for row in report["requirements"]] == [row.id for row in requirements()]
    broken = [row for row in report["requirements"] if row["verdict"] == "fail"]
    assert broken
    for row in broken:
        assert row["counterexample"]["trace"][0]["basebound"] == "trace/1"
        assert row["sentence"] in row["counterexample"]["explanation"]


@pytest.mark.parametrize(
    ("what", "fields"),
    [
        ("requirements", {"id", "level", "profile", "sentence"}),
        ("faults", {"id", "requirement", "origin"}),
        ("adapters", {"name", "extra", "profiles"}),
    ],
)
def test_list_gives_objects_with_the_contract_s_fields(what: str, fields: set[str], tmp_path: Path) -> None:
    code, output, _ = basebound(tmp_path, "list", what, "--json")
    rows = json.loads(output)
    assert code == 0
    assert rows
    assert all(fields <= set(row) for row in rows)


def test_each_adapter_is_listed_with_what_it_needs(tmp_path: Path) -> None:
    code, output, _ = basebound(tmp_path, "list", "adapters")
    lines = {line.split()[0]: line for line in output.splitlines()}
    assert code == 0
    assert "git (Debian package)" in lines["git-apply"]
    assert "basebound[jsonpatch]" in lines["jsonpatch-lines"]
    assert "None" not in output


def test_explain_shows_the_sentence_and_a_run_that_breaks_it(tmp_path: Path) -> None:
    code, output, _ = basebound(tmp_path, "explain", "base-replay")
    assert code == 0
    assert "A patch that has changed the content is refused as stale-base when it is submitted again." in output
    assert "a run that breaks it, of fault:" in output
    assert "  allowed: refused as stale-base" in output
    assert output.count("submitted again.") == 1, "what has been said at the top is not said again under the run"


def test_a_failure_of_the_suite_itself_exits_4(tmp_path: Path) -> None:
    spoiled = (
        "import importlib; listing = importlib.import_module('basebound.cli.listing');"
        "listing._LISTS['meters'] = (lambda: 1 / 0, ('name',));"
        "from basebound.cli import main; main()"
    )
    command = [sys.executable, "-c", spoiled, "list", "meters"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=60)
    assert done.returncode == 4
    assert "the suite itself failed" in done.stderr
