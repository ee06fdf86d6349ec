"""Faults of the gate: what is compared, measured, believed and reported when a patch is judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from basebound.model import Config, Cost, Hunk, Patch, Reason, Receipt, Rejected, utf8_bytes
from basebound_catalogue.budgeted import BudgetedPlain, Measured, Plan, Unreported, parts, texts_of
from basebound_catalogue.plain import Shelf

shelf = Shelf()


# ------------------------------------------------------------------------------------ the threshold
# A comparison is one character; a safety margin is one good intention; a size is one fixed-width field.


@shelf.fault("net-zero-accepted", "BUDGET-NET-ZERO", "incidents 87, 89", "A net of zero is accepted.")
class NetZeroAccepted(BudgetedPlain):
    def check_net(self, plan: Plan, measured: Measured) -> None:
        if measured.net < 0:
            raise self.not_freed(measured)


@shelf.fault("no-hunks-accepted", "BUDGET-NET-ZERO", "incidents 89, 91", "A patch without hunks is waved through.")
class NoHunksAccepted(BudgetedPlain):
    def check_net(self, plan: Plan, measured: Measured) -> None:
        if plan.hunks or measured.net < 0:
            super().check_net(plan, measured)


@shelf.fault("net-one-refused", "BUDGET-NET-ONE", "malice", "A net of one is refused.")
class NetOneRefused(BudgetedPlain):
    def check_net(self, plan: Plan, measured: Measured) -> None:
        if measured.net <= 1:
            raise self.not_freed(measured)


@shelf.fault("net-margin", "BUDGET-NET-ONE", "incident 134", "A net below 5% of what is freed is refused, to be safe.")
class NetMargin(BudgetedPlain):
    def check_net(self, plan: Plan, measured: Measured) -> None:
        if measured.net <= 0 or measured.net * 20 < measured.freed:
            raise self.not_freed(measured)


@shelf.fault(
    "net-unsigned", "BUDGET-NET-NEGATIVE", "incident 117", "The net is unsigned: a loss wraps to a large gain."
)
class NetUnsigned(BudgetedPlain):
    def check_net(self, plan: Plan, measured: Measured) -> None:
        if measured.net % 2**64 == 0:
            raise self.not_freed(measured)


@shelf.fault("freed-sixteen-bit", "BUDGET-NET-ONE", "incident 117", "What is freed is kept in 16 bits.")
class FreedSixteenBit(Unreported):
    def freed(self, plan: Plan) -> int:
        return super().freed(plan) & 0xFFFF


@shelf.fault("net-per-hunk", "BUDGET-NET-ONE", "malice", "Every hunk must pay for itself.")
class NetPerHunk(BudgetedPlain):
    def check_net(self, plan: Plan, measured: Measured) -> None:
        super().check_net(plan, measured)
        for hunk in plan.hunks:
            if self.size(line.text for line in self.lines[hunk.start : hunk.end]) < self.size(hunk.insert):
                raise self.not_freed(measured)


# ------------------------------------------------------------------------------ patches not judged
# Some patches look harmless, and some moments look safe: that is where a gate gets its side door.


class SideDoor(BudgetedPlain):
    """Does not judge the net of patches that are ``excused``."""

    def excused(self, plan: Plan) -> bool:
        raise NotImplementedError

    def check_net(self, plan: Plan, measured: Measured) -> None:
        if not self.excused(plan):
            super().check_net(plan, measured)


@shelf.fault(
    "deletions-not-judged", "BUDGET-NET-NEGATIVE", "malice", "A patch that only deletes is taken to free something."
)
class DeletionsNotJudged(SideDoor):
    def excused(self, plan: Plan) -> bool:
        return bool(plan.removed) and not any(hunk.insert for hunk in plan.hunks)


@shelf.fault(
    "one-line-not-judged", "BUDGET-NET-NEGATIVE", "incident 99", "Replacing one line by one is too small to judge."
)
class OneLineNotJudged(SideDoor):
    def excused(self, plan: Plan) -> bool:
        return len(plan.removed) == 1 and sum(len(hunk.insert) for hunk in plan.hunks) == 1


@shelf.fault(
    "large-not-judged", "BUDGET-NET-NEGATIVE", "incident 97", "A patch that removes four lines or more is not judged."
)
class LargeNotJudged(SideDoor):
    def excused(self, plan: Plan) -> bool:
        return len(plan.removed) >= 4


@shelf.fault(
    "ledger-empty-not-judged", "BUDGET-NET-NEGATIVE", "malice", "Without unpaid emissions the gate is skipped."
)
class LedgerEmptyNotJudged(SideDoor):
    def excused(self, plan: Plan) -> bool:
        return bool(plan.hunks) and not self.unpaid


@shelf.fault(
    "second-commit-not-judged", "BUDGET-NET-NEGATIVE", "incident 104", "After a turn's first commit none is judged."
)
class SecondCommitNotJudged(SideDoor):
    committed = False

    def excused(self, plan: Plan) -> bool:
        return self.committed

    def after_commit(self, plan: Plan) -> None:
        super().after_commit(plan)
        self.committed = True

    def end_turn(self) -> None:
        super().end_turn()
        self.committed = False


@shelf.fault(
    "third-try-not-judged", "BUDGET-NET-NEGATIVE", "incident 166", "After two refusals in a turn the third try passes."
)
class ThirdTryNotJudged(SideDoor):
    refusals = 0

    def excused(self, plan: Plan) -> bool:
        return self.refusals >= 2

    def after_refusal(self, refusal: Rejected) -> None:
        self.refusals += refusal.reason is Reason.NOT_FREED

    def end_turn(self) -> None:
        super().end_turn()
        self.refusals = 0


@shelf.fault("third-turn-not-judged", "BUDGET-NET-NEGATIVE", "malice", "From the third turn on nothing is judged.")
class ThirdTurnNotJudged(SideDoor):
    turns = 0

    def excused(self, plan: Plan) -> bool:
        return self.turns >= 2

    def end_turn(self) -> None:
        super().end_turn()
        self.turns += 1


@shelf.fault(
    "known-base-not-judged", "BUDGET-NET-NEGATIVE", "malice", "Content a commit was once accepted on passes again."
)
class KnownBaseNotJudged(SideDoor):
    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.approved: set[str] = set()

    def excused(self, plan: Plan) -> bool:
        return self.base() in self.approved

    def commit(self, plan: Plan) -> None:
        self.approved.add(self.base())
        super().commit(plan)


# ------------------------------------------------------------------- inserted lines not charged
# A summary replaces what it sums up, so it is easily seen as a saving and not as a cost.


@shelf.fault("insert-free", "BUDGET-CHARGE-INSERT", "incidents 97, 99, 101", "Inserted lines are not charged.")
class InsertFree(Unreported):
    def inserted(self, plan: Plan) -> int:
        return 0


@shelf.fault(
    "short-insert-free", "BUDGET-CHARGE-INSERT", "incident 174", "An inserted line of up to eight tokens is free."
)
class ShortInsertFree(Unreported):
    def inserted(self, plan: Plan) -> int:
        return sum(tokens for hunk in plan.hunks for tokens in map(self.meter, hunk.insert) if tokens > 8)


@shelf.fault("first-hunk-insert-only", "BUDGET-CHARGE-INSERT", "malice", "Only what the first hunk inserts is charged.")
class FirstHunkInsertOnly(Unreported):
    def inserted(self, plan: Plan) -> int:
        return super().inserted(plan._replace(hunks=plan.hunks[:1]))


@shelf.fault("pure-insert-free", "BUDGET-CHARGE-INSERT", "incident 124", "Only what replaces something is charged.")
class PureInsertFree(Unreported):
    def inserted(self, plan: Plan) -> int:
        return super().inserted(plan._replace(hunks=tuple(hunk for hunk in plan.hunks if hunk.start < hunk.end)))


@shelf.fault(
    "stripped-insert-charged",
    "BUDGET-CHARGE-INSERT",
    "malice",
    "Inserted lines are charged without the space around them.",
)
class InsertStripped(Unreported):
    def inserted(self, plan: Plan) -> int:
        return self.size(text.strip() for hunk in plan.hunks for text in hunk.insert)


@shelf.fault(
    "moved-lines-free", "BUDGET-REORDER", "incident 101", "An inserted line that was also removed is not charged."
)
class MovedLinesFree(Unreported):
    def inserted(self, plan: Plan) -> int:
        new = Counter(text for hunk in plan.hunks for text in hunk.insert) - Counter(texts_of(plan.removed))
        return self.size(new.elements())


# ----------------------------------------------------------------------------------- another meter
# Two estimators in one subtraction, or an estimator where the meter was at hand.


@shelf.fault("characters-counted", "BUDGET-MEASURED", "incident 118", "Characters are counted, whatever the meter.")
class CharactersCounted(Unreported):
    def size(self, texts: Iterable[str]) -> int:
        return sum(len(text) + 1 for text in texts)


@shelf.fault(
    "default-meter", "BUDGET-MEASURED", "incident 119", "UTF-8 bytes are counted, whatever the configured meter."
)
class DefaultMeter(Unreported):
    def size(self, texts: Iterable[str]) -> int:
        return sum(utf8_bytes(text) for text in texts)


@shelf.fault(
    "two-estimators", "BUDGET-MEASURED", "incident 116", "What is freed is estimated, what is charged is measured."
)
class TwoEstimators(Unreported):
    def freed(self, plan: Plan) -> int:
        return sum(len(text) + 1 for text in texts_of(plan.removed))


@shelf.fault(
    "meter-cached-by-length", "BUDGET-NET-ONE", "malice", "Sizes are kept by a line's length, not by its text."
)
class MeterCachedByLength(Unreported):
    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.known: dict[int, int] = {}

    def size(self, texts: Iterable[str]) -> int:
        return sum(self.known.setdefault(len(text), self.meter(text)) for text in texts)


@shelf.fault(
    "zero-counted-as-one", "BUDGET-NET-ZERO", "incident 120", "A removed line of no tokens counts as one freed."
)
class ZeroCountedAsOne(Unreported):
    def freed(self, plan: Plan) -> int:
        return sum(self.meter(text) or 1 for text in texts_of(plan.removed))


@shelf.fault("freed-lines", "BUDGET-NET-ONE", "incident 116", "What is freed is counted in lines.")
class FreedLines(Unreported):
    def freed(self, plan: Plan) -> int:
        return len(plan.removed)


@shelf.fault("freed-distinct", "BUDGET-NET-ONE", "malice", "Removed lines of equal text count once.")
class FreedDistinct(Unreported):
    def freed(self, plan: Plan) -> int:
        return self.size(set(texts_of(plan.removed)))


@shelf.fault("freed-one-beyond", "BUDGET-NET-NEGATIVE", "malice", "The line after a removed range counts as freed too.")
class FreedOneBeyond(Unreported):
    def freed(self, plan: Plan) -> int:
        beyond = [self.lines[hunk.end] for hunk in plan.hunks if hunk.start < hunk.end < len(self.lines)]
        return super().freed(plan) + self.size(texts_of(beyond))


@shelf.fault("measurement-charged-twice", "BUDGET-NET-ONE", "incident 110", "A measurement is a rewrite cost as well.")
class MeasurementChargedTwice(Unreported):
    def measure(self, plan: Plan) -> Measured:
        measured = super().measure(plan)
        return measured._replace(rewrite=measured.rewrite + measured.measurement)


# -------------------------------------------------------------------------------------- the claim
# A claim comes from the model. It is checked for form, and its figures prove nothing.


@shelf.fault("claim-trusted", "BUDGET-MEASURED", "incidents 115, 121", "The claim's figure is taken for what is freed.")
class ClaimTrusted(BudgetedPlain):
    def check_net(self, plan: Plan, measured: Measured) -> None:
        claim = plan.patch.claim
        if claim is not None and claim.freed is not None:
            measured = measured._replace(freed=claim.freed)
        super().check_net(plan, measured)


@shelf.fault(
    "larger-claim-trusted", "BUDGET-MEASURED", "incident 120", "The larger of claim and meter is taken for freed."
)
class LargerClaimTrusted(BudgetedPlain):
    def check_net(self, plan: Plan, measured: Measured) -> None:
        claim = plan.patch.claim
        if claim is not None and claim.freed is not None:
            measured = measured._replace(freed=max(measured.freed, claim.freed))
        super().check_net(plan, measured)


@shelf.fault(
    "claimed-cost-trusted", "BUDGET-MEASURED", "incident 108", "The claim's figure is taken for the rewrite cost."
)
class ClaimedCostTrusted(BudgetedPlain):
    def check_net(self, plan: Plan, measured: Measured) -> None:
        claim = plan.patch.claim
        if claim is not None and claim.rewrite is not None:
            measured = measured._replace(rewrite=claim.rewrite)
        super().check_net(plan, measured)


@shelf.fault(
    "claimed-loss-refused", "BUDGET-MEASURED", "malice", "A patch that gains by the meter but not by its claim fails."
)
class ClaimedLossRefused(BudgetedPlain):
    def check_net(self, plan: Plan, measured: Measured) -> None:
        super().check_net(plan, measured)
        if plan.patch.claim is not None:
            super().check_net(plan, Measured(*(part or 0 for part in parts(plan.patch.claim))))


@shelf.fault("claim-required", "BUDGET-MEASURED", "malice", "A patch without a claim is refused as unproven.")
class ClaimRequired(BudgetedPlain):
    def check_claim(self, claim: Cost | None) -> None:
        super().check_claim(claim or Cost(None, None, None))


@shelf.fault(
    "claimed-zero-missing", "BUDGET-MEASURED", "malice", "An amount of zero in a claim is taken for a missing one."
)
class ClaimedZeroMissing(BudgetedPlain):
    def check_claim(self, claim: Cost | None) -> None:
        if claim is not None:
            super().check_claim(Cost(*(part or None for part in parts(claim))))


@shelf.fault(
    "missing-is-zero", "BUDGET-UNPROVEN", "incident 120", "An amount that is not attributed is taken for zero."
)
class MissingIsZero(BudgetedPlain):
    def check_claim(self, claim: Cost | None) -> None:
        if claim is not None:
            super().check_claim(Cost(*(part or 0 for part in parts(claim))))


@shelf.fault(
    "only-freed-proven", "BUDGET-UNPROVEN", "incident 120", "Only the freed amount of a claim has to be attributed."
)
class OnlyFreedProven(BudgetedPlain):
    def check_claim(self, claim: Cost | None) -> None:
        if claim is not None:
            super().check_claim(Cost(claim.freed, claim.rewrite or 0, claim.measurement or 0))


@shelf.fault(
    "measurement-unproven-at-rest",
    "BUDGET-UNPROVEN",
    "malice",
    "The measurement of a claim has to be attributed only if the turn has one.",
)
class MeasurementUnprovenAtRest(BudgetedPlain):
    def check_claim(self, claim: Cost | None) -> None:
        if claim is not None and not self.emitted("measurement"):
            claim = Cost(claim.freed, claim.rewrite, claim.measurement or 0)
        super().check_claim(claim)


@shelf.fault(
    "negative-accepted", "BUDGET-NEGATIVE", "incident 135", "A negative amount in a claim is taken as its size."
)
class NegativeAccepted(BudgetedPlain):
    def check_claim(self, claim: Cost | None) -> None:
        if claim is not None:
            super().check_claim(Cost(*(None if part is None else abs(part) for part in parts(claim))))


@shelf.fault("negative-balanced", "BUDGET-NEGATIVE", "incident 117", "Amounts may be negative if their sum is not.")
class NegativeBalanced(BudgetedPlain):
    def check_claim(self, claim: Cost | None) -> None:
        if claim is None or None in parts(claim) or sum(part or 0 for part in parts(claim)) < 0:
            super().check_claim(claim)


# ------------------------------------------------------------------------------------- the receipt
# The gate is right and the report is written by somebody else.


@shelf.fault("receipt-of-the-patch", "BUDGET-RECEIPT", "incident 108", "The receipt leaves the turn's emissions out.")
class ReceiptOfThePatch(BudgetedPlain):
    def receipt_cost(self, plan: Plan, measured: Measured) -> Cost | None:
        return Cost(measured.freed, self.inserted(plan), 0)


@shelf.fault(
    "receipt-of-the-claim", "BUDGET-RECEIPT", "incident 115", "The receipt repeats the claim where there is one."
)
class ReceiptOfTheClaim(BudgetedPlain):
    def receipt_cost(self, plan: Plan, measured: Measured) -> Cost | None:
        return plan.patch.claim or super().receipt_cost(plan, measured)


@shelf.fault(
    "receipt-in-one-sum", "BUDGET-RECEIPT", "incident 108", "Measurements stand under the rewrite in the receipt."
)
class ReceiptInOneSum(BudgetedPlain):
    def receipt_cost(self, plan: Plan, measured: Measured) -> Cost | None:
        return Cost(measured.freed, measured.rewrite + measured.measurement, 0)


@shelf.fault("receipt-of-the-turn", "BUDGET-RECEIPT", "incident 112", "The receipt sums up all commits of the turn.")
class ReceiptOfTheTurn(BudgetedPlain):
    total = Measured(0, 0, 0)

    def receipt_cost(self, plan: Plan, measured: Measured) -> Cost | None:
        self.total = Measured(*map(sum, zip(self.total, measured, strict=True)))
        return Cost(*self.total)

    def end_turn(self) -> None:
        super().end_turn()
        self.total = Measured(0, 0, 0)


@shelf.fault(
    "receipt-of-the-difference", "BUDGET-RECEIPT", "incident 86", "The receipt leaves out lines removed and inserted."
)
class ReceiptOfTheDifference(BudgetedPlain):
    def receipt_cost(self, plan: Plan, measured: Measured) -> Cost | None:
        kept = Counter(texts_of(plan.removed)) & Counter(text for hunk in plan.hunks for text in hunk.insert)
        same = self.size(kept.elements())
        return Cost(measured.freed - same, measured.rewrite - same, measured.measurement)


# ------------------------------------------------------------------------------- commit, then judge
# Whoever measures the outcome has already made it, and has to undo what is refused.


@shelf.fault(
    "rollback-counts", "BASE-REFUSAL-PURE", "incidents 72, 97", "A not-freed patch is undone, its revision is not."
)
class RollbackCounts(BudgetedPlain):
    def after_refusal(self, refusal: Rejected) -> None:
        self.revision += refusal.reason is Reason.NOT_FREED


@shelf.fault(
    "not-freed-committed", "BASE-REFUSAL-PURE", "incident 96", "A not-freed patch that shrinks the buffer stays in it."
)
class NotFreedCommitted(BudgetedPlain):
    def apply(self, patch: Patch) -> Receipt:
        try:
            return super().apply(patch)
        except Rejected as refusal:
            if refusal.reason is Reason.NOT_FREED:
                self.keep(self.in_order(patch.hunks), patch)
            raise

    def keep(self, hunks: tuple[Hunk, ...], patch: Patch) -> None:
        plan = Plan(patch, hunks, tuple(line for hunk in hunks for line in self.lines[hunk.start : hunk.end]))
        if self.freed(plan) > self.inserted(plan):
            self.commit(plan)
