"""The engines of ``engines/``: which requirement each breaks, and the shortest history that shows it.

A witness drives a client and says what was wrong, or nothing. Played on a correct engine it says nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from client import Client, Failed, NoAnswer, Refused, WrongShape, utf8_bytes

ENGINES = Path(__file__).parent / "engines"
RUST = ENGINES / "rust"

Witness = Callable[[Client], str]


@dataclass(frozen=True)
class WireEngine:
    """``file`` is in ``engines/``, or the name of a program of its Rust package.

    ``breaks``: the requirement that a check must report as failed; of a correct engine, none. ``ascii``:
    how text has to be sent for the fault to show, where that matters.
    """

    file: str
    breaks: str | None
    witness: Witness
    ascii: bool = False

    @property
    def name(self) -> str:
        return self.file.split(".")[0]


def plays(lines: Sequence[str], *steps: dict[str, Any]) -> Witness:
    """A trace played step by step; its first step that does not come out as it has to."""

    def witness(client: Client) -> str:
        read = {"start": client.start(*lines)}
        for step in steps:
            wrong = _wrong(client, read, **step)
            if wrong:
                return wrong
        return ""

    return witness


def _wrong(client: Client, read: dict[str, dict[str, Any]], op: str, **step: Any) -> str:
    if op == "snapshot":
        read[step["as_"]] = client.snapshot()
    elif op == "expect":
        seen = client.snapshot()["lines"]
        return "" if seen == step["lines"] else f"expected {step['lines']!r:.80}, saw {seen!r:.80}"
    elif op == "apply":
        try:
            client.apply(read[step["base"]], *step["hunks"])
            saw = "applied"
        except Refused as refused:
            saw = refused.reason
        return "" if saw == step["expect"] else f"expected {step['expect']}, saw {saw}"
    else:
        client.ask(op, **step)
    return ""


def applies(*hunks: tuple[int, int, list[str]], expect: str = "applied", base: str = "start") -> dict[str, Any]:
    return {"op": "apply", "base": base, "hunks": hunks, "expect": expect}


def keeps(*texts: str) -> Witness:
    """Lines that have to come back as they were appended."""
    appended = {"op": "append", "lines": list(texts)}
    return plays(["head"], appended, {"op": "expect", "lines": ["head", *texts]})


def overtaken(client: Client) -> str:
    """A patch, an append and a read in one write: a patch that takes effect must not have been overtaken."""
    base = client.start("one", "two")
    requests = [
        client.encoded("apply", client.patch(base, (0, 1, []))),
        client.encoded("append", {"lines": ["late"]}),
        client.encoded("snapshot", {}),
    ]
    client.write(b"".join(text for _, text in requests))
    patched, appended, read = (number for number, _ in requests)
    between = client.answer(read)["lines"]
    client.answer(appended)
    try:
        client.answer(patched)
    except Refused as refused:
        return "" if refused.reason == "stale-base" else f"refused as {refused.reason}"
    return f"read {between} before the patch took effect" if between == ["one", "two", "late"] else ""


def both_appended(client: Client) -> str:
    """Two appends in one write: both lines have to be there."""
    client.start()
    requests = [client.encoded("append", {"lines": [text]}) for text in ("a", "b")]
    client.write(b"".join(text for _, text in requests))
    for number, _ in requests:
        client.answer(number)
    lines = client.snapshot()["lines"]
    return "" if sorted(lines) == ["a", "b"] else f"both were appended, and {lines} is what there is"


def dropped(client: Client) -> str:
    """An emission and the end of its turn in one write: what was emitted must not be owed afterwards."""
    client.start("one line")
    requests = [
        client.encoded("emit", {"kind": "rationale", "lines": ["reasons that are longer"]}),
        client.encoded("end_turn", {}),
    ]
    client.write(b"".join(text for _, text in requests))
    for number, _ in requests:
        client.answer(number)
    try:
        client.apply(client.snapshot(), (0, 1, []))
    except Refused as refused:
        return f"refused as {refused.reason}"
    return ""


def uncounted(client: Client) -> str:
    """A patch whose count fails must leave nothing behind; an engine that counts itself applies it whole."""

    def fails(line: str) -> int:
        raise ValueError("this meter is out of order")

    before = client.start("one", "two")
    client.count_tokens = fails
    try:
        client.apply(before, (0, 1, []))
        return ""
    except (Refused, Failed):
        pass
    client.count_tokens = utf8_bytes
    after = client.snapshot()
    return "" if after == before else f"{after} is left of {before}"


def judged(client: Client, witness: Witness) -> str:
    """What ``witness`` says; an error, an unreadable answer or none is wrong as well."""
    try:
        return witness(client)
    except (Failed, NoAnswer, WrongShape, ValueError) as error:
        return f"{type(error).__name__}: {error}"


ACUTE, DECOMPOSED = "é", "e\u0301"

FAULTY = (
    # What a token is, and how many there are.
    WireEngine("utf16_meter.mjs", "BUDGET-MEASURED", plays(["é" * 10], applies((0, 1, ["x" * 15])))),
    WireEngine("i32_meter.mjs", "BUDGET-MEASURED", plays(["x" * 3000], applies((0, 1, [])))),
    WireEngine("u8_meter", "BUDGET-MEASURED", plays(["x" * 255, "y"], applies((0, 1, ["x"])))),
    WireEngine(
        "latin1_stdio.mjs", "BUDGET-MEASURED", plays(["é" * 10], applies((0, 1, ["x" * 25]), expect="not-freed"))
    ),
    WireEngine("float_ledger.mjs", "BUDGET-NET-ZERO", plays(["", "x"], applies((0, 2, ["xx"]), expect="not-freed"))),
    WireEngine(
        "unsigned_net.mjs", "BUDGET-NET-NEGATIVE", plays(["x"], applies((0, 1, ["longer"]), expect="not-freed"))
    ),
    # Text that does not come back as it went.
    WireEngine("surrogate_split.mjs", "BASE-APPEND-EXACT", keeps("😀")),
    WireEngine("lone_escapes", "BASE-APPEND-EXACT", keeps("😀"), ascii=True),
    WireEngine("chunk_utf8.mjs", "BASE-APPEND-EXACT", keeps("→" * 70_000)),
    WireEngine("nfc.mjs", "BASE-SPLICE-LITERAL", keeps(DECOMPOSED)),
    WireEngine("replace_pattern.mjs", "BASE-SPLICE-LITERAL", keeps("$&")),
    WireEngine("double_escape.mjs", "BASE-APPEND-EXACT", keeps('"')),
    WireEngine("crlf_lines.mjs", "BASE-APPEND-EXACT", keeps("a\r")),
    WireEngine("splitlines.py", "BASE-APPEND-EXACT", keeps("a\x0bb")),
    WireEngine("text_stdio.py", "BASE-APPEND-EXACT", keeps("→")),
    WireEngine("long_line_cut.mjs", "BASE-APPEND-EXACT", keeps("x" * (2**20 + 1))),
    # Order, numbers and comparisons.
    WireEngine(
        "id_object.mjs",
        "BASE-SPLICE-EXACT",
        plays(["removed", "b"], applies((0, 1, ["a"]), (2, 2, [])), {"op": "expect", "lines": ["a", "b"]}),
    ),
    WireEngine("text_sort.mjs", "BASE-FRESH-ACCEPTED", plays(["x"] * 11, applies((9, 10, []), (10, 11, [])))),
    WireEngine("falsy_zero.mjs", "BASE-FRESH-ACCEPTED", plays(["a", "long"], applies((0, 0, ["x"]), (1, 2, [])))),
    WireEngine(
        "locale_compare.mjs",
        "BASE-IDENTITY",
        plays([DECOMPOSED], applies((0, 1, [ACUTE])), applies((0, 1, []), expect="stale-base")),
    ),
    # The stream.
    WireEngine("spread_lines.mjs", "BASE-ANSWER-TYPED", keeps(*[""] * 200_000)),
    WireEngine("raw_controls.mjs", "BASE-ANSWER-TYPED", keeps("\t")),
    WireEngine("unicode_newlines.mjs", "BASE-ANSWER-TYPED", keeps("\u2028")),
    WireEngine("chunk_lines.mjs", "BASE-ANSWER-BOUNDED", keeps("x" * 200_000)),
    WireEngine("scanner_64k.mjs", "BASE-ANSWER-BOUNDED", keeps("x" * 70_000)),
    WireEngine("byte_slice", "BASE-ANSWER-BOUNDED", plays(["a long line"], applies((0, 1, ["1234567é"])))),
    # Between check and commit.
    WireEngine("window_microtask.mjs", "ATOMIC-CHECK-COMMIT", overtaken),
    WireEngine("window_immediate.mjs", "ATOMIC-CHECK-COMMIT", overtaken),
    WireEngine("window_fs.mjs", "ATOMIC-CHECK-COMMIT", overtaken),
    WireEngine("window_timer.mjs", "ATOMIC-CHECK-COMMIT", overtaken),
    WireEngine("window_meter.mjs", "ATOMIC-CHECK-COMMIT", overtaken),
    WireEngine("lost_append.mjs", "ATOMIC-WRITE-KEPT", both_appended),
    WireEngine("late_charge.mjs", "ATOMIC-LEDGER-KEPT", dropped),
    WireEngine("half_commit.mjs", "ATOMIC-INTERRUPTED-WHOLE", uncounted),
    WireEngine(
        "kept_lock.mjs",
        "ATOMIC-INTERRUPTED-USABLE",
        plays(["a"], applies((0, 9, []), expect="bad-hunk"), {"op": "append", "lines": ["b"]}),
    ),
    WireEngine("serial_meter.mjs", "BASE-ANSWER-BOUNDED", plays(["one"], applies((0, 1, [])))),
)

CORRECT = (
    WireEngine("recheck_meter.mjs", None, overtaken),
    WireEngine("mutex_meter.mjs", None, overtaken),
)
