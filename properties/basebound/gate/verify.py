"""A report checked again: the same suite run on the target once more, and what is not as the report says."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from basebound.core.register import by_id, spec_version
from basebound.core.trace import Trace, from_rows
from basebound.errors import UsageError
from basebound.gate.record import digest, record, requirement_digest
from basebound.results.verdict import FAIL, WAIVED, Verdict
from basebound.version import __version__

FORMAT = "report/1"
_FIELDS: Mapping[str, type] = {
    "spec": str,
    "target": dict,
    "profiles": list,
    "effort": str,
    "seed": int,
    "requirements": list,
    "record": dict,
}
_RECORD: Mapping[str, type] = {"suite": str, "lenses": list, "spec": dict, "source": dict, "packages": dict}
_MADE_BY = "write one with `basebound check TARGET --report json=PATH`"


@dataclass(frozen=True)
class Verification:
    """A JSON report as read from a file; ``sha256`` is that of the file."""

    path: Path
    sha256: str
    data: dict[str, Any]

    @property
    def verdicts(self) -> dict[str, str]:
        return {row["id"]: row["verdict"] for row in self.data["requirements"]}

    def traces(self) -> dict[str, Trace]:
        """The report's counterexamples, by requirement id."""
        rows = (row for row in self.data["requirements"] if row.get("counterexample"))
        return {row["id"]: from_rows(row["counterexample"]["trace"], f"{self.path}, {row['id']}") for row in rows}


@dataclass(frozen=True)
class Difference:
    """One thing that is not as the report says; ``what`` is spec, suite, source, packages or verdict."""

    what: str
    text: str


def load(path: Path) -> Verification:
    """Read a report; raises ``UsageError`` naming what is not as ``report/1`` has it."""
    try:
        raw = path.read_bytes()
        data = json.loads(raw)
    except (OSError, ValueError) as error:
        raise UsageError("report-unreadable", f"the report {path} cannot be read: {error}", _MADE_BY) from None
    if not isinstance(data, dict) or data.get("basebound") != FORMAT:
        raise UsageError("not-a-report", f"{path} is not a report of the form {FORMAT}", _MADE_BY)
    _check_kinds(data, _FIELDS, str(path))
    _check_kinds(data["record"], _RECORD, f"the record of {path}")
    _check_kinds(data["record"]["spec"], {"register": str}, f"the spec's record of {path}")
    if not all(_is_row(row) for row in data["requirements"]):
        raise UsageError(
            "report-wrong-type",
            f"a requirement of {path} has no id, no verdict, or a counterexample without trace",
            _MADE_BY,
        )
    return Verification(path, digest(raw), data)


def _check_kinds(data: Mapping[str, Any], kinds: Mapping[str, type], where: str) -> None:
    for name, kind in kinds.items():
        if not isinstance(data.get(name), kind):
            raise UsageError("report-wrong-type", f"{name} of {where} is missing, or is no {kind.__name__}", _MADE_BY)


def _is_row(row: object) -> bool:
    if not isinstance(row, dict) or not isinstance(row.get("id"), str) or not isinstance(row.get("verdict"), str):
        return False
    found = row.get("counterexample")
    return found is None or (isinstance(found, dict) and isinstance(found.get("trace"), list))


def differences(report: Verification, verdict: Verdict) -> list[Difference]:
    """What differs between a report and the run that was to repeat it; empty when nothing does.

    A waived requirement is a broken one: waivers are not part of what is repeated. Neither are figures of effort.
    """
    now = record(verdict)
    then = report.data["record"]
    return [*_spec(report, now), *_suite(report), *_source(then, now), *_verdicts(report, verdict)]


def _spec(report: Verification, now: Mapping[str, Any]) -> Iterator[Difference]:
    if report.data["spec"] != spec_version():
        yield Difference("spec", f"the report is of spec {report.data['spec']}, this is spec {spec_version()}")
    rows = {row["id"]: row.get("sha256") for row in report.data["requirements"]}
    for name in sorted(rows.keys() - by_id().keys()):
        yield Difference("spec", f"{name} is no requirement any more")
    for name, requirement in by_id().items():
        if name not in rows:
            yield Difference("spec", f"{name} is a requirement the report does not know")
        elif rows[name] != requirement_digest(requirement):
            yield Difference("spec", f"the text of {name} has changed")
    for part, noun in (("text", "SPEC.md has"), ("scenarios", "the scenarios have")):
        if report.data["record"]["spec"].get(part) != now["spec"][part]:
            yield Difference("spec", f"{noun} changed")


def _suite(report: Verification) -> Iterator[Difference]:
    suite = report.data["record"]["suite"]
    if suite != __version__:
        yield Difference("suite", f"the report was made by basebound {suite}, this is {__version__}")


def _source(then: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[Difference]:
    for what, noun in (("source", "the file"), ("packages", "the package")):
        old, new = then[what], now[what]
        for name in sorted(old.keys() | new.keys()):
            if name not in new:
                yield Difference(what, f"{noun} {name} is no longer part of the target")
            elif name not in old:
                yield Difference(what, f"{noun} {name} is new in the target")
            elif old[name] != new[name]:
                yield Difference(what, f"{noun} {name} has changed, from {old[name][:12]} to {new[name][:12]}")


def _verdicts(report: Verification, verdict: Verdict) -> Iterator[Difference]:
    then = report.verdicts
    for row in verdict.judged:
        old, new = then.get(row.requirement.id), row.verdict
        if old is not None and _raw(old) != _raw(new):
            yield Difference("verdict", f"{row.requirement.id}: the report says {old}, this run says {new}")


def _raw(verdict: str) -> str:
    return FAIL if verdict == WAIVED else verdict
