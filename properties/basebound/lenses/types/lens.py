"""Lens ``types``: mypy compares what a target declares with the protocols, before anything runs.

It judges what is written, not what happens: what does not fit is told with its place in the author's file, and fails
nothing. What fits is evidence for the requirement that answers have their declared types.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any, Final

from basebound.core.register import Role, with_role
from basebound.errors import TargetError
from basebound.lenses.declaration import Lens, UnitRun, Vouching
from basebound.lenses.types import TypeReport, check_types
from basebound.results.unit import Unit
from basebound.targets.loading import Target

_BY_IMPORT = (".py", "reference")


def _units(effort: str, seed: int, backend: str) -> list[Unit]:
    return [Unit("types", "all", effort, seed)]


def _run(work: UnitRun) -> str:
    if work.target.piped:
        return ""
    report = _typed(work.target)
    work.vouched.append(report)
    return note(report)


def _typed(target: Target) -> TypeReport:
    """Type ``target`` in a child process; what cannot be named for mypy is inconclusive."""
    named = _import_string(target)
    if "<" in named:
        why = f"{named} is made inside a function, so mypy has no name for it"
        return TypeReport(
            named, "inconclusive", why=why, fix="define the factory at the top of a module, and check that"
        )
    try:
        return check_types(named)
    except TargetError as problem:
        return TypeReport(named, "inconclusive", why=problem.what, fix=problem.fix)


def _import_string(target: Target) -> str:
    """The name by which mypy finds what the suite calls by another one, such as a bundled adapter's."""
    kind = target.name.partition(":")[0]
    if kind.endswith(_BY_IMPORT) or "." in kind or "/" in kind:
        return target.name
    module, name = getattr(target.factory, "__module__", None), getattr(target.factory, "__qualname__", None)
    return f"{module}:{name}" if module and name else target.name


def note(report: TypeReport) -> str:
    """Each mismatch with its place, or why nothing can be said and how to fix that."""
    if report.verdict == "inconclusive":
        return f"types not checked: {report.why}; {report.fix}"
    return "; ".join(f"{os.path.relpath(row.file)}:{row.line}: {row.message} [{row.code}]" for row in report.mismatches)


def evidence(vouched: Iterable[object]) -> dict[str, dict[str, Any]]:
    """By requirement, what the types vouch for; nothing unless all of them fit."""
    fit = (report for report in vouched if isinstance(report, TypeReport) and report.verdict == "fits")
    report = next(fit, None)
    if report is None:
        return {}
    return {with_role(Role.MISTYPED_ANSWER): {"by": f"mypy, of {', '.join(report.typed)}"}}


LENS: Final = Lens("types", _units, _run, goals="", plays=False, vouches=Vouching("typed", evidence))
