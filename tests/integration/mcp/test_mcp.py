"""MCP servers as engines: a careful one conforms, a matching one edits what has moved, and maps say what is wrong."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from basebound.errors import TargetError
from basebound.targets.mcp import maps

TINY = Path(__file__).with_name("tiny_server.py")

HASHED = """
[read]
tool = "read"
arguments = { path = "{path}" }
text = ["text"]
base = ["hash"]

[edit]
tool = "edit"
arguments = { path = "{path}", expected = "{base}", edits = "{edits}" }
each = { first = "{first}", last = "{last}", new = "{new}" }

[refusal]
failed = { at = ["result"], is = "error" }
stale = ["hash mismatch"]
"""
MATCHING = """
[read]
tool = "read"
arguments = { path = "{path}" }

[edit]
tool = "edit"
arguments = { path = "{path}", edits = "{edits}" }
each = { old = "{old}", new = "{new}" }

[refusal]
stale = ["no match"]
"""


def check(command: str, server_map: str, folder: Path, *options: str) -> tuple[int, str, dict[str, str]]:
    """The exit code, the output, and each requirement's verdict."""
    arguments = [sys.executable, "-m", "basebound", "check", "--mcp", command, "--mcp-map", server_map]
    # The SDK alone takes seconds to import on a busy machine.
    arguments += [
        "--effort",
        "quick",
        "--lens",
        "scenarios",
        "--timeout",
        "60",
        "--report",
        "json=report.json",
        *options,
    ]
    done = subprocess.run(arguments, capture_output=True, text=True, cwd=folder, timeout=300, check=False)
    path = folder / "report.json"
    report: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {"requirements": []}
    return done.returncode, done.stdout + done.stderr, {row["id"]: row["verdict"] for row in report["requirements"]}


@pytest.fixture
def sdk() -> None:
    pytest.importorskip("mcp", reason="needs the extra mcp: pip install 'basebound[mcp]'")


@pytest.mark.usefixtures("sdk")
def test_a_server_that_compares_a_hash_is_conformant(tmp_path: Path) -> None:
    (tmp_path / "map.toml").write_text(HASHED)
    code, output, verdicts = check(f"{sys.executable} {TINY} hashed", "map.toml", tmp_path)
    assert code == 0, output
    assert verdicts["BASE-STALE-DUPLICATE"] == "pass"


@pytest.mark.usefixtures("sdk")
def test_a_server_that_looks_for_the_old_text_edits_what_it_was_not_meant_for(tmp_path: Path) -> None:
    (tmp_path / "map.toml").write_text(MATCHING)
    code, output, verdicts = check(f"{sys.executable} {TINY} matching", "map.toml", tmp_path)
    assert code == 1, output
    stale = {name for name, verdict in verdicts.items() if name.startswith("BASE-STALE") and verdict == "fail"}
    assert {"BASE-STALE-APPEND", "BASE-STALE-DUPLICATE", "BASE-STALE-ABOVE"} <= stale


@pytest.mark.usefixtures("sdk")
@pytest.mark.parametrize(
    ("command", "server_map", "error"),
    [
        ("no-such-server", HASHED, "no-mcp-server"),
        (f"{sys.executable} -c pass", HASHED, "no-mcp-server"),
        (f"{sys.executable} {TINY} hashed", HASHED.replace('"edit"', '"edits"', 1), "no-such-tool"),
        (f"{sys.executable} {TINY} hashed", HASHED.replace("[refusal]", "[refused]"), "map-wrong-type"),
        (f"{sys.executable} {TINY} hashed", "not TOML at all", "map-unreadable"),
    ],
)
def test_what_cannot_be_used_exits_2_and_says_what_to_fix(
    command: str, server_map: str, error: str, tmp_path: Path
) -> None:
    (tmp_path / "map.toml").write_text(server_map)
    code, output, _ = check(command, "map.toml", tmp_path)
    assert code == 2, output
    assert f"[{error}]" in output


def test_a_server_needs_a_map(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "basebound", "check", "--mcp", "server"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode == 2
    assert "[option-missing]" in done.stderr


def test_the_bundled_maps_can_be_read_and_an_unknown_one_is_named() -> None:
    assert maps.bundled() == ["mcp-text-editor", "server-filesystem"]
    assert [maps.load(name).name for name in maps.bundled()] == maps.bundled()
    with pytest.raises(TargetError, match=r"\[unknown-map\]") as caught:
        maps.load("server-file")
    assert "server-filesystem" in caught.value.fix


def test_a_placeholder_alone_becomes_its_value_and_inside_a_text_it_is_filled_in() -> None:
    values = {"edits": [1], "path": "/a b", "first": 3}
    pattern = {"edits": "{edits}", "at": ["{first}", "line {first} of {path}"], "kept": "{unknown} {old}"}
    assert maps.filled(pattern, values) == {
        "edits": [1],
        "at": [3, "line 3 of /a b"],
        "kept": "{unknown} {old}",
    }
    assert maps.follow({"/a b": {"r": [{"c": 1}]}}, ("{path}", "r", 0, "c"), values) == 1
    assert maps.follow({}, ("r", 0), values) is None


@pytest.mark.slow
@pytest.mark.usefixtures("sdk")
def test_the_filesystem_server_accepts_stale_patches(tmp_path: Path) -> None:
    if shutil.which("mcp-server-filesystem") is None:
        pytest.skip("needs npm install -g @modelcontextprotocol/server-filesystem")
    code, output, verdicts = check("mcp-server-filesystem {root}", "server-filesystem", tmp_path)
    assert code == 1, output
    assert verdicts["BASE-STALE-APPEND"] == verdicts["BASE-STALE-DUPLICATE"] == "fail"


@pytest.mark.slow
@pytest.mark.usefixtures("sdk")
def test_the_text_editor_with_hashes_refuses_every_stale_patch(tmp_path: Path) -> None:
    if shutil.which("mcp-text-editor") is None:
        pytest.skip("needs pip install mcp-text-editor")
    _, output, verdicts = check("mcp-text-editor", "mcp-text-editor", tmp_path)
    stale = {verdict for name, verdict in verdicts.items() if name.startswith("BASE-STALE")}
    assert "fail" not in stale, output
