"""A name that leads to no engine is answered with what was probably meant."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

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


# The name, what is wrong with it, and what the fix names.
LEADS_NOWHERE = [
    ("named_engines.py::Good", "target-two-colons", "named_engines.py:Good?"),
    ("a/b.py::Suite::case", "target-two-colons", "a/b.py:Suite.case?"),
    ("::", "target-two-colons", "path/to/file.py:name"),
    (".:Good", "not-a-python-file", "named_engines.py"),
    ("named_package/:Told", "not-a-python-file", "__init__.py"),
    (".missing:Good", "no-such-file", "'.missing:Good'"),
    ("NOTES.md:Good", "not-a-python-file", ".py"),
    ("NOTES.md", "not-a-python-file", ".py"),
    ("named_engines.py", "target-without-name", "named_engines.py:Good or"),
    ("./named_engines.py:", "target-without-name", "./named_engines.py:Good or"),
    ("named_engines", "target-without-name", "named_engines:Good or"),
    ("named_package", "target-without-name", "named_package:Told?"),
    ("named_helpers.py", "target-without-name", "named_helpers.py:count?"),
    ("named_nothing.py", "target-without-name", "named_nothing.py:NAME"),
    ("named_engines.Good", "target-without-colon", "named_engines:Good?"),
    (":Good", "target-without-place", "path/to/file.py:name"),
    ("named_engine.py:Good", "no-such-file", "named_engines.py"),
    ("named_engines.py:Goood", "no-such-attribute", "named_engines.py:Good?"),
    ("named_engines.py:xyz", "no-such-attribute", "Good, Told"),
    ("refrence", "unknown-target", "reference?"),
    ("git-aply", "unknown-target", "adapter:git-apply?"),
    ("adapter:gti", "unknown-adapter", "git-apply or git-update-ref?"),
    ("adapter:gnupatch", "unknown-adapter", "gnu-patch"),
    ("adaptr:git-apply", "no-such-module", "adapter:git-apply?"),
    ("fault:no-gard", "unknown-engine", "fault:no-guard"),
    ("fault:zzzzzz", "unknown-engine", "more."),
    ("named_engines.py:LIMIT", "not-callable", "Config"),
    ("named_engines.py:gives_the_class", "gives-a-class", "Good(config)"),
    ("named_engines.py:forgets_to_return", "gives-nothing", "`return`"),
    ("named_engines.py:misspells", "build-failed", "factory"),
    ("named_engines.py:imports_what_is_not_there", "build-failed", "install"),
    ("named_engines.py:asks_for_too_much", "build-failed", "lines, protected and count_tokens"),
    ("named_engines.py:takes_the_first_line", "build-failed", "takes_the_first_line(Config())"),
    ("named_engines.py:Ledger", "takes-no-config", "functools.partial"),
    ("named_engines.py:four", "takes-no-config", "functools.partial"),
    ("named_engines.py:rewrite", "takes-no-config", "from basebound import apply_function"),
    ("named_engines.py:rewrite", "takes-no-config", "apply_function(apply, digest)"),
    ("named_engines.py:admit", "takes-no-config", "gate_function(gate)"),
    ("named_engines.py:digest", "build-failed", "apply_function(apply, digest)"),
    ("named_engines.py:framed", "missing-method", "apply_function(apply, digest)"),
    ("named_engines.py:ProfilesIsAString", "wrong-profiles", '{"base", "protected"}'),
    ("named_engines.py:ProfilesIsAMethod", "wrong-profiles", "frozenset"),
    ("named_engines.py:ProfilesRaises", "unreadable-attribute", ""),
    ("named_engines.py:SnapshotIsAValue", "missing-method", "snapshot, append, apply"),
    ("named_engines.py:LimitIsAMethod", "wrong-max-hunks", "None"),
]


def refused(name: str) -> UsageError:
    with pytest.raises(UsageError) as caught:
        load(name)
    return caught.value


@pytest.mark.parametrize(("name", "code", "meant"), LEADS_NOWHERE)
@pytest.mark.usefixtures("folder")
def test_a_name_that_leads_nowhere_says_what_is_wrong_and_what_was_meant(name: str, code: str, meant: str) -> None:
    error = refused(name)
    assert error.code == code
    assert meant in error.fix
    assert " at 0x" not in str(error)


@pytest.mark.parametrize(
    ("name", "raised"),
    [
        ("misspells", "NameError: name 'Godd' is not defined (at"),
        ("imports_what_is_not_there", "no_such_package_of_mine"),
        ("asks_for_too_much", "has no attribute 'budget'"),
        ("takes_the_first_line", "IndexError"),
        ("ProfilesRaises", "ValueError: no such table (at"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_what_the_code_of_a_target_raises_is_told_with_its_place(name: str, raised: str) -> None:
    assert raised in refused(f"named_engines.py:{name}").what


def test_the_words_for_a_name_that_leads_nowhere(folder: Path, snapshot: SnapshotAssertion) -> None:
    told = [
        str(refused(name)).replace(str(folder), "FOLDER") for name in dict.fromkeys(row[0] for row in LEADS_NOWHERE)
    ]
    assert told == snapshot


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
