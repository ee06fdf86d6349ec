"""A case and an answer in words, for a reader of a counterexample."""

from __future__ import annotations

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
    Refused,
    Rewrite,
    TurnEnd,
    Turns,
    Witnessed,
)
from basebound.lenses.proofs.meaning import (
    Moment,
    gate_refusal_holds,
    moment_due,
    moment_refusal_holds,
    moments,
    refusal_holds,
    sound,
    spliced,
    stale,
)
from basebound.model import CHARGE_KINDS, Hunk, Reason


def described(case: Case) -> str:
    """The concrete values of a case."""
    if isinstance(case, Contents):
        return f"{_lines(case.first)} and {_lines(case.second)}"
    if isinstance(case, Rewrite):
        return "; ".join(_rewrite(case))
    if isinstance(case, Gating):
        return "; ".join(_gating(case))
    start = ", ".join(f"{name} of {tokens}" for name, tokens in case.sizes)
    return "; ".join([f"lines {start}", *map(_step, case.steps)])


def said(case: Case, answer: Answer) -> str:
    """What was due and what was seen."""
    if isinstance(case, Turns) and isinstance(answer, Attempts):
        return _first_wrong(case, answer)
    return f"due: {_due(case)}; seen: {_seen(answer)}"


# -------------------------------------------------------------------------------------------- values


def _lines(lines: Lines) -> str:
    return str(list(lines))


def _hunk(hunk: Hunk) -> str:
    return f"[{hunk.start}, {hunk.end}) -> {_lines(hunk.insert)}"


def _rewrite(case: Rewrite) -> list[str]:
    parts = [f"live {_lines(case.live)}"]
    if stale(case):
        parts.append(f"authored on {_lines(case.authored)}")
    parts.append(", ".join(map(_hunk, case.hunks)) or "no hunks")
    return [*parts, f"protected {_lines(case.protected)}"] if case.protected else parts


def _gating(case: Gating) -> list[str]:
    charged = [
        f"{charge.kind} {_amount(charge.tokens)}"
        for kind in CHARGE_KINDS
        for charge in case.charges
        if charge.kind == kind
    ]
    parts = [f"freed {_amount(case.freed)}", f"charged {', '.join(charged) or 'nothing'}"]
    if case.edited or case.artifacts:
        parts += [f"edited {sorted(case.edited)}", f"artifacts {sorted(case.artifacts)}"]
    return parts


def _amount(tokens: int | None) -> str:
    return "unknown" if tokens is None else str(tokens)


def _step(step: Emission | Attempt | TurnEnd) -> str:
    if isinstance(step, Emission):
        return f"emit {step.kind} of {step.tokens}"
    if isinstance(step, TurnEnd):
        return "the turn ends"
    return f"remove {step.removes!r}" + ("" if step.inserted is None else f", insert a line of {step.inserted}")


# ----------------------------------------------------------------------------------------- what is due


def _due(case: Case) -> str:
    if isinstance(case, Contents):
        return "the same base each time it is asked for" + (", another for other content" * (case.first != case.second))
    if isinstance(case, Rewrite):
        return _due_of_rewrite(case)
    if isinstance(case, Gating):
        return _reasons([reason for reason in Reason if gate_refusal_holds(case, reason)])
    return " then ".join(map(_due_at, moments(case)))


def _due_of_rewrite(case: Rewrite) -> str:
    if stale(case):
        return Reason.STALE_BASE.value
    if sound(case):
        return f"accepted, leaving {_lines(spliced(case.live, case.hunks))}"
    return _reasons([reason for reason in Reason if refusal_holds(case, reason)])


def _reasons(reasons: list[Reason]) -> str:
    return " or ".join(reason.value for reason in reasons) or "accepted"


def _due_at(moment: Moment) -> str:
    reasons = [reason for reason in Reason if moment_refusal_holds(moment, reason)]
    return _reasons(reasons) + ("" if moment.artifact else f" (net {moment.net})")


# ---------------------------------------------------------------------------------------- what was seen


def _seen(answer: Answer) -> str:
    if isinstance(answer, Bases):
        return f"{answer.first!r} and {answer.second!r}, and again {answer.again!r}"
    if isinstance(answer, Broke):
        return answer.what
    if isinstance(answer, Accepted):
        return f"accepted, leaving {_lines(answer.lines)}" if answer.lines else "accepted"
    if isinstance(answer, Refused):
        return f"refused as {answer.reason.value}"
    if isinstance(answer, Attempts):
        return " then ".join(map(_seen, answer.answers))
    return _witnessed(answer)


def _witnessed(seen: Witnessed) -> str:
    """The answer, and what was read around it where a reader may need it to see what is wrong."""
    read = f"read {_lines(seen.before.lines)}, revision {seen.before.revision}, before"
    after = f"{_lines(seen.after.lines)}, revision {seen.after.revision}, after"
    receipt = "" if seen.receipt is None else f"; receipt: revision {seen.receipt[1]}, cost {seen.receipt[2]}"
    return f"{_seen(seen.answer)}; {read} and {after}{receipt}"


def _first_wrong(case: Turns, answer: Attempts) -> str:
    for number, (moment, seen) in enumerate(zip(moments(case), answer.answers, strict=True), start=1):
        if not moment_due(moment, seen):
            return f"due for attempt {number}: {_due_at(moment)}; seen: {_seen(seen)}"
    return f"due: {_due(case)}; seen: {_seen(answer)}"
