"""The HTML report: one file that needs nothing else, to read a failure on.

What is said stands in the page itself; the script adds the stepper, the filters and the theme. A content security
policy names the digests of the one style and the one script and forbids everything else, so that the page asks for
nothing from anywhere, and nothing an engine said can run in it.
"""

from __future__ import annotations

import base64
import hashlib
import json
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import quote
from xml.etree.ElementTree import tostring

from basebound.core.register import spec_version
from basebound.report import page
from basebound.report.page import e
from basebound.report.stepper import room, stepper
from basebound.report.summary import headline
from basebound.results.verdict import Verdict
from basebound.version import __version__

_ICON_COLOURS = {"conformant": "#1a7f37", "violations": "#c0291d", "inconclusive": "#9a6700"}


def write(verdict: Verdict, path: Path) -> None:
    """Write ``verdict`` to ``path``."""
    path.write_text(render(verdict), encoding="utf-8", errors="backslashreplace")


def render(verdict: Verdict) -> str:
    """``verdict`` as a page."""
    style, script = _asset("page.css"), _asset("page.js")
    policy = f"default-src 'none'; style-src {_source(style)}; script-src {_source(script)}; img-src data:"
    head = e(
        "head",
        e("meta", charset="utf-8"),
        e("meta", **{"http-equiv": "Content-Security-Policy", "content": policy}),
        e("meta", name="viewport", content="width=device-width, initial-scale=1"),
        e("meta", name="color-scheme", content="light dark"),
        e("title", headline(verdict.target.name, verdict)),
        e("link", rel="icon", href=_icon(verdict.name)),
        e("style", style),
    )
    body = e(
        "body",
        e("a", "Skip to the verdict", href="#main", class_="skip"),
        _masthead(),
        e("main", page.summary(verdict), *page.cases(verdict), page.table(verdict), id="main", tabindex="-1"),
        _footer(),
        e("script", _data(verdict), type="application/json", id="report-data"),
        e("script", script),
    )
    return f"<!doctype html>\n{tostring(e('html', head, body, lang='en'), encoding='unicode', method='html')}\n"


def _masthead() -> Any:
    mark = e("span", "[", e("span", "="), class_="mark", aria_hidden="true")
    theme = e("button", "Dark theme", type="button", id="theme", aria_pressed="false", hidden="hidden")
    return e("header", e("p", mark, "basebound", class_="brand"), theme, class_="masthead")


def _footer() -> Any:
    text = f"basebound {__version__}, spec {spec_version()}. `basebound explain ID` says more about a requirement."
    return e("footer", e("p", text))


def _data(verdict: Verdict) -> str:
    """The cases as JSON in which nothing ends the script element it stands in."""
    groups = [group for section in page.sections(verdict) for group in section.groups]
    most, budgeted = room(len(groups)), "budget" in verdict.profiles
    found = [group[0].counterexample for group in groups]
    steppers = [stepper(one, budgeted, most) for one in found if one is not None]
    text = json.dumps(steppers, ensure_ascii=False, separators=(",", ":"))
    for sign in "<>\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text


def _asset(name: str) -> str:
    return files("basebound.report").joinpath("assets", name).read_text(encoding="utf-8")


def _source(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode('utf-8')).digest()).decode('ascii')}'"


def _icon(verdict: str) -> str:
    drawn = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="4" '
        f'fill="{_ICON_COLOURS[verdict]}"/><path d="M6 3H4v10h2M8 6.5h5M8 9.5h5" stroke="#fff" stroke-width="1.5" '
        'fill="none"/></svg>'
    )
    return f"data:image/svg+xml,{quote(drawn)}"
