"""Reduction: the smallest history that still breaks the same sentence, and nothing else."""

from __future__ import annotations

from basebound.core.trace import Append, Apply, Insert, Read, Trace
from basebound.model import Hunk
from basebound.session.reduce import breaks, reduce
from basebound.session.session import RunContext, run
from basebound.targets.loading import load

LONG = Trace(
    tuple(f"line {n}" for n in range(30)),
    steps=(
        Read("x1"),
        Append(("noise", "more noise")),
        Read("x2"),
        Apply("x2", (Hunk(3, 5, ("new",)), Hunk(9, 9, ("other",)))),
        Read("x3"),
        Insert(2, ("foreign", "lines")),
        Append(()),
        Apply("x3", (Hunk(10, 12), Hunk(20, 21, ("late",)))),
        Read("x4"),
        Append(("end",)),
    ),
)
STALE = "BASE-STALE-ABOVE"


def context(name: str) -> RunContext:
    target = load(name)
    return RunContext(target, target.profiles)


def test_a_long_history_is_reduced_to_a_read_a_disturbance_and_a_patch() -> None:
    on = context("fault:no-guard")
    small = reduce(LONG, breaks(on, STALE))
    assert [type(step) for step in small.steps] == [Read, Insert, Apply]
    assert len(small.lines) <= 2
    assert isinstance(small.steps[2], Apply)
    assert len(small.steps[2].hunks) == 1


def test_the_reduced_history_still_breaks_the_sentence() -> None:
    on = context("fault:no-guard")
    small = reduce(LONG, breaks(on, STALE))
    assert STALE in {finding.requirement for finding in run(on, small).findings}


def test_a_patch_keeps_a_hunk_that_does_something() -> None:
    small = reduce(LONG, breaks(context("fault:no-guard"), STALE))
    (patch,) = [step for step in small.steps if isinstance(step, Apply)]
    assert all(hunk.start < hunk.end or hunk.insert for hunk in patch.hunks)


def test_a_history_that_breaks_nothing_is_left_as_it_is() -> None:
    on = context("reference")
    assert breaks(on, STALE)(LONG) is None
