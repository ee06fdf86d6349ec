"""The messages of the wire: requests as bytes, answers as checked values."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from basebound.core.trace import cost_row, hunk_row
from basebound.model import PROFILES, Cost, Hunk, Patch, Reason, Receipt, Rejected, Snapshot
from basebound.targets.wire import faults
from basebound.targets.wire.faults import MISSING, ErrorAnswer

REFUSED = -32001
NO_METHOD = -32601
INTERNAL = -32603
NEEDS = ("base_lines", "count_tokens")
_ESCAPED = json.JSONEncoder(ensure_ascii=True, separators=(",", ":")).encode
_read = json.JSONDecoder().decode
_scan = json.JSONDecoder().raw_decode
_RAW = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_LARGEST = 2**53 - 1
_REASONS = frozenset(reason.value for reason in Reason)


def request(number: int, method: str, params: Mapping[str, Any], *, ascii: bool) -> bytes:
    """One line: text beyond ASCII as escapes, or in UTF-8 as it is. An engine has to read both."""
    encode = _ESCAPED if ascii else _RAW
    return f'{{"jsonrpc":"2.0","id":{number},"method":"{method}","params":{encode(params)}}}\n'.encode()


def reply(identifier: object, outcome: Mapping[str, Any]) -> bytes:
    """The suite's own answer: ``outcome`` is ``{"result": ...}`` or ``{"error": ...}``."""
    return f"{_RAW({'jsonrpc': '2.0', 'id': identifier, **outcome})}\n".encode()


def parse(line: bytes) -> dict[str, Any]:
    """The message of a line of stdout."""
    try:
        text = line.decode("utf-8")
        message, end = _scan(text)
        if end != len(text):
            message = _read(text)
    except (ValueError, RecursionError):
        message = _carefully(line)
    if type(message) is not dict:
        raise faults.not_a_message(line, f"but {_a(message)}")
    if message.get("jsonrpc") != "2.0":
        raise faults.not_a_message(line, 'without "jsonrpc":"2.0"')
    if b"\\u" in line:
        _check_surrogates(message, line)
    return message


def _carefully(line: bytes) -> Any:
    """The JSON of a line that may have white space around it, or is no JSON at all."""
    try:
        return _read(line.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise faults.not_json(line, error) from None


def _check_surrogates(message: dict[str, Any], line: bytes) -> None:
    try:
        _RAW(message).encode()
    except UnicodeEncodeError:
        raise faults.shape("a request", "a text", line[:80], "text: it holds half a surrogate pair") from None


def value(method: str, message: Mapping[str, Any], line: bytes = b"") -> Any:
    """What an answer to ``method`` comes to; raises ``Rejected``, ``ErrorAnswer`` or a fault of its shape."""
    error = message.get("error")
    if error is not None:
        if message.get("result") is not None:
            raise faults.not_a_message(line, "with both a result and an error")
        raise _error(method, error)
    result = message.get("result", MISSING)
    if type(result) is not dict:
        raise faults.shape(method, "result", result, "an object")
    read = _RESULTS.get(method)
    return read(result) if read is not None else None


def _error(method: str, error: object) -> Exception:
    if type(error) is not dict:
        return faults.shape(method, "error", error, 'an object {"code":...,"message":"..."}')
    code, message = error.get("code", MISSING), error.get("message", MISSING)
    if type(code) is not int:
        return faults.shape(method, "error.code", code, "a whole number")
    if code != REFUSED:
        return ErrorAnswer(code, "" if message is MISSING else message)
    if type(message) is not str:
        return faults.shape(method, "error.message", message, "a string")
    data = error.get("data", MISSING)
    reason = data.get("reason") if type(data) is dict else None
    if type(reason) is not str or reason not in _REASONS:
        return faults.no_reason(data)
    return Rejected(reason, message)


def _snapshot(result: Mapping[str, Any]) -> Snapshot:
    lines = result.get("lines", MISSING)
    if type(lines) is not list:
        raise faults.shape("snapshot", "lines", lines, "an array of strings")
    for at, line in enumerate(lines):
        if type(line) is not str:
            raise faults.shape("snapshot", f"lines[{at}]", line, "a string")
    return Snapshot(tuple(lines), *_identity("snapshot", result))


def _receipt(result: Mapping[str, Any]) -> Receipt:
    cost = result.get("cost")
    if cost is not None and type(cost) is not dict:
        raise faults.shape("apply", "cost", cost, "null or an object")
    return Receipt(*_identity("apply", result), None if cost is None else _cost(cost))


def _cost(cost: Mapping[str, Any]) -> Cost:
    amounts = []
    for part in ("freed", "rewrite", "measurement"):
        amount = cost.get(part, MISSING)
        if amount is not None and type(amount) is not int:
            raise faults.shape("apply", f"cost.{part}", amount, "a whole number, or null")
        amounts.append(amount)
    return Cost(*amounts)


def _identity(method: str, result: Mapping[str, Any]) -> tuple[str, int]:
    base, revision = result.get("base", MISSING), result.get("revision", MISSING)
    if type(base) is not str:
        raise faults.shape(method, "base", base, "a string")
    if type(revision) is not int or not -_LARGEST <= revision <= _LARGEST:
        raise faults.shape(method, "revision", revision, "a whole number below 2^53")
    return base, revision


_RESULTS: dict[str, Callable[[Mapping[str, Any]], Any]] = {"snapshot": _snapshot, "apply": _receipt}


class About:
    """What an engine says of itself: the result of ``initialize``."""

    def __init__(self, result: Mapping[str, Any]) -> None:
        engine = result.get("engine", MISSING)
        if type(engine) is not dict:
            raise faults.shape("initialize", "engine", engine, 'an object {"name":"...","version":"..."}')
        self.name, self.version = (_text(engine, part) for part in ("name", "version"))
        self.profiles = frozenset(_names(result, "profiles", tuple(p for p in PROFILES if p != "compaction")))
        if not self.profiles:
            raise faults.shape("initialize", "profiles", [], "an array of at least one profile")
        self.needs = frozenset(_names(result, "needs", NEEDS))
        self.inserts = "insert" in _names(result, "optional", ("insert",), [])
        self.max_hunks = result.get("max_hunks")
        limit = self.max_hunks
        if limit is not None and (type(limit) is not int or limit < 1):
            raise faults.shape("initialize", "max_hunks", limit, "null or a whole number above zero")


def _text(engine: Mapping[str, Any], part: str) -> str:
    text = engine.get(part, MISSING)
    if not isinstance(text, str):
        raise faults.shape("initialize", f"engine.{part}", text, "a string")
    return text


def _names(result: Mapping[str, Any], field: str, known: tuple[str, ...], default: object = MISSING) -> list[str]:
    names = result.get(field, default)
    expected = f"an array of names out of {', '.join(known)}"
    if type(names) is not list:
        raise faults.shape("initialize", field, names, expected)
    for name in names:
        if name not in known:
            raise faults.shape("initialize", field, names, expected)
    return names


def patch_params(patch: Patch, base_lines: bool) -> dict[str, Any]:
    """The params of ``apply``; with ``base_lines`` also what the author saw."""
    rows = [hunk_row(Hunk(hunk.start, hunk.end, tuple(hunk.insert))) for hunk in patch.hunks]
    claim = None if patch.claim is None else cost_row(patch.claim)
    params = {"base": patch.base.base, "revision": patch.base.revision, "hunks": rows, "claim": claim}
    return params | {"base_lines": list(patch.base.lines)} if base_lines else params


def _a(message: object) -> str:
    return "an array (a batch?)" if isinstance(message, list) else repr(message)[:40]
