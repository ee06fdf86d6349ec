"""The contracts: for each requirement, when it applies to a call and what then holds of the answer.

Read a row as a function's contract: *if* ``applies(case)`` (the precondition) *then*
``holds(case, answer)`` (the postcondition). Both are plain predicates over plain values, so a row can be
read, called and tested without any tool. The sentence behind each id stands in the register
(``basebound explain ID``).

All rows of a table together say exactly what :func:`basebound.lenses.proofs.meaning.allowed` says; a test holds the
two against each other over a whole small world. ``allowed`` is the quick question that a solver is asked on
every path; the rows name what is broken where its answer is no.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

from basebound.core.register import Role, with_role
from basebound.lenses.proofs.cases import (
    Accepted,
    Answer,
    Attempts,
    Bases,
    Broke,
    Case,
    Contents,
    Gating,
    Lines,
    RefusedFor,
    Rewrite,
    Turns,
    Witnessed,
)
from basebound.lenses.proofs.meaning import (
    Moment,
    allowed,
    attributed,
    cost_allowed,
    edits_artifact,
    gate_refusal_holds,
    in_order,
    malformed,
    moment_allowed,
    moment_refusal_holds,
    moments,
    moved_on,
    negative,
    net,
    overlap,
    patch_net,
    receipt_allowed,
    refusal_holds,
    removes_protected,
    sound,
    spliced,
    stale,
    stale_on_return,
)
from basebound.model import CHARGE_KINDS, EMISSION_KINDS, Hunk, Reason


@dataclass(frozen=True)
class Contract:
    """One requirement: ``applies(case)`` implies ``holds(case, answer)``."""

    requirement: str
    applies: Callable[[Any], bool]
    holds: Callable[[Any, Any], bool]

    def broken_by(self, case: object, answer: object) -> bool:
        return not self.holds(case, answer) and self.applies(case)


ANSWER_TYPED: Final = with_role(Role.MISTYPED_ANSWER)


# --------------------------------------------------------------------------- what is seen of an answer


def refused_as(reason: Reason) -> Callable[[object, object], bool]:
    return lambda case, answer: isinstance(answer, RefusedFor) and answer.reason is reason


def accepted(case: object, answer: object) -> bool:
    return isinstance(answer, Accepted)


def rightly_refused(case: Rewrite, answer: object) -> bool:
    """RefusedFor for some reason that holds; a bad hunk may be called protected where it is that too."""
    return isinstance(answer, RefusedFor) and refusal_holds(case, answer.reason)


def exactly_spliced(case: Rewrite, answer: object) -> bool:
    return not isinstance(answer, Accepted) or answer.lines == spliced(case.live, case.hunks)


def literal(case: Rewrite, answer: object) -> bool:
    """Every inserted line is there as it was written."""
    return not isinstance(answer, Accepted) or all(line in answer.lines for hunk in case.hunks for line in hunk.insert)


# ------------------------------------------------------------------------------------- stale rewrites


def stale_and_sound(case: Rewrite) -> bool:
    """Nothing but its base is wrong with the patch: not on what is live and not on what its author saw."""
    return (
        stale(case)
        and not malformed(case.hunks, len(case.live))
        and not malformed(case.hunks, len(case.authored))
        and not removes_protected(case)
    )


def stale_and_worse(case: Rewrite) -> bool:
    return stale(case) and not stale_and_sound(case)


def grew_at_the_end(case: Rewrite) -> bool:
    return stale_and_sound(case) and case.live[: len(case.authored)] == case.authored


def changed_above(case: Rewrite) -> bool:
    """The first line that differs stands above every hunk."""
    if not stale_and_sound(case) or not case.hunks:
        return False
    top = min([hunk.start for hunk in case.hunks])
    return case.live[:top] != case.authored[:top]


def as_many_lines(case: Rewrite) -> bool:
    return stale_and_sound(case) and len(case.live) == len(case.authored)


def old_lines_stand(case: Rewrite) -> bool:
    """All that the patch replaces still stands, in its place or as a copy elsewhere."""
    if not stale_and_sound(case):
        return False
    blocks = [case.authored[hunk.start : hunk.end] for hunk in case.hunks if hunk.start < hunk.end]
    return bool(blocks) and all(stands_in(case.live, block) for block in blocks)


def stands_in(lines: Lines, block: Lines) -> bool:
    return any(lines[at : at + len(block)] == block for at in range(len(lines) - len(block) + 1))


def already_applied(case: Rewrite) -> bool:
    return stale_and_sound(case) and case.live == spliced(case.authored, case.hunks)


# ------------------------------------------------------------------------------------- fresh rewrites


def fresh_and_sound(case: Rewrite) -> bool:
    return not stale(case) and sound(case)


def several(case: Rewrite) -> bool:
    return fresh_and_sound(case) and len(case.hunks) > 1


def moves_later_hunks(case: Rewrite) -> bool:
    """A hunk above another changes the number of lines, or the hunks are not given from top to bottom."""
    if not several(case):
        return False
    given, ordered = list(case.hunks), list(in_order(case.hunks))
    return given != ordered or any(hunk.end - hunk.start != len(hunk.insert) for hunk in ordered[:-1])


def shares_a_point(case: Rewrite) -> bool:
    """Two insertions at one point, or one at the start of a replaced range."""
    if not several(case):
        return False
    starts = [hunk.start for hunk in case.hunks if hunk.start == hunk.end and hunk.insert]
    replaced = [hunk.start for hunk in case.hunks if hunk.start < hunk.end]
    return any(starts.count(start) > 1 or start in replaced for start in starts)


def touching(case: Rewrite) -> bool:
    if not several(case):
        return False
    ordered = in_order([hunk for hunk in case.hunks if hunk.start < hunk.end])
    return any(above.end == below.start for above, below in pairwise(ordered))


def fresh_with(defect: Callable[[Hunk, int], bool]) -> Callable[[Rewrite], bool]:
    return lambda case: not stale(case) and any(defect(hunk, len(case.live)) for hunk in case.hunks)


def fresh_overlap(case: Rewrite) -> bool:
    alone = not any(malformed([hunk], len(case.live)) for hunk in case.hunks)
    return not stale(case) and alone and overlap(case.hunks)


def good_beside_bad(case: Rewrite) -> bool:
    bad = [malformed([hunk], len(case.live)) for hunk in case.hunks]
    return not stale(case) and any(bad) and not all(bad)


# ----------------------------------------------------------------------------------------- protection


def fresh_and_protected(case: Rewrite) -> bool:
    return not stale(case) and removes_protected(case)


def marked(case: Rewrite) -> list[int]:
    """Indices of the protected lines that the patch removes."""
    gone = [at for at, _ in enumerate(case.live) if any(hunk.start <= at < hunk.end for hunk in case.hunks)]
    return [at for at in gone if any(marker in case.live[at] for marker in case.protected)]


def past_the_first(case: Rewrite) -> bool:
    """No protected line is the first of the first hunk's range."""
    return fresh_and_protected(case) and case.hunks[0].start not in marked(case)


