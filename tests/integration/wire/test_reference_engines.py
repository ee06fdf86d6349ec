"""The reference engines of other languages, and the templates, spoken to over their pipes."""

from __future__ import annotations

import json
import random
import subprocess
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from client import Client, Failed, Refused
from contract_model import Buffer

from basebound.model import Cost, Hunk, Reason, utf8_bytes

Span = tuple[int, int, list[str]]
REFERENCE = Path(__file__).parents[3] / "reference"

ODD = [
    "",
    " ",
    "\t trailing ",
    "a\nb",
    "a\r\nb\r",
    "\r",
    "\n",
    "\u2028\u2029\x85\x0b\x0c\x1c\x1d\x1e",
    "\x00\x01\x1f\x7f",
    "é e\u0301 Å \u212b",
    "😀👩\u200d👩\u200d👧",
    "\ufeffbom",
    "\ufffd\ufffe\uffff\U0010ffff",
    '"quoted" \\ \\n \\u0041 / \\ud83d\\ude00',
    "$& $1 $$ \\1 {0} %s",
    "__proto__",
    "10",
    "2",
    "same",
    "same",
]
NEAR = [
    [],
    [""],
    ["", ""],
    ["a\nb"],
    ["a", "b"],
    ["ab"],
    ["a", "b", ""],
    ["b", "a"],
    ["a", "b "],
    ["a", "B"],
    ["a\r", "b"],
    ["1:a"],
    ["1", ":a"],
    ["é"],
    ["e\u0301"],
    ["\ufffd"],
    ["\ufffd\ufffd"],
    ["\x00"],
    ["\u2028"],
]


def refusal(client: Client, base: dict[str, Any], *hunks: tuple[int, int, list[str]], claim: Any = None) -> str:
    with pytest.raises(Refused) as caught:
        client.apply(base, *hunks, claim=claim)
    return str(caught.value.reason)


def failure(client: Client, raw: bytes, number: int | str | None) -> int:
    client.write(raw)
    with pytest.raises(Failed) as caught:
        client.answer(number)
    return int(caught.value.code)


# ------------------------------------------------------------------------------------------ profile base


def test_an_engine_says_what_it_is(engine: Client) -> None:
    about = engine.ask("initialize", protocol="1", meter="utf8-bytes")
    assert set(about["profiles"]) == {"base", "protected", "budget", "atomic"}
    assert (about["needs"], about["optional"], about["max_hunks"]) == ([], ["insert"], None)


def test_a_template_claims_profile_base_only(commands: Callable[[str], list[str]]) -> None:
    for name in ("javascript-template", "rust-template"):
        with Client(commands(name)) as client:
            assert client.ask("initialize", protocol="1", meter="utf8-bytes")["profiles"] == ["base"]


def test_another_protocol_or_meter_is_an_error(engine: Client) -> None:
    for params in ({"protocol": "2", "meter": "utf8-bytes"}, {"protocol": "1", "meter": "words"}):
        request = {"jsonrpc": "2.0", "id": "x", "method": "initialize", "params": params}
        assert failure(engine, json.dumps(request).encode() + b"\n", "x") == -32602


def test_a_fresh_patch_is_spliced_and_its_receipt_is_the_next_read(any_engine: Client) -> None:
    base = any_engine.start("one", "two", "three")
    receipt = any_engine.apply(base, (1, 2, ["2"]))
    after = any_engine.snapshot()
    assert after["lines"] == ["one", "2", "three"]
    assert (receipt["base"], receipt["revision"]) == (after["base"], after["revision"])
    assert after["base"] != base["base"]
    assert after["revision"] > base["revision"]


def test_a_stale_patch_is_refused_after_an_append(any_engine: Client) -> None:
    base = any_engine.start("one", "two")
    any_engine.ask("append", lines=["three"])
    before = any_engine.snapshot()
    assert refusal(any_engine, base, (0, 1, [])) == "stale-base"
    assert any_engine.snapshot() == before
    any_engine.apply(before, (0, 1, []))
    assert any_engine.snapshot()["lines"] == ["two", "three"]


