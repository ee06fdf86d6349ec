"""Engines of other people, each turned into a target by a small adapter.

An adapter keeps the live buffer in the medium of its engine, hands a patch over in the form a model would
send to that engine, and leaves the decision to it. It adds no check of the base and takes none away, so that
the verdict is about the engine. This module imports none of the packages; :func:`load` does.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module

from basebound.errors import TargetError, UsageError
from basebound.model import Config, Engine

_BASE = frozenset({"base"})


@dataclass(frozen=True)
class Adapter:
    """One bundled adapter, found as ``adapter:NAME``.

    ``extra``: the extra of the distribution that installs its package, ``None`` where none is needed.
    ``profiles``: what it claims. ``summary``: how it puts a patch to its engine. ``target``: its factory as an
    import string. ``program``: the executable it needs; the Debian package has the same name.
    """

    name: str
    extra: str | None
    profiles: frozenset[str]
    summary: str
    target: str
    program: str | None = None


def _engine(name: str, extra: str | None, summary: str, target: str, program: str | None = None) -> Adapter:
    return Adapter(name, extra, _BASE, summary, f"basebound.targets.adapters.{target}", program)


ADAPTERS: tuple[Adapter, ...] = (
    _engine("gnu-patch", None, "a unified diff to GNU patch, fuzz 2", "gnu_patch:GnuPatch", program="patch"),
    _engine("git-apply", None, "a git diff, index line included, to git apply", "git_apply:GitApply", program="git"),
    _engine(
        "diff-match-patch",
        "diff-match-patch",
        "patch_make and patch_apply with their default thresholds",
        "dmp:DiffMatchPatch",
    ),
    _engine("patch-ng", "patch-ng", "a unified diff to PatchSet.apply(fuzz=True)", "patchng:PatchNg"),
    _engine("jsonpatch-index", "jsonpatch", "JSON Patch: removals and additions by index", "json_patch:JsonPatchIndex"),
    _engine(
        "jsonpatch-lines",
        "jsonpatch",
        "JSON Patch: the same after a test of each removed and each neighbouring line",
        "json_patch:JsonPatchLines",
    ),
    _engine(
        "jsonpatch-document",
        "jsonpatch",
        "JSON Patch: the same after a test of the whole document",
        "json_patch:JsonPatchDocument",
    ),
    _engine("openai-agents", "openai-agents", "a V4A diff to agents.apply_diff", "openai_v4a:OpenAiApplyDiff"),
    _engine(
        "anthropic-memory-str-replace",
        "anthropic",
        "str_replace of the memory tool, the old text unique for its author",
        "anthropic_memory:MemoryStrReplace",
    ),
    _engine(
        "anthropic-memory-insert",
        "anthropic",
        "insert of the memory tool by line number, str_replace where lines go",
        "anthropic_memory:MemoryInsert",
    ),
    _engine(
        "langgraph-remove",
        "langgraph",
        "RemoveMessage and messages to add_messages, by message id",
        "langgraph_messages:LangGraphRemove",
    ),
    _engine(
        "git-update-ref",
        None,
        "a new blob, and git update-ref from the authored blob to it",
        "git_update_ref:GitUpdateRef",
        program="git",
    ),
    _engine("hash-edit", "hash-edit", "anchored edits to HashEditHarness.edit(expected_version=)", "hashedit:HashEdit"),
    _engine("obstore", "obstore", "obstore.put with the authored e_tag as its mode", "obstore_put:ObstorePut"),
)
"""All bundled adapters."""


def find(name: str) -> Adapter:
    """The adapter called ``name``; an unknown one is a :class:`UsageError` that names close matches."""
    for adapter in ADAPTERS:
        if adapter.name == name:
            return adapter
    names = [adapter.name for adapter in ADAPTERS]
    close = _near(name, names)
    fix = f"did you mean {' or '.join(close)}?" if close else f"name one of {', '.join(names)}"
    raise UsageError("unknown-adapter", f"there is no adapter {name!r}", fix)


def _near(name: str, names: list[str]) -> list[str]:
    """The names close to ``name`` as a whole; where there are none, those with a word close to it."""
    close = get_close_matches(name, names, n=3, cutoff=0.5)
    words = get_close_matches(name, {word for known in names for word in known.split("-")}, n=3, cutoff=0.6)
    return close or [known for known in names if set(words) & set(known.split("-"))]


def load(adapter: Adapter) -> Callable[[Config], Engine]:
    """The adapter's factory.

    Raises :class:`TargetError` where its package or program is not installed; the
    fix says how to install it.
    """
    if adapter.program is not None and shutil.which(adapter.program) is None:
        raise TargetError(
            "missing-program",
            f"the adapter {adapter.name} runs the program {adapter.program!r}, which is not on the PATH",
            f"apt-get install {adapter.program}",
        )
    module, _, name = adapter.target.partition(":")
    try:
        factory: Callable[[Config], Engine] = getattr(import_module(module), name)
    except ImportError as missing:
        # An adapter imports its package at its top, so anything else that fails to import is our own fault.
        if adapter.extra is None or (missing.name or "").partition(".")[0] == "basebound":
            raise
        raise TargetError(
            "missing-package",
            f"the adapter {adapter.name} needs a package that is not installed, or too old ({missing})",
            f"pip install 'basebound[{adapter.extra}]'",
        ) from missing
    return factory