def inside_a_line(case: Rewrite) -> bool:
    """A protected line is one by a marker in its middle, by another than the first, or by the empty one."""
    if not fresh_and_protected(case):
        return False
    first = case.protected[0]
    return any(first == "" or not case.live[at].startswith(first) for at in marked(case))


def put_back(case: Rewrite) -> bool:
    inserted = [line for hunk in case.hunks for line in hunk.insert]
    return fresh_and_protected(case) and any(case.live[at] in inserted for at in marked(case))


def guarded_and_sound(case: Rewrite) -> bool:
    return bool(case.protected) and fresh_and_sound(case)


REWRITE: Final = (
    Contract(ANSWER_TYPED, lambda case: True, lambda case, answer: isinstance(answer, Accepted | RefusedFor)),
    Contract("BASE-STALE-PATCH", stale_and_sound, refused_as(Reason.STALE_BASE)),
    Contract("BASE-STALE-APPEND", grew_at_the_end, refused_as(Reason.STALE_BASE)),
    Contract("BASE-STALE-ABOVE", changed_above, refused_as(Reason.STALE_BASE)),
    Contract("BASE-STALE-LENGTH", as_many_lines, refused_as(Reason.STALE_BASE)),
    Contract("BASE-STALE-DUPLICATE", old_lines_stand, refused_as(Reason.STALE_BASE)),
    Contract("BASE-REPLAY", already_applied, refused_as(Reason.STALE_BASE)),
    Contract("BASE-STALE-FIRST", stale_and_worse, refused_as(Reason.STALE_BASE)),
    Contract("BASE-FRESH-ACCEPTED", fresh_and_sound, accepted),
    Contract("BASE-SPLICE-EXACT", fresh_and_sound, exactly_spliced),
    Contract("BASE-SPLICE-LITERAL", fresh_and_sound, literal),
    Contract("BASE-SPLICE-FRAME", moves_later_hunks, exactly_spliced),
    Contract("BASE-SPLICE-ORDER", shares_a_point, exactly_spliced),
    Contract("BASE-SPLICE-ALL", good_beside_bad, lambda case, answer: isinstance(answer, RefusedFor)),
    Contract("BASE-HUNK-RANGE", fresh_with(lambda hunk, n: hunk.start > n or hunk.end > n), rightly_refused),
    Contract("BASE-HUNK-NEGATIVE", fresh_with(lambda hunk, n: hunk.start < 0 or hunk.end < 0), rightly_refused),
    Contract("BASE-HUNK-REVERSED", fresh_with(lambda hunk, n: hunk.start > hunk.end), rightly_refused),
    Contract("BASE-HUNK-OVERLAP", fresh_overlap, rightly_refused),
    Contract("BASE-HUNK-ADJACENT", touching, accepted),
    Contract("PROTECTED-REFUSED", fresh_and_protected, rightly_refused),
    Contract("PROTECTED-ANY-HUNK", past_the_first, rightly_refused),
    Contract("PROTECTED-CONTAINMENT", inside_a_line, rightly_refused),
    Contract("PROTECTED-REPLACED", put_back, rightly_refused),
    Contract("PROTECTED-REST", guarded_and_sound, lambda case, answer: not refused_as(Reason.PROTECTED)(case, answer)),
)
"""One rewrite: ``(Rewrite, Accepted | RefusedFor)``."""

