"""What can go wrong on the user's side, each with what was done, why it is not allowed, how to fix it."""

from __future__ import annotations


class UsageError(Exception):
    """Something the user gave cannot be used; the command line exits 2.

    ``fix`` says what to change.
    """

    def __init__(self, what: str, fix: str = "") -> None:
        self.what, self.fix = what, fix
        super().__init__(f"{what}\n  {fix}" if fix else what)


class TargetError(UsageError):
    """The target cannot be loaded or built. ``stage`` names how far it came."""

    def __init__(self, stage: str, what: str, fix: str = "") -> None:
        self.stage = stage
        super().__init__(what, fix)


class WrongType(Exception):
    """The target returned something that is not of its declared type; the history it is in is judged for it."""


class TraceError(UsageError):
    """A trace does not read as ``trace/1``; the message names its line."""


class SuiteError(Exception):
    """The suite itself failed in a worker, so that nothing is said of the target; the command line exits 4."""
