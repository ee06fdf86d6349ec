"""A project's own engine: notes, which a model may rewrite. It takes a patch for fresh when no line came or went."""

import hashlib


class Outdated(Exception):
    """The notes have changed since they were read."""


class Impossible(Exception):
    """The edits do not fit the notes."""


class Notebook:
    def __init__(self, notes):
        self.notes, self.changes = list(notes), 0

    def fingerprint(self):
        parts = b"".join(hashlib.sha256(note.encode()).digest() for note in self.notes)
        return hashlib.sha256(parts).hexdigest()

    def add(self, at, notes):
        self._set([*self.notes[:at], *notes, *self.notes[at:]])

    def is_fresh(self, fingerprint, seen):
        return len(seen) == len(self.notes)

    def rewrite(self, fingerprint, seen, edits):
        if not self.is_fresh(fingerprint, seen):
            raise Outdated(f"authored against {fingerprint[:8]}, live is {self.fingerprint()[:8]}: re-author it")
        made, done = [], 0
        for start, end, notes in sorted(edits, key=lambda edit: edit[:2]):
            if not done <= start <= end <= len(self.notes):
                raise Impossible(f"[{start}, {end}) does not fit {len(self.notes)} notes")
            made += [*self.notes[done:start], *notes]
            done = end
        self._set(made + self.notes[done:])

    def _set(self, notes):
        self.changes += notes != self.notes
        self.notes = notes
