"""A small correct engine of base, protected and budget: the plain ground the budget faults stand on.

It is single-threaded and laid out in small steps, one decision each, so that a fault overrides one
step and stays right in everything else.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from basebound.model import EMISSION_KINDS, Config, Cost, Hunk, Patch, Reason, Receipt, Rejected, Snapshot


@dataclass(frozen=True, eq=False)
class Line:
    """One line of the buffer. Two lines of equal text are two lines: equality is identity."""

    text: str


class Emission(NamedTuple):
    """What the policy emitted: its kind, its lines in the buffer and their size in tokens."""

    kind: str
    lines: tuple[Line, ...]
    tokens: int


class Measured(NamedTuple):
    """The measured amounts of one patch, in tokens."""

    freed: int
    rewrite: int
    measurement: int

    @property
    def net(self) -> int:
        return self.freed - self.rewrite - self.measurement


class Plan(NamedTuple):
    """A patch under judgement: its hunks in splice order and the lines they remove."""

    patch: Patch
    hunks: tuple[Hunk, ...]
    removed: tuple[Line, ...]


class BudgetedPlain:
    """Profiles base, protected and budget, with a full cost in every receipt."""

    profiles = frozenset({"base", "protected", "budget"})

    def __init__(self, config: Config) -> None:
        self.markers = config.protected
        self.meter = config.count_tokens
        self.lines = [Line(text) for text in config.lines]
        self.revision = 0
        self.unpaid: list[Emission] = []
        self.artifacts: set[Line] = set()

    # ------------------------------------------------------------------------- reading and writing

    def snapshot(self) -> Snapshot:
        return Snapshot(tuple(texts_of(self.lines)), self.base(), self.revision)

    def base(self) -> str:
        return base_of(texts_of(self.lines))

    def append(self, lines: Sequence[str]) -> None:
        self.write(len(self.lines), [Line(text) for text in lines])

    def insert(self, at: int, lines: Sequence[str]) -> None:
        if not 0 <= at <= len(self.lines):
            raise ValueError(f"inserting at {at} in a buffer of {len(self.lines)} lines: choose 0 to {len(self.lines)}")
        self.write(at, [Line(text) for text in lines])

    def emit(self, kind: str, lines: Sequence[str]) -> None:
        if kind not in EMISSION_KINDS:
            raise ValueError(f"emitting kind {kind!r}: choose one of {', '.join(EMISSION_KINDS)}")
        emission = self.measured(kind, lines)
        self.write(len(self.lines), emission.lines)
        self.charge(emission)
        self.lock(emission)

    def end_turn(self) -> None:
        self.unpaid.clear()
        self.artifacts.clear()

    def apply(self, patch: Patch) -> Receipt:
        try:
            plan = self.checked(patch)
            measured = self.measure(plan)
            self.check_net(plan, measured)
        except Rejected as refusal:
            self.after_refusal(refusal)
            raise
        self.commit(plan)
        self.after_commit(plan)
        return Receipt(self.base(), self.revision, self.receipt_cost(plan, measured))

    # --------------------------------------------------------------------------------- one step each

    def measured(self, kind: str, lines: Sequence[str]) -> Emission:
        return Emission(kind, tuple(Line(text) for text in lines), self.size(lines))

    def write(self, at: int, lines: Sequence[Line]) -> None:
        self.lines[at:at] = lines
        self.revision += bool(lines)

    def charge(self, emission: Emission) -> None:
        self.unpaid.append(emission)

    def lock(self, emission: Emission) -> None:
        self.artifacts.update(emission.lines)

    def checked(self, patch: Patch) -> Plan:
        self.check_base(patch.base)
        hunks = self.in_order(patch.hunks)
        removed = tuple(line for hunk in hunks for line in self.lines[hunk.start : hunk.end])
        plan = Plan(patch, hunks, removed)
        self.check_protected(plan)
        self.check_artifacts(plan)
        self.check_claim(patch.claim)
        return plan

    def check_base(self, authored: Snapshot) -> None:
        if authored.base != self.base():
            raise Rejected(
                Reason.STALE_BASE,
                f"authored against base {authored.base[:12]} at revision {authored.revision}, live is "
                f"{self.base()[:12]} at revision {self.revision}; read the buffer again and re-author",
            )

    def in_order(self, hunks: Iterable[Hunk]) -> tuple[Hunk, ...]:
        ordered = tuple(sorted(hunks, key=lambda hunk: (hunk.start, hunk.end)))
        done = 0
        for hunk in ordered:
            if not done <= hunk.start <= hunk.end <= len(self.lines):
                raise Rejected(
                    Reason.BAD_HUNK,
                    f"[{hunk.start}, {hunk.end}) in {len(self.lines)} lines, with lines before {done} taken; "
                    "give ranges inside the base that do not overlap",
                )
            done = hunk.end
        return ordered

    def check_protected(self, plan: Plan) -> None:
        for line in plan.removed:
            if any(marker in line.text for marker in self.markers):
                raise Rejected(Reason.PROTECTED, f"{line.text!r} holds a protected marker; leave it out of every range")

    def check_artifacts(self, plan: Plan) -> None:
        if any(line in self.artifacts for line in plan.removed):
            raise self.self_reference()

    def self_reference(self) -> Rejected:
        return Rejected(Reason.SELF_REFERENCE, "the patch edits what was emitted this turn; wait until the turn ends")

    def check_claim(self, claim: Cost | None) -> None:
        if claim is not None and any(part is None or part < 0 for part in parts(claim)):
            raise Rejected(Reason.UNPROVEN, f"{claim} has an amount that is missing or negative; measure and state it")

    def size(self, texts: Iterable[str]) -> int:
        return sum(self.meter(text) for text in texts)

    def freed(self, plan: Plan) -> int:
        return self.size(texts_of(plan.removed))

    def inserted(self, plan: Plan) -> int:
        return self.size(text for hunk in plan.hunks for text in hunk.insert)

    def emitted(self, *kinds: str) -> int:
        return sum(emission.tokens for emission in self.unpaid if emission.kind in kinds)

    def measure(self, plan: Plan) -> Measured:
        rewrite = self.inserted(plan) + self.emitted("rationale", "tool-call", "error")
        return Measured(self.freed(plan), rewrite, self.emitted("measurement"))

    def check_net(self, plan: Plan, measured: Measured) -> None:
        if measured.net <= 0:
            raise self.not_freed(measured)

    def not_freed(self, measured: Measured) -> Rejected:
        return Rejected(Reason.NOT_FREED, f"net {measured.net} of {measured}; free more than the rewrite costs")

    def commit(self, plan: Plan) -> None:
        lines: list[Line] = []
        done = 0
        for hunk in plan.hunks:
            lines += self.lines[done : hunk.start]
            lines += [Line(text) for text in hunk.insert]
            done = hunk.end
        self.lines = lines + self.lines[done:]
        self.revision += 1

    def after_commit(self, plan: Plan) -> None:
        self.unpaid.clear()

    def after_refusal(self, refusal: Rejected) -> None:
        """A refusal changes nothing: what is unpaid and what is locked stays."""

    def receipt_cost(self, plan: Plan, measured: Measured) -> Cost | None:
        return Cost(*measured)


class Unreported(BudgetedPlain):
    """Gives no cost in its receipts, so that a fault of the gate shows in the gate alone."""

    def receipt_cost(self, plan: Plan, measured: Measured) -> Cost | None:
        return None


def texts_of(lines: Iterable[Line]) -> list[str]:
    return [line.text for line in lines]


def parts(claim: Cost) -> tuple[int | None, int | None, int | None]:
    """The amounts of a claim in order: freed, rewrite, measurement."""
    return claim.freed, claim.rewrite, claim.measurement


def base_of(texts: Iterable[str]) -> str:
    """SHA-256 of the lines, each preceded by its length, so that no two contents encode alike."""
    digest = hashlib.sha256()
    for text in texts:
        encoded = text.encode("utf-8")
        digest.update(len(encoded).to_bytes(8, "big") + encoded)
    return digest.hexdigest()
