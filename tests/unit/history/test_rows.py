"""Recorded histories as files: what is written is read back, and a wrong line is named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from basebound.core.trace import Append, Apply, Emit, EndTurn, Insert, Read, Step
from basebound.errors import TraceError
from basebound.history import CallHistory, Legal, Operation, judge, load_history, operation_row, parse_history
from basebound.history.sample import busy_history
from basebound.model import Cost, Hunk, Reason, Receipt, Snapshot
from basebound.results.outcome import Outcome, Raised, Refused, Returned

HEADER = '{"basebound":"trace/1","config":{"lines":["a"]},"meter":"utf8-bytes"}'
SEEN = '{"op":"snapshot","as":"s1","client":"ada","t0":1,"t1":2,"saw":{"lines":["a"],"base":"b0","revision":0}}'
A = Snapshot(("a",), "b0", 0)


def parse(*rows: str) -> CallHistory:
    return parse_history([HEADER, *rows], "h.ndjson")


@pytest.mark.parametrize(
    ("step", "outcome"),
    [
        (Read("s1"), Returned(A)),
        (Append(("x", "")), Returned()),
        (Insert(0, ("\n",)), Returned()),
        (Emit("rationale", ("why",)), Returned()),
        (EndTurn(), Returned()),
        (Append(("x",)), None),
        (Append(("x",)), Raised("OSError", "disk full")),
        (Apply("s1", (Hunk(0, 1, ("y",)),)), Returned(Receipt("b1", 1, Cost(2, 2, 0)))),
        (Apply("s1", (Hunk(0, 9),)), Refused(Reason.BAD_HUNK)),
    ],
)
def test_an_operation_is_read_back_as_it_was_written(step: Step, outcome: Outcome | None) -> None:
    authored = A if isinstance(step, Apply) else None
    operation = Operation("bob", 5, None if outcome is None else 6, step, outcome, authored)
    history = parse(SEEN, json.dumps(operation_row(operation)))
    assert history.lines == ("a",)
    assert operation in history.operations


def test_a_whole_history_survives_its_file(tmp_path: Path) -> None:
    history = busy_history(300, lost=0.02)
    path = tmp_path / "history.ndjson"
    config = {"lines": list(history.lines)}
    witness = {
        "op": "snapshot",
        "as": "r0",
        "t0": None,
        "saw": {"lines": list(history.lines), "base": "base-0", "revision": 0},
    }
    named = {0: "r0"}
    rows = [{"basebound": "trace/1", "config": config, "meter": "utf8-bytes"}, witness]
    for operation in history.operations:
        row = operation_row(operation)
        if operation.seen is not None:
            named[operation.seen.revision] = row["as"]
        if operation.authored is not None:
            row["base"] = named[operation.authored.revision]
        rows.append(row)
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    assert isinstance(judge(load_history(path)), Legal)


def test_one_client_needs_no_times() -> None:
    history = parse(
        '{"op":"snapshot","as":"s1","saw":{"lines":["a"],"base":"b0","revision":0}}',
        '{"op":"append","lines":["x"],"saw":{}}',
        '{"op":"apply","base":"s1","hunks":[],"saw":{"reason":"stale-base"}}',
    )
    assert [operation.t0 for operation in history.operations] == [1, 3, 5]
    assert isinstance(judge(history), Legal)


def test_a_witness_is_known_but_not_ordered() -> None:
    history = parse(
        '{"op":"snapshot","as":"old","t0":null,"saw":{"lines":["before"],"base":"b9","revision":-4}}',
        '{"op":"apply","base":"old","hunks":[],"client":"ada","t0":3,"t1":4,"saw":{"reason":"stale-base"}}',
    )
    assert len(history.operations) == 1
    assert history.operations[0].authored == Snapshot(("before",), "b9", -4)
    assert isinstance(judge(history), Legal)


APPEND = '{"op":"append","lines":["x"],"client":"bob","t0":1,"t1":2,"saw":{}}'


@pytest.mark.parametrize(
    ("row", "code"),
    [
        ("{", "trace-not-json"),
        ("[]", "trace-not-json"),
        ('{"op":"jump"}', "trace-unknown-step"),
        ('{"op":"expect","lines":[]}', "trace-not-a-call"),
        ('{"op":"append","lines":["x"],"client":"bob","t0":1,"t1":2}', "trace-missing-answer"),
        ('{"op":"append","lines":["x"],"saw":{}}', "trace-mixed-times"),
        ('{"op":"append","lines":["x"],"t0":1,"t1":2,"saw":{}}', "trace-wrong-type"),
        (
            '{"op":"append","lines":["x"],"client":"bob","t0":"soon","t1":2,"saw":{}}',
            "trace-wrong-type",
        ),
        ('{"op":"append","lines":["x"],"client":"bob","t0":5,"t1":2,"saw":{}}', "trace-wrong-times"),
        ('{"op":"append","lines":["x"],"client":"bob","t0":5,"saw":{}}', "trace-wrong-times"),
        ('{"op":"append","lines":["x"],"client":"bob","t0":1,"t1":2,"saw":{"base":"b"}}', "trace-needless-answer"),
        ('{"op":"append","lines":["x"],"client":"bob","t0":1,"t1":2,"saw":7}', "trace-wrong-type"),
        (SEEN.replace('["a"]', '"a"'), "trace-wrong-type"),
        (SEEN.replace('"b0"', "0"), "trace-wrong-type"),
        (SEEN.replace('"revision":0', '"revision":true'), "trace-wrong-type"),
        (
            '{"op":"apply","base":"s7","hunks":[],"client":"a","t0":1,"t1":2,"saw":null}',
            "trace-unknown-snapshot",
        ),
        (
            '{"op":"apply","base":"s1","hunks":[],"client":"a","t0":1,"t1":2,"saw":{"reason":"no"}}',
            "trace-unknown-value",
        ),
        (
            '{"op":"apply","base":"s1","hunks":[],"client":"a","t0":1,"t1":2,"saw":{"base":"b","revision":1,"cost":3}}',
            "trace-wrong-type",
        ),
    ],
)
def test_a_wrong_line_is_named_with_its_fix(row: str, code: str) -> None:
    with pytest.raises(TraceError) as raised:
        parse(SEEN, row)
    assert raised.value.code == code
    assert raised.value.what.startswith("h.ndjson, line 3")
    assert raised.value.fix


def test_a_patch_on_a_read_that_was_never_answered_is_refused() -> None:
    unanswered = '{"op":"snapshot","as":"s2","client":"ada","t0":3,"saw":null}'
    with pytest.raises(TraceError, match=r"\[trace-unanswered-snapshot\]"):
        parse(SEEN, unanswered, '{"op":"apply","base":"s2","hunks":[],"client":"a","t0":4,"t1":5,"saw":null}')


def test_an_empty_file_and_a_missing_one_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(TraceError, match=r"\[trace-empty\]"):
        parse_history([], "h.ndjson")
    with pytest.raises(TraceError, match=r"\[trace-unreadable\]"):
        load_history(tmp_path / "none.ndjson")
