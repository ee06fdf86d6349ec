"""An engine on the wire as a target: one process, used through ``reset`` for engine after engine."""

from __future__ import annotations

import os
import resource
import shlex
import shutil
import signal
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from basebound.errors import TargetError
from basebound.model import Config, Patch, Receipt, Snapshot
from basebound.targets.process import environment
from basebound.targets.wire.client import BOUND, METER, Client
from basebound.targets.wire.faults import ErrorAnswer, WireFault
from basebound.targets.wire.messages import patch_params

_BEFORE_THE_GUARD = 0.8
_PRINTED = 280
"""Characters of a diagnosis that a counterexample has room for."""


def words(command: str) -> list[str]:
    """``command`` split as a shell splits it; a command that was quoted whole is split once more."""
    try:
        parts = shlex.split(command)
        if len(parts) == 1 and shutil.which(parts[0]) is None:
            parts = shlex.split(parts[0])
    except ValueError as error:
        raise TargetError(
            "command-unreadable", f"the command {command!r} cannot be split into words: {error}", "quote it"
        ) from None
    if not parts:
        raise TargetError("command-missing", "the command of the engine is empty", "write --wire 'node engine.mjs'")
    return parts


class WireTarget:
    """A factory of engines that all live in one process of ``command``, one after the other.

    The process is started when it is first needed and again after a fault. Raises ``TargetError`` where it cannot
    be brought to answer ``initialize``.
    """

    piped = True
    meters = (METER,)

    def __init__(self, command: str) -> None:
        self.command = words(command)
        self.bound = _BEFORE_THE_GUARD * environment.bound(BOUND)
        self.source = _script(self.command)
        self._client: Client | None = None
        self._lent: list[Client] = []
        self._tied = False
        self._owner = os.getpid()

    def __call__(self, config: Config) -> WireEngine:
        client = self.client()
        client.count = config.count_tokens
        return WireEngine(self, client, config)

    def client(self) -> Client:
        """The running process, or a new one."""
        if self._client is None or not self._client.usable:
            self.close()
            try:
                self._client = Client(self.command, self.bound)
            except WireFault as fault:
                raise TargetError("wire-fault", fault.seen, f"likely cause: {fault.cause}; fix: {fault.fix}") from None
            except ErrorAnswer as error:
                fix = 'the engine answers {"protocol":"1","meter":"utf8-bytes"} with what it claims'
                raise TargetError("initialize-refused", f"initialize was answered with {error}", fix) from None
        return self._client

    def close(self) -> None:
        """Shut the process down, if there is one."""
        for client in self._lent:
            client.kill()
        self._lent.clear()
        if self._client is not None:
            self._client.close()
            self._client = None

    def tie(self) -> None:
        """From now on this process ends when the engine's does, as it would with an engine inside it.

        For a worker, which is the target's own: what watches it then reports the end, whatever language the
        engine is written in. A fork of it inherits an engine that is ready, so that starting one costs it no time.
        """
        self._tied = True
        os.register_at_fork(before=self._before_fork, after_in_parent=self._after_fork)

    def _before_fork(self) -> None:
        if os.getpid() == self._owner:
            self.client()

    def _after_fork(self) -> None:
        """The engine is the fork's now; it is ended before the next one is started."""
        if os.getpid() == self._owner and self._client is not None:
            self._lent.append(self._client)
            self._client = None

    def failed(self, fault: WireFault) -> None:
        """Told of each fault. Where this process is tied to the engine's, one that has no end ends it."""
        if not self._tied or fault.ending is None:
            return
        os.write(1, f"{fault.brief(_PRINTED)}\n".encode("utf-8", "replace"))
        status = fault.ending.status
        if status is None:
            time.sleep(self.bound)  # whoever watches this call ends the process; nothing more is to be done here
            os._exit(1)
        self.client_gone()
        _end_as(status, forked=os.getpid() != self._owner)

    def client_gone(self) -> None:
        if self._client is not None:
            self._client.kill()


class WireEngine:
    """The engine's side of the protocol: each method is one request. ``insert`` is there where it is declared."""

    def __init__(self, target: WireTarget, client: Client, config: Config) -> None:
        self._target, self._client = target, client
        about = client.about
        self.profiles, self.max_hunks = about.profiles, about.max_hunks
        self._base_lines = "base_lines" in about.needs
        self._asked = 0
        if about.inserts:
            self.insert = self._insert
        self._ask("reset", {"lines": list(config.lines), "protected": list(config.protected)})

    def snapshot(self) -> Snapshot:
        shown: Snapshot = self._ask("snapshot", {})
        return shown

    def append(self, lines: Sequence[str]) -> None:
        self._ask("append", {"lines": list(lines)})

    def _insert(self, at: int, lines: Sequence[str]) -> None:
        self._ask("insert", {"at": at, "lines": list(lines)})

    def emit(self, kind: str, lines: Sequence[str]) -> None:
        self._ask("emit", {"kind": kind, "lines": list(lines)})

    def end_turn(self) -> None:
        self._ask("end_turn", {})

    def apply(self, patch: Patch) -> Receipt:
        left: Receipt = self._ask("apply", patch_params(patch, self._base_lines))
        return left

    def _ask(self, method: str, params: dict[str, object]) -> Any:
        """Text is sent escaped and raw in turn, by a sequence without a period, the same for every engine."""
        self._asked += 1
        self._client.ascii = self._asked.bit_count() & 1 == 0
        try:
            return self._client.ask(method, params)
        except WireFault as fault:
            self._target.failed(fault)
            raise


def _script(command: Sequence[str]) -> tuple[str, int] | None:
    """The file among the command's words that is the engine, as far as one can tell."""
    files = [word for word in command[1:] if Path(word).is_file()]
    return (files[0], 1) if files else None


def _end_as(status: int, *, forked: bool) -> None:
    """End this process as the engine's has ended; a fork says by any status but 0 that it did."""
    if status < 0 and not forked:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        signal.signal(-status, signal.SIG_DFL) if -status not in (signal.SIGKILL, signal.SIGSTOP) else None
        os.kill(os.getpid(), -status)
    os._exit(max(1, status) if forked else abs(status))