def test_a_stale_patch_is_refused_after_an_insert_above_it(engine: Client) -> None:
    base = engine.start("one", "two")
    engine.ask("insert", at=0, lines=["zero"])
    assert engine.snapshot()["lines"] == ["zero", "one", "two"]
    assert refusal(engine, base, (1, 2, [])) == "stale-base"


def test_a_second_author_and_a_replay_are_stale(any_engine: Client) -> None:
    base = any_engine.start("one", "two", "two")
    any_engine.apply(base, (1, 2, []))
    assert refusal(any_engine, base, (0, 1, [])) == "stale-base"
    assert refusal(any_engine, base, (1, 2, [])) == "stale-base"
    assert any_engine.snapshot()["lines"] == ["one", "two"]


def test_a_stale_base_comes_before_every_other_reason(engine: Client) -> None:
    base = engine.start("pin", "two", protected=["pin"])
    engine.ask("append", lines=["three"])
    unproven = {"freed": None, "rewrite": 0, "measurement": 0}
    assert refusal(engine, base, (0, 9, ["longer than all of it"]), claim=unproven) == "stale-base"


def test_the_message_of_a_stale_refusal_names_both_bases(engine: Client) -> None:
    base = engine.start("one")
    engine.ask("append", lines=["two"])
    live = engine.snapshot()
    with pytest.raises(Refused, match="re-author") as caught:
        engine.apply(base, (0, 1, []))
    assert base["base"][:8] in str(caught.value)
    assert live["base"][:8] in str(caught.value)


def test_hunks_share_the_frame_of_the_base_in_any_order(any_engine: Client) -> None:
    base = any_engine.start(*"abcdefghijkl")
    any_engine.apply(base, (10, 11, []), (9, 10, ["J"]), (0, 3, ["x"]), (4, 5, []))
    assert any_engine.snapshot()["lines"] == ["x", "d", "f", "g", "h", "i", "J", "l"]


def test_insertions_at_one_point_stand_in_the_order_of_the_patch(any_engine: Client) -> None:
    base = any_engine.start("a long line to pay for it all", "b")
    any_engine.apply(base, (0, 1, ["R"]), (0, 0, ["1"]), (0, 0, ["2"]), (2, 2, ["3"]), (2, 2, ["4"]))
    assert any_engine.snapshot()["lines"] == ["1", "2", "R", "b", "3", "4"]


def test_adjacent_hunks_are_accepted(any_engine: Client) -> None:
    base = any_engine.start("aa", "bb", "cc")
    any_engine.apply(base, (1, 2, ["B"]), (0, 1, ["A"]), (2, 3, []))
    assert any_engine.snapshot()["lines"] == ["A", "B"]


@pytest.mark.parametrize(
    "hunks",
    [
        [(0, 4, [])],
        [(-1, 1, [])],
        [(-3, -1, [])],
        [(2, 1, [])],
        [(0, 2, []), (1, 3, [])],
        [(0, 3, []), (1, 1, ["x"])],
        [(0, 1, []), (4, 4, ["x"])],
        [(0, 10**15, [])],
        [(0, 2**70, [])],
        [(-(2**70), 1, [])],
    ],
)
def test_a_bad_hunk_is_refused_and_changes_nothing(any_engine: Client, hunks: list[Span]) -> None:
    base = any_engine.start("one", "two", "three")
    assert refusal(any_engine, base, *hunks) == "bad-hunk"
    assert any_engine.snapshot() == base
    any_engine.apply(base, (0, 1, []))


