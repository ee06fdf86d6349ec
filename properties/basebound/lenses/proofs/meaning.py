"""Which answers are allowed for a case: the rules of a patch and of the gate, in a few lines each.

It says for one call what the suite's oracle says for a whole history (a test compares the two). In an analysis every
branch here is a question to the solver, so each rule stops at the first thing it finds and asks nothing twice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from basebound.lenses.proofs.cases import (
    Accepted,
    Answer,
    Attempt,
    Attempts,
    Bases,
    Broke,
    Case,
    Contents,
    Emission,
    Gating,
    Lines,
    RefusedFor,
    Rewrite,
    Turns,
    Witnessed,
)
from basebound.model import Cost, Hunk, Reason


def allowed(case: Case, answer: Answer) -> bool:
    """Whether ``answer`` is one that the two invariants allow for ``case``."""
    if isinstance(answer, Broke):
        return False
    if isinstance(case, Contents):
        return isinstance(answer, Bases) and bases_allowed(case, answer)
    if isinstance(case, Rewrite):
        if isinstance(answer, Witnessed):
            return witnessed_allowed(case, answer)
        return isinstance(answer, Accepted | RefusedFor) and rewrite_allowed(case, answer)
    if isinstance(case, Gating):
        return isinstance(answer, Accepted | RefusedFor) and gate_allowed(case, answer)
    return isinstance(answer, Attempts) and turns_allowed(case, answer)


# ------------------------------------------------------------------------------------------ the base


def bases_allowed(case: Contents, answer: Bases) -> bool:
    """Other content, another base; the same content, asked again, the same base."""
    return answer.again == answer.first and (answer.first == answer.second) == (case.first == case.second)


def in_order(hunks: Sequence[Hunk]) -> Sequence[Hunk]:
    """By (start, end), then as given: the order in which the effects stand."""
    return sorted(hunks, key=lambda hunk: (hunk.start, hunk.end)) if len(hunks) > 1 else hunks


def malformed(hunks: Sequence[Hunk], length: int) -> bool:
    """Whether a hunk is negative, reversed or out of range, or reaches into another."""
    if any(not 0 <= hunk.start <= hunk.end <= length for hunk in hunks):
        return True
    return overlap(hunks)


def overlap(hunks: Sequence[Hunk]) -> bool:
    """Whether two ranges share a line, or an insertion stands strictly inside a range; each hunk is sound alone."""
    taken = 0
    for hunk in in_order(hunks):
        if hunk.start < taken:
            return True
        taken = hunk.end
    return False


def spliced(lines: Lines, hunks: Sequence[Hunk]) -> Lines:
    """``lines`` after ``hunks``, which are not malformed."""
    result: Lines = ()
    at = 0
    for hunk in in_order(hunks):
        result = result + lines[at : hunk.start] + hunk.insert
        at = hunk.end
    return result + lines[at:]


def removed(lines: Lines, hunks: Sequence[Hunk]) -> Iterator[str]:
    """The lines in the hunks' ranges, each once; ranges count as clipped to the buffer."""
    for at, line in enumerate(lines):
        if any(hunk.start <= at < hunk.end for hunk in hunks):
            yield line


def removes_protected(case: Rewrite) -> bool:
    return bool(case.protected) and any(
        marker in line for line in removed(case.live, case.hunks) for marker in case.protected
    )


def patch_net(case: Rewrite) -> int:
    """What the patch frees less what it inserts, where a line costs its characters; nothing was emitted."""
    gone = sum([len(line) for line in removed(case.live, case.hunks)])
    return gone - sum([len(line) for hunk in case.hunks for line in hunk.insert])


def stale(case: Rewrite) -> bool:
    return case.live != case.authored


def rewrite_allowed(case: Rewrite, answer: Accepted | RefusedFor) -> bool:
    """A stale base comes before every other reason; among the others any that holds will do."""
    if isinstance(answer, Accepted):
        return not stale(case) and sound(case) and answer.lines == spliced(case.live, case.hunks)
    if answer.reason is Reason.STALE_BASE:
        return stale(case)
    return refusal_holds(case, answer.reason) and not stale(case)


def sound(case: Rewrite) -> bool:
    """Whether a fresh patch has to be accepted."""
    if malformed(case.hunks, len(case.live)) or removes_protected(case):
        return False
    return not case.budgeted or patch_net(case) > 0


def refusal_holds(case: Rewrite, reason: Reason) -> bool:
    """Whether ``reason`` applies to the patch on a fresh base."""
    if reason is Reason.BAD_HUNK:
        return malformed(case.hunks, len(case.live))
    if reason is Reason.PROTECTED:
        return removes_protected(case)
    return reason is Reason.NOT_FREED and case.budgeted and patch_net(case) <= 0


def witnessed_allowed(case: Rewrite, seen: Witnessed) -> bool:
    """The rewrite, and what an engine has around it: its reads, revisions, bases and the receipt.

    Where the content has come back under another base, as bases that count do, stale is right as well.
    """
    if not rewrite_allowed(case, seen.answer) and not stale_on_return(case, seen):
        return False
    if seen.start.lines != case.authored or seen.before.lines != case.live:
        return False
    if isinstance(seen.answer, RefusedFor):
        return seen.after == seen.before
    return receipt_allowed(seen) and moved_on(seen)


def stale_on_return(case: Rewrite, seen: Witnessed) -> bool:
    """Whether the patch was refused as stale where the content had come back under another base."""
    came_back = case.live is not case.authored and seen.before.lines == seen.start.lines
    told = isinstance(seen.answer, RefusedFor) and seen.answer.reason is Reason.STALE_BASE
    return came_back and told and seen.before.base != seen.start.base


