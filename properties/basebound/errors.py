"""What can go wrong on the user's side, each with what was done, why it is not allowed, how to fix it."""

from __future__ import annotations

from typing import Literal, TypeAlias

# fmt: off
Code: TypeAlias = Literal[
    # options and files of the command line
    "cannot-write", "file-exists", "missing-package", "no-such-folder", "option-missing", "profile-not-claimed",
    "unknown-effort", "unknown-lens", "unknown-meter", "unknown-profile", "unknown-requirement",
    # the name of a target
    "empty-target", "not-an-import-name", "several-targets", "target-two-colons", "target-without-colon",
    "target-without-name", "target-without-place", "unknown-adapter", "unknown-engine", "unknown-kind",
    "unknown-target",
    # where the name leads
    "import-failed", "missing-program", "no-such-attribute", "no-such-file", "no-such-module", "not-a-python-file",
    "not-callable", "takes-no-config",
    # what is built there, and what it says of itself
    "build-failed", "gives-a-class", "gives-nothing", "load-unfinished", "missing-method", "no-profile",
    "unreadable-attribute", "wrong-max-hunks", "wrong-profiles", "wrong-signature",
    # pure functions
    "async-function", "not-a-function",
    # engines in another process
    "command-missing", "command-unreadable", "initialize-refused", "map-unreadable", "map-wrong-type",
    "no-mcp-server", "no-such-tool", "unknown-map", "wire-fault",
    # traces, recorded histories and schedules
    "not-a-schedule", "recorder-no-start", "schedule-outdated", "trace-empty", "trace-missing-answer",
    "trace-mixed-times", "trace-needless-answer", "trace-needs-gate", "trace-no-header", "trace-not-a-call",
    "trace-not-json", "trace-unanswered-snapshot", "trace-unknown-snapshot", "trace-unknown-step",
    "trace-unknown-value", "trace-unreadable", "trace-wrong-times", "trace-wrong-type",
    # reports and waivers
    "not-a-report", "report-no-source", "report-unreadable", "report-wrong-type", "waiver-missing-field",
    "waiver-twice", "waiver-unknown-field", "waiver-wrong-type", "waivers-not-toml", "waivers-unknown-content",
    "waivers-unreadable",
]
# fmt: on
"""The kind of mistake, in a word that stays the same where the wording changes."""


class UsageError(Exception):
    """Something the user gave cannot be used; the command line exits 2.

    ``code`` names the kind of mistake, ``what`` tells it, ``fix`` says what to change.
    """

    def __init__(self, code: Code, what: str, fix: str = "") -> None:
        self.code, self.what, self.fix = code, what, fix
        said = f"{what} [{code}]"
        super().__init__(f"{said}\n  {fix}" if fix else said)


class TargetError(UsageError):
    """The target cannot be loaded or built."""


class WrongType(Exception):
    """The target returned something that is not of its declared type; the history it is in is judged for it."""


class TraceError(UsageError):
    """A trace does not read as ``trace/1``; the message names its line."""


class SuiteError(Exception):
    """The suite itself failed in a worker, so that nothing is said of the target; the command line exits 4."""