@pytest.mark.parametrize("ascii", [True, False], ids=["escaped", "as-it-is"])
def test_every_text_comes_back_as_it_went(commands: Callable[[str], list[str]], ascii: bool) -> None:
    for name in ("javascript", "rust", "javascript-template", "rust-template"):
        with Client(commands(name), ascii=ascii) as client:
            base = client.start(*ODD)
            assert base["lines"] == ODD
            client.ask("append", lines=ODD)
            base = client.snapshot()
            assert base["lines"] == ODD + ODD
            client.apply(base, (1, len(ODD) - 1, list(reversed(ODD[2:-1]))), (len(ODD), len(ODD) + 2, []))
            assert client.snapshot()["lines"] == [ODD[0], *reversed(ODD[2:-1]), ODD[-1], *ODD[2:]]


def test_near_collisions_have_other_bases(any_engine: Client) -> None:
    bases = set()
    any_engine.start()
    for content in NEAR:
        any_engine.ask("append", lines=["enough to pay for whatever comes next"])
        live = any_engine.snapshot()
        any_engine.apply(live, (0, len(live["lines"]), content))
        read = any_engine.snapshot()
        assert read["lines"] == content
        bases.add(read["base"])
    assert len(bases) == len(NEAR)


def test_a_reset_leaves_nothing_behind(engine: Client) -> None:
    engine.start("pin", "two", "three", protected=["pin"])
    engine.ask("emit", kind="rationale", lines=["a plan"])
    engine.ask("emit", kind="measurement", lines=["a number"])
    first = engine.start("pin", "a plan", "b")
    receipt = engine.apply(first, (0, 2, []))
    assert receipt["cost"] == {"freed": 11, "rewrite": 0, "measurement": 0}
    assert engine.start("pin", "a plan", "b") == first


# -------------------------------------------------------------------------------------- profile protected


def test_a_protected_line_is_kept_wherever_it_came_from(engine: Client) -> None:
    engine.start("a [pin] here", "two two two two", "three", protected=["[pin]", "#keep"])
    engine.ask("append", lines=["late #keep", "[PIN]"])
    base = engine.snapshot()
    engine.apply(base, (1, 2, ["[pin] new"]))
    base = engine.snapshot()
    for start, end, insert in [(0, 1, []), (0, 1, ["a [pin] here"]), (1, 3, []), (2, 4, [])]:
        assert refusal(engine, base, (start, end, insert)) == "protected"
    assert engine.snapshot() == base
    engine.apply(base, (1, 1, ["x"]), (2, 3, []), (4, 5, []))
    assert engine.snapshot()["lines"] == ["a [pin] here", "x", "[pin] new", "late #keep"]


def test_the_empty_marker_is_in_every_line(engine: Client) -> None:
    base = engine.start("", "two", protected=[""])
    assert refusal(engine, base, (0, 1, [])) == "protected"
    assert refusal(engine, base, (1, 2, [])) == "protected"


# ----------------------------------------------------------------------------------------- profile budget


@pytest.mark.parametrize("line", ["12345678", "é😀12", "e\u0301\U0001f600."])
def test_a_net_of_one_is_accepted_and_of_zero_refused(engine: Client, line: str) -> None:
    base = engine.start(line, "rest")
    assert utf8_bytes(line) == 9
    assert refusal(engine, base, (0, 1, ["x" * 8])) == "not-freed"
    assert refusal(engine, base, (0, 1, ["x" * 20])) == "not-freed"
    assert engine.snapshot() == base
    assert engine.apply(base, (0, 1, ["x" * 7]))["cost"] == {"freed": 9, "rewrite": 8, "measurement": 0}


def test_a_patch_that_changes_nothing_frees_nothing(engine: Client) -> None:
    base = engine.start("one", "two")
    assert refusal(engine, base) == "not-freed"
    assert refusal(engine, base, (0, 2, ["two", "one"])) == "not-freed"


