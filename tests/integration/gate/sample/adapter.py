"""The notebook as basebound drives it."""

from notebook import Impossible, Notebook, Outdated

from basebound import Reason, Receipt, Rejected, Snapshot


class NotebookAdapter:
    profiles = frozenset({"base"})

    def __init__(self, config):
        self._notebook = Notebook(config.lines)

    def snapshot(self):
        notebook = self._notebook
        return Snapshot(tuple(notebook.notes), notebook.fingerprint(), notebook.changes)

    def append(self, lines):
        self._notebook.add(len(self._notebook.notes), lines)

    def insert(self, at, lines):
        self._notebook.add(at, lines)

    def apply(self, patch):
        edits = [(hunk.start, hunk.end, hunk.insert) for hunk in patch.hunks]
        try:
            self._notebook.rewrite(patch.base.base, patch.base.lines, edits)
        except Outdated as refusal:
            raise Rejected(Reason.STALE_BASE, str(refusal)) from refusal
        except Impossible as refusal:
            raise Rejected(Reason.BAD_HUNK, str(refusal)) from refusal
        return Receipt(self._notebook.fingerprint(), self._notebook.changes)
