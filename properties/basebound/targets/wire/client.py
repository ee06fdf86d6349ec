"""The suite's end of the wire: asks, pipelines, counts tokens when it is asked to, and sees every fault.

One thread uses a client at a time. It reads stdout only while it waits.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from basebound.model import Meter, utf8_bytes
from basebound.targets.process import Closed, Ending, Lines, TooLate, TooLong, theirs
from basebound.targets.wire import faults, messages
from basebound.targets.wire.faults import MISSING, WireFault
from basebound.targets.wire.messages import About

METER = "utf8-bytes"
BOUND = 10.0
_GRACE = 1.0
_FLUSH_WAIT = 0.1
"""Of the bound, for an answer that comes when stdin is closed."""
_FLOOD = 1 << 18
_STRAY_LOOK = 0.5
"""Seconds for the answers that a stray line may have been printed before."""

Request = tuple[str, Mapping[str, Any]]
"""A method and its params."""


class Answer(NamedTuple):
    """The answer to one request.

    ``method``: of the request. ``message``: the parsed JSON. ``line``: its bytes. ``sent`` and ``received``: in
    nanoseconds of ``time.monotonic_ns``.
    """

    method: str
    message: Mapping[str, Any]
    line: bytes
    sent: int
    received: int

    def value(self) -> Any:
        """A ``Snapshot``, a ``Receipt`` or None; raises ``Rejected``, ``ErrorAnswer`` or ``WireFault``."""
        return messages.value(self.method, self.message, self.line)


class Client:
    """The suite's end of the wire: starts ``command``, a list of words, and sends ``initialize``.

    Raises ``WireFault`` if either fails, and from every method once the engine breaks the protocol, ends, or does not
    answer within ``bound`` seconds. To be set at any time: ``count``, the meter by which ``count_tokens`` is answered;
    ``counting(client, line)``, called when the engine asks for a count and before it is answered, which may ``send`` a
    rival request; ``ascii``, whether the next requests escape what is not ASCII. ``about``: what the engine said of
    itself. One thread at a time uses a client.
    """

    def __init__(self, command: Sequence[str], bound: float = BOUND) -> None:
        self.command, self.bound = command, bound
        self.count: Meter = utf8_bytes
        self.counting: Callable[[Client, str], None] | None = None
        self.ascii = False
        self._number = self._counted = 0
        self._open: dict[int, tuple[str, int]] = {}
        self._answers: dict[int, Answer] = {}
        self._fault: WireFault | None = None
        self._needs: frozenset[str] = frozenset()
        try:
            self.process = Lines(command, theirs())
        except OSError as error:
            raise faults.not_started(command, error) from None
        try:
            self.about = self._initialize()
            self._needs = self.about.needs
        except BaseException:
            self.process.end()
            raise

    @property
    def usable(self) -> bool:
        """Whether another request makes sense: the process lives, and has kept to the protocol."""
        return self._fault is None and self.process.alive

    def _initialize(self) -> About:
        number = self.send("initialize", {"protocol": "1", "meter": METER})
        try:
            answer = self.receive([number])[number]
        except WireFault as fault:
            raise self._perhaps_unflushed(fault) from None
        if "error" in answer.message:
            answer.value()
        result = answer.message.get("result", MISSING)
        if type(result) is not dict:
            raise faults.shape("initialize", "result", result, "an object")
        return About(result)

    def _perhaps_unflushed(self, fault: WireFault) -> WireFault:
        """Tells silence from an answer that is kept in a buffer: at the end of its input the engine gives it out."""
        if fault.kind != "silence" or self.process.half:
            return fault
        self.process.close_input()
        with suppress(TooLate, Closed, TooLong):
            if b'"jsonrpc"' in self.process.line(time.monotonic() + max(0.5, _FLUSH_WAIT * self.bound)):
                return faults.unflushed("initialize", self.bound)
        return fault

    def ask(self, method: str, params: Mapping[str, Any]) -> Any:
        """Send one request and wait for its value (:meth:`Answer.value`)."""
        if self._fault is not None:
            raise self._fault
        self._number = number = self._number + 1
        self._open[number] = (method, 0)
        text = messages.request(number, method, params, ascii=self.ascii)
        process, deadline = self.process, time.monotonic() + self.bound
        try:
            process.write(text, deadline)
            line = process.line(deadline)
            while not line or line.isspace():
                line = process.line(deadline)
            message = messages.parse(line)
            if message.get("id") == number and "method" not in message and type(message["id"]) is int:
                del self._open[number]
            else:
                self._take_message(message, line)
        except WireFault as fault:
            raise self._broken(fault) from None
        except (TooLate, Closed, TooLong):
            pass  # told apart where the answer is waited for
        if number not in self._open and number not in self._answers:
            return messages.value(method, message, line)
        return self._received((number,), deadline)[number].value()

    def pipeline(self, requests: Iterable[Request]) -> list[Answer]:
        """Send all ``requests`` in one write, then wait for their answers, in whatever order they come."""
        numbers = self.burst(requests)
        answers = self.receive(numbers)
        return [answers[number] for number in numbers]

    def burst(self, requests: Iterable[Request]) -> list[int]:
        """Send all ``requests`` in one write and do not wait: the numbers to :meth:`receive`."""
        prepared = [self._prepared(method, params) for method, params in requests]
        numbers = [number for number, _ in prepared]
        self._write(b"".join(text for _, text in prepared), numbers)
        return numbers

    def answered(self, number: int, seconds: float) -> bool:
        """Whether ``number`` is answered within ``seconds``; no fault if it is not."""
        deadline = time.monotonic() + seconds
        with suppress(TooLate, Closed, TooLong):
            while number not in self._answers:
                self._take(self.process.line(deadline))
        return number in self._answers

    def send(self, method: str, params: Mapping[str, Any]) -> int:
        """Send one request and do not wait: the number to :meth:`receive`."""
        number, text = self._prepared(method, params)
        self._write(text, (number,))
        return number

    def _prepared(self, method: str, params: Mapping[str, Any]) -> tuple[int, bytes]:
        if self._fault is not None:
            raise self._fault
        self._number = number = self._number + 1
        self._open[number] = (method, 0)
        return number, messages.request(number, method, params, ascii=self.ascii)

    def _write(self, text: bytes, numbers: Sequence[int]) -> None:
        now = time.monotonic_ns()
        for number in numbers:
            self._open[number] = (self._open[number][0], now)
        try:
            self.process.write(text, time.monotonic() + self.bound)
        except Closed:
            pass  # what it said last is read where the answer is waited for
        except TooLate:
            raise self._late(self._open[numbers[0]][0]) from None

    def receive(self, numbers: Sequence[int]) -> dict[int, Answer]:
        """The answers to ``numbers``; serves ``count_tokens`` while it waits."""
        return self._received(numbers, time.monotonic() + self.bound)

    def _received(self, numbers: Sequence[int], deadline: float) -> dict[int, Answer]:
        answers = self._answers
        for number in numbers:
            while number not in answers:
                self._take(self._line(self._open[number][0], deadline))
        return {number: answers.pop(number) for number in numbers}

    def _line(self, method: str, deadline: float) -> bytes:
        try:
            return self.process.line(deadline)
        except TooLate:
            raise self._late(method) from None
        except Closed:
            ending = Ending.exited(self.process.last_words())
            raise self._broken(faults.ended(method, ending, self.process.half, self.process.printed)) from None
        except TooLong:
            raise self._broken(faults.flood(method, self.process.half)) from None

    def _late(self, method: str) -> WireFault:
        process = self.process
        return self._broken(faults.silent(method, self.bound, process.half, process.printed, self._counted))

    def _take(self, line: bytes) -> None:
        if not line.strip():
            return
        try:
            self._take_message(messages.parse(line), line)
        except WireFault as fault:
            raise self._broken(fault) from None

    def _take_message(self, message: dict[str, Any], line: bytes) -> None:
        if "method" in message:
            self._asked(message)
        else:
            self._answered(message, line)

    def _answered(self, message: dict[str, Any], line: bytes) -> None:
        number = message.get("id", MISSING)
        if type(number) is int and number in self._open:
            method, sent = self._open.pop(number)
            self._answers[number] = Answer(method, message, line, sent, time.monotonic_ns())
        elif number is None and "error" in message:
            raise faults.unreadable(message["error"])
        elif type(number) is int and 0 < number <= self._number:
            raise faults.answered_twice(number, line)
        elif "result" not in message and "error" not in message:
            raise faults.not_a_message(line, "neither a request nor an answer")
        else:
            raise faults.wrong_id("no id" if number is MISSING else number, list(self._open), line)

    def _asked(self, message: dict[str, Any]) -> None:
        """A request or notification of the engine's own."""
        method, identifier = message["method"], message.get("id", MISSING)
        if identifier is MISSING:
            return
        if method != "count_tokens" or "count_tokens" not in self._needs:
            raise faults.unasked(str(method))
        params = message.get("params")
        line = params.get("line", MISSING) if type(params) is dict else MISSING
        if type(line) is not str:
            raise faults.shape("count_tokens", "params.line of the engine's request, no answer:", line, "a string")
        if self.counting is not None:
            self.counting(self, line)
        self._counted += 1
        try:
            outcome: dict[str, Any] = {"result": self.count(line)}
        except Exception as error:  # a meter may raise anything, and the engine is told
            outcome = {"error": {"code": messages.INTERNAL, "message": f"the meter raised {error!r}"}}
        with suppress(Closed):
            self.process.write(messages.reply(identifier, outcome), time.monotonic() + self.bound)

    def _broken(self, fault: WireFault) -> WireFault:
        """After a fault nothing on this wire can be trusted any more, but for a stray line beside the answers."""
        if fault.kind == "json":
            fault, harmless = self._beside_answers(fault)
            if harmless:
                return fault
        self._fault = fault
        return fault

    def _beside_answers(self, fault: WireFault) -> tuple[WireFault, bool]:
        """Whether what is open is answered all the same after a line that is no message, or a flood comes after it."""
        deadline, size = time.monotonic() + _STRAY_LOOK, 0
        method = next((method for method, _ in self._open.values()), "")
        with suppress(TooLate, Closed, TooLong, WireFault):
            while self._open:
                line = self.process.line(deadline)
                size += len(line)
                if size > _FLOOD:
                    return faults.flood(method, fault), False
                with suppress(WireFault):
                    message = messages.parse(line)
                    self._take_message(message, line)
        self._answers.clear()
        return fault, not self._open

    def settle(self) -> None:
        """Look at what has come unasked; raises the fault it is, if it is one."""
        while self.process.waiting():
            self._take(self.process.line(0.0))

    def kill(self) -> None:
        """End the process at once."""
        self.process.end()

    def close(self) -> None:
        """Ask the engine to shut down, wait a moment, and end whatever of it is left."""
        with suppress(Exception):
            if self.usable:
                self.bound = _GRACE
                self.ask("shutdown", {})
                self.process.wait(_GRACE)
        self.process.end()
