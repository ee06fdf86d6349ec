"""One page lists the whole public API, as the docstrings have it."""

from __future__ import annotations

import api_page

import basebound


def test_the_page_is_what_the_docstrings_say() -> None:
    assert api_page.PAGE.read_text(encoding="utf-8") == api_page.page(), "run: python tests/unit/spec/api_page.py"


def test_every_public_name_has_an_entry() -> None:
    page = api_page.PAGE.read_text(encoding="utf-8")
    assert [name for name in (*basebound.__all__, "Recorder", "Client") if f"\n### {name}\n" not in page] == []
