"""From a class or a named target to tests, one for each requirement that is claimed."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from basebound.core.register import Requirement
from basebound.pytest_plugin.judging import shown
from basebound.pytest_plugin.options import Case, class_case, inconclusive_fails, named_case
from basebound.pytest_plugin.sharing import Sharing
from basebound.report.evidence import because
from basebound.report.story import text
from basebound.results.claims import claimed
from basebound.results.verdict import FAIL, INCONCLUSIVE, WAIVED, Judged

WAIVERS = "waivers"
"""The name of the test that fails on stale and expired waivers."""


class Broken(Exception):
    """A test that does not pass; its text is all that is shown."""


class ConformanceClass(pytest.Class):
    """A subclass of ``Conformance``: its own test methods, and a test for each requirement."""

    def collect(self) -> Iterable[pytest.Item | pytest.Collector]:
        if not getattr(self.obj, "__test__", True):
            return []
        module = self.getparent(pytest.Module)
        assert module is not None
        case = class_case(self.config, self.obj, module.obj)
        return [*super().collect(), *_tests(self, case, self.name, module.path, _line(self.obj))]


class NamedTarget(pytest.Collector):
    """The tests of ``--basebound TARGET``."""

    def __init__(self, *, target: str, **kwargs: Any) -> None:
        super().__init__(nodeid=kwargs["name"], **kwargs)
        self.target = target

    def collect(self) -> Iterable[pytest.Item | pytest.Collector]:
        return list(_tests(self, named_case(self.config, self.target), self.name, self.path, 0))


class _Test(pytest.Item):
    """A test that reads its result from the one judgement of its target."""

    basebound_word = ""

    def __init__(self, *, case: Case, title: str, line: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.case, self.title, self.line = case, title, line

    def setup(self) -> None:
        """The first test of a target to come here has it judged."""
        self.outcome = self.config.stash[Sharing.key].outcome(self.case)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, self.line, f"{self.title}.{self.name}"

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        if isinstance(excinfo.value, Broken):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)


class RequirementTest(_Test):
    """One requirement: it passes, it is broken, or it was not exercised."""

    def __init__(self, *, requirement: Requirement, **kwargs: Any) -> None:
        super().__init__(name=requirement.id, **kwargs)
        self.requirement = requirement
        for word in (requirement.level.lower(), requirement.profile):
            self.add_marker(f"basebound_{word}")
        self.user_properties += [("basebound_level", requirement.level), ("basebound_profile", requirement.profile)]

    def runtest(self) -> None:
        verdict = self.outcome.verdict
        if verdict is None:
            raise Broken(self.outcome.error)
        row = next(row for row in verdict.judged if row.requirement.id == self.requirement.id)
        self.user_properties += [("basebound_evidence", f"{e['kind']} ({e['lens']})") for e in row.evidence]
        must = row.requirement.level == "MUST"
        if row.verdict == WAIVED:
            self._leave("waived", row.note, self._story(row))
        elif row.verdict == FAIL and must:
            raise Broken(self._story(row))
        elif row.verdict == FAIL:
            found = row.counterexample
            self._leave("advice", f"{row.requirement.sentence} Seen: {found.finding.seen if found else '?'}", "")
        elif row.verdict == INCONCLUSIVE:
            owed = because(row)
            if must and inconclusive_fails(self.config):
                self.basebound_word = "inconclusive"
                raise Broken(owed)
            self._leave("inconclusive", owed, "")

    def _leave(self, word: str, reason: str, shown: str) -> None:
        """End as an expected failure, in this word's name; under ``--runxfail`` as a failure."""
        if self.config.getoption("runxfail"):
            raise Broken(shown or reason)
        self.basebound_word = word
        pytest.xfail(reason)

    def _story(self, row: Judged) -> str:
        assert row.counterexample is not None
        file = (self.outcome.files or {}).get(row.requirement.id)
        return text(row.counterexample, f"basebound replay {shown(file)} {self.case.target}" if file else "")


class WaiversTest(_Test):
    """Fails on each waiver that has expired, or that matches nothing any more."""

    def runtest(self) -> None:
        verdict = self.outcome.verdict
        if verdict is None:
            raise Broken(self.outcome.error)
        if verdict.complaints:
            raise Broken("\n".join(verdict.complaints))


def _tests(parent: pytest.Collector, case: Case, title: str, path: Path, line: int) -> Iterator[pytest.Item]:
    described = parent.config.stash[Sharing.key].described(case)
    if isinstance(described, str):
        raise parent.CollectError(described)
    for profile in case.options.profiles:
        if profile not in described.profiles:
            raise parent.CollectError(f"{case.target} does not claim the profile {profile}, which is asked for")
    given = {"case": case, "title": title, "line": line, "path": path}
    together = parent.config.pluginmanager.hasplugin("xdist")
    profiles = frozenset(case.options.profiles) or described.profiles
    tests: list[pytest.Item] = [
        RequirementTest.from_parent(parent, requirement=row, **given) for row in claimed(described, profiles)
    ]
    if case.waivers is not None:
        tests.append(WaiversTest.from_parent(parent, name=WAIVERS, **given))
    for test in tests:
        if together:  # under --dist loadgroup one process takes them all
            test.add_marker(pytest.mark.xdist_group(case.target))
        yield test


def _line(case: type) -> int:
    """The class's line, from 0."""
    try:
        return inspect.getsourcelines(case)[1] - 1
    except (OSError, TypeError):
        return 0
