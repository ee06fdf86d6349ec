"""Faults of the books: what is entered, what is forgiven, and when a page is turned."""

from __future__ import annotations

from collections.abc import Sequence

from basebound.model import Config, Reason, Rejected
from basebound_catalogue.budgeted import BudgetedPlain, Emission, Line, Measured, Plan, Unreported, texts_of
from basebound_catalogue.plain import Shelf

shelf = Shelf()


# -------------------------------------------------------------------------- emissions not charged
# A kind is an enumeration, and one member is forgotten, or charged only where somebody looked.


class Forgotten(Unreported):
    """Enters an emission in the ledger only if it is not ``forgotten``."""

    def forgotten(self, emission: Emission) -> bool:
        raise NotImplementedError

    def charge(self, emission: Emission) -> None:
        if not self.forgotten(emission):
            super().charge(emission)


@shelf.fault("rationale-free", "BUDGET-CHARGE-RATIONALE", "incidents 105, 109", "A rationale is not charged.")
class RationaleFree(Forgotten):
    def forgotten(self, emission: Emission) -> bool:
        return emission.kind == "rationale"


@shelf.fault("tool-call-free", "BUDGET-CHARGE-TOOL-CALL", "incident 109", "A tool call is not charged.")
class ToolCallFree(Forgotten):
    def forgotten(self, emission: Emission) -> bool:
        return emission.kind == "tool-call"


@shelf.fault("measurement-free", "BUDGET-CHARGE-MEASUREMENT", "incident 108", "A measurement is not charged.")
class MeasurementFree(Forgotten):
    def forgotten(self, emission: Emission) -> bool:
        return emission.kind == "measurement"


@shelf.fault("error-free", "BUDGET-CHARGE-ERROR", "incidents 192, 193", "An error is not charged.")
class ErrorFree(Forgotten):
    def forgotten(self, emission: Emission) -> bool:
        return emission.kind == "error"


@shelf.fault(
    "repeated-error-free", "BUDGET-CHARGE-ERROR", "incident 193", "An error repeated word for word is charged once."
)
class RepeatedErrorFree(Forgotten):
    def forgotten(self, emission: Emission) -> bool:
        told = [texts_of(unpaid.lines) for unpaid in self.unpaid if unpaid.kind == "error"]
        return emission.kind == "error" and texts_of(emission.lines) in told


@shelf.fault(
    "measurement-free-beside-rationale",
    "BUDGET-CHARGE-MEASUREMENT",
    "malice",
    "A measurement is taken to be part of the rationale that stands before it.",
)
class MeasurementFreeBesideRationale(Forgotten):
    def forgotten(self, emission: Emission) -> bool:
        return emission.kind == "measurement" and any(unpaid.kind == "rationale" for unpaid in self.unpaid)


@shelf.fault(
    "tool-call-free-later", "BUDGET-CHARGE-TOOL-CALL", "malice", "From the third turn on tool calls are not charged."
)
class ToolCallFreeLater(Forgotten):
    turns = 0

    def forgotten(self, emission: Emission) -> bool:
        return emission.kind == "tool-call" and self.turns >= 2

    def end_turn(self) -> None:
        super().end_turn()
        self.turns += 1


@shelf.fault(
    "last-tool-call-only", "BUDGET-CHARGE-TOOL-CALL", "malice", "A turn's tool call replaces the one before it."
)
class LastToolCallOnly(Unreported):
    def charge(self, emission: Emission) -> None:
        if emission.kind == "tool-call":
            self.unpaid = [unpaid for unpaid in self.unpaid if unpaid.kind != "tool-call"]
        super().charge(emission)


@shelf.fault(
    "rationale-first-line-only", "BUDGET-CHARGE-RATIONALE", "malice", "Of a rationale the first line is charged."
)
class RationaleFirstLineOnly(Unreported):
    def charge(self, emission: Emission) -> None:
        if emission.kind == "rationale":
            emission = emission._replace(tokens=self.size(texts_of(emission.lines[:1])))
        super().charge(emission)


@shelf.fault("rationale-capped", "BUDGET-CHARGE-RATIONALE", "malice", "A rationale is charged 16 tokens at most.")
class RationaleCapped(Unreported):
    def charge(self, emission: Emission) -> None:
        if emission.kind == "rationale":
            emission = emission._replace(tokens=min(emission.tokens, 16))
        super().charge(emission)


