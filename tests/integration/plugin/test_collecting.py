"""A class, or a target that is named, becomes a test for each requirement it claims."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from _pytest.pytester import RunResult

pytest_plugins = ["pytester"]

CLASS = """\
import basebound
from engines import Guarded


class TestGuarded(basebound.Conformance):
    def engine(self, config):
        return Guarded(config)

    def test_of_its_own(self):
        assert Guarded
"""


def ids(result: RunResult, prefix: str) -> list[str]:
    """What ``--collect-only -q`` lists below ``prefix``."""
    return [line.removeprefix(prefix) for line in result.outlines if line.startswith(prefix)]


def test_a_class_has_a_test_for_each_claimed_requirement_and_its_own(
    project: Path, pytester: pytest.Pytester, run
) -> None:
    pytester.makepyfile(test_it=CLASS)
    found = ids(run("--collect-only", "-q"), "test_it.py::TestGuarded::")
    assert "test_of_its_own" in found
    assert {"BASE-STALE-APPEND", "BASE-REFUSAL-PURE"} <= set(found)
    assert not [name for name in found if name.startswith("BUDGET")], "Guarded does not claim the budget"
    named = ids(run("--collect-only", "-q", "--basebound", "engines.py:Guarded"), "basebound[engines.py:Guarded]::")
    assert named == [name for name in found if name != "test_of_its_own"]


def test_a_named_target_is_judged_alone_unless_paths_are_given(project: Path, pytester: pytest.Pytester, run) -> None:
    pytester.makepyfile(test_other="def test_other(): pass")
    alone = run("--collect-only", "-q", "--basebound", "engines.py:Guarded")
    assert not ids(alone, "test_other.py")
    both = run("--collect-only", "-q", "--basebound", "engines.py:Guarded", "test_other.py")
    assert ids(both, "test_other.py") == ["::test_other"]
    assert ids(both, "basebound[engines.py:Guarded]::")


def test_a_class_that_names_no_engine_is_a_base_of_others(project: Path, pytester: pytest.Pytester, run) -> None:
    pytester.makepyfile(
        test_it="""\
        import basebound
        from basebound import Conformance


        class TestEveryEngine(Conformance):
            profiles = ("protected",)


        class GuardedConformance(TestEveryEngine):
            target = "engines.py:Guarded"
        """
    )
    result = run("--collect-only", "-q")
    classes = {match[1] for line in result.outlines if (match := re.match(r"test_it\.py::(\w+)::", line))}
    assert classes == {"GuardedConformance"}
    assert all("PROTECT" in name for name in ids(result, "test_it.py::GuardedConformance::"))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--basebound", "engines.py:Gaurded"), "did you mean engines.py:Guarded"),
        (("--basebound", "engines.py:Guarded", "--basebound-profile", "budget"), "does not claim the profile budget"),
    ],
)
def test_a_target_that_cannot_be_judged_is_an_error_of_collection(
    arguments: tuple[str, ...], said: str, project: Path, run
) -> None:
    result = run(*arguments)
    assert result.ret == pytest.ExitCode.INTERRUPTED
    assert said in result.stdout.str()
    assert "Traceback" not in result.stdout.str()


def test_markers_select_levels_and_profiles(project: Path, run) -> None:
    target = ("--collect-only", "-q", "--basebound", "engines.py:Guarded")
    should = ids(run(*target, "-m", "basebound_should"), "basebound[engines.py:Guarded]::")
    assert "BASE-STALE-MESSAGE" in should
    assert "BASE-STALE-APPEND" not in should
    chosen = ids(run(*target, "-m", "basebound_must and basebound_protected"), "basebound[engines.py:Guarded]::")
    assert chosen
    assert all("PROTECT" in name for name in chosen)


@pytest.mark.parametrize("mode", ["prepend", "importlib"])
def test_an_engine_beside_a_test_in_a_package_is_found(mode: str, pytester: pytest.Pytester, run) -> None:
    package = pytester.mkpydir("inner")
    (package / "engines.py").write_text("from basebound_catalogue.plain import PlainEngine\n")
    (package / "test_it.py").write_text(
        "import basebound\nfrom .engines import PlainEngine\n\n\n"
        "class TestPlain(basebound.Conformance):\n"
        "    async def engine(self, config):\n        return PlainEngine(config)\n"
    )
    result = run("-q", "-k", "BASE-STALE-APPEND", f"--import-mode={mode}")
    result.assert_outcomes(passed=1, deselected=len(ids(run("--collect-only", "-q"), "inner/")) - 1)
