"""Steps over the wire beside a bare exchange of the very same messages with the same engine, in one run.

A step is driven as every lens drives it: encoded, sent, awaited, parsed, checked, and turned into a typed outcome. The
bare exchange writes each recorded request and parses its answer, and that is all. What the oracle adds to a step
costs the same for an engine of any kind, and is shown beside it.
"""

from __future__ import annotations

import json
import os
import statistics
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from basebound.core.trace import Trace
from basebound.lenses.box import families as box
from basebound.lenses.scenarios import scenarios
from basebound.model import Config
from basebound.session.session import RunContext, run
from basebound.targets.driver import Driver, Loop, Unwatched
from basebound.targets.loading import Target, load
from basebound.targets.wire import Client, WireTarget
from basebound.targets.wire.client import Request

_CASES = 150
_FAMILIES = ("fresh", "stale", "pairs", "net", "turns", "artifacts")
"""Cases of each family of the box, beside all scenarios."""
_PART = 20
Recorded = tuple[int, bool, Request]
"""The number of a trace, whether a request was sent with escapes, and the request."""


@dataclass(frozen=True)
class Part:
    """What the same messages took, in seconds: as driven steps, as steps that are judged as well, and bare."""

    messages: int
    driven: float
    judged: float
    bare: float


@dataclass(frozen=True)
class Throughput:
    """The parts of each round."""

    rounds: tuple[tuple[Part, ...], ...]

    @property
    def ratio(self) -> float:
        """Driven steps a second against bare messages a second: the median over all parts of all rounds.

        A part is over in some hundredths of a second, so that what else the machine does falls on both or on few.
        """
        return statistics.median(part.bare / part.driven for parts in self.rounds for part in parts)


def throughput(name: str, rounds: int) -> Throughput:
    """Measure the wire target ``name``. Raises ``TargetError`` where it cannot be used."""
    target = load(name)
    factory = target.factory
    assert isinstance(factory, WireTarget)
    traces = list(_traces(target))
    try:
        recorded = _recorded(target, factory, traces)
        return Throughput(tuple(tuple(_parts(target, factory, traces, recorded)) for _ in range(rounds)))
    finally:
        factory.close()


def _parts(
    target: Target, factory: WireTarget, traces: Sequence[Trace], recorded: Sequence[Recorded]
) -> Iterator[Part]:
    for at in range(0, len(traces), _PART):
        chosen = traces[at : at + _PART]
        messages = [one for one in recorded if at <= one[0] < at + _PART]
        bare = _bare(factory.client(), messages)
        yield Part(len(messages), _driven(target, chosen), _judged(target, chosen), bare)


def _traces(target: Target) -> Iterator[Trace]:
    yield from scenarios.fitting(target, target.profiles)
    asked = box.Scope(box.WORLDS["default"], target.profiles)
    for family in box.FAMILIES:
        if family.name in _FAMILIES:
            yield from islice(box.cases(family, asked), _CASES)


def _recorded(target: Target, factory: WireTarget, traces: Sequence[Trace]) -> list[Recorded]:
    """Every request of one run over all traces."""
    seen: list[Recorded] = []
    client = factory.client()
    ask = client.ask
    for number, trace in enumerate(traces):

        def recording(method: str, params: Mapping[str, Any], number: int = number) -> Any:
            seen.append((number, client.ascii, (method, params)))
            return ask(method, params)

        client.ask = recording  # type: ignore[method-assign]
        _judged(target, [trace])
    client.ask = ask  # type: ignore[method-assign]
    return seen


def _driven(target: Target, traces: Sequence[Trace]) -> float:
    """Seconds for all traces, each taken step by step."""
    loop, watch = Loop(), Unwatched()
    began = time.perf_counter()
    for trace in traces:
        driver = Driver(target, Config(trace.lines, trace.protected), loop, watch)
        for step in trace.steps:
            driver.perform(step)
    return time.perf_counter() - began


def _judged(target: Target, traces: Sequence[Trace]) -> float:
    """Seconds for all traces, each step judged as well."""
    context = RunContext(target, target.profiles)
    began = time.perf_counter()
    for trace in traces:
        run(context, trace)
    return time.perf_counter() - began


def _bare(client: Client, recorded: Sequence[Recorded]) -> float:
    """Seconds for the same messages written and read one by one, over the same pipes."""
    stdin, stdout = client.process.descriptors
    for descriptor in (stdin, stdout):
        os.set_blocking(descriptor, True)
    began = time.perf_counter()
    for number, (_, ascii, (method, params)) in enumerate(recorded):
        message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        os.write(stdin, (json.dumps(message, ensure_ascii=ascii) + "\n").encode())
        answer = os.read(stdout, 65536)
        while not answer.endswith(b"\n"):
            answer += os.read(stdout, 65536)
        json.loads(answer)
    seconds = time.perf_counter() - began
    for descriptor in (stdin, stdout):
        os.set_blocking(descriptor, False)
    return seconds
