"""What proofs find and search does not: every faulty pure function, and the engines of the kill matrix."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from basebound.core.register import by_id
from basebound.lenses.proofs.contracts import REQUIREMENTS
from basebound.lenses.proofs.lens import reach
from basebound.lenses.proofs.proving import check
from basebound.lenses.proofs.results import ProofReport
from basebound.run.messages import Hunt, Hunted
from basebound.run.pool import Died
from basebound.targets import loading
from basebound_catalogue import CORRECT, FAULTS
from basebound_catalogue.bench.kills import hunt_each
from basebound_catalogue.mutants.pure import PURE_FAULTS, PureFault


@dataclass(frozen=True)
class Look:
    """One faulty function through three lenses.

    ``search``: the steps after which the search found something broken, or None. ``box``: whether the box found the
    requirement. ``proofs``: the seconds after which it was refuted and run again, or None; ``shape`` refuted it.
    """

    fault: PureFault
    search: int | None
    box: bool
    proofs: float | None
    shape: str
    proved: tuple[str, ...]


@dataclass(frozen=True)
class Engine:
    """One engine of the kill matrix. ``requirement`` is the one its fault names, empty for a correct one.

    ``shapes`` were looked at, and ``decided`` of them proved or refuted; ``why`` says what stood in the way of the
    others.
    """

    name: str
    requirement: str
    refuted: tuple[str, ...]
    proved: tuple[str, ...]
    shapes: int
    decided: int
    why: str
    seconds: float

    @property
    def whole(self) -> bool:
        """Whether every shape was proved."""
        return not self.refuted and self.decided == self.shapes > 0


def looks(
    effort: str, jobs: int, faults: Iterable[PureFault] = PURE_FAULTS, heard: Callable[[Look], None] = lambda look: None
) -> list[Look]:
    """Search, box and proofs of an effort for each fault; the search with seed 0, to its end or its first find."""
    found = []
    for some in _batched(faults, jobs):
        ended = _hunted(some, effort, jobs)
        for fault in some:
            look = _look(fault, ended[fault.target, "search"], ended[fault.target, "box"], effort, jobs)
            found.append(look)
            heard(look)
    return found


def _batched(faults: Iterable[PureFault], size: int) -> Iterator[tuple[PureFault, ...]]:
    """The faults, so many at a time."""
    rest = iter(faults)
    while some := tuple(islice(rest, size)):
        yield some


def _look(fault: PureFault, search: Hunted | Died, box: Hunted | Died, effort: str, jobs: int) -> Look:
    report = check(fault.target, effort, jobs=jobs, until=frozenset([fault.requirement]))
    hits = [one for one in report.refuted if fault.requirement in one.requirements]
    first = min(hits, key=lambda one: one.seconds, default=None)
    seconds, shape = (None, "") if first is None else (first.seconds, first.shape)
    boxed = isinstance(box, Hunted) and fault.requirement in box.broken
    return Look(fault, _steps(search), boxed, seconds, shape, tuple(report.requirements_proved()))


def _steps(ended: Hunted | Died) -> int | None:
    """The steps of a search that found something of what the target claims broken.

    One whose worker was ended, on a machine too busy for a call to come back in time, has found nothing.
    """
    if isinstance(ended, Died):
        return None
    broken, target = [by_id()[name] for name in ended.broken], ended.target
    mine = [row for row in broken if row.is_decided_by(target.pure) and row.profile in target.profiles]
    return ended.steps if mine else None


def _hunted(faults: Iterable[PureFault], effort: str, jobs: int) -> dict[tuple[str, str], Hunted | Died]:
    """By target and lens."""
    found: dict[tuple[str, str], Hunted | Died] = {}

    def hear(hunt: Hunt, ended: Hunted | Died) -> None:
        found[hunt.target, hunt.lenses[0]] = ended

    lenses = ("search", "box")
    hunts = [Hunt(one.target, one.requirement, effort, 0, (lens,)) for lens in lenses for one in faults]
    hunt_each(hunts, jobs, hear)
    return found


def engines(effort: str, jobs: int, only: Iterable[str] = ()) -> Iterator[Engine]:
    """Every synchronous engine of the kill matrix through the lens, faulty ones first, each until it is refuted."""
    named = {f"fault:{fault.id}": fault.requirement for fault in FAULTS}
    named |= {f"correct:{correct.id}": "" for correct in CORRECT}
    wanted = set(only)
    for name, requirement in named.items():
        if wanted and name not in wanted:
            continue
        if not loading.load(name).asynchronous:
            yield _engine(name, requirement, check(name, effort, jobs=jobs, until=frozenset(REQUIREMENTS)))


def _engine(name: str, requirement: str, report: ProofReport) -> Engine:
    left = [result for result in report.undecided if not result.followed]
    shapes = {getattr(result, "shape", "") for result in report.results}
    why = report.unavailable.what if report.unavailable else left[0].why if left else ""
    decided = len(shapes) - len({result.shape for result in left})
    refuted, proved = tuple(sorted(report.requirements_refuted())), tuple(report.requirements_proved())
    return Engine(name, requirement, refuted, proved, len(shapes), decided, why, report.seconds)


def provable(requirement: str) -> bool:
    """Whether a shape of the battery covers the requirement at all."""
    return bool(reach(requirement))
