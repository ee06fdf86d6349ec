"""The table of what proofs find and search does not, and the search by a solver."""

from __future__ import annotations

import importlib.util
from typing import Any

import pytest
from click.testing import CliRunner

from basebound.cli import program
from basebound.errors import UsageError
from basebound.lenses.search.machine import SearchPlan, search
from basebound.run.check import Options, check
from basebound.session.session import RunContext
from basebound.targets import loading


def bench(*arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(program, ["bench", "proofs", "--effort", "quick", *arguments], standalone_mode=False)
    assert done.exception is None, done.exception
    return done.return_value, done.output


@pytest.mark.slow
def test_the_table_says_for_each_variant_what_every_lens_made_of_it() -> None:
    code, told = bench("--only", "at-zero", "--only", "magic-freed")
    plain, hidden = (line for line in told.splitlines() if line.startswith(("at-zero", "magic-freed")))
    assert "steps" in plain
    assert "missed" in hidden
    assert "amounts-" in hidden
    assert "2 of 2 refuted by proofs and run again, 1 of them missed by search; 0 wrongly proved" in told
    assert code == 0


@pytest.mark.slow
def test_engines_are_refuted_proved_or_open() -> None:
    code, told = bench("--engines", "--only", "fault:no-guard", "--only", "correct:one-hunk")
    assert "faulty: of 1, 1 refuted, 0 proved on every shape, 0 open" in told
    assert "wrongly refuted: none" in told
    assert code == 0


def test_a_backend_that_is_not_installed_is_a_usage_error_with_the_way_to_install_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    find = importlib.util.find_spec

    def without(name: str, *rest: Any) -> Any:
        return None if name.startswith("hypothesis_crosshair") else find(name, *rest)

    monkeypatch.setattr(importlib.util, "find_spec", without)
    with pytest.raises(UsageError, match=r"\[missing-package\]") as raised:
        check("reference", Options("quick", backend="crosshair"))
    assert "basebound[crosshair-backend]" in raised.value.fix


def test_a_search_by_the_solver_plays_histories_and_ends_in_time() -> None:
    pytest.importorskip("hypothesis_crosshair_provider")
    target = loading.load("basebound_catalogue.mutants.pure:plain")
    context = RunContext(target, target.profiles)
    runs = search(context, SearchPlan(5, 6, 20.0, "crosshair"), 0, lambda history: bool(history.findings))
    assert 0 < runs <= 5
    assert context.steps > runs
