"""The SARIF 2.1.0 report: what is broken, at the source of the engine or adapter, with the history as a code flow.

Rules are the requirements. A broken MUST is an error, a broken SHOULD a warning, a MUST or SHOULD that was not
exercised a note; a waived one is a result with a suppression. Complaints about waivers are notifications.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import quote

from basebound.core.register import Requirement, spec_version
from basebound.report.evidence import because
from basebound.report.lanes import lanes
from basebound.report.markdown import fenced
from basebound.report.source import portable, within
from basebound.report.story import story, text
from basebound.results.counterexample import Counterexample
from basebound.results.outcome import Raised
from basebound.results.verdict import FAIL, INCONCLUSIVE, WAIVED, Judged, Verdict
from basebound.version import __version__
from basebound_spec import ROOT

Json: TypeAlias = dict[str, Any]

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_ROOT_ID = "SRCROOT"
_LEVELS = {"MUST": "error", "SHOULD": "warning"}


def write(verdict: Verdict, path: Path) -> None:
    """Write ``verdict`` to ``path``; sources are named from the working directory, in CI the repository's root."""
    rows = json.dumps(log(verdict, Path.cwd()), ensure_ascii=False, indent=1) + "\n"
    path.write_text(rows, encoding="utf-8", errors="backslashreplace")


