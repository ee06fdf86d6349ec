"""The JUnit report: a test case for each requirement, as every CI system reads it.

Broken MUST requirements are failures and carry their story; those not exercised are errors, so that they are red by
default; what is not claimed, waived or only advised is skipped with the reason. What is wrong with a waiver is an error
of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from xml.etree.ElementTree import Element, ElementTree, SubElement, indent

from basebound.core.register import spec_version
from basebound.report.evidence import because
from basebound.report.source import within
from basebound.report.story import text
from basebound.results.verdict import FAIL, INCONCLUSIVE, PASS, Judged, Verdict
from basebound.version import __version__

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write(verdict: Verdict, path: Path) -> None:
    """Write ``verdict`` to ``path``."""
    suites = element(verdict)
    indent(suites)
    ElementTree(suites).write(path, encoding="utf-8", xml_declaration=True)


def element(verdict: Verdict) -> Element:
    """``verdict`` as a ``testsuites`` element with one suite."""
    suites = Element("testsuites", name="basebound")
    suite = SubElement(suites, "testsuite", name=_safe(verdict.target.name))
    _add_properties(suite, verdict)
    place = _place(verdict)
    for row in verdict.judged:
        _add_case(suite, row, place)
    for complaint in verdict.complaints:
        case = SubElement(suite, "testcase", classname="waivers", name=_safe(complaint), time="0")
        _add(case, "error", "waiver", complaint, complaint)
    _count(suites, suite, verdict.elapsed)
    return suites


def _add_properties(suite: Element, verdict: Verdict) -> None:
    values = {
        "basebound": __version__,
        "spec": spec_version(),
        "target": verdict.target.name,
        "profiles": ",".join(sorted(verdict.profiles)),
        "effort": verdict.effort,
        "seed": str(verdict.seed),
        "verdict": verdict.name,
    }
    properties = SubElement(suite, "properties")
    for name, value in values.items():
        SubElement(properties, "property", name=name, value=_safe(value))


def _place(verdict: Verdict) -> dict[str, str]:
    """The target's file, from the working directory where it lies below it, and line, as some CI systems link them."""
    if verdict.target.source is None:
        return {}
    file, line = verdict.target.source
    return {"file": _safe(within(file, Path.cwd()) or file), "line": str(line)}


def _add_case(suite: Element, row: Judged, place: dict[str, str]) -> None:
    rule = row.requirement
    case = SubElement(suite, "testcase", {"classname": rule.profile, "name": rule.id, "time": "0", **place})
    binding = rule.level == "MUST"
    story = "" if row.counterexample is None else text(row.counterexample)
    if row.verdict == FAIL and binding:
        _add(case, "failure", "violation", f"{rule.sentence} {because(row)}", story)
    elif row.verdict == INCONCLUSIVE and binding:
        _add(case, "error", "inconclusive", because(row), f"{rule.sentence}\n{because(row)}\n")
    elif row.verdict == PASS:
        SubElement(case, "system-out").text = _safe(because(row))
    else:
        word = "advice" if row.verdict in (FAIL, INCONCLUSIVE) else row.verdict
        SubElement(case, "skipped", message=_safe(f"{word}: {because(row)}"))
        if story:
            SubElement(case, "system-out").text = _safe(story)


def _add(case: Element, tag: str, kind: str, message: str, text: str) -> None:
    SubElement(case, tag, type=kind, message=_safe(message)).text = _safe(text)


def _count(suites: Element, suite: Element, elapsed: float) -> None:
    counts = {"tests": _many(suite, "testcase")}
    counts |= {name: _many(suite, f"testcase/{tag}") for name, tag in _COUNTED}
    for counted in (suites, suite):
        for name, count in counts.items():
            counted.set(name, str(count))
        counted.set("time", f"{elapsed:.3f}")


_COUNTED: Iterable[tuple[str, str]] = (("failures", "failure"), ("errors", "error"), ("skipped", "skipped"))


def _many(suite: Element, path: str) -> int:
    return len(suite.findall(path))


def _safe(text: str) -> str:
    """``text`` with the characters XML 1.0 cannot hold written as escapes."""
    return _NOT_XML.sub(lambda found: f"\\u{ord(found.group()):04x}", text)
