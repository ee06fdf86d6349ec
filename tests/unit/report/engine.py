"""An engine to be pointed at; never run."""


class Engine:
    def apply(self, patch):
        lines = ["a"]
        return lines[patch.hunks[0].end]
