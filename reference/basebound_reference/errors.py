"""The ways to refuse a rewrite, one class per rule. Whichever is raised, nothing has changed.

Each carries a ``reason``, a stable word for programs; the values that broke the rule; and a message
for the author: what was done, why it is not allowed, how to fix it. The message is worded when it is
read, so that raising looks into no value and a symbolic checker can follow it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar


class RewriteRefused(Exception):
    """A rewrite was refused and the buffer is as it was. ``reason`` says by which rule."""

    reason: ClassVar[str]

    @property
    def message(self) -> str:
        return str(self)


@dataclass(eq=False)
class StaleRewriteBaseError(RewriteRefused):
    """The live content is not the content the patch was authored against."""

    reason = "stale-base"
    authored_base: str
    authored_revision: int | None
    live_base: str
    live_revision: int

    def __str__(self) -> str:
        authored, live = f"base {self.authored_base[:8]}", f"base {self.live_base[:8]}"
        if self.authored_revision is not None:
            authored += f" (revision {self.authored_revision})"
            live += f" (revision {self.live_revision})"
        return (
            f"the patch was authored against {authored}, but live is {live}, where its line numbers may name other "
            "lines. Nothing was changed; read the buffer again and re-author the patch on what it says now"
        )


@dataclass(eq=False)
class BadHunkError(RewriteRefused):
    """A hunk is out of range, negative or reversed, or reaches into another hunk."""

    reason = "bad-hunk"
    start: int
    end: int
    problem: str

    def __str__(self) -> str:
        return f"the hunk [{self.start}, {self.end}) {self.problem}"


@dataclass(eq=False)
class ProtectedLineError(RewriteRefused):
    """A line that contains a protected marker would be removed."""

    reason = "protected"
    line: int

    def __str__(self) -> str:
        return (
            f"the patch removes line {self.line}, which is protected; it may not be removed, even to be put back "
            "or moved. Leave it out of every hunk's range"
        )


class SelfReferenceError(RewriteRefused):
    """A line that the policy itself emitted in this turn would be removed."""

    reason = "self-reference"

    def __str__(self) -> str:
        return (
            "the rewrite removes lines that its own policy emitted in this turn, and so would count what it has just "
            "written as freed. Leave them out, or wait until the turn has ended"
        )


@dataclass(eq=False)
class UnprovenCostError(RewriteRefused):
    """An amount is not attributed, or is negative, so nothing can be proven from it."""

    reason = "unproven"
    amount: str
    tokens: int | None

    def __str__(self) -> str:
        return (
            f"{self.amount} is {'not attributed' if self.tokens is None else self.tokens}, and unknown is not zero: "
            "attribute every amount, each of them >= 0"
        )


@dataclass(eq=False)
class RewriteBudgetViolation(RewriteRefused):
    """The rewrite would not free more than it costs."""

    reason = "not-freed"
    freed: int
    spent: int

    def __str__(self) -> str:
        return (
            f"the rewrite frees {self.freed} tokens and costs {self.spent}, this turn's unpaid emissions included: "
            f"its net is {self.freed - self.spent} and must be above zero. Free more or insert less"
        )


class CorruptSpliceError(Exception):
    """The spliced lines are not the parts they were made of: the engine is wrong, not its author.

    It is raised before anything is published, so the buffer is as it was.
    """
