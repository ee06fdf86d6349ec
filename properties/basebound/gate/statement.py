"""A report as an in-toto Statement v1 with the predicate test-result v0.1, to be signed by who vouches for it.

The shape is that of https://in-toto.io/attestation/test-result/v0.1: subjects are the target's source files.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from basebound.errors import UsageError
from basebound.gate.verify import Verification
from basebound.results.verdict import FAIL, INCONCLUSIVE, PASS, WAIVED

STATEMENT = "https://in-toto.io/Statement/v1"
PREDICATE = "https://in-toto.io/attestation/test-result/v0.1"


def statement(report: Verification) -> dict[str, Any]:
    """The statement of ``report``; raises ``UsageError`` where it names no file to be its subject.

    A waived requirement, and a SHOULD that is not met, is a warned test; a MUST that was not exercised, a failed one.
    """
    files = report.data["record"]["source"]
    if not files:
        fix = "a subject is a file with a digest: name a target written in Python files"
        raise UsageError("report-no-source", f"{report.path} names no source of the target", fix)
    named = {kind: [row["id"] for row in report.data["requirements"] if _kind(row) == kind] for kind in _KINDS}
    result = "FAILED" if named["failedTests"] else "WARNED" if named["warnedTests"] else "PASSED"
    return {
        "_type": STATEMENT,
        "subject": [{"name": name, "digest": {"sha256": sha256}} for name, sha256 in files.items()],
        "predicateType": PREDICATE,
        "predicate": {"result": result, "configuration": _configuration(report), **named},
    }


def write(report: Verification, path: Path) -> None:
    path.write_text(json.dumps(statement(report), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


_KINDS = ("passedTests", "warnedTests", "failedTests")


def _kind(row: dict[str, Any]) -> str:
    """Under which of ``_KINDS`` a requirement stands; nothing where it is not claimed."""
    must = row.get("level") == "MUST"
    if row["verdict"] == PASS:
        return "passedTests"
    if row["verdict"] == WAIVED or (row["verdict"] in (FAIL, INCONCLUSIVE) and not must):
        return "warnedTests"
    return "failedTests" if row["verdict"] in (FAIL, INCONCLUSIVE) else ""


def _configuration(report: Verification) -> list[dict[str, Any]]:
    data, record = report.data, report.data["record"]
    asked = {"effort": data["effort"], "seed": data["seed"], "profiles": data["profiles"]}
    suite, register = f"basebound {record['suite']}, spec {data['spec']}", record["spec"]["register"]
    return [
        {"name": report.path.name, "digest": {"sha256": report.sha256}, "annotations": asked},
        {"name": suite, "digest": {"sha256": register}},
    ]
