"""The laws of the specification, proved with z3 for contents, patches and amounts of every size.

    python -m basebound.lenses.proofs.laws

A law is a claim that follows from premises; each premise is a rule that engines are asked to keep. A law is
proved by showing that its premises and the opposite of its claim cannot hold together. Then each premise is
dropped in turn: if the claim still followed, the rule would be for nothing; what is printed instead is a
counterexample, the smallest story of what goes wrong without that rule.

Two things keep this honest. The premises of a law must be able to hold together, else anything would follow. And
nothing is assumed of what a content, a hunk or a base is: they are bare sorts, related only as the premises say.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import z3  # type: ignore[import-untyped]

MILLISECONDS: Final = 20_000


@dataclass(frozen=True)
class Law:
    """``premises`` by the words for them, each in question; ``given`` is not.

    ``shown``: what a counterexample names, by the words for it.
    """

    name: str
    says: str
    premises: Mapping[str, Any]
    claim: Any
    shown: Mapping[str, Any] = field(default_factory=dict)
    given: Any = True


@dataclass(frozen=True)
class Proof:
    """``holds``: proved. ``sane``: its premises can hold together. ``without``: for each premise a counterexample, or
    ``None`` where the claim still follows or z3 does not know."""

    law: Law
    holds: bool
    sane: bool
    without: Mapping[str, str | None]

    @property
    def sound(self) -> bool:
        return self.holds and self.sane and None not in self.without.values()


def prove(law: Law) -> Proof:
    every = [law.given, *law.premises.values()]
    without = {name: _counterexample(law, name) for name in law.premises}
    return Proof(law, _check([*every, z3.Not(law.claim)]) == z3.unsat, _check(every) == z3.sat, without)


def _solver(statements: list[Any]) -> Any:
    solver = z3.Solver()
    solver.set("timeout", MILLISECONDS)
    solver.add(*statements)
    return solver


def _check(statements: list[Any]) -> Any:
    return _solver(statements).check()


def _counterexample(law: Law, dropped: str) -> str | None:
    others = [premise for name, premise in law.premises.items() if name != dropped]
    solver = _solver([law.given, *others, z3.Not(law.claim)])
    if solver.check() != z3.sat:
        return None
    model = solver.model()
    return ", ".join(f"{name} = {_plain(model.eval(term, model_completion=True))}" for name, term in law.shown.items())


def _plain(value: Any) -> str:
    """z3 calls the members of a bare sort ``Content!val!0`` and so on."""
    return str(value).replace("!val!", " ").lower()


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
    {"seen": seen, "live": live, "left": after, "should be": splice(seen, hunks)},
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
    {"seen": seen, "live": live, "after the first": later},
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
    {"start": start, "end": end, "lines": z3.Length(buffer), "left": z3.Length(spliced)},
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
NUMBERS: Final = {"size before": size, "size after": size_, "nets": nets_, "unpaid": unpaid_}


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
    {"size": size_, "start": start_size, "nets": nets_},
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
    {**NUMBERS, "written": written, "charged": charged},
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
    {**NUMBERS, "written": written, "set aside": foreign_ - foreign},
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
    {**NUMBERS, "freed": freed, "counted as freed": counted_freed, "inserted": inserted, "net": net},
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
    NUMBERS,
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
    {**NUMBERS, "dropped": dropped_},
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
    {"size": size, "start": start_size, "nets": nets, "unpaid": unpaid, "foreign": foreign, "dropped": dropped},
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
    {"commits": commits, "start": start_size, "size": size, "nets": nets},
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


def main() -> int:
    """Print every law; 1 if one does not hold, or holds without one of its premises."""
    sound = True
    for law in LAWS:
        proof = prove(law)
        sound = sound and proof.sound
        print(f"{'proved' if proof.holds and proof.sane else 'NOT PROVED'}  {law.name}: {law.says}")
        for premise, story in proof.without.items():
            print(f"    without '{premise}': {story if story is not None else 'IT STILL FOLLOWS'}")
    return 0 if sound else 1


if __name__ == "__main__":
    sys.exit(main())