@pytest.mark.parametrize("kind", ["rationale", "tool-call", "measurement", "error"])
def test_every_kind_of_emission_is_charged_once(engine: Client, kind: str) -> None:
    engine.start("123456789", "12", "rest")
    engine.ask("emit", kind=kind, lines=["1234", "567"])
    base = engine.snapshot()
    assert base["lines"] == ["123456789", "12", "rest", "1234", "567"]
    assert refusal(engine, base, (0, 1, ["x"])) == "not-freed"
    assert refusal(engine, base, (0, 1, [""])) == "not-freed"
    costs = {"freed": 10, "rewrite": 0, "measurement": 0}
    costs["measurement" if kind == "measurement" else "rewrite"] = 9
    assert engine.apply(base, (0, 1, []))["cost"] == costs
    receipt = engine.apply(engine.snapshot(), (0, 1, []))
    assert receipt["cost"] == {"freed": 3, "rewrite": 0, "measurement": 0}


def test_what_is_unpaid_is_dropped_when_the_turn_ends(engine: Client) -> None:
    engine.start("one", "two")
    engine.ask("emit", kind="error", lines=["a long one that nobody pays for"])
    before = engine.snapshot()
    engine.ask("end_turn")
    assert engine.snapshot() == before
    assert engine.apply(before, (0, 1, []))["cost"]["rewrite"] == 0


def test_foreign_writes_are_never_charged(engine: Client) -> None:
    engine.start("12")
    engine.ask("append", lines=["a long line of somebody else"])
    engine.ask("insert", at=1, lines=["and another one"])
    assert engine.apply(engine.snapshot(), (0, 1, ["1"]))["cost"] == {"freed": 3, "rewrite": 2, "measurement": 0}


@pytest.mark.parametrize("part", ["freed", "rewrite", "measurement"])
@pytest.mark.parametrize("amount", [None, -1])
def test_a_claim_without_an_amount_is_unproven(engine: Client, part: str, amount: int | None) -> None:
    base = engine.start("one", "two")
    claim = {"freed": 4, "rewrite": 0, "measurement": 0, part: amount}
    assert refusal(engine, base, (0, 1, []), claim=claim) == "unproven"
    assert engine.snapshot() == base


def test_the_figures_of_a_claim_change_nothing(engine: Client) -> None:
    base = engine.start("one", "two")
    plenty = {"freed": 10**9, "rewrite": 0, "measurement": 0}
    assert refusal(engine, base, (0, 1, ["four"]), claim=plenty) == "not-freed"
    loss = {"freed": 0, "rewrite": 10**9, "measurement": 0}
    assert engine.apply(base, (0, 1, []), claim=loss)["cost"]["freed"] == 4


def test_an_artifact_is_locked_as_a_line_until_the_turn_ends(engine: Client) -> None:
    engine.start("plan", "a long line, to be removed", "rest")
    before = engine.snapshot()
    engine.ask("emit", kind="rationale", lines=["plan", "more"])
    assert refusal(engine, before, (1, 2, [])) == "stale-base"
    engine.ask("append", lines=["below"])
    engine.apply(engine.snapshot(), (1, 2, []))
    base = engine.snapshot()
    assert base["lines"] == ["plan", "rest", "plan", "more", "below"]
    assert refusal(engine, base, (2, 3, [])) == "self-reference"
    assert refusal(engine, base, (3, 5, [])) == "self-reference"
    engine.apply(base, (0, 1, []), (3, 3, [""]))
    base = engine.snapshot()
    assert base["lines"] == ["rest", "plan", "", "more", "below"]
    engine.apply(base, (0, 1, []), (2, 3, []), (4, 5, []))
    assert engine.snapshot()["lines"] == ["plan", "more"]
    engine.ask("end_turn")
    engine.apply(engine.snapshot(), (0, 2, []))
    assert engine.snapshot()["lines"] == []


# ------------------------------------------------------------------------------------------------ the wire