ENGINE: Final = (
    Contract("BASE-START-EXACT", lambda case: True, lambda case, seen: seen.start.lines == case.authored),
    Contract(
        "BASE-APPEND-EXACT",
        lambda case: case.arrived == "append",
        lambda case, seen: seen.before.lines == case.live,
    ),
    Contract(
        "BASE-SPLICE-EXACT",
        lambda case: case.arrived == "patch",
        lambda case, seen: seen.before.lines == case.live,
    ),
    Contract(
        "BASE-REFUSAL-PURE",
        lambda case: True,
        lambda case, seen: isinstance(seen.answer, Accepted) or seen.after == seen.before,
    ),
    Contract(
        "BASE-RECEIPT",
        lambda case: True,
        lambda case, seen: isinstance(seen.answer, RefusedFor) or receipt_allowed(seen),
    ),
    Contract(
        "BASE-REVISION-RISES",
        lambda case: True,
        lambda case, seen: seen.after.lines == seen.before.lines or seen.after.revision > seen.before.revision,
    ),
    Contract(
        "BASE-IDENTITY",
        lambda case: True,
        lambda case, seen: seen.after.lines == seen.before.lines or seen.after.base != seen.before.base,
    ),
    Contract(
        "BASE-IDENTITY-STABLE",
        lambda case: True,
        lambda case, seen: (
            isinstance(seen.answer, RefusedFor) or seen.after.lines != seen.before.lines or moved_on(seen)
        ),
    ),
    Contract(
        "BUDGET-NET-ZERO",
        lambda case: case.budgeted and not stale(case) and patch_net(case) == 0,
        lambda case, seen: isinstance(seen.answer, RefusedFor),
    ),
    Contract(
        "BUDGET-NET-NEGATIVE",
        lambda case: case.budgeted and not stale(case) and patch_net(case) < 0,
        lambda case, seen: isinstance(seen.answer, RefusedFor),
    ),
)
"""What an engine has around one rewrite: ``(Rewrite, Witnessed)``; the rows of REWRITE hold for its answer too."""

