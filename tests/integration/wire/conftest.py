"""Where the engines of these tests come from. The folder's own modules are made importable for its tests."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

HERE = Path(__file__).parent
REFERENCE = HERE.parents[2] / "reference"
sys.path.insert(0, str(HERE))

from client import Client  # noqa: E402  (the line above makes it importable)


@pytest.fixture(scope="session")
def node() -> str:
    """The path of a Node that runs the engines."""
    found = shutil.which("node")
    if found is None:
        pytest.skip("needs Node 20 or later; there is no `node` on the path")
    version = subprocess.run([found, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    if int(version.removeprefix("v").split(".")[0]) < 20:
        pytest.skip(f"needs Node 20 or later; `node` is {version}")
    return found


@pytest.fixture(scope="session")
def cargo() -> str:
    """The path of cargo."""
    found = shutil.which("cargo")
    if found is None:
        pytest.skip("needs Rust; there is no `cargo` on the path")
    return found


@pytest.fixture(scope="session")
def cargo_build(cargo: str) -> Callable[..., Path]:
    """``cargo_build(package, *arguments)`` builds what the arguments name; the folder the programs are in."""

    def build(package: Path, *arguments: str) -> Path:
        manifest = str(package / "Cargo.toml")
        command = [cargo, "build", "-q", "--release", "--offline", "--manifest-path", manifest, *arguments]
        subprocess.run(command, check=True)
        return package / "target" / "release"

    return build


@pytest.fixture(scope="session")
def commands(request: pytest.FixtureRequest) -> Callable[[str], list[str]]:
    """``commands(name)`` is how the reference engine or template of that name is started."""

    def javascript(file: str) -> list[str]:
        return [request.getfixturevalue("node"), str(REFERENCE / "javascript" / file)]

    def rust(program: str, *arguments: str) -> list[str]:
        return [str(request.getfixturevalue("cargo_build")(REFERENCE / "rust", *arguments) / program)]

    def command(name: str) -> list[str]:
        match name:
            case "javascript":
                return javascript("engine.mjs")
            case "javascript-template":
                return javascript("template.mjs")
            case "rust":
                return rust("engine", "--bin", "engine")
            case "rust-template":
                return rust("examples/template", "--example", "template")
        raise ValueError(name)

    return command


@pytest.fixture(scope="session")
def running(commands: Callable[[str], list[str]]) -> Iterator[Callable[[str], Client]]:
    """``running(name)`` is a client of that engine, the same one for every test while its process lives, and reset."""
    with ExitStack() as stack:
        clients: dict[str, Client] = {}

        def client(name: str) -> Client:
            if name not in clients or clients[name].process.poll() is not None:
                clients[name] = stack.enter_context(Client(commands(name)))
            clients[name].start()
            return clients[name]

        yield client


@pytest.fixture(params=["javascript", "rust"])
def engine(request: pytest.FixtureRequest, running: Callable[[str], Client]) -> Client:
    """A client of each reference engine."""
    return running(request.param)


@pytest.fixture(params=["javascript", "rust", "javascript-template", "rust-template"])
def any_engine(request: pytest.FixtureRequest, running: Callable[[str], Client]) -> Client:
    """A client of each reference engine and each template: all of profile base."""
    return running(request.param)