def receipt_allowed(seen: Witnessed) -> bool:
    return seen.receipt is not None and seen.receipt[:2] == (seen.after.base, seen.after.revision)


def moved_on(seen: Witnessed) -> bool:
    """Whether base and revision follow the content from before the patch to after it."""
    if seen.after.lines == seen.before.lines:
        return seen.after.revision != seen.before.revision or seen.after.base == seen.before.base
    return seen.after.base != seen.before.base and seen.after.revision > seen.before.revision


# ------------------------------------------------------------------------------------------ the gate


def attributed(case: Gating) -> bool:
    return case.freed is not None and all(charge.tokens is not None for charge in case.charges)


def negative(case: Gating) -> bool:
    amounts = [case.freed, *[charge.tokens for charge in case.charges]]
    return any(amount is not None and amount < 0 for amount in amounts)


def net(case: Gating) -> int:
    """``freed`` less every charge; all of them are attributed."""
    return (case.freed or 0) - sum([charge.tokens or 0 for charge in case.charges])


def edits_artifact(case: Gating) -> bool:
    return any(line in case.artifacts for line in case.edited)


def gate_allowed(case: Gating, answer: Accepted | RefusedFor) -> bool:
    if isinstance(answer, Accepted):
        return attributed(case) and not negative(case) and net(case) > 0 and not edits_artifact(case)
    return gate_refusal_holds(case, answer.reason)


def gate_refusal_holds(case: Gating, reason: Reason) -> bool:
    """Whether ``reason`` applies; if several do, any is accepted. A net with an unknown part is no net."""
    if reason is Reason.SELF_REFERENCE:
        return edits_artifact(case)
    if reason is Reason.UNPROVEN:
        return not attributed(case) or negative(case)
    return reason is Reason.NOT_FREED and attributed(case) and net(case) <= 0


# ----------------------------------------------------------------------------- turns, commits, the books


@dataclass(frozen=True)
class Moment:
    """The books at one attempt: amounts in tokens, and what decides the answer.

    ``unpaid``: (kind, tokens, refusals before it) of emissions no commit has paid for; ``paid``: what earlier
    commits of the turn paid; ``dropped``: what was unpaid when the turn before ended. ``artifact``: whether the
    attempt removes a line of this turn's emissions; ``released``: of an earlier turn's. ``left``: the names of
    the lines an accepted attempt leaves.
    """

    freed: int
    inserted: int
    unpaid: tuple[tuple[str, int, int], ...]
    paid: int
    dropped: int
    refusals: int
    artifact: bool
    released: bool
    left: Lines

    def owed(self, *kinds: str) -> int:
        return sum([tokens for kind, tokens, _ in self.unpaid if not kinds or kind in kinds])

    @property
    def net(self) -> int:
        return self.freed - self.inserted - self.owed()

    @property
    def cost(self) -> Cost:
        measurement = self.owed("measurement")
        return Cost(self.freed, self.inserted + self.owed() - measurement, measurement)


def moments(case: Turns) -> Iterator[Moment]:
    """The attempts of ``case`` in order, each as it stands if the ones before it were answered as they have to be."""
    sizes = dict(case.sizes)
    lines = tuple([name for name, _ in case.sizes])
    unpaid: tuple[tuple[str, int, int], ...] = ()
    artifacts: Lines = ()
    former: Lines = ()
    paid = dropped = refusals = 0
    for step in case.steps:
        if isinstance(step, Emission):
            sizes[step.text] = step.tokens
            lines, artifacts = (*lines, step.text), (*artifacts, step.text)
            unpaid = (*unpaid, (step.kind, step.tokens, refusals))
        elif isinstance(step, Attempt):
            new = () if step.inserted is None else (step.text,)
            at = lines.index(step.removes)
            left = lines[:at] + new + lines[at + 1 :]
            moment = Moment(
                sizes[step.removes],
                step.inserted or 0,
                unpaid,
                paid,
                dropped,
                refusals,
                step.removes in artifacts,
                step.removes in former,
                left,
            )
            yield moment
            if not moment.artifact and moment.net > 0:
                paid, unpaid, lines = paid + moment.owed(), (), left
                sizes[step.text] = step.inserted or 0
            else:
                refusals += 1
        else:
            dropped = sum([tokens for _, tokens, _ in unpaid])
            former, unpaid, artifacts, paid, refusals = (*former, *artifacts), (), (), 0, 0


def turns_allowed(case: Turns, answer: Attempts) -> bool:
    return all(moment_allowed(moment, seen) for moment, seen in zip(moments(case), answer.answers, strict=True))


def moment_allowed(moment: Moment, seen: Witnessed) -> bool:
    if isinstance(seen.answer, RefusedFor):
        return moment_refusal_holds(moment, seen.answer.reason) and seen.after == seen.before
    if moment.artifact or moment.net <= 0 or seen.after.lines != moment.left:
        return False
    return receipt_allowed(seen) and cost_allowed(moment, seen)


def moment_refusal_holds(moment: Moment, reason: Reason) -> bool:
    if reason is Reason.SELF_REFERENCE:
        return moment.artifact
    return reason is Reason.NOT_FREED and moment.net <= 0


def cost_allowed(moment: Moment, seen: Witnessed) -> bool:
    cost = seen.receipt[2] if seen.receipt else None
    return cost is None or cost == moment.cost
