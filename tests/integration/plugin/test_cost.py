"""What the plugin adds to a check."""

from __future__ import annotations

import pytest

from basebound_catalogue.bench.plugin import cost


@pytest.mark.slow
def test_the_plugin_costs_at_most_a_tenth_of_the_same_check() -> None:
    found = cost("reference", "default", rounds=1, jobs=2)
    assert found.processor_ratio <= 1.10, f"check {found.check}, pytest {found.pytest}"