def test_a_line_of_a_mebibyte_passes_through(any_engine: Client) -> None:
    long = "é😀x" * (2**20 // 7)
    base = any_engine.start("head", long)
    assert base["lines"] == ["head", long]
    any_engine.apply(base, (1, 2, [long[:-1]]))
    assert any_engine.snapshot()["lines"] == ["head", long[:-1]]


def test_a_hundred_thousand_lines_pass_through(engine: Client) -> None:
    many = [str(n) for n in range(100_000)]
    engine.start("head head head")
    engine.ask("append", lines=many)
    base = engine.snapshot()
    assert base["lines"] == ["head head head", *many]
    engine.apply(base, (0, 1, []), (500, 500 + 99_000, many[:90_000]))
    assert engine.snapshot()["lines"] == [*many[:499], *many[:90_000], *many[99_499:]]


def test_a_thousand_hunks_are_applied(any_engine: Client) -> None:
    base = any_engine.start(*[f"line {n}" for n in range(2_000)])
    any_engine.apply(base, *[(n, n + 1, [f"{n}"]) for n in range(1_998, -1, -2)])
    assert any_engine.snapshot()["lines"] == [f"{n}" if n % 2 == 0 else f"line {n}" for n in range(2_000)]


def test_pipelined_requests_are_answered_each_by_its_id(any_engine: Client) -> None:
    base = any_engine.start("one", "two")
    requests = [any_engine.encoded("append", {"lines": [str(n)]}) for n in range(200)]
    requests.append(any_engine.encoded("apply", any_engine.patch(base, (0, 1, []))))
    requests.append(any_engine.encoded("snapshot", {}))
    any_engine.write(b"".join(text for _, text in requests))
    numbers = [number for number, _ in requests]
    assert any_engine.answer(numbers[-1])["lines"] == ["one", "two", *map(str, range(200))]
    with pytest.raises(Refused, match="stale-base"):
        any_engine.answer(numbers[-2])
    for number in numbers[:-2]:
        assert any_engine.answer(number) == {}


def test_a_message_may_come_in_pieces(any_engine: Client) -> None:
    any_engine.start()
    number, text = any_engine.encoded("append", {"lines": ["é😀", "b"]})
    for n in range(len(text)):
        any_engine.write(text[n : n + 1])
    assert any_engine.answer(number) == {}
    assert any_engine.snapshot()["lines"] == ["é😀", "b"]


def test_blank_lines_and_carriage_returns_between_messages_are_let_pass(any_engine: Client) -> None:
    number, text = any_engine.encoded("reset", {"lines": ["a"], "protected": []})
    any_engine.write(b"\n\r\n" + text.replace(b"\n", b"\r\n"))
    assert any_engine.answer(number) == {}
    assert any_engine.snapshot()["lines"] == ["a"]


def test_an_id_may_be_a_string(any_engine: Client) -> None:
    any_engine.write(b'{"jsonrpc":"2.0","id":"\\u00e9-1","method":"end_of_the_world","params":{}}\n')
    with pytest.raises(Failed):
        any_engine.answer("é-1")


@pytest.mark.parametrize("method", ["no_such", "toString", "__proto__", "constructor", ""])
def test_an_unknown_method_is_an_error_and_no_refusal(any_engine: Client, method: str) -> None:
    request = json.dumps({"jsonrpc": "2.0", "id": "x", "method": method, "params": {}}).encode() + b"\n"
    assert failure(any_engine, request, "x") == -32601
    assert any_engine.snapshot()["lines"] == []


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("append", {"lines": "one"}),
        ("append", {"lines": [1]}),
        ("append", {}),
        ("append", None),
        ("insert", {"at": 3, "lines": ["x"]}),
        ("insert", {"at": -1, "lines": ["x"]}),
        ("insert", {"at": 0.5, "lines": ["x"]}),
        ("emit", {"kind": "thought", "lines": ["x"]}),
        ("apply", {"base": 1, "revision": 0, "hunks": [], "claim": None}),
        ("apply", {"base": "b", "revision": 0, "hunks": [[0, 1]], "claim": None}),
        ("apply", {"base": "b", "revision": 0, "hunks": [], "claim": {"freed": "9"}}),
        ("reset", {"lines": ["x"]}),
    ],
)
def test_parameters_of_another_shape_are_an_error_and_change_nothing(engine: Client, method: str, params: Any) -> None:
    before = engine.start("one", "two")
    request = json.dumps({"jsonrpc": "2.0", "id": "x", "method": method, "params": params}).encode() + b"\n"
    assert failure(engine, request, "x") == -32602
    assert engine.snapshot() == before