CONTENTS: Final = (
    Contract(ANSWER_TYPED, lambda case: True, lambda case, answer: isinstance(answer, Bases)),
    Contract(
        "BASE-IDENTITY",
        lambda case: case.first != case.second,
        lambda case, answer: not isinstance(answer, Bases) or answer.first != answer.second,
    ),
    Contract(
        "BASE-IDENTITY-STABLE",
        lambda case: case.first == case.second,
        lambda case, answer: not isinstance(answer, Bases) or answer.first == answer.second,
    ),
    Contract(
        "BASE-IDENTITY-STABLE",
        lambda case: True,
        lambda case, answer: not isinstance(answer, Bases) or answer.again == answer.first,
    ),
)
"""Two contents and their bases: ``(Contents, Bases)``."""


# ------------------------------------------------------------------------------------------- the gate


def gate_refused(case: Gating, answer: object) -> bool:
    return isinstance(answer, RefusedFor) and gate_refusal_holds(case, answer.reason)


def proven(case: Gating) -> bool:
    """Every amount is attributed and none is negative, and no artifact is edited: only the net decides."""
    return attributed(case) and not negative(case) and not edits_artifact(case)


def only_without(kind: str) -> Callable[[Gating], bool]:
    """The net is above zero if the charges of ``kind`` are left out, and of no other: that alone explains a gain."""

    def applies(case: Gating) -> bool:
        if not proven(case) or net(case) > 0:
            return False
        return [one for one in CHARGE_KINDS if net(case) + charged(case, one) > 0] == [kind]

    return applies


def charged(case: Gating, kind: str) -> int:
    return sum([charge.tokens or 0 for charge in case.charges if charge.kind == kind])


def charged_twice_would_fail(case: Gating) -> bool:
    charged = sum([charge.tokens or 0 for charge in case.charges])
    return proven(case) and net(case) > 0 >= net(case) - charged


GATE: Final = (
    Contract(ANSWER_TYPED, lambda case: True, lambda case, answer: isinstance(answer, Accepted | RefusedFor)),
    Contract("BUDGET-UNPROVEN", lambda case: not attributed(case), gate_refused),
    Contract("BUDGET-NEGATIVE", negative, gate_refused),
    Contract("BUDGET-ARTIFACT-LOCKED", edits_artifact, gate_refused),
    Contract("BUDGET-NET-NEGATIVE", lambda case: proven(case) and net(case) < 0, gate_refused),
    Contract("BUDGET-NET-ZERO", lambda case: proven(case) and net(case) == 0, gate_refused),
    Contract("BUDGET-NET-ONE", lambda case: proven(case) and net(case) > 0, accepted),
    Contract("BUDGET-CHARGE-INSERT", only_without("insert"), gate_refused),
    Contract("BUDGET-CHARGE-RATIONALE", only_without("rationale"), gate_refused),
    Contract("BUDGET-CHARGE-TOOL-CALL", only_without("tool-call"), gate_refused),
    Contract("BUDGET-CHARGE-MEASUREMENT", only_without("measurement"), gate_refused),
    Contract("BUDGET-CHARGE-ERROR", only_without("error"), gate_refused),
    Contract("BUDGET-CHARGE-ONCE", charged_twice_would_fail, accepted),
)
"""One question to a pure gate: ``(Gating, Accepted | RefusedFor)``."""


# ------------------------------------------------------------------------------------------ the turns


def only_unpaid(kind: str) -> Callable[[Moment], bool]:
    """The net is above zero if ``kind`` is left out, and no other one: that alone explains a gain."""

    def applies(moment: Moment) -> bool:
        if moment.artifact or moment.net > 0:
            return False
        amounts = {"insert": moment.inserted, **{one: moment.owed(one) for one in EMISSION_KINDS}}
        return [one for one, tokens in amounts.items() if moment.net + tokens > 0] == [kind]

    return applies


def forgiven(moment: Moment) -> bool:
    """The net would be above zero if the last refusal had wiped what was emitted before it."""
    before = sum([tokens for _, tokens, refusals in moment.unpaid if refusals < moment.refusals])
    return not moment.artifact and moment.net <= 0 < moment.net + before


def not_accepted(moment: Moment, seen: Witnessed) -> bool:
    return isinstance(seen.answer, RefusedFor) and moment_refusal_holds(moment, seen.answer.reason)


def moment_accepted(moment: Moment, seen: Witnessed) -> bool:
    return isinstance(seen.answer, Accepted)


def pays(moment: Moment) -> bool:
    return not moment.artifact and moment.net > 0


