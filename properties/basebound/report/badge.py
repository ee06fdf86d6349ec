"""A badge from a JSON report: a small SVG that says what the verdict is, of which spec, for which profiles."""

from __future__ import annotations

import json
from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import Any

from basebound.errors import UsageError
from basebound.model import PROFILES
from basebound.report.json import FORMAT
from basebound.results.verdict import FAIL, INCONCLUSIVE, WAIVED

_COLOURS = {"conformant": "#1a7f37", "violations": "#b3261e", "inconclusive": "#8a5a00"}
"""Each with a contrast of at least 5 to 1 to the white text on it."""
_NARROW, _WIDE = frozenset("fijlrtI.,:;|!' "), frozenset("mwMW@%")


def load(path: Path) -> dict[str, Any]:
    """A JSON report; raises ``UsageError`` for what is none."""
    try:
        read = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UsageError("report-unreadable", f"the report {path} cannot be read: {error}", _MAKE) from None
    if not isinstance(read, dict) or read.get("basebound") != FORMAT or read.get("verdict") not in _COLOURS:
        raise UsageError("not-a-report", f"{path} is not a report of the form {FORMAT}", _MAKE)
    return read


_MAKE = "write one with `basebound check TARGET --report json=report.json`"


def badge(report: Mapping[str, Any]) -> str:
    """``report`` as an SVG 20 pixels high."""
    label, text = f"basebound {report['spec']}", message(report)
    left, right = _width(label) + 14, _width(text) + 14
    whole, name = left + right, escape(f"{label}: {text}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{whole}" height="20" role="img" aria-label="{name}">'
        f"<title>{name}</title>"
        f'<rect width="{whole}" height="20" rx="4" fill="{_COLOURS[report["verdict"]]}"/>'
        f'<path d="M4 0h{left - 4}v20H4a4 4 0 0 1-4-4V4a4 4 0 0 1 4-4z" fill="#30363d"/>'
        '<g fill="#fff" font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="11">'
        f'<text x="7" y="14" textLength="{left - 14}">{escape(label)}</text>'
        f'<text x="{left + 7}" y="14" textLength="{right - 14}">{escape(text)}</text></g></svg>\n'
    )


def message(report: Mapping[str, Any]) -> str:
    """What the badge says: the verdict, and what it is worth."""
    binding = [row["verdict"] for row in report["requirements"] if row["level"] == "MUST"]
    waived = binding.count(WAIVED)
    if report["verdict"] == "violations":
        broken = binding.count(FAIL)
        return f"{broken} broken" if broken else "expired or unused waivers"
    if report["verdict"] == "inconclusive":
        return f"{binding.count(INCONCLUSIVE)} not exercised"
    judged = [profile for profile in PROFILES if profile in report["profiles"]]
    return f"conformant: {', '.join(judged)}" + (f"; {waived} waived" if waived else "")


def _width(text: str) -> int:
    """Pixels of ``text`` in Verdana 11, near enough: ``textLength`` makes the text keep to them."""
    return round(sum(4.2 if one in _NARROW else 10.2 if one in _WIDE else 7.0 for one in text))