def log(verdict: Verdict, root: Path) -> Json:
    """``verdict`` as a log of one run; sources below ``root`` are named from it."""
    spec = spec_uri()
    rules = [_rule(row.requirement, spec) for row in verdict.judged]
    rows = [(at, row) for at, row in enumerate(verdict.judged) if row.verdict in (FAIL, INCONCLUSIVE, WAIVED)]
    run = {
        "tool": {"driver": {"name": "basebound", "semanticVersion": __version__, "rules": rules}},
        "automationDetails": {"id": f"basebound/{portable(verdict.target.name, root)}/"},
        "originalUriBaseIds": {_ROOT_ID: {"uri": f"{root.resolve().as_uri()}/"}},
        "invocations": [_invocation(verdict)],
        "columnKind": "unicodeCodePoints",
        "results": [_Result(verdict, root, spec).of(at, row) for at, row in rows],
        "properties": {
            "spec": spec_version(),
            "target": verdict.target.name,
            "profiles": sorted(verdict.profiles),
            "effort": verdict.effort,
            "seed": verdict.seed,
            "verdict": verdict.name,
        },
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def spec_uri() -> str:
    """The explained spec: the address the distribution gives as ``Specification``, else the installed file."""
    try:
        named = metadata.metadata("basebound").get_all("Project-URL") or []
    except metadata.PackageNotFoundError:
        named = []
    for label, _, address in (entry.partition(", ") for entry in named):
        if label == "Specification":
            return str(address)
    return Path(str(ROOT)).resolve().joinpath("SPEC.md").as_uri()


def _rule(rule: Requirement, spec: str) -> Json:
    return {
        "id": rule.id,
        "shortDescription": {"text": rule.sentence},
        "fullDescription": {"text": f"{rule.sentence} {rule.why}"},
        "help": {
            "text": f"{rule.sentence}\n\n{rule.why}\n\nHow it is usually fixed: {rule.fix}",
            "markdown": f"**{rule.sentence}**\n\n{rule.why}\n\n*How it is usually fixed:* {rule.fix}",
        },
        "helpUri": _section(spec, rule),
        "defaultConfiguration": {"level": _LEVELS[rule.level]},
        "properties": {"profile": rule.profile, "requirementLevel": rule.level, "tags": ["basebound", rule.profile]},
    }


def _section(spec: str, rule: Requirement) -> str:
    return f"{spec}#{rule.id.lower()}"


def _invocation(verdict: Verdict) -> Json:
    messages = [("error", complaint) for complaint in verdict.complaints] + [("note", note) for note in verdict.notes]
    return {
        "executionSuccessful": True,
        "exitCode": verdict.exit_code,
        "toolExecutionNotifications": [{"level": level, "message": {"text": text}} for level, text in messages],
    }


class _Result:
    """Makes the results of one verdict."""

    def __init__(self, verdict: Verdict, root: Path, spec: str) -> None:
        self._target, self._root, self._spec = verdict.target, root, spec

    def of(self, index: int, row: Judged) -> Json:
        rule, found = row.requirement, row.counterexample
        result: Json = {
            "ruleId": rule.id,
            "ruleIndex": index,
            "level": "note" if row.verdict == INCONCLUSIVE else _LEVELS[rule.level],
            "message": {"text": f"{rule.sentence} {because(row)}"},
            "locations": [self._place()],
            "relatedLocations": list(self._related(rule, found)),
            "partialFingerprints": {"requirementOfTarget/v1": self._fingerprint(rule)},
            "properties": {"requirement": rule.id, "profile": rule.profile, "verdict": row.verdict},
        }
        if found is not None:
            result["message"] = {"text": _short(row, found), "markdown": _long(row, found)}
            result["codeFlows"] = [{"threadFlows": flows}] if (flows := list(self._flows(found))) else []
        if row.verdict == WAIVED:
            result["suppressions"] = [{"kind": "external", "status": "accepted", "justification": row.note}]
        return result

    def _fingerprint(self, rule: Requirement) -> str:
        named = f"{rule.id} {portable(self._target.name, self._root)}"
        return hashlib.sha256(named.encode("utf-8")).hexdigest()

    def _place(self) -> Json:
        """The target's own code; where there is none, its name alone."""
        logical = [{"fullyQualifiedName": portable(self._target.name, self._root), "kind": "object"}]
        if self._target.source is None:
            return {"logicalLocations": logical}
        file, line = self._target.source
        return {"physicalLocation": self._physical(file, line), "logicalLocations": logical}

    def _physical(self, file: str, line: int) -> Json:
        inside = within(file, self._root)
        artifact = {"uri": Path(file).resolve().as_uri()}
        if inside is not None:
            artifact = {"uri": quote(inside), "uriBaseId": _ROOT_ID}
        return {"artifactLocation": artifact, "region": {"startLine": max(1, line)}}

    def _related(self, rule: Requirement, found: Counterexample | None) -> Iterator[Json]:
        """The requirement's section of the spec, and the places where the target raised."""
        artifact = {"uri": _section(self._spec, rule)}
        yield {"id": 0, "message": {"text": rule.sentence}, "physicalLocation": {"artifactLocation": artifact}}
        places = {
            entry.outcome.where: entry.outcome
            for entry in (found.steps if found is not None else ())
            if isinstance(entry.outcome, Raised) and entry.outcome.where
        }
        for number, (where, raised) in enumerate(places.items(), start=1):
            file, _, line = where.rpartition(":")
            if file and line.isdigit():
                message = {"text": f"raised {raised.kind}: {raised.message}"}
                yield {"id": number, "message": message, "physicalLocation": self._physical(file, int(line))}

    def _flows(self, found: Counterexample) -> Iterator[Json]:
        """The history, a step a location, a flow a client: it all happens in the target, so it stands at its source."""
        if found.steps:
            scenes = story(found).scenes
            texts = [f"{one.who} {one.what}" + (f": {one.outcome}" if one.outcome else "") for one in scenes]
            steps = zip(scenes, texts, strict=True)
            yield {"locations": [self._step(text, one.number, one.breaks) for one, text in steps]}
        drawn = [] if found.concurrent is None else lanes(found.concurrent)
        order = {at: n for n, at in enumerate(sorted({op["t0"] for lane in drawn for op in lane["ops"]}), start=1)}
        for lane in drawn:
            steps_of = [self._step(op["label"], order[op["t0"]], op["culprit"]) for op in lane["ops"]]
            yield {"id": lane["client"], "message": {"text": lane["client"]}, "locations": steps_of}

    def _step(self, text: str, number: int, breaks: bool) -> Json:
        return {
            "location": {**self._place(), "message": {"text": text}},
            "executionOrder": number,
            "importance": "essential" if breaks else "important",
        }


def _short(row: Judged, found: Counterexample) -> str:
    return f"{row.requirement.sentence} Allowed: {found.finding.allowed}. Seen: {found.finding.seen}."


def _long(row: Judged, found: Counterexample) -> str:
    return f"**{row.requirement.sentence}**\n\n{fenced(text(found))}"