TURNS: Final = (
    Contract("BUDGET-ARTIFACT-LOCKED", lambda moment: moment.artifact, not_accepted),
    Contract("BUDGET-NET-NEGATIVE", lambda moment: not moment.artifact and moment.net < 0, not_accepted),
    Contract("BUDGET-NET-ZERO", lambda moment: not moment.artifact and moment.net == 0, not_accepted),
    Contract("BUDGET-NET-ONE", pays, moment_accepted),
    Contract("BUDGET-CHARGE-INSERT", only_unpaid("insert"), not_accepted),
    Contract("BUDGET-CHARGE-RATIONALE", only_unpaid("rationale"), not_accepted),
    Contract("BUDGET-CHARGE-TOOL-CALL", only_unpaid("tool-call"), not_accepted),
    Contract("BUDGET-CHARGE-MEASUREMENT", only_unpaid("measurement"), not_accepted),
    Contract("BUDGET-CHARGE-ERROR", only_unpaid("error"), not_accepted),
    Contract("BUDGET-CHARGE-REFUSED", forgiven, not_accepted),
    Contract("BUDGET-CHARGE-ONCE", lambda moment: pays(moment) and moment.net <= moment.paid, moment_accepted),
    Contract("BUDGET-DROPPED", lambda moment: pays(moment) and moment.net <= moment.dropped, moment_accepted),
    Contract("BUDGET-ARTIFACT-RELEASED", lambda moment: pays(moment) and moment.released, moment_accepted),
    Contract(
        "BUDGET-RECEIPT",
        pays,
        lambda moment, seen: isinstance(seen.answer, RefusedFor) or cost_allowed(moment, seen),
    ),
    Contract(
        "BASE-RECEIPT",
        pays,
        lambda moment, seen: isinstance(seen.answer, RefusedFor) or receipt_allowed(seen),
    ),
    Contract(
        "BASE-SPLICE-EXACT",
        pays,
        lambda moment, seen: isinstance(seen.answer, RefusedFor) or seen.after.lines == moment.left,
    ),
    Contract(
        "BASE-REFUSAL-PURE",
        lambda moment: True,
        lambda moment, seen: isinstance(seen.answer, Accepted) or seen.after == seen.before,
    ),
)
"""One attempt within a turn: ``(Moment, Witnessed)``."""


def broken(case: Case, answer: Answer) -> tuple[str, ...]:
    """The requirements that ``answer`` breaks, each once, in the order of the tables; none if it is allowed."""
    if allowed(case, answer):
        return ()
    rows = rows_broken(case, answer)
    if not rows:
        raise AssertionError(f"{answer} is not allowed for {case}, and no contract says why")
    return rows


def rows_broken(case: Case, answer: Answer) -> tuple[str, ...]:
    """The same by the tables alone."""
    if isinstance(answer, Broke):
        return (ANSWER_TYPED,)
    return tuple(dict.fromkeys(_broken(case, answer)))


def _broken(case: Case, answer: Answer) -> Iterable[str]:
    if isinstance(case, Turns):
        return _broken_in_turns(case, answer)
    if isinstance(answer, Witnessed):
        assert isinstance(case, Rewrite)
        rewrite = [] if stale_on_return(case, answer) else _rows(REWRITE, case, answer.answer)
        return [*rewrite, *_rows(ENGINE, case, answer)]
    return _rows({Contents: CONTENTS, Rewrite: REWRITE, Gating: GATE}[type(case)], case, answer)


def _rows(table: Iterable[Contract], case: object, answer: object) -> list[str]:
    return [contract.requirement for contract in table if contract.broken_by(case, answer)]


def _broken_in_turns(case: Turns, answer: Answer) -> list[str]:
    """What the first wrong answer breaks; the books of later ones would only follow from it."""
    answers = answer.answers if isinstance(answer, Attempts) else ()
    for moment, seen in zip(moments(case), answers, strict=True):
        if not moment_allowed(moment, seen):
            return _rows(TURNS, moment, seen)
    return []


REQUIREMENTS: Final = tuple(
    dict.fromkeys(row.requirement for table in (CONTENTS, REWRITE, ENGINE, GATE, TURNS) for row in table)
)
"""Every requirement that has a contract here."""
