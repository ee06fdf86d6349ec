"""The ladder: what an author of a wire engine meets first, rung by rung, each with its own diagnosis.

A rung is climbed when the engine did what it asks. The first that is not climbed ends it, for what stands above
rests on it; only how the engine ends is looked at in any case.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from basebound.model import Hunk, Patch, Reason, Receipt, Rejected, Snapshot
from basebound.targets.wire import faults
from basebound.targets.wire.client import Client
from basebound.targets.wire.faults import ErrorAnswer, FaultKind, WireFault
from basebound.targets.wire.messages import patch_params

_LINES = ("first line", "second line", "third line")
_ODD = ("\u00e9 e\u0301 \u4e2d \U0001f600", "one\u2028two", "\ttab\r", "", "a\nb", '"quoted" \\ $&')
_ENDING = 2.0
_SHARED = "state that all engines share (a global, a default, a class attribute)"


@dataclass(frozen=True)
class Rung:
    """One step of the ladder. ``said`` tells what was seen where it was climbed; else there is a ``fault``."""

    name: str
    said: str
    fault: WireFault | None = None


def climb(command: Sequence[str], seconds: float) -> Iterator[Rung]:
    """The rungs of the engine that ``command`` starts, as they are climbed; ``seconds`` bound each answer."""
    try:
        client = Client(command, seconds)
    except WireFault as fault:
        yield Rung("start" if fault.kind == "start" else "initialize", "", fault)
        return
    except ErrorAnswer as error:
        yield Rung("initialize", "", _errs("initialize", error))
        return
    try:
        yield Rung("initialize", _about(client))
        climber = _Climber(client)
        for name, step in climber.steps():
            rung = _rung(name, step)
            yield rung
            if rung.fault is not None:
                return
        yield _rung("shutdown", climber.shutdown)
    finally:
        client.kill()


def _rung(name: str, step: Callable[[], str]) -> Rung:
    try:
        return Rung(name, step())
    except WireFault as fault:
        return Rung(name, "", fault)
    except ErrorAnswer as error:
        return Rung(name, "", _errs(name, error))
    except Rejected as refusal:
        return Rung(name, "", _refuses(name, refusal))


class _Climber:
    def __init__(self, client: Client) -> None:
        self._client = client
        self._base_lines = "base_lines" in client.about.needs

    def steps(self) -> tuple[tuple[str, Callable[[], str]], ...]:
        return (
            ("reset", self._reset),
            ("append", self._append),
            ("reset again", self._reset_again),
            ("text", self._text),
            ("apply", self._apply),
            ("refusal", self._refusal),
            ("markers", self._markers),
            ("pipeline", self._pipeline),
        )

    def _start(self, lines: Sequence[str], protected: Sequence[str] = ()) -> Snapshot:
        self._client.ask("reset", {"lines": list(lines), "protected": list(protected)})
        return self._read()

    def _read(self) -> Snapshot:
        shown: Snapshot = self._client.ask("snapshot", {})
        return shown

    def _put(self, base: Snapshot, *hunks: Hunk) -> Receipt:
        left: Receipt = self._client.ask("apply", patch_params(Patch(base, hunks), self._base_lines))
        return left

    def _reset(self) -> str:
        _same("reset", "a snapshot after it", self._start(_LINES).lines, _LINES, "reset does nothing yet")
        return f"a fresh engine shows its {len(_LINES)} lines"

    def _append(self) -> str:
        self._client.ask("append", {"lines": ["late"]})
        _same("append", "a snapshot after it", self._read().lines, (*_LINES, "late"), "append does nothing yet")
        return "an appended line stands at the end"

    def _text(self) -> str:
        for escaped, how in ((False, "in UTF-8 as it is"), (True, "with escapes")):
            self._client.ascii = escaped
            seen = self._start(_ODD).lines
            cause = f"stdin or stdout is not read and written as UTF-8 JSON (here sent {how})"
            _same("text", "a snapshot", seen, _ODD, cause)
        return f"{len(_ODD)} lines of odd text come back as they went, escaped or not"

    def _apply(self) -> str:
        base = self._start(_LINES)
        self._put(base, Hunk(1, 2))
        expected = (_LINES[0], _LINES[2])
        _same("apply", "a snapshot after it", self._read().lines, expected, "the splice is not done")
        return "a fresh patch takes effect, and its receipt is whole"

    def _refusal(self) -> str:
        base = self._start(_LINES)
        self._client.ask("append", {"lines": ["late"]})
        for authored, hunk, reason in ((base, Hunk(0, 1), "stale-base"), (self._read(), Hunk(2, 9), "bad-hunk")):
            said = self._refused(authored, hunk)
            if said != reason:
                raise _unlike("refusal", f"a patch due to be refused as {reason} was {said}", "the check is missing")
        return "a stale and a bad patch are refused, each with its reason"

    def _refused(self, base: Snapshot, hunk: Hunk) -> str:
        try:
            self._put(base, hunk)
        except Rejected as refusal:
            return f"{Reason(refusal.reason)}"
        except ErrorAnswer as error:
            cause = f"refusals need the code -32001, and {error.code} is another error"
            raise WireFault(
                "refusal", f"a patch that is due to be refused was answered with {error}", cause, _REFUSE
            ) from None
        return "applied"

    def _reset_again(self) -> str:
        seen = self._start(("of now",)).lines
        if seen == (*_LINES, "late"):
            raise _unlike("reset", "a second reset changes nothing: the old lines are still there", "it is ignored")
        if seen != ("of now",):
            raise _unlike("leak", f"after a second reset a snapshot shows {list(seen)!r}", _SHARED)
        return "a second reset leaves no line of the engine before"

    def _markers(self) -> str:
        if "protected" not in self._client.about.profiles:
            return "profile protected is not claimed"
        self._start(("pinned", "not"), ("pinned",))
        base = self._start(("pinned", "not"))
        try:
            self._put(base, Hunk(0, 1))
        except Rejected as refusal:
            seen = f"after a second reset, without markers, a good patch is refused as {refusal.reason}"
            raise _unlike("leak", seen, _SHARED) from None
        return "a second reset leaves no marker of the engine before"

    def _pipeline(self) -> str:
        self._start(_LINES)
        asked = [("append", {"lines": ["a"]}), ("append", {"lines": ["b"]}), ("snapshot", {})]
        for answer in self._client.pipeline(asked):
            answer.value()
        _same("pipeline", "a snapshot", tuple(sorted(self._read().lines[3:])), ("a", "b"), "a request was lost")
        return "three requests in one write are answered, each by its id"

    def shutdown(self) -> str:
        client = self._client
        client.ask("shutdown", {})
        status = client.process.wait(_ENDING)
        fix = "end the process with exit code 0 when shutdown is answered"
        if status is None:
            seen = f"shutdown was answered, and the process is still there {_ENDING:g} s later"
            raise WireFault("shutdown", seen, "a loop, a thread or a timer keeps it alive", fix)
        if status != 0:
            seen = f"after shutdown the process ended with {status}, not with 0"
            raise WireFault("shutdown", seen, "an error on the way out", fix)
        if client.process.others_left():
            seen = "the process ended after shutdown and left others behind, which hold its pipes"
            raise WireFault("shutdown", seen, "a child was started and not ended", "end what you have started")
        client.settle()
        return "shutdown is answered and the process ends with 0"


_REFUSE = '{"error":{"code":-32001,"message":"...","data":{"reason":"stale-base"}}}'


def _about(client: Client) -> str:
    about = client.about
    claims = ", ".join(sorted(about.profiles))
    return f"{about.name} {about.version} claims {claims}"


def _same(kind: FaultKind, where: str, seen: tuple[str, ...], expected: tuple[str, ...], cause: str) -> None:
    if seen != expected:
        at = next(
            (n for n, (one, other) in enumerate(zip(seen, expected, strict=False)) if one != other), len(expected)
        )
        one, other = (repr(lines[at])[:80] if at < len(lines) else "nothing" for lines in (seen, expected))
        raise _unlike(kind, f"{where} shows {one} as line {at}, not {other}", cause)


def _unlike(kind: FaultKind, seen: str, cause: str) -> WireFault:
    fix = {
        "reset": "let each reset build a new engine from its params alone",
        "leak": "build everything anew at reset: lines, markers, unpaid emissions, the turn",
        "text": "set both streams to UTF-8, and split stdin at line feeds only",
        "refusal": f"check the base, then the ranges, before anything changes, and answer {_REFUSE}",
    }.get(kind, f"see the rules of {kind} in {faults.PROTOCOL}")
    return WireFault(kind, seen, cause, fix)


def _errs(rung: str, error: ErrorAnswer) -> WireFault:
    cause = "the method is not there" if error.code == -32601 else "the engine raised, or does not know the params"
    return WireFault("error", f"{rung}: an error in the place of a result: {error}", cause, f"see {faults.PROTOCOL}")


def _refuses(rung: str, refusal: Rejected) -> WireFault:
    seen = f"{rung}: refused as {refusal.reason} ({refusal.message}), where nothing speaks against it"
    return WireFault(
        "refusal", seen[:300], "the base of a snapshot is not the one that apply compares", "hash the same"
    )
