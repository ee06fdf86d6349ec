"""Leaving a check out does not type-check: mypy, in a child process, on small uses right and wrong.

A wrong use marks the lines where an error is expected: ``# E: code``.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

RIGHT = """
from basebound_reference.budget import Meter, RewritePlan, commit_rewrite, prove
from basebound_reference.context import Context
from basebound_reference.rewrite import RewritePatch, apply_guarded_rewrite, verify

def first_invariant(live: Context, patch: RewritePatch) -> Context:
    return apply_guarded_rewrite(verify(live, patch, ["PIN"]))

def both_invariants(live: Context, patch: RewritePatch, meter: Meter) -> Context:
    return commit_rewrite(prove(RewritePlan(verify(live, patch)), meter))
"""

WRONG = {
    "an_unverified_patch_is_applied": """
from basebound_reference.context import Context
from basebound_reference.rewrite import RewritePatch, apply_guarded_rewrite

def use(patch: RewritePatch) -> Context:
    return apply_guarded_rewrite(patch)  # E: arg-type
""",
    "an_unverified_patch_is_planned": """
from basebound_reference.budget import RewritePlan
from basebound_reference.rewrite import RewritePatch

def use(patch: RewritePatch) -> RewritePlan:
    return RewritePlan(patch)  # E: arg-type
""",
    "an_unproven_plan_is_committed": """
from basebound_reference.budget import RewritePlan, commit_rewrite
from basebound_reference.context import Context

def use(plan: RewritePlan) -> Context:
    return commit_rewrite(plan)  # E: arg-type
""",
    "a_verified_patch_is_committed_without_a_plan": """
from basebound_reference.budget import commit_rewrite
from basebound_reference.context import Context
from basebound_reference.rewrite import RewritePatch, verify

def use(live: Context, patch: RewritePatch) -> Context:
    return commit_rewrite(verify(live, patch))  # E: arg-type
""",
    "the_gates_answer_is_taken_for_a_proof": """
from basebound_reference.budget import commit_rewrite, gate
from basebound_reference.context import Context

def use() -> Context:
    return commit_rewrite(gate(1, [], set(), set()))  # E: arg-type func-returns-value
""",
    "a_verified_patch_is_forged": """
from basebound_reference.context import Context
from basebound_reference.rewrite import Hunk, VerifiedPatch

def without_key(live: Context) -> VerifiedPatch:
    return VerifiedPatch(live, (Hunk(0, 1),))  # E: call-arg

def with_another_key(live: Context) -> VerifiedPatch:
    return VerifiedPatch(live, (Hunk(0, 1),), object())  # E: arg-type
""",
    "a_proven_plan_is_forged": """
from basebound_reference.budget import Cost, ProvenPlan
from basebound_reference.rewrite import VerifiedPatch

def without_key(patch: VerifiedPatch) -> ProvenPlan:
    return ProvenPlan(patch, Cost(9, 0, 0))  # E: call-arg

def with_the_other_key(patch: VerifiedPatch) -> ProvenPlan:
    return ProvenPlan(patch, Cost(9, 0, 0), patch.by)  # E: arg-type
""",
    "a_proof_is_subclassed": """
from basebound_reference.budget import ProvenPlan
from basebound_reference.rewrite import VerifiedPatch

class Patch(VerifiedPatch): ...  # E: misc

class Plan(ProvenPlan): ...  # E: misc
""",
    "a_verified_patch_is_changed": """
from basebound_reference.rewrite import Hunk, VerifiedPatch

def use(patch: VerifiedPatch) -> None:
    patch.hunks = (Hunk(0, 99),)  # E: misc
""",
    "an_unattributed_amount_is_a_measured_cost": """
from basebound_reference.budget import Cost

Cost(9, None, 0)  # E: arg-type
""",
}


def marked(source: str) -> set[tuple[int, str]]:
    return {
        (number, code)
        for number, line in enumerate(source.splitlines(), 1)
        for mark in re.findall(r"# E: (.*)", line)
        for code in mark.split()
    }


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, set[tuple[int, str]]]:
    """The errors of each file, as (line, code), from one run of mypy over all."""
    folder = tmp_path_factory.mktemp("uses")
    for name, source in {"right": RIGHT, **WRONG}.items():
        Path(folder, f"{name}.py").write_text(source)
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--cache-dir=cache", "--no-pretty", "."]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)
    assert run.returncode == 1, run.stdout + run.stderr
    errors: dict[str, set[tuple[int, str]]] = {name: set() for name in ("right", *WRONG)}
    for name, number, code in re.findall(r"^(\w+)\.py:(\d+): error: .*\[([\w-]+)\]$", run.stdout, re.MULTILINE):
        errors[name].add((int(number), code))
    return errors


def test_the_right_use_type_checks(found: dict[str, set[tuple[int, str]]]) -> None:
    assert found["right"] == set()


@pytest.mark.parametrize("use", WRONG)
def test_a_wrong_use_does_not_type_check(use: str, found: dict[str, set[tuple[int, str]]]) -> None:
    assert found[use] == marked(WRONG[use])
    assert found[use], "a wrong use marks at least one line"
