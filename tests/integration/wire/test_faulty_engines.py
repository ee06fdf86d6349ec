"""Every faulty wire engine shows its fault, and only it: a plain patch still goes through."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Callable

import pytest
from client import TIME_BOUND, Client
from faulty_engines import CORRECT, ENGINES, FAULTY, RUST, WireEngine, both_appended, judged, overtaken

import basebound_spec

SHORT = 3.0


@pytest.fixture(scope="session")
def command(request: pytest.FixtureRequest) -> Callable[[WireEngine], list[str]]:
    """How an engine is started; skips where what it is written in is missing."""

    def command(engine: WireEngine) -> list[str]:
        if engine.file.endswith(".mjs"):
            return [request.getfixturevalue("node"), str(ENGINES / engine.file)]
        if engine.file.endswith(".py"):
            return [sys.executable, str(ENGINES / engine.file)]
        return [str(request.getfixturevalue("cargo_build")(RUST) / engine.file)]

    return command


def named(engine: WireEngine) -> str:
    return engine.name


@pytest.mark.parametrize("engine", FAULTY, ids=named)
def test_a_faulty_engine_shows_its_fault(engine: WireEngine, command: Callable[[WireEngine], list[str]]) -> None:
    bound = SHORT if engine.breaks == "BASE-ANSWER-BOUNDED" else TIME_BOUND
    with Client(command(engine), ascii=engine.ascii, bound=bound) as client:
        assert judged(client, engine.witness)


@pytest.mark.parametrize("engine", FAULTY, ids=named)
def test_the_witness_of_a_fault_finds_nothing_in_a_correct_engine(
    engine: WireEngine, running: Callable[[str], Client]
) -> None:
    for name in ("javascript", "rust"):
        assert judged(running(name), engine.witness) == ""


@pytest.mark.parametrize("engine", CORRECT, ids=named)
def test_a_correct_engine_with_the_suites_meter_is_not_overtaken(
    engine: WireEngine, command: Callable[[WireEngine], list[str]]
) -> None:
    with Client(command(engine)) as client:
        assert [judged(client, witness) for witness in (overtaken, both_appended) * 5] == [""] * 10


@pytest.mark.parametrize("engine", [e for e in (*FAULTY, *CORRECT) if e.name != "serial_meter"], ids=named)
def test_apart_from_its_fault_an_engine_works(engine: WireEngine, command: Callable[[WireEngine], list[str]]) -> None:
    with Client(command(engine)) as client:
        assert "base" in client.ask("initialize", protocol="1", meter="utf8-bytes")["profiles"]
        base = client.start("one", "two", "three")
        client.apply(base, (1, 2, []))
        assert client.snapshot()["lines"] == ["one", "three"]
        assert client.ask("shutdown") == {}
        assert client.process.wait(client.bound) == 0


def test_every_engine_of_the_folder_is_in_the_catalogue() -> None:
    shared = {"mangling.mjs", "concurrent.mjs"}
    files = {file.name for file in ENGINES.iterdir() if file.suffix in (".mjs", ".py")}
    programs = {file.stem for file in (RUST / "src" / "bin").iterdir()}
    assert {engine.file for engine in (*FAULTY, *CORRECT)} == (files | programs) - shared


def test_every_fault_names_a_requirement_of_the_register() -> None:
    register = tomllib.loads((basebound_spec.ROOT / "requirements.toml").read_text(encoding="utf-8"))
    known = {requirement["id"] for requirement in register["requirement"]}
    assert {engine.breaks for engine in FAULTY} <= known
