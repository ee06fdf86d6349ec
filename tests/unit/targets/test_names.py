"""A name that leads to no engine is answered with what was probably meant."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from basebound.errors import UsageError
from basebound.targets.loading import load
from basebound.targets.naming import factories

ENGINES = """
import functools
import json
from collections import OrderedDict
from basebound import Engine, Receipt, Rejected, Snapshot

LIMIT = 3


class Good:
    def __init__(self, config):
        self.lines = config.lines

    def snapshot(self):
        return Snapshot(self.lines, json.dumps(self.lines), 0)

    def append(self, lines):
        self.lines = (*self.lines, *lines)

    def apply(self, patch):
        raise Rejected("stale-base")


class Told(Good):
    profiles = frozenset({"base"})


class ProfilesIsAMethod(Good):
    def profiles(self):
        return {"base"}


class ProfilesIsAString(Good):
    profiles = "base"


class ProfilesRaises(Good):
    @property
    def profiles(self):
        raise ValueError("no such table")


class SnapshotIsAValue(Good):
    snapshot = None

    def __init__(self, config):
        self.snapshot = Snapshot(config.lines, "", 0)


class LimitIsAMethod(Good):
    def max_hunks(self):
        return 1


class Ledger:
    pass


def make(config):
    return Good(config)


async def made_on_a_loop(config):
    return Good(config)


def gives_the_class(config):
    return Good


def forgets_to_return(config):
    Good(config)


def misspells(config):
    return Godd(config)


def imports_what_is_not_there(config):
    import no_such_package_of_mine


def asks_for_too_much(config):
    return Good(config.budget)


def takes_the_first_line(config):
    return Good(config.lines[0])


def count(text):
    return len(text)


def rewrite(live_lines, authored_base, hunks, protected):
    return live_lines


def admit(freed, charges, edited_ids, artifact_ids):
    pass


def digest(lines):
    return ",".join(lines)


def framed(live_lines):
    return repr(live_lines)


def four(a, b, c, d):
    pass


