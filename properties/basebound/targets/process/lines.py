"""A child that is asked line by line: its stdin and stdout with deadlines, and its log."""

from __future__ import annotations

import os
import select
import subprocess
import time
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress

from basebound.targets.process.child import Child

_CHUNK = 1 << 16
LONGEST = 128 * 1024 * 1024
"""Bytes of one message that are taken; nobody of a sane size has more to say."""
_LOOK = 20
"""Milliseconds between two looks at the clock and at the process, where nothing comes."""
_LAST_WORDS = 0.5


class TooLate(Exception):
    """The deadline went by."""


class Closed(Exception):
    """The child's output is at its end, or its input is closed."""


class TooLong(Exception):
    """A line has no end."""


class Lines(Child):
    """One thread uses it at a time, and reads only while it waits."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        pipe = subprocess.PIPE
        super().__init__(command, environment, stdin=pipe, stdout=pipe, stderr=pipe)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self._stdin, self._stdout = self._process.stdin.fileno(), self._process.stdout.fileno()
        self._stderr = self._process.stderr.fileno()
        self._lines: deque[bytes] = deque()
        self._part: list[bytes] = []
        self._part_size = 0
        self._closed = False
        for descriptor in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(descriptor, False)
        self._poll = select.poll()
        self._poll.register(self._stdout, select.POLLIN)
        self._poll.register(self._stderr, select.POLLIN)

    @property
    def descriptors(self) -> tuple[int, int]:
        """Its stdin and stdout, as this process has them."""
        return self._stdin, self._stdout

    @property
    def half(self) -> bytes:
        """The start of a line that has no end yet."""
        return b"".join(self._part[:8])

    @property
    def alive(self) -> bool:
        return not self._closed and self.status() is None

    def write(self, data: bytes, deadline: float) -> None:
        """Write all of ``data``, taking in what it says meanwhile."""
        try:
            sent = os.write(self._stdin, data)
        except BlockingIOError:
            sent = 0
        except OSError:
            raise Closed from None
        if sent < len(data):
            self._write_rest(memoryview(data)[sent:], deadline)

    def _write_rest(self, rest: memoryview, deadline: float) -> None:
        self._poll.register(self._stdin, select.POLLOUT)
        try:
            while rest:
                if self._stdin in self._take_in(deadline):
                    with suppress(BlockingIOError):
                        rest = rest[os.write(self._stdin, rest) :]
                elif self._closed:
                    raise Closed
        except OSError:
            raise Closed from None
        finally:
            self._poll.unregister(self._stdin)

    def line(self, deadline: float) -> bytes:
        """The next line of stdout, without its end. Raises ``TooLate``, ``Closed`` or ``TooLong``."""
        lines = self._lines
        if not lines and not self._part and not self._closed:
            events = self._poll.poll(_LOOK)
            if len(events) == 1 and events[0][0] == self._stdout:  # the short way: one answer, and all of it
                chunk = os.read(self._stdout, _CHUNK)
                if chunk.find(b"\n") == len(chunk) - 1 and chunk:
                    return chunk[:-1]
                self._take(chunk)
        while not lines:
            if self._closed:
                raise Closed
            if self._part_size > LONGEST:
                raise TooLong
            self._take_in(deadline)
        return lines.popleft()

    def waiting(self) -> bool:
        """Whether a line has come that nobody has taken yet."""
        return bool(self._lines)

    def _take_in(self, deadline: float) -> list[int]:
        """Read what there is, once; the descriptors that are ready."""
        events = self._poll.poll(_LOOK)
        if not events:
            if time.monotonic() > deadline:
                raise TooLate
            if self.status() is not None:
                self._closed = True
        ready = [descriptor for descriptor, _ in events]
        for descriptor in ready:
            if descriptor == self._stdout:
                self._take(os.read(descriptor, _CHUNK))
            elif descriptor == self._stderr:
                self._take_log(os.read(descriptor, _CHUNK))
        return ready

    def _take(self, chunk: bytes) -> None:
        if not chunk:
            self._closed = True
            self._poll.unregister(self._stdout)
            return
        if not self._part and chunk.find(b"\n") == len(chunk) - 1:
            self._lines.append(chunk[:-1])
            return
        first, *others = chunk.split(b"\n")
        self._part.append(first)
        self._part_size += len(first)
        if others:
            self._lines.append(b"".join(self._part))
            self._lines.extend(others[:-1])
            self._part = [others[-1]] if others[-1] else []
            self._part_size = len(others[-1])

    def _take_log(self, chunk: bytes) -> None:
        if not chunk:
            self._poll.unregister(self._stderr)
        self.printed.take(chunk)

    def close_input(self) -> None:
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.close()

    def wait(self, seconds: float) -> int | None:
        """The exit status, waited for that long; None if it still runs then. The log is taken in meanwhile."""
        deadline = time.monotonic() + seconds
        while (status := self.status()) is None and time.monotonic() < deadline:
            with suppress(TooLate, OSError):
                self._take_in(time.monotonic() + 0.02)
            if self._closed:
                time.sleep(0.005)
        return status

    def last_words(self) -> int | None:
        """The exit status of a child whose output has ended, with the end of its log."""
        status = self.wait(_LAST_WORDS)
        with suppress(OSError):
            while chunk := os.read(self._stderr, _CHUNK):
                self._take_log(chunk)
        return status

    def _close(self) -> None:
        self._closed = True
        super()._close()
