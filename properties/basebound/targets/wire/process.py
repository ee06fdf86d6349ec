"""One engine process: its pipes, its log, and the certainty that it does not outlive us."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import time
from collections import deque
from collections.abc import Sequence
from contextlib import suppress

from basebound.targets.wire.environment import original

_CHUNK = 1 << 16
_LOG_KEPT = 4096
LONGEST = 128 * 1024 * 1024
"""Bytes of one message that are taken; no engine of a sane size has more to say."""
_LOOK = 20
"""Milliseconds between two looks at the clock and at the process, where nothing comes."""
_LAST_WORDS = 0.5
_LEASH = ("/bin/sh", "-c", "read _; kill -KILL 0")


class TooLate(Exception):
    """The deadline went by."""


class Closed(Exception):
    """The engine's output is at its end, or its input is closed."""


class TooLong(Exception):
    """A line has no end."""


class Process:
    """Starts ``command``; raises ``OSError`` if it cannot be started.

    A *leash* leads the process group of the engine: a shell that waits for the end of a pipe only we can write to,
    and then kills the group, itself included. However we end, even by SIGKILL, the kernel closes that pipe.
    """

    def __init__(self, command: Sequence[str]) -> None:
        pipe = subprocess.PIPE
        self._leash = subprocess.Popen(_LEASH, stdin=pipe, stdout=subprocess.DEVNULL, process_group=0)
        try:
            self._engine = subprocess.Popen(
                command, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0, process_group=self._leash.pid, env=original()
            )
        except OSError:
            self._end_leash()
            raise
        assert self._engine.stdin is not None
        assert self._engine.stdout is not None
        assert self._engine.stderr is not None
        self._stdin, self._stdout = self._engine.stdin.fileno(), self._engine.stdout.fileno()
        self._stderr = self._engine.stderr.fileno()
        self._log, self.logged = b"", 0
        self._lines: deque[bytes] = deque()
        self._part: list[bytes] = []
        self._part_size = 0
        self._closed = self._killed = False
        for descriptor in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(descriptor, False)
        self._poll = select.poll()
        self._poll.register(self._stdout, select.POLLIN)
        self._poll.register(self._stderr, select.POLLIN)

    @property
    def pid(self) -> int:
        return self._engine.pid

    @property
    def descriptors(self) -> tuple[int, int]:
        """The engine's stdin and stdout, as this process has them."""
        return self._stdin, self._stdout

    @property
    def half(self) -> bytes:
        """The start of a line that has no end yet."""
        return b"".join(self._part[:8])

    @property
    def log(self) -> str:
        """The end of what the engine wrote to stderr."""
        return self._log.decode("utf-8", "replace")

    @property
    def alive(self) -> bool:
        return not self._closed and self._engine.poll() is None

    def write(self, data: bytes, deadline: float) -> None:
        """Write all of ``data``, taking in what the engine says meanwhile."""
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
            if self._engine.poll() is not None:
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
        self._log = (self._log + chunk)[-_LOG_KEPT:]
        self.logged += len(chunk)

    def close_input(self) -> None:
        assert self._engine.stdin is not None
        with suppress(OSError):
            self._engine.stdin.close()

    def ended(self, seconds: float) -> int | None:
        """The exit status, waited for that long; None while the process runs. The log is taken in meanwhile."""
        deadline = time.monotonic() + seconds
        while self._engine.poll() is None and time.monotonic() < deadline:
            with suppress(TooLate, OSError):
                self._take_in(time.monotonic() + 0.02)
            if self._closed:
                time.sleep(0.005)
        return self._engine.poll()

    def last_words(self) -> int | None:
        """The exit status of an engine whose output has ended, with the end of its log."""
        status = self.ended(_LAST_WORDS)
        with suppress(OSError):
            while chunk := os.read(self._stderr, _CHUNK):
                self._take_log(chunk)
        return status

    def others_left(self) -> bool:
        """Whether the engine, now ended, has left processes of its group behind."""
        try:
            found = subprocess.run(["pgrep", "-g", str(self._leash.pid)], capture_output=True, text=True, check=False)
        except OSError:
            return False
        return bool(set(map(int, found.stdout.split())) - {self._leash.pid, self._engine.pid})

    def kill(self) -> None:
        """End the engine and all of its group, at once."""
        if self._killed:
            return  # the group's number may be another's by now
        self._killed = True
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._leash.pid, signal.SIGKILL)
        self._engine.wait()
        self._end_leash()
        for stream in (self._engine.stdin, self._engine.stdout, self._engine.stderr):
            assert stream is not None
            with suppress(OSError):
                stream.close()
        self._closed = True

    def _end_leash(self) -> None:
        self._leash.kill()
        self._leash.wait()
        assert self._leash.stdin is not None
        with suppress(OSError):
            self._leash.stdin.close()
