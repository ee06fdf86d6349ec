"""The project's gate under pytest."""

from adapter import NotebookAdapter

import basebound


class TestNotebook(basebound.Conformance):
    lenses = ("scenarios",)
    effort = "quick"

    def engine(self, config):
        return NotebookAdapter(config)