@shelf.fault(
    "two-rationales-kept", "BUDGET-CHARGE-RATIONALE", "malice", "Of a turn's rationales the last two are kept."
)
class TwoRationalesKept(Unreported):
    def charge(self, emission: Emission) -> None:
        super().charge(emission)
        for forgotten in [unpaid for unpaid in self.unpaid if unpaid.kind == "rationale"][:-2]:
            self.unpaid.remove(forgotten)


@shelf.fault(
    "tool-call-settled", "BUDGET-CHARGE-TOOL-CALL", "malice", "A foreign append is a result that settles tool calls."
)
class ToolCallSettled(Unreported):
    def append(self, lines: Sequence[str]) -> None:
        super().append(lines)
        self.unpaid = [unpaid for unpaid in self.unpaid if unpaid.kind != "tool-call"]


@shelf.fault(
    "measurement-outdated", "BUDGET-CHARGE-MEASUREMENT", "incident 126", "A foreign write voids measurements unpaid."
)
class MeasurementOutdated(Unreported):
    def write(self, at: int, lines: Sequence[Line]) -> None:
        super().write(at, lines)
        if at < len(self.lines) - len(lines):
            self.unpaid = [unpaid for unpaid in self.unpaid if unpaid.kind != "measurement"]


# -------------------------------------------------------------------------------------- the ledger
# A refusal feels like an end, a commit like a payment, and the code that follows forgets which was which.


class Forgiving(Unreported):
    """Clears the ledger after refusals that are ``forgiven``."""

    def forgiven(self, refusal: Rejected) -> bool:
        raise NotImplementedError

    def after_refusal(self, refusal: Rejected) -> None:
        if self.forgiven(refusal):
            self.unpaid.clear()


@shelf.fault("refusal-forgives", "BUDGET-CHARGE-REFUSED", "incidents 192, 193", "Every refusal clears the ledger.")
class RefusalForgives(Forgiving):
    def forgiven(self, refusal: Rejected) -> bool:
        return True


@shelf.fault(
    "stale-refusal-forgives", "BUDGET-CHARGE-REFUSED", "incident 192", "A stale-base refusal clears the ledger."
)
class StaleRefusalForgives(Forgiving):
    def forgiven(self, refusal: Rejected) -> bool:
        return refusal.reason is Reason.STALE_BASE


@shelf.fault("not-freed-forgives", "BUDGET-CHARGE-REFUSED", "incident 194", "A not-freed refusal clears the ledger.")
class NotFreedForgives(Forgiving):
    def forgiven(self, refusal: Rejected) -> bool:
        return refusal.reason is Reason.NOT_FREED


@shelf.fault("second-refusal-forgives", "BUDGET-CHARGE-REFUSED", "malice", "A turn's second refusal clears the ledger.")
class SecondRefusalForgives(Forgiving):
    refusals = 0

    def forgiven(self, refusal: Rejected) -> bool:
        self.refusals += 1
        return self.refusals == 2

    def end_turn(self) -> None:
        super().end_turn()
        self.refusals = 0


@shelf.fault("commit-pays-nothing", "BUDGET-CHARGE-ONCE", "incident 110", "A commit leaves the ledger as it was.")
class CommitPaysNothing(Unreported):
    def after_commit(self, plan: Plan) -> None:
        pass


@shelf.fault(
    "commit-leaves-measurements", "BUDGET-CHARGE-ONCE", "incident 110", "A commit settles all but measurements."
)
class CommitLeavesMeasurements(Unreported):
    def after_commit(self, plan: Plan) -> None:
        self.unpaid = [unpaid for unpaid in self.unpaid if unpaid.kind == "measurement"]


@shelf.fault(
    "emission-after-commit-lost", "BUDGET-CHARGE-ONCE", "malice", "The first emission after a commit is not charged."
)
class EmissionAfterCommitLost(Unreported):
    lost = False

    def after_commit(self, plan: Plan) -> None:
        super().after_commit(plan)
        self.lost = True

    def charge(self, emission: Emission) -> None:
        if not self.lost:
            super().charge(emission)
        self.lost = False

    def end_turn(self) -> None:
        super().end_turn()
        self.lost = False


@shelf.fault(
    "gain-carried-on", "BUDGET-NET-NEGATIVE", "malice", "A turn's later commit may spend the gain of its earlier."
)
class GainCarriedOn(Unreported):
    gain = 0

    def check_net(self, plan: Plan, measured: Measured) -> None:
        super().check_net(plan, measured._replace(freed=measured.freed + self.gain))
        self.gain += measured.net

    def end_turn(self) -> None:
        super().end_turn()
        self.gain = 0


