"""The registry works without any of the packages, and says how to install what is missing."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from basebound.errors import TargetError, UsageError
from basebound.model import Config, Engine
from basebound.targets.adapters import ADAPTERS, Adapter, find, load

NAMES = [adapter.name for adapter in ADAPTERS]
EXTRAS = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text())["project"]["optional-dependencies"]


def test_names_are_unique() -> None:
    assert len(set(NAMES)) == len(NAMES) > 0


@pytest.mark.parametrize("adapter", ADAPTERS, ids=NAMES)
def test_an_adapter_is_found_by_its_name(adapter: Adapter) -> None:
    assert find(adapter.name) is adapter


def test_an_unknown_name_is_a_usage_error_with_close_matches() -> None:
    with pytest.raises(UsageError) as refused:
        find("jsonpatch-documents")
    assert refused.value.code == "unknown-adapter"
    assert "did you mean jsonpatch-document" in refused.value.fix


def test_an_unknown_name_that_is_like_none_lists_them_all() -> None:
    with pytest.raises(UsageError) as refused:
        find("zzzz")
    assert all(name in refused.value.fix for name in NAMES)


def test_every_extra_is_in_the_distribution_and_adapters_has_them_all() -> None:
    extras = {adapter.extra for adapter in ADAPTERS if adapter.extra is not None}
    (everything,) = EXTRAS["adapters"]
    assert extras <= set(EXTRAS)
    assert set(everything.removeprefix("basebound[").removesuffix("]").split(",")) == extras


def test_the_registry_imports_without_a_package() -> None:
    blocked = ["agents", "anthropic", "diff_match_patch", "hash_edit", "jsonpatch", "langgraph", "obstore", "patch_ng"]
    program = (
        f"import sys; sys.modules.update(dict.fromkeys({blocked})); "
        "import basebound.targets.adapters as a; a.find('obstore')"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.parametrize("adapter", [a for a in ADAPTERS if a.extra], ids=lambda adapter: adapter.name)
def test_a_missing_package_names_the_extra_to_install(adapter: Adapter, monkeypatch: pytest.MonkeyPatch) -> None:
    packages = {
        "anthropic": "anthropic.lib.tools",
        "diff-match-patch": "diff_match_patch",
        "hash-edit": "hash_edit",
        "langgraph": "langchain_core.messages",
        "openai-agents": "agents",
        "patch-ng": "patch_ng",
    }
    extra = str(adapter.extra)
    monkeypatch.setitem(sys.modules, packages.get(extra, extra), None)
    monkeypatch.delitem(sys.modules, adapter.target.partition(":")[0], raising=False)
    with pytest.raises(TargetError) as refused:
        load(adapter)
    assert refused.value.code == "missing-package"
    assert refused.value.fix == f"pip install 'basebound[{extra}]'"


@pytest.mark.parametrize("adapter", [a for a in ADAPTERS if a.program], ids=lambda adapter: adapter.name)
def test_a_missing_program_names_the_debian_package(adapter: Adapter, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(TargetError) as refused:
        load(adapter)
    assert refused.value.code == "missing-program"
    assert refused.value.fix == f"apt-get install {adapter.program}"


def test_a_module_of_our_own_that_is_missing_is_not_blamed_on_a_package() -> None:
    with pytest.raises(ModuleNotFoundError):
        load(replace(find("obstore"), target="basebound.targets.adapters.no_such_module:Engine"))


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not on the PATH")
def test_an_adapter_that_needs_no_package_loads() -> None:
    assert callable(load(find("git-apply")))


@pytest.mark.parametrize("name", NAMES)
def test_an_engine_claims_what_the_registry_says(name: str, start: Callable[..., Engine]) -> None:
    engine: Any = start(name, ())
    assert engine.profiles == find(name).profiles


@pytest.mark.parametrize("name", NAMES)
def test_engines_do_not_share_a_buffer(name: str, start: Callable[..., Engine]) -> None:
    one, other = start(name, ("a",)), start(name, ("b",))
    one.append(("c",))
    assert (one.snapshot().lines, other.snapshot().lines) == (("a", "c"), ("b",))


@pytest.mark.parametrize("name", NAMES)
def test_an_engine_leaves_no_file_behind(
    name: str, factory_of: Callable[[str], Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    engine = factory_of(name)(Config(lines=("a",)))
    engine.append(("b",))
    getattr(engine, "close", lambda: None)()
    assert list(tmp_path.iterdir()) == []