def test_half_a_surrogate_pair_is_an_error_and_changes_nothing(engine: Client) -> None:
    before = engine.start("one")
    engine.write(b'{"jsonrpc":"2.0","id":"x","method":"append","params":{"lines":["\\ud83d"]}}\n')
    answer = json.loads(engine.line())
    assert answer["error"]["code"] in (-32602, -32700)
    assert engine.snapshot() == before


@pytest.mark.parametrize(
    ("text", "codes"), [(b"{", {-32700}), (b"log line", {-32700}), (b"[]", {-32600}), (b'"\xff"', {-32700, -32600})]
)
def test_what_is_no_request_is_an_error(engine: Client, text: bytes, codes: set[int]) -> None:
    assert failure(engine, text + b"\n", None) in codes
    assert engine.snapshot()["lines"] == []


def test_a_notification_is_done_and_not_answered(any_engine: Client) -> None:
    any_engine.start()
    any_engine.write(b'{"jsonrpc":"2.0","method":"append","params":{"lines":["x"]}}\n')
    number = any_engine.send("snapshot")
    assert json.loads(any_engine.line())["id"] == number


def test_shutdown_is_answered_and_the_process_ends_with_zero(any_engine: Client) -> None:
    assert any_engine.ask("shutdown") == {}
    assert any_engine.process.wait(any_engine.bound) == 0


def test_the_process_ends_with_its_input(any_engine: Client) -> None:
    any_engine.start("one")
    assert any_engine.process.stdin is not None
    any_engine.process.stdin.close()
    assert any_engine.process.wait(any_engine.bound) == 0


def test_the_lines_of_the_base_may_come_along(commands: Callable[[str], list[str]]) -> None:
    for name in ("javascript", "rust", "javascript-template", "rust-template"):
        with Client(commands(name)) as client:
            client.base_lines = True
            client.apply(client.start("one", "two"), (0, 1, []))
            assert client.snapshot()["lines"] == ["two"]


def test_an_engine_in_the_template_can_have_the_suite_count(node: str, tmp_path: Path) -> None:
    text = (REFERENCE / "javascript" / "template.mjs").read_text(encoding="utf-8")
    asks = "async apply(patch) {\n    const size = await countTokens(patch.baseLines[0]);\n    console.error(size);"
    edited = text.replace("  apply(patch) {", f"  {asks}").replace(
        "needs: [],", "needs: ['base_lines', 'count_tokens'],"
    )
    (tmp_path / "mine.mjs").write_text(edited, encoding="utf-8")
    counted: list[str] = []

    def count(line: str) -> int:
        counted.append(line)
        return 7

    with Client([node, str(tmp_path / "mine.mjs")]) as client:
        client.base_lines, client.count_tokens = True, count
        assert client.ask("initialize", protocol="1", meter="utf8-bytes")["needs"] == ["base_lines", "count_tokens"]
        base = client.start("one", "two")
        requests = [
            client.encoded("apply", client.patch(base, (0, 1, []))),
            client.encoded("append", {"lines": ["late"]}),
            client.encoded("snapshot", {}),
        ]
        client.write(b"".join(text for _, text in requests))
        assert client.answer(requests[2][0])["lines"] == ["two", "late"]
        client.answer(requests[0][0])
    assert counted == ["one"]


@pytest.mark.slow
def test_the_rust_reference_passes_its_own_tests_and_lints(cargo: str) -> None:
    for command in (["test", "--lib"], ["clippy", "--all-targets", "--", "-D", "warnings"], ["fmt", "--check"]):
        options = [] if command[0] == "fmt" else ["--quiet", "--offline"]
        subprocess.run([cargo, command[0], *options, *command[1:]], cwd=REFERENCE / "rust", check=True, timeout=300)


# ------------------------------------------------------------------------------------- all against a model

