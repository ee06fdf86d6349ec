"""The laws of the specification hold for contents, patches and amounts of every size, and need each of their rules.

A law is a claim that follows from premises; each premise is a rule that engines are asked to keep. z3 proves a law
by showing that its premises and the opposite of its claim cannot hold together. Then each premise is dropped in turn:
there must be a counterexample, for if the claim still followed, the rule would be for nothing.

Two things keep this honest. The premises of a law must be able to hold together, else anything would follow. And
nothing is assumed of what a content, a hunk or a base is: they are bare sorts, related only as the premises say.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import pytest
import z3  # type: ignore[import-untyped]

MILLISECONDS: Final = 20_000


@dataclass(frozen=True)
class Law:
    """``premises`` by the words for them, each in question; ``given`` is not."""

    name: str
    says: str
    premises: Mapping[str, Any]
    claim: Any
    given: Any = True


def holds(law: Law) -> bool:
    """Whether the claim follows from the premises."""
    return bool(_check([law.given, *law.premises.values(), z3.Not(law.claim)]) == z3.unsat)


def possible(law: Law) -> bool:
    """Whether the premises can hold together; from premises that cannot anything would follow."""
    return bool(_check([law.given, *law.premises.values()]) == z3.sat)


def needed(law: Law) -> list[str]:
    """The premises without which there is a counterexample."""
    return [name for name in law.premises if _has_counterexample_without(law, name)]


def _has_counterexample_without(law: Law, dropped: str) -> bool:
    others = [premise for name, premise in law.premises.items() if name != dropped]
    return bool(_check([law.given, *others, z3.Not(law.claim)]) == z3.sat)


def _check(statements: list[Any]) -> Any:
    solver = z3.Solver()
    solver.set("timeout", MILLISECONDS)
    solver.add(*statements)
    return solver.check()


# ------------------------------------------------------------------------------------------ the base

Content, Hunks, Base = (z3.DeclareSort(name) for name in ("Content", "Hunks", "Base"))
base_of = z3.Function("base_of", Content, Base)
splice = z3.Function("splice", Content, Hunks, Content)
seen, live, after, later = z3.Consts("seen live after later", Content)
hunks, others = z3.Consts("hunks others", Hunks)
stored = z3.Const("stored", Base)


def injective(*contents: Any) -> Any:
    """Contents with one base are one content; stated for the contents a law speaks of."""
    pairs = [(a, b) for nth, a in enumerate(contents) for b in contents[nth + 1 :]]
    return z3.And(*[z3.Implies(base_of(a) == base_of(b), a == b) for a, b in pairs])


ACCEPTED_IS_WHAT_WAS_AUTHORED: Final = Law(
    "accepted",
    "an accepted patch leaves the splice of its hunks into what its author saw",
    {
        "other content has another base": injective(seen, live),
        "the snapshot's base is that of the lines shown": stored == base_of(seen),
        "the base is compared with the live one at the commit": stored == base_of(live),
        "the effect is the splice into the live content": after == splice(live, hunks),
    },
    after == splice(seen, hunks),
)

SECOND_AUTHOR_IS_STALE: Final = Law(
    "second author",
    "of two patches on one base the second is accepted only if the first changed nothing",
    {
        "other content has another base": injective(seen, live, later),
        "the first was fresh": base_of(seen) == base_of(live),
        "the first left its splice": later == splice(live, others),
        "the base is compared with the live one at the second commit": base_of(seen) == base_of(later),
    },
    z3.And(later == seen, splice(live, others) == live),
)

Line = z3.DeclareSort("Line")
Lines = z3.SeqSort(Line)
buffer, insert = z3.Consts("buffer insert", Lines)
start, end = z3.Ints("start end")
spliced = z3.Concat(z3.SubSeq(buffer, 0, start), insert, z3.SubSeq(buffer, end, z3.Length(buffer) - end))

NOTHING_IS_LOST: Final = Law(
    "range",
    "a hunk in range changes the number of lines by what it inserts less what it removes",
    {
        "0 <= start": start >= 0,
        "start <= end": start <= end,
        "end <= length": end <= z3.Length(buffer),
    },
    z3.Length(spliced) == z3.Length(buffer) - (end - start) + z3.Length(insert),
)


# ---------------------------------------------------------------------------------------- the budget

INTS: Final = (
    "size start_size foreign unpaid dropped nets commits size_ foreign_ unpaid_ dropped_ nets_ commits_ "
    "written charged freed counted_freed inserted counted_inserted"
)
(
    size,
    start_size,
    foreign,
    unpaid,
    dropped,
    nets,
    commits,
    size_,
    foreign_,
    unpaid_,
    dropped_,
    nets_,
    commits_,
    written,
    charged,
    freed,
    counted_freed,
    inserted,
    counted_inserted,
) = z3.Ints(INTS)
net = counted_freed - counted_inserted - unpaid


def books(size: Any, foreign: Any, unpaid: Any, dropped: Any, nets: Any, commits: Any) -> Any:
    """What the books say of the buffer at any moment of any turn.

    Foreign writes aside, and what turns ended without paying for, the buffer has shrunk by the nets so far, but
    for the emissions that are still unpaid. Every commit gained at least one token.
    """
    return z3.And(size - foreign - dropped == start_size - nets + unpaid, unpaid >= 0, nets >= commits, commits >= 0)


BEFORE: Final = books(size, foreign, unpaid, dropped, nets, commits)
AFTER: Final = books(size_, foreign_, unpaid_, dropped_, nets_, commits_)
SIZES: Final = z3.And(
    freed <= size, *[n >= 0 for n in (size, start_size, foreign, dropped, foreign_, dropped_, freed, inserted)]
)
"""Given in the laws of the budget: sizes are not negative, and no more is freed than there is."""


def unchanged(*pairs: tuple[Any, Any]) -> Any:
    return z3.And(*[new == old for old, new in pairs])


_SIZE, _FOREIGN, _UNPAID = (size, size_), (foreign, foreign_), (unpaid, unpaid_)
_DROPPED, _NETS, _COMMITS = (dropped, dropped_), (nets, nets_), (commits, commits_)

START: Final = Law(
    "start",
    "the books are right when an engine starts",
    {
        "nothing is unpaid, foreign, dropped or committed yet": z3.And(
            foreign_ == 0, unpaid_ == 0, dropped_ == 0, nets_ == 0, commits_ == 0
        ),
        "the size is that of the start": size_ == start_size,
    },
    AFTER,
    given=z3.And(SIZES, written >= 0),
)

EMISSION: Final = Law(
    "emission",
    "the books stay right over an emission",
    {
        "they were right": BEFORE,
        "the lines enter the buffer": size_ == size + written,
        "a size is not negative": written >= 0,
        "what is charged is what was written": charged == written,
        "the charge waits until a commit pays": unpaid_ == unpaid + charged,
        "nothing else changes": unchanged(_FOREIGN, _DROPPED, _NETS, _COMMITS),
    },
    AFTER,
    given=SIZES,
)

FOREIGN_WRITE: Final = Law(
    "foreign write",
    "the books stay right over a foreign write, which nobody pays for",
    {
        "they were right": BEFORE,
        "the lines enter the buffer": size_ == size + written,
        "they are set aside": foreign_ == foreign + written,
        "they are not charged": unpaid_ == unpaid,
        "nothing else changes": unchanged(_DROPPED, _NETS, _COMMITS),
    },
    AFTER,
    given=z3.And(SIZES, written >= 0),
)

COMMIT: Final = Law(
    "commit",
    "the books stay right over a commit, and nothing is unpaid after it",
    {
        "they were right": BEFORE,
        "the effect is the splice": size_ == size - freed + inserted,
        "what counts as freed is measured": counted_freed == freed,
        "what is inserted is measured and counted": counted_inserted == inserted,
        "the gate: the net is above zero": net > 0,
        "the net enters the books": z3.And(nets_ == nets + net, commits_ == commits + 1),
        "what was unpaid is paid, once": unpaid_ == 0,
        "nothing else changes": unchanged(_FOREIGN, _DROPPED),
    },
    z3.And(AFTER, unpaid_ == 0),
    given=z3.And(SIZES, written >= 0),
)

REFUSAL: Final = Law(
    "refusal",
    "the books stay right over a refusal",
    {
        "they were right": BEFORE,
        "the buffer is as it was": size_ == size,
        "what is unpaid stays unpaid": unpaid_ == unpaid,
        "nothing else changes": unchanged(_FOREIGN, _DROPPED, _NETS, _COMMITS),
    },
    AFTER,
    given=z3.And(SIZES, written >= 0),
)

TURN_END: Final = Law(
    "turn's end",
    "the books stay right over a turn's end, which drops what is unpaid",
    {
        "they were right": BEFORE,
        "the buffer is as it was": size_ == size,
        "what is unpaid is dropped": z3.And(unpaid_ == 0, dropped_ == dropped + unpaid),
        "nothing else changes": unchanged(_FOREIGN, _NETS, _COMMITS),
    },
    AFTER,
    given=z3.And(SIZES, written >= 0),
)

CONSERVED: Final = Law(
    "conserved",
    "after a commit, however many turns in, the buffer has shrunk by exactly the sum of the nets",
    {
        "the books are right": BEFORE,
        "a commit was the last to write": unpaid == 0,
        "foreign writes aside": foreign == 0,
        "every turn before ended paid": dropped == 0,
    },
    size == start_size - nets,
    given=z3.And(SIZES, written >= 0),
)

COMMITS_END: Final = Law(
    "commits end",
    "a buffer can be rewritten no more often than it had tokens",
    {
        "the books are right": BEFORE,
        "foreign writes aside": foreign == 0,
        "every turn before ended paid": dropped == 0,
        "a commit was the last to write": unpaid == 0,
        "a size is not negative": size >= 0,
    },
    commits <= start_size,
    given=start_size >= 0,
)

LAWS: Final = (
    ACCEPTED_IS_WHAT_WAS_AUTHORED,
    SECOND_AUTHOR_IS_STALE,
    NOTHING_IS_LOST,
    START,
    EMISSION,
    FOREIGN_WRITE,
    COMMIT,
    REFUSAL,
    TURN_END,
    CONSERVED,
    COMMITS_END,
)
"""From ``start`` to ``turn's end`` it is one induction: the books are right at first, and each step keeps them so."""


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.name)
def test_a_law_follows_from_its_premises_and_from_no_fewer(law: Law) -> None:
    assert possible(law)
    assert holds(law)
    assert needed(law) == list(law.premises)


def test_a_false_law_is_not_proved_and_a_premise_for_nothing_is_noticed() -> None:
    a, b = z3.Ints("a b")
    grows = {"a grows": b == a + 1}
    assert not holds(Law("false", "more is more", grows, b > a + 1))
    idle = Law("idle", "more is more", {**grows, "it rains": a > 7}, b > a)
    assert holds(idle)
    assert needed(idle) == ["a grows"]
    assert not possible(Law("impossible", "anything", {"one": a > b, "other": b > a}, a == 9))
