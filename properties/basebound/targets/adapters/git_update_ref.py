"""git update-ref: a buffer in a blob, and a reference that moves only from the blob an author names."""

from __future__ import annotations

import tempfile
from pathlib import Path

from basebound.model import Config, Patch
from basebound.targets.adapters.buffer import HeldBuffer
from basebound.targets.adapters.edits import edited
from basebound.targets.adapters.encoding import escape, join, split, unescape
from basebound.targets.adapters.programs import ask, run, said, start

_REF = "refs/context/live"
_DRAFT = "draft"
_GIT = ("git", "--git-dir=.")
_REF_NOT_MOVED = frozenset({128})


class GitUpdateRef(HeldBuffer):
    """``git update-ref REF NEW OLD`` in a bare repository of its own. The base is the blob's id.

    git compares OLD with what the reference holds under the lock it writes the reference with.
    """

    def __init__(self, config: Config) -> None:
        super().__init__()
        self._directory = tempfile.TemporaryDirectory(prefix="basebound-")
        self._root = Path(self._directory.name)
        _lay_out(self._root)
        self._reader = start([*_GIT, "cat-file", "--batch"], self._root)
        self._writer = start([*_GIT, "hash-object", "-w", "--stdin-paths"], self._root)
        self._move(self._blob(config.lines))

    def close(self) -> None:
        for process in (self._reader, self._writer):
            process.communicate()
        self._directory.cleanup()

    def _submit(self, patch: Patch) -> None:
        self._swap(patch, self._blob(edited(patch.base.lines, self._edits(patch))))

    def _probe(self, patch: Patch) -> None:
        self._swap(patch, patch.base.base)

    def _swap(self, patch: Patch, blob: str) -> None:
        ended = run([*_GIT, "update-ref", _REF, blob, patch.base.base], b"", self._root, _REF_NOT_MOVED)
        if ended.returncode == 0:
            return
        words = said(ended)
        if " but expected " not in words:
            raise RuntimeError(f"git update-ref failed for another reason than its old value: {words}")
        raise self._stale(patch, words)

    def _read(self) -> tuple[tuple[str, ...], str]:
        header, answers = ask(self._reader, _REF)
        blob, _, size = header.split(" ")
        content = answers.read(int(size) + 1)[:-1].decode()
        return tuple(map(unescape, split(content))), blob

    def _place(self, at: int | None, lines: tuple[str, ...]) -> None:
        present, blob = self._read()
        point = len(present) if at is None else at
        self._move(self._blob((*present[:point], *lines, *present[point:])), blob)

    def _blob(self, lines: tuple[str, ...]) -> str:
        (self._root / _DRAFT).write_bytes(join(map(escape, lines)).encode())
        blob, _ = ask(self._writer, _DRAFT)
        return blob

    def _move(self, *blobs: str) -> None:
        """A foreign write: the reference to the first blob, from the second where it is given."""
        run([*_GIT, "update-ref", _REF, *blobs], b"", self._root)


def _lay_out(root: Path) -> None:
    """An empty bare repository, as gitrepository-layout(5) has it; ``git init`` takes as long as an apply."""
    for folder in ("objects", "refs"):
        (root / folder).mkdir()
    (root / "HEAD").write_text("ref: refs/heads/main\n")
