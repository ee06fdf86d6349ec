"""Buffers held in a text, in memory or in a file: one line of text for each line of the buffer."""

from __future__ import annotations

import hashlib
import tempfile
from abc import abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from basebound.model import Config, Patch
from basebound.targets.adapters.buffer import HeldBuffer
from basebound.targets.adapters.edits import Edit
from basebound.targets.adapters.encoding import escape, join, split, unescape


class TextBuffer(HeldBuffer):
    """A buffer held in a text (:mod:`basebound.targets.adapters.encoding`). Its base is a hash of the text.

    ``preamble``: lines above the buffer's own, for engines that need a line to hold on to. ``mark``: what each
    of the buffer's own lines starts with, for engines that treat blank lines in a way of their own.
    """

    preamble: ClassVar[tuple[str, ...]] = ()
    mark: ClassVar[str] = ""

    @property
    @abstractmethod
    def text(self) -> str:
        """What the medium holds; setting it is a write."""

    @text.setter
    @abstractmethod
    def text(self, text: str) -> None: ...

    def _read(self) -> tuple[tuple[str, ...], str]:
        text = self.text
        own = self._parts(text)[1]
        return tuple(unescape(line.removeprefix(self.mark)) for line in own), self._identity(text)

    def _identity(self, text: str) -> str:
        return hashlib.sha256(text.encode()).hexdigest()

    def _place(self, at: int | None, lines: tuple[str, ...]) -> None:
        head, own = self._parts(self.text)
        point = len(own) if at is None else at
        self.text = join([*head, *own[:point], *map(self._text_line, lines), *own[point:]])

    def _text_line(self, line: str) -> str:
        return self.mark + escape(line)

    def _text_lines(self, lines: Sequence[str]) -> list[str]:
        """The lines of the text that holds ``lines``."""
        return [*self.preamble, *map(self._text_line, lines)]

    def _text_edits(self, patch: Patch) -> list[Edit]:
        """The edits of ``patch``, in lines of the text."""
        shift = len(self.preamble)
        return [
            Edit(edit.start + shift, edit.end + shift, tuple(map(self._text_line, edit.insert)))
            for edit in self._edits(patch)
        ]

    def _parts(self, text: str) -> tuple[list[str], list[str]]:
        """The preamble, if the engine left it in its place, and the lines that hold the buffer."""
        text_lines = split(text)
        shift = len(self.preamble) if tuple(text_lines[: len(self.preamble)]) == self.preamble else 0
        return text_lines[:shift], text_lines[shift:]


class MemoryText(TextBuffer):
    """A text in memory, for engines that are functions of texts."""

    text: str = ""

    def __init__(self, config: Config) -> None:
        super().__init__()
        self.text = join(self._text_lines(config.lines))


class FileBuffer(TextBuffer):
    """A text file in a temporary directory ``root`` of its own, below ``folder`` of it."""

    name: ClassVar[str] = "context.txt"
    folder: ClassVar[str] = "."

    def __init__(self, config: Config) -> None:
        super().__init__()
        self._directory = tempfile.TemporaryDirectory(prefix="basebound-")
        self.root = Path(self._directory.name)
        self.path = self.root / self.folder / self.name
        self.path.parent.mkdir(exist_ok=True)
        self.text = join(self._text_lines(config.lines))

    @property
    def text(self) -> str:
        return self.path.read_bytes().decode()

    @text.setter
    def text(self, text: str) -> None:
        self.path.write_bytes(text.encode())

    def close(self) -> None:
        self._directory.cleanup()
