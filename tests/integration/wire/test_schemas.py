"""The JSON Schemas of the wire and of traces: what they let through, and what not."""

from __future__ import annotations

import json
from typing import Any

import pytest
from client import Validator, WrongShape, check
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # no stubs are installed

import basebound_spec
from basebound.core.trace import Append, Apply, Emit, EndTurn, Expect, Gate, Insert, Read, Trace, to_rows
from basebound.model import Charge, Cost, Hunk

TRACE = json.loads((basebound_spec.ROOT / "trace.schema.json").read_text(encoding="utf-8"))
WIRE = json.loads((basebound_spec.ROOT / "wire.schema.json").read_text(encoding="utf-8"))
TRACES = Validator(TRACE)

LINES = ["a\nb", "", "😀"]
RECEIPT = {"base": "b", "revision": 2, "cost": {"freed": 3, "rewrite": 0, "measurement": None}}


def test_both_are_schemas_of_2020_12() -> None:
    for schema in (TRACE, WIRE):
        assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
        Draft202012Validator.check_schema(schema)


def test_the_reasons_and_kinds_are_those_of_the_contract() -> None:
    from basebound.model import CHARGE_KINDS, EMISSION_KINDS, Reason

    reasons = [reason.value for reason in Reason]
    assert WIRE["$defs"]["reason"]["enum"] == TRACE["$defs"]["reason"]["enum"] == reasons
    assert TRACE["$defs"]["outcome"]["enum"] == ["applied", *reasons]
    assert TRACE["$defs"]["emit"]["properties"]["kind"]["enum"] == list(EMISSION_KINDS)
    assert TRACE["$defs"]["charge"]["properties"]["kind"]["enum"] == list(CHARGE_KINDS)


def test_every_trace_that_is_written_is_valid() -> None:
    steps = (
        Read("s"),
        Append(("x",)),
        Insert(0, ("y", "")),
        Emit("tool-call", ("z",)),
        Apply("s", (Hunk(-1, 9, ("q",)),), Cost(None, -1, 0), "unproven"),
        Apply("s", ()),
        EndTurn(),
        Expect(()),
        Gate(None, (Charge("insert", None),), frozenset({"l1"}), frozenset(), "applied"),
    )
    rows = to_rows(Trace(("a",), ("pin",), "words", steps, {"name": "n", "title": "t", "profiles": ["budget"]}))
    assert [list(TRACES.iter_errors(row)) for row in rows] == [[]] * (len(steps) + 1)


def test_every_scenario_is_valid() -> None:
    files = [file for file in (basebound_spec.ROOT / "scenarios").iterdir() if file.name.endswith(".ndjson")]
    rows = [json.loads(row) for file in files for row in file.read_text(encoding="utf-8").split("\n") if row]
    # By the definition of its op: quicker than to have every definition tried.
    lines = {name: Validator({"$ref": f"#/$defs/{name}", "$defs": TRACE["$defs"]}) for name in TRACE["$defs"]}
    assert len(files) > 50
    assert [row for row in rows if not lines[row.get("op", "header")].is_valid(row)] == []


@pytest.mark.parametrize(
    "row",
    [
        {
            "op": "snapshot",
            "as": "s",
            "saw": {"lines": LINES, "base": "b", "revision": 1},
            "client": "a",
            "t0": 1,
            "t1": 2,
        },
        {"op": "snapshot", "as": "s", "saw": {"base": "b", "revision": 1}},
        {"op": "append", "lines": LINES, "client": 7, "t0": 1, "t1": None},
        {"op": "append", "lines": [], "saw": {}},
        {"op": "apply", "base": "s", "hunks": [], "saw": RECEIPT, "client": "a", "t0": 1, "t1": 2},
        {"op": "apply", "base": "s", "hunks": [], "saw": {"reason": "stale-base", "message": "re-author"}},
        {"op": "apply", "base": "s", "hunks": [], "saw": {"error": "TimeoutError"}},
    ],
)
def test_a_recorded_step_is_valid(row: dict[str, Any]) -> None:
    assert list(TRACES.iter_errors(row)) == []


@pytest.mark.parametrize(
    "row",
    [
        {"basebound": "trace/2", "config": {}, "meter": "utf8-bytes"},
        {"basebound": "trace/1", "meter": "utf8-bytes"},
        {"op": "snapshot"},
        {"op": "append", "lines": "x"},
        {"op": "append", "lines": ["x"], "expct": "applied"},
        {"op": "insert", "at": "0", "lines": []},
        {"op": "emit", "kind": "thought", "lines": []},
        {"op": "apply", "base": "s", "hunks": [{"start": 0}]},
        {"op": "apply", "base": "s", "hunks": [], "expect": "refused"},
        {"op": "apply", "base": "s", "hunks": [], "saw": {"revision": 1}},
        {"op": "end_turn", "t0": "noon"},
        {"op": "compact"},
        {"op": "snapshot", "as": "s", "saw": {}},
    ],
)
def test_a_malformed_line_of_a_trace_is_not_valid(row: dict[str, Any]) -> None:
    assert not TRACES.is_valid(row)


