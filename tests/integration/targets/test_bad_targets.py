"""Each way a target can be wrong has its own message and the right exit code, in bounded time."""

from __future__ import annotations

from pathlib import Path

import pytest
from program import basebound

BAD = Path(__file__).parents[2] / "support" / "bad_targets.py"


def check(target: str, *options: str, folder: Path) -> tuple[int, str]:
    done = basebound(folder, "check", target, "--effort", "quick", "--lens", "scenarios", *options)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("target", "error"),
    [
        ("no/such/file.py:Engine", "no-such-file"),
        ("no.such.module:Engine", "no-such-module"),
        ("nonsense", "unknown-target"),
        (f"{BAD}:Nothing", "no-such-attribute"),
        (f"{BAD}:Plane", "no-such-attribute"),
        (f"{BAD}:not_callable", "not-callable"),
        (f"{BAD}:needs_two", "takes-no-config"),
        (f"{BAD}:gives_nothing", "gives-nothing"),
        (f"{BAD}:LacksApply", "missing-method"),
        (f"{BAD}:SnapshotNeedsArgument", "wrong-signature"),
        (f"{BAD}:raises_when_built", "build-failed"),
        (f"{BAD}:exits_when_built", "load-unfinished"),
        (f"{BAD}:ClaimsUnknown", "unknown-profile"),
        (f"{BAD}:ClaimsAString", "wrong-profiles"),
        (f"{BAD}:ClaimsBudget", "missing-method"),
        (f"{BAD}:NoHunks", "wrong-max-hunks"),
        ("adapter:gnupatch", "unknown-adapter"),
    ],
)
def test_a_target_that_cannot_be_used_exits_2_and_says_what_to_fix(target: str, error: str, tmp_path: Path) -> None:
    code, output = check(target, folder=tmp_path)
    assert code == 2, output
    assert f"[{error}]\n  " in output
    assert "Traceback" not in output


def test_a_factory_that_never_returns_exits_2_in_bounded_time(tmp_path: Path) -> None:
    code, output = check(f"{BAD}:never_built", "--timeout", "1", folder=tmp_path)
    assert code == 2, output
    assert "[load-unfinished]" in output


def test_a_module_that_fails_to_import_is_named_with_its_own_line(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("x = 1\nraise ValueError('half written')\n")
    code, output = check("broken.py:Engine", folder=tmp_path)
    assert code == 2
    assert "[import-failed]" in output
    assert "half written" in output
    assert "broken.py:2" in output


@pytest.mark.parametrize(
    ("name", "requirement", "said"),
    [
        ("SnapshotIsADict", "BASE-ANSWER-TYPED", "snapshot returned dict"),
        ("ReceiptIsNone", "BASE-ANSWER-TYPED", "apply returned NoneType"),
        ("RaisesKeyError", "BASE-ANSWER-TYPED", "KeyError"),
        ("Interrupts", "BASE-ANSWER-TYPED", "SystemExit"),
        ("Exits", "BASE-ANSWER-BOUNDED", "it ended the process, status 5"),
        ("Floods", "BASE-ANSWER-BOUNDED", "a flood"),
    ],
)
def test_a_target_that_misbehaves_when_called_is_a_violation(
    name: str, requirement: str, said: str, tmp_path: Path
) -> None:
    code, output = check(f"{BAD}:{name}", "--timeout", "1", folder=tmp_path)
    assert code == 1, output
    assert requirement in output
    assert said in output
    assert (tmp_path / ".basebound" / f"{requirement}.ndjson").exists()


def test_a_call_that_does_not_come_back_is_a_violation_and_told_how_to_have_longer(tmp_path: Path) -> None:
    code, output = check(f"{BAD}:NeverReturns", "--timeout", "1", folder=tmp_path)
    assert code == 1, output
    assert "append did not come back within 1 s" in output
    assert "more time with --timeout" in output
    assert (tmp_path / ".basebound" / "BASE-ANSWER-BOUNDED.ndjson").exists()


@pytest.mark.slow
def test_a_call_that_lets_no_other_thread_run_is_still_bounded(tmp_path: Path) -> None:
    code, output = check(f"{BAD}:HoldsTheInterpreter", "--timeout", "1", folder=tmp_path)
    assert code == 1, output
    assert "BASE-ANSWER-BOUNDED" in output


def test_an_engine_that_changes_its_mind_is_told_apart(tmp_path: Path) -> None:
    code, output = check(f"{BAD}:ChangesItsMind", "--lens", "search", folder=tmp_path)
    assert code == 1, output
    assert "not deterministic: " in output


def test_an_engine_that_prints_now_and_then_is_not_blamed_for_it(tmp_path: Path) -> None:
    code, output = check(f"{BAD}:Chatty", folder=tmp_path)
    assert code == 0, output
    assert "the target printed" in output


@pytest.mark.parametrize(("name", "said"), [("Unstated", True), ("Stated", False)])
def test_a_guardrail_that_nobody_claimed_is_said_to_be_assumed_where_it_fails(
    name: str, said: bool, tmp_path: Path
) -> None:
    code, output = check(f"{BAD}:{name}", folder=tmp_path)
    assert code == 1, output
    assert "PROTECTED-REFUSED (MUST, protected) is broken" in output
    note = "protected is assumed, because the engine states no `profiles`; state `profiles = frozenset({'base'})`"
    assert (note in output) == said