TEXTS = ["", "a", "b", "ab", "a\nb", "keep me", "é", "e\u0301", "😀", "\\", '"', "10", "9", "long " * 4, "\r", "\u2028"]
KINDS = ["rationale", "tool-call", "measurement", "error"]


def drawn_hunks(draw: random.Random, length: int) -> tuple[Hunk, ...]:
    """Mostly well-formed, now and then out of range, reversed or overlapping."""
    hunks: list[Hunk] = []
    for _ in range(draw.choice([0, 1, 1, 1, 2, 2, 3])):
        start = draw.randint(0, length)
        end = draw.randint(start, min(length, start + 3))
        if draw.random() < 0.08:
            start, end = draw.choice([(end, start), (start, length + 1), (-1, end), (start - 2, end)])
        insert = tuple(draw.choice(TEXTS) for _ in range(draw.choice([0, 0, 0, 1, 2])))
        hunks.append(Hunk(start, end, insert))
    return tuple(hunks)


def drawn_claim(draw: random.Random) -> Cost | None:
    if draw.random() < 0.6:
        return None
    return Cost(*(draw.choice([0, 1, 50, 50, 50, -1, None]) for _ in range(3)))


def outcome(client: Client, base: dict[str, Any], hunks: tuple[Hunk, ...], claim: Cost | None) -> Cost | Reason:
    """The cost of the committed patch, or the reason of its refusal."""
    spans = [(hunk.start, hunk.end, list(hunk.insert)) for hunk in hunks]
    try:
        return Cost(**client.apply(base, *spans, claim=asdict(claim) if claim else None)["cost"])
    except Refused as refused:
        return Reason(refused.reason)


def written(draw: random.Random, model: Buffer) -> tuple[str, dict[str, Any]]:
    """A write of some kind, done in the model; what to ask of the engines."""
    lines = [draw.choice(TEXTS) for _ in range(draw.randint(0, 3))]
    match draw.choice(["append", "insert", "emit", "end_turn"]):
        case "append":
            model.append(lines)
            return "append", {"lines": lines}
        case "insert":
            at = draw.randint(0, len(model.lines))
            model.insert(at, lines)
            return "insert", {"at": at, "lines": lines}
        case "emit":
            kind = draw.choice(KINDS)
            model.emit(kind, lines)
            return "emit", {"kind": kind, "lines": lines}
    model.end_turn()
    return "end_turn", {}


@pytest.mark.parametrize("seed", range(8))
def test_both_engines_do_what_a_plain_model_says(running: Callable[[str], Client], seed: int) -> None:
    draw = random.Random(seed)
    engines = (running("javascript"), running("rust"))
    texts = [draw.choice(TEXTS) for _ in range(draw.randint(0, 6))]
    model = Buffer.of(texts, ("keep",))
    read = [(texts, [engine.start(*texts, protected=["keep"]) for engine in engines])]
    outcomes: Counter[Reason | str] = Counter()
    for _ in range(150):
        if draw.random() < 0.4:
            method, params = written(draw, model)
            assert [engine.ask(method, **params) for engine in engines] == [{}, {}]
        else:
            authored, bases = read[-1] if draw.random() < 0.9 else draw.choice(read)
            hunks, claim = drawn_hunks(draw, len(authored)), drawn_claim(draw)
            reasons = model.reasons(authored, hunks, claim)
            allowed = reasons or [model.apply(hunks)]
            for engine, base in zip(engines, bases, strict=True):
                assert outcome(engine, base, hunks, claim) in allowed
            outcomes.update(reasons or ["applied"])
        snapshots = [engine.snapshot() for engine in engines]
        assert [snapshot["lines"] for snapshot in snapshots] == [list(model.texts)] * 2
        if draw.random() < 0.7:
            read.append((model.texts, snapshots))
    assert outcomes["applied"] >= 5
    assert set(outcomes) >= {"applied", "stale-base", "bad-hunk", "unproven", "not-freed"}