with_more = functools.partial(lambda mode, config: Good(config), "fast")
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, with files of engines; what is imported from there is forgotten afterwards."""
    (tmp_path / "named_engines.py").write_text(ENGINES)
    (tmp_path / "named_helpers.py").write_text("def count(text):\n    return len(text)\n")
    (tmp_path / "named_nothing.py").write_text("x = 1\n")
    (tmp_path / "named_package").mkdir()
    (tmp_path / "named_package" / "__init__.py").write_text("from named_engines import Told\n")
    (tmp_path / "NOTES.md").write_text("# notes\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", ["", *sys.path])
    monkeypatch.setattr(sys, "modules", dict(sys.modules))
    return tmp_path


@pytest.mark.parametrize(
    ("name", "what", "fix"),
    [
        ("named_engines.py::Good", "two colons", "did you mean named_engines.py:Good?"),
        ("a/b.py::Suite::case", "two colons", "did you mean a/b.py:Suite.case?"),
        ("::", "two colons", "path/to/file.py:name"),
        (".:Good", ". is a folder", "it holds named_engines.py"),
        ("named_package/:Told", "is a folder", "it holds __init__.py"),
        (".missing:Good", "there is no file .missing", "looked for from"),
        ("NOTES.md:Good", "NOTES.md is not a Python file", "ends in .py"),
        ("NOTES.md", "NOTES.md is not a Python file", "ends in .py"),
        ("named_engines.py", "is a file, and a target is something in it", "did you mean named_engines.py:Good or"),
        ("./named_engines.py:", "is a file", "did you mean ./named_engines.py:Good or"),
        ("named_engines", "is a module", "did you mean named_engines:Good or"),
        ("named_package", "is a module", "did you mean named_package:Told?"),
        ("named_helpers.py", "is a file", "did you mean named_helpers.py:count?"),
        ("named_nothing.py", "is a file", "nothing in it looks like a class or function that takes a Config"),
        ("named_engines.Good", "no colon between the module and what is in it", "did you mean named_engines:Good?"),
        (":Good", "says what, and not where it is", "path/to/file.py:name"),
        ("named_engine.py:Good", "there is no file named_engine.py", "did you mean named_engines.py"),
        ("named_engines.py:Goood", "has no 'Goood'", "did you mean named_engines.py:Good?"),
        ("named_engines.py:xyz", "has no 'xyz'", "looks like an engine's factory: Good, Told"),
        ("refrence", "does not name a target", "did you mean reference?"),
        ("git-aply", "does not name a target", "did you mean adapter:git-apply?"),
        ("adapter:gti", "there is no adapter 'gti'", "did you mean git-apply or git-update-ref?"),
        ("adapter:gnupatch", "there is no adapter 'gnupatch'", "gnu-patch"),
        ("adaptr:git-apply", "there is no module 'adaptr'", "did you mean adapter:git-apply?"),
        ("fault:no-gard", "there is no fault engine 'no-gard'", "fault:no-guard"),
        ("fault:zzzzzz", "there is no fault engine 'zzzzzz'", "more."),
        ("named_engines.py:LIMIT", "is an int, and cannot be called", "a class or function that takes a Config"),
        ("named_engines.py:gives_the_class", "gives the class Good, and not an engine", "return Good(config)"),
        ("named_engines.py:forgets_to_return", "gives None, and not an engine", "`return`"),
        ("named_engines.py:misspells", "NameError: name 'Godd' is not defined (at", "the code of the factory is wrong"),
        ("named_engines.py:imports_what_is_not_there", "no_such_package_of_mine", "install what it imports"),
        ("named_engines.py:asks_for_too_much", "has no attribute 'budget'", "lines, protected and count_tokens"),
        ("named_engines.py:takes_the_first_line", "IndexError", "takes_the_first_line(Config()): no lines"),
        ("named_engines.py:Ledger", "cannot be called with a Config alone", "wrap it"),
        ("named_engines.py:four", "cannot be called with a Config alone", "wrap it"),
        ("named_engines.py:rewrite", "cannot be called with a Config alone", "make it apply_function(apply, digest)"),
        ("named_engines.py:rewrite", "cannot be called", "from basebound import apply_function"),
        ("named_engines.py:admit", "cannot be called with a Config alone", "make it gate_function(gate)"),
        ("named_engines.py:digest", "TypeError", "a pure digest: from basebound import apply_function"),
        ("named_engines.py:framed", "gives a str", "a pure digest: from basebound import apply_function"),
        ("named_engines.py:ProfilesIsAString", "is 'base'", "a container of names"),
        ("named_engines.py:ProfilesIsAMethod", "is a method, and it is read and not called", "frozenset"),
        ("named_engines.py:ProfilesRaises", "cannot be read: ValueError: no such table (at", "fix it there"),
        ("named_engines.py:SnapshotIsAValue", "whose snapshot is Snapshot(", "snapshot, append, apply"),
        ("named_engines.py:LimitIsAMethod", "max_hunks of named_engines.py:LimitIsAMethod is a method", "an attribute"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_a_name_that_leads_nowhere_says_what_is_wrong_and_what_was_meant(name: str, what: str, fix: str) -> None:
    with pytest.raises(UsageError) as refused:
        load(name)
    assert what in refused.value.what
    assert fix in refused.value.fix
    assert " at 0x" not in str(refused.value)


@pytest.mark.parametrize("name", ["Good", "make", "made_on_a_loop", "with_more", "Told"])
@pytest.mark.usefixtures("folder")
def test_a_target_says_whether_it_claims_or_is_assumed_to(name: str) -> None:
    assert load(f"named_engines.py:{name}").stated == (name == "Told")


@pytest.mark.usefixtures("folder")
def test_engines_and_functions_of_a_config_look_like_factories_and_what_they_are_made_of_does_not() -> None:
    load("named_engines.py:Good")
    module = sys.modules["named_engines"]
    for name in list(vars(module)):
        if name.startswith(("Profiles", "Limit", "Snapshot", "gives", "forgets", "misspells", "imports", "asks")):
            delattr(module, name)
    assert factories(module) == ["Good", "Told", "make", "made_on_a_loop", "takes_the_first_line"]


def test_a_file_leaves_no_bytecode_beside_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    load("named_engines.py:Good")
    assert not (folder / "__pycache__").exists()
    assert not sys.dont_write_bytecode