@shelf.fault(
    "ledger-outlives-turn", "BUDGET-DROPPED", "incidents 112, 113", "What is unpaid when a turn ends stays charged."
)
class LedgerOutlivesTurn(Unreported):
    def end_turn(self) -> None:
        self.artifacts.clear()


@shelf.fault("measurement-outlives-turn", "BUDGET-DROPPED", "incident 112", "Unpaid measurements outlive their turn.")
class MeasurementOutlivesTurn(Unreported):
    def end_turn(self) -> None:
        self.artifacts.clear()
        self.unpaid = [unpaid for unpaid in self.unpaid if unpaid.kind == "measurement"]


@shelf.fault(
    "charges-cached", "BUDGET-DROPPED", "incident 126", "Charges are worked out once for each content and kept."
)
class ChargesCached(Unreported):
    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.known: dict[tuple[str, tuple[str, ...]], int] = {}

    def emitted(self, *kinds: str) -> int:
        return self.known.setdefault((self.base(), kinds), super().emitted(*kinds))


@shelf.fault("append-charged", "BUDGET-FOREIGN-FREE", "malice", "What others append in a turn is charged to it.")
class AppendCharged(Unreported):
    foreign = 0

    def append(self, lines: Sequence[str]) -> None:
        super().append(lines)
        self.foreign += self.size(lines)

    def measure(self, plan: Plan) -> Measured:
        measured = super().measure(plan)
        return measured._replace(rewrite=measured.rewrite + self.foreign)

    def after_commit(self, plan: Plan) -> None:
        super().after_commit(plan)
        self.foreign = 0

    def end_turn(self) -> None:
        super().end_turn()
        self.foreign = 0


@shelf.fault(
    "growth-charged", "BUDGET-FOREIGN-FREE", "malice", "The buffer must shrink below what it was at the start."
)
class GrowthCharged(BudgetedPlain):
    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.start = self.size(texts_of(self.lines))

    def check_net(self, plan: Plan, measured: Measured) -> None:
        if self.size(texts_of(self.lines)) - measured.freed + self.inserted(plan) >= self.start:
            raise self.not_freed(measured)

    def after_commit(self, plan: Plan) -> None:
        super().after_commit(plan)
        self.start = self.size(texts_of(self.lines))

    def end_turn(self) -> None:
        super().end_turn()
        self.start = self.size(texts_of(self.lines))


@shelf.fault(
    "ledger-emptied-before-measuring",
    "BUDGET-METER-RAISED",
    "malice",
    "The ledger is emptied before the last line is measured: a meter that raises has paid for what was not committed.",
)
class LedgerEmptiedBeforeMeasuring(BudgetedPlain):
    def measure(self, plan: Plan) -> Measured:
        unpaid, self.unpaid = self.unpaid, []
        rewrite = sum(one.tokens for one in unpaid if one.kind != "measurement")
        measured = Measured(self.freed(plan), rewrite, sum(one.tokens for one in unpaid if one.kind == "measurement"))
        measured = measured._replace(rewrite=measured.rewrite + self.inserted(plan))
        self.unpaid = unpaid
        return measured


@shelf.fault(
    "unmeasured-is-free",
    "BUDGET-METER-RAISED",
    "incident 120",
    "Where the meter cannot be asked, a patch is taken to cost nothing, and committed.",
)
class UnmeasuredIsFree(BudgetedPlain):
    def inserted(self, plan: Plan) -> int:
        try:
            return super().inserted(plan)
        except Exception:
            return 0


@shelf.fault(
    "emission-written-before-measuring",
    "BUDGET-METER-RAISED",
    "incidents 72, 181",
    "An emission enters the buffer before it is measured: a meter that raises leaves its lines there, uncharged.",
)
class EmissionWrittenBeforeMeasuring(BudgetedPlain):
    def emit(self, kind: str, lines: Sequence[str]) -> None:
        written = tuple(Line(text) for text in lines)
        self.write(len(self.lines), written)
        emission = Emission(kind, written, self.size(lines))
        self.charge(emission)
        self.lock(emission)


@shelf.fault(
    "commit-leaves-a-note", "BUDGET-CONSERVED", "malice", "A commit adds a note of its own that nobody pays for."
)
class CommitLeavesANote(BudgetedPlain):
    def after_commit(self, plan: Plan) -> None:
        super().after_commit(plan)
        self.lines.append(Line(f"[{len(plan.removed)} lines rewritten]"))