SNAPSHOT = {"lines": ["x"], "base": "b", "revision": 0}
ABOUT = {"engine": {"name": "n", "version": "1"}, "profiles": ["base"], "needs": []}


@pytest.mark.parametrize(
    ("method", "result"),
    [
        ("initialize", ABOUT),
        ("initialize", ABOUT | {"optional": ["insert"], "max_hunks": 1, "needs": ["base_lines", "count_tokens"]}),
        ("snapshot", SNAPSHOT),
        ("snapshot", SNAPSHOT | {"took_ms": 1.5}),
        ("append", {}),
        ("apply", RECEIPT),
        ("apply", RECEIPT | {"cost": None}),
        ("apply", {"base": "b", "revision": 0}),
        ("count_tokens", 0),
    ],
)
def test_a_result_of_the_right_shape_is_valid(method: str, result: Any) -> None:
    check(f"{method}_answer", {"jsonrpc": "2.0", "id": 1, "result": result})


@pytest.mark.parametrize(
    ("method", "result", "where"),
    [
        ("initialize", ABOUT | {"profiles": "base"}, r"\$\.result\.profiles"),
        ("initialize", ABOUT | {"profiles": ["basic"]}, r"\$\.result\.profiles\[0\]"),
        ("initialize", ABOUT | {"max_hunks": 0}, r"\$\.result\.max_hunks"),
        ("initialize", {"engine": {"name": "n"}, "profiles": [], "needs": []}, r"\$\.result\.engine"),
        ("snapshot", SNAPSHOT | {"lines": "x"}, r"\$\.result\.lines"),
        ("snapshot", SNAPSHOT | {"lines": ["x", None]}, r"\$\.result\.lines\[1\]"),
        ("snapshot", SNAPSHOT | {"revision": 2**53}, r"\$\.result\.revision"),
        ("snapshot", SNAPSHOT | {"revision": 0.5}, r"\$\.result\.revision"),
        ("snapshot", {"lines": [], "revision": 0}, "'base' is a required"),
        ("append", None, r"\$\.result"),
        ("apply", RECEIPT | {"cost": {"freed": 1}}, r"\$\.result\.cost"),
        ("count_tokens", {"tokens": 1}, r"\$\.result"),
        ("count_tokens", -1, r"\$\.result"),
    ],
)
def test_a_result_of_the_wrong_shape_is_not_valid(method: str, result: Any, where: str) -> None:
    with pytest.raises(WrongShape, match=where):
        check(f"{method}_answer", {"jsonrpc": "2.0", "id": 1, "result": result})


REFUSAL = {"code": -32001, "message": "re-author", "data": {"reason": "stale-base"}}


def test_errors_and_refusals() -> None:
    refusal = {"jsonrpc": "2.0", "id": "x", "error": REFUSAL}
    error = {"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "not JSON"}}
    check("apply_answer", refusal)
    check("apply_answer", error)
    check("snapshot_answer", error)
    for definition, message in [
        ("snapshot_answer", refusal),
        ("apply_answer", refusal | {"error": {"code": -32001, "message": "no"}}),
        ("apply_answer", refusal | {"error": REFUSAL | {"data": {"reason": "conflict"}}}),
        ("apply_answer", refusal | {"id": None}),
        ("apply_answer", refusal | {"result": {}}),
        ("apply_answer", {"id": 1, "error": REFUSAL}),
    ]:
        with pytest.raises(WrongShape):
            check(definition, message)


def test_the_directions_are_told_apart() -> None:
    asks = {"jsonrpc": "2.0", "id": 1, "method": "append", "params": {"lines": []}}
    check("from_suite", asks)
    check("from_engine", {"jsonrpc": "2.0", "id": "c1", "method": "count_tokens", "params": {"line": "x"}})
    check("from_engine", {"jsonrpc": "2.0", "method": "notifications/message"})
    for definition, message in [
        ("from_engine", asks),
        ("from_suite", asks | {"note": "x"}),
        ("from_suite", asks | {"params": {"lines": [], "note": "x"}}),
        ("from_suite", {"jsonrpc": "2.0", "method": "append", "params": {"lines": []}}),
        ("from_suite", {"jsonrpc": "2.0", "id": 1, "method": "compact", "params": {}}),
    ]:
        with pytest.raises(WrongShape):
            check(definition, message)
