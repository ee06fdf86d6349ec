"""One child process: started, bounded, and ended with everything it has started."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Final

from basebound.targets.process.ending import Ending

FLOOD: Final = 64 * 1024 * 1024
"""Bytes one worker's target may print before it is stopped."""
_KEPT: Final = 4096
_LEASH: Final = ("/bin/sh", "-c", 'read _; kill -s KILL -- "-$0"')
_SLOWEST: Final = 0.02
"""Seconds between two looks at a process that is waited for."""
_LAST_WORDS: Final = 0.5
"""Seconds for what a process that has ended still has in its pipe."""
Stream = int | IO[bytes]


def python(module: str, *arguments: str) -> list[str]:
    """The command that runs ``module`` in this Python."""
    return [sys.executable, "-m", module, *arguments]


class Tail:
    """The end of what was printed, and ``size``, how many bytes it was in all."""

    def __init__(self) -> None:
        self._kept, self.size = b"", 0

    def take(self, chunk: bytes) -> None:
        self._kept = (self._kept + chunk)[-_KEPT:]
        self.size += len(chunk)

    @property
    def text(self) -> str:
        return self._kept.decode("utf-8", "replace")

    @property
    def last_line(self) -> str:
        return (self.text.strip().splitlines() or [""])[-1]


class Child:
    """Starts ``command``; raises ``OSError`` if it cannot be started. One stream is read by itself, if it is piped and
    :meth:`listen` is called."""

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        *,
        stdin: Stream = subprocess.DEVNULL,
        stdout: Stream = subprocess.DEVNULL,
        stderr: Stream = subprocess.DEVNULL,
        descriptors: Sequence[int] = (),
        folder: Path | None = None,
    ) -> None:
        self.printed = Tail()
        self._listener: threading.Thread | None = None
        self._ending = threading.Lock()
        self._process = subprocess.Popen(
            command,
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            pass_fds=descriptors,
            env=environment,
            cwd=folder,
            start_new_session=True,
        )
        self._reaped = False
        try:
            self._leash = _leash(self.pid)
        except OSError:
            self.kill()
            self._process.wait()
            raise

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def flooded(self) -> bool:
        return self.printed.size > FLOOD

    def listen(self) -> None:
        """Read stdout in a thread, into the tail."""
        self._listener = threading.Thread(target=self._take_output, daemon=True)
        self._listener.start()

    def _take_output(self) -> None:
        assert self._process.stdout is not None
        while chunk := os.read(self._process.stdout.fileno(), 65536):
            self.printed.take(chunk)

    def status(self) -> int | None:
        """The exit status, negative for a signal; None while it runs. It is not reaped by this, where that can be.

        A fork of ours is not its parent and cannot learn its status: to it, as to ``Popen.poll``, it has ended with 0.
        """
        if self._process.returncode is not None or not hasattr(os, "waitid"):
            return self._process.poll()
        try:
            ended = os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:
            return self._process.poll()
        if ended is None:
            return None
        return ended.si_status if ended.si_code == os.CLD_EXITED else -ended.si_status

    def wait(self, seconds: float) -> int | None:
        """The exit status, waited for that long; None if it still runs then."""
        deadline, pause = time.monotonic() + seconds, 0.0005
        while (status := self.status()) is None and (left := deadline - time.monotonic()) > 0:
            time.sleep(min(pause, left))
            pause = min(2 * pause, _SLOWEST)
        return status

    def finish(self, seconds: float) -> Ending:
        """Let it run to its end, that long at most, and end what is left of it."""
        status = self.wait(seconds)
        self.end()
        return Ending.hung(seconds) if status is None else Ending.exited(status)

    def others_left(self) -> bool:
        """Whether it, now ended, has left processes of its group behind."""
        try:
            found = subprocess.run(["pgrep", "-g", str(self.pid)], capture_output=True, text=True, check=False)
        except OSError:
            return False
        return bool(set(map(int, found.stdout.split())) - {self.pid})

    def kill(self) -> None:
        """Kill it and all of its group. For a thread that does not use it: whoever does is told that it has ended."""
        with self._ending:
            if not self._reaped:
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(self.pid, signal.SIGKILL)

    def end(self, grace: float = 0.0) -> Ending:
        """End it and all of its group, after ``grace`` seconds for it to end by itself; how it ended."""
        self.wait(grace)
        self.kill()
        with self._ending:
            self._process.wait()
            self._reaped = True
        self._leash.kill()
        self._leash.wait()
        if self._listener is not None:
            self._listener.join(_LAST_WORDS)
        self._close()
        return Ending.exited(self._process.returncode)

    def _close(self) -> None:
        streams = [self._leash.stdin, self._process.stdin, self._process.stderr]
        if self._listener is None or not self._listener.is_alive():
            streams.append(self._process.stdout)
        for stream in streams:
            with suppress(OSError):
                if stream is not None:
                    stream.close()


def _leash(group: int) -> subprocess.Popen[bytes]:
    nothing = subprocess.DEVNULL
    command = (*_LEASH, str(group))
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=nothing, stderr=nothing, start_new_session=True)
