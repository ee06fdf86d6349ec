"""A context that compacts itself: without the gate it loses about 3% of its budget a turn, with it it swings in bounds.

One runtime is simulated twice. Each turn a tool result arrives; above the high mark the policy plans a
rewrite. Its plans are the same both times, the talkative one first. Without the gate the books are the
policy's own; with it a plan has to be proven before a token of it is written.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from basebound.model import Charge, Config, Hunk, Patch, Rejected, utf8_bytes
from basebound.targets.reference import ReferenceEngine, reference_gate

BUDGET = 10_000
HIGH, TURNS = 0.91, 16
_RESULT = 100
_LINE = 100


@dataclass(frozen=True)
class RewritePlan:
    """What the policy means to do, in tokens: lines to drop, and what it writes in their place and about it."""

    frees: int
    summary: int
    rationale: int
    measurement: int

    @property
    def promised(self) -> int:
        """The gain in the policy's own books, which know nothing of rationale and measurement."""
        return self.frees - self.summary

    @property
    def charges(self) -> tuple[Charge, ...]:
        amounts = (("insert", self.summary), ("rationale", self.rationale), ("measurement", self.measurement))
        return tuple(Charge(kind, tokens) for kind, tokens in amounts)


PLANS = (RewritePlan(1100, 450, 700, 150), RewritePlan(900, 300, 150, 50))
"""The talkative plan, and the terse one the policy falls back to when the first is refused."""


def _text(tokens: int) -> str:
    return "x" * (tokens - 1)


def budget() -> Iterator[str]:
    """The lines of the demonstration."""
    plan = PLANS[0]
    yield f"budget {BUDGET:,} tokens; a tool result of {_RESULT} tokens a turn; a rewrite is planned from {HIGH:.0%} on"
    yield (
        f"the first plan promises to free {plan.frees:,} and writes a summary of {plan.summary}, "
        f"a rationale of {plan.rationale} and measurements of {plan.measurement}"
    )
    for title, gated in (("without the gate", False), ("with the gate", True)):
        yield f"\n{title}:"
        levels, booked = [HIGH], 0
        for turn in _run(gated):
            levels.append(turn.level)
            booked += turn.booked
            yield f"  turn {turn.number:2}  {turn.level:6.1%}  {_bar(turn.level)}  {turn.said}".rstrip()
        yield _summary(levels, booked, gated)


@dataclass(frozen=True)
class _Turn:
    number: int
    level: float
    booked: int
    said: str


def _run(gated: bool) -> Iterator[_Turn]:
    """Turn after turn, until the last one or until the context is full."""
    lines = tuple(_text(_LINE) for _ in range(int(BUDGET * HIGH) // _LINE))
    trusting, proving = _Trusting(lines), ReferenceEngine(Config(lines))
    for number in range(1, TURNS + 1):
        said, booked = "", 0
        if _level(trusting, proving, gated) >= HIGH:
            said, booked = _proven(proving) if gated else _believed(trusting)
        proving.end_turn()
        trusting.append([_text(_RESULT)])
        proving.append([_text(_RESULT)])
        level = _level(trusting, proving, gated)
        yield _Turn(number, level, booked, f"{said}; the context is full" if level > 1 else said)
        if level > 1:
            return


def _level(trusting: _Trusting, proving: ReferenceEngine, gated: bool) -> float:
    lines = proving.snapshot().lines if gated else trusting.lines
    return sum(utf8_bytes(line) for line in lines) / BUDGET


class _Trusting:
    """The same context without a gate: what a plan says is done."""

    def __init__(self, lines: tuple[str, ...]) -> None:
        self.lines = lines

    def append(self, lines: Sequence[str]) -> None:
        self.lines += tuple(lines)

    def rewrite(self, plan: RewritePlan) -> None:
        """Drop the oldest results, and write down the summary and all that the policy has to say about it."""
        kept = [line for line in self.lines if utf8_bytes(line) != _LINE]
        old = [line for line in self.lines if utf8_bytes(line) == _LINE]
        new = [_text(tokens) for tokens in (plan.summary, plan.rationale, plan.measurement)]
        self.lines = (*kept, *old[plan.frees // _LINE :], *new)


def _believed(engine: _Trusting) -> tuple[str, int]:
    """The policy takes its own word for the first plan."""
    plan = PLANS[0]
    engine.rewrite(plan)
    return f"committed; the policy's books show a gain of {plan.promised}", plan.promised


def _proven(engine: ReferenceEngine) -> tuple[str, int]:
    """Every plan is proven before anything of it is written; the first that holds is carried out."""
    refused = ""
    for plan in PLANS:
        try:
            reference_gate(plan.frees, plan.charges, frozenset(), frozenset())
        except Rejected as refusal:
            refused = f"first plan refused as {refusal.reason}; "
            continue
        gain = _commit(engine, plan)
        return f"{refused}terse plan committed, net {gain}", gain
    return f"{refused}nothing committed", 0


def _commit(engine: ReferenceEngine, plan: RewritePlan) -> int:
    engine.emit("rationale", [_text(plan.rationale)])
    engine.emit("measurement", [_text(plan.measurement)])
    seen = engine.snapshot()
    at = next(n for n, line in enumerate(seen.lines) if utf8_bytes(line) == _LINE)
    receipt = engine.apply(Patch(seen, (Hunk(at, at + plan.frees // _LINE, (_text(plan.summary),)),)))
    cost = receipt.cost
    assert cost is not None
    assert cost.freed is not None
    assert cost.rewrite is not None
    assert cost.measurement is not None
    return cost.freed - cost.rewrite - cost.measurement


def _bar(level: float) -> str:
    filled = max(0, min(30, round((level - 0.8) * 75)))
    return "#" * filled + "." * (30 - filled)


def _summary(levels: list[float], booked: int, gated: bool) -> str:
    if gated:
        swing = f"it swings between {min(levels):.0%} and {max(levels):.0%}"
        return f"  {swing}; {booked:,} tokens booked, and the buffer agrees"
    lost = (levels[-1] - levels[0]) / (len(levels) - 1)
    return f"  it loses {lost:.1%} of the budget a turn while its books show {booked:,} tokens gained"
