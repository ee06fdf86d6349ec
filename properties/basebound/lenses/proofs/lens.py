"""Lens ``proofs``: CrossHair follows every path of a small call, and magic values do not hide.

What it refutes is run as a history like any other, so that the oracle has the last word; what it proves is
evidence within bounds that are told with it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from basebound.lenses.declaration import Lens, UnitRun, Vouching
from basebound.lenses.efforts import AMOUNTS
from basebound.lenses.proofs.battery import BY_NAME, battery
from basebound.lenses.proofs.proving import check
from basebound.lenses.proofs.results import ProofReport, Proved, Result
from basebound.lenses.proofs.shapes import Bounds, Depth, listed
from basebound.lenses.proofs.subject import Kind
from basebound.results.unit import Unit


def _units(effort: str, seed: int, backend: str) -> list[Unit]:
    parts = AMOUNTS[effort].proofs
    return [Unit("proofs", f"{part} of {parts}", effort, seed) for part in range(1, parts + 1)]


def _run(work: UnitRun) -> str:
    """Prove or refute one part of the battery in a child process; what is refuted is judged like any history."""
    if work.target.piped:
        return ""
    work.progress()
    part, parts = map(int, work.unit.shard.split(" of "))
    report = check(work.target.name, work.unit.effort, jobs=1, part=(part - 1, parts))
    work.vouched += report.results
    work.cases(refuted.trace for refuted in report.refuted)
    return note(report)


def reach(requirement: str, effort: str = "default") -> tuple[Bounds, ...]:
    """Within which bounds an effort can prove ``requirement``; nothing if it has no shape."""
    kinds = list(Kind)
    shapes = [shape for kind in kinds for shape in battery(kind, Depth[effort.upper()])]
    fit = [shape for shape in shapes if any(requirement in shape.covered(kind) for kind in kinds)]
    return tuple(dict.fromkeys(shape.bounds for shape in fit))


def note(report: ProofReport) -> str:
    """What stood in the way, and how to fix it; nothing if nothing did."""
    if report.unavailable is not None:
        return f"nothing was proved: {report.unavailable.what}; {report.unavailable.fix}"
    left = [result for result in report.undecided if not result.followed]
    if not left or report.refuted:
        return ""
    looked_at = len({getattr(result, "shape", "") for result in report.results})
    return f"{len(left)} of {looked_at} shapes are undecided; {left[0].shape}: {left[0].why}"


def evidence(vouched: Iterable[object]) -> dict[str, dict[str, Any]]:
    """By requirement, what all parts together prove of it, and within which bounds."""
    results = tuple(result for result in vouched if isinstance(result, Result))
    proved = ProofReport(results).requirements_proved()
    return {requirement: {"shapes": len(proofs), "bounds": bounds(proofs)} for requirement, proofs in proved.items()}


def alone(vouched: Iterable[object]) -> list[str]:
    """What a check without histories has to say of what holds within bounds: it passes nothing by that."""
    held = evidence(vouched)
    if not held:
        return []
    few = ", ".join([*list(held)[:3], *(["..."] if len(held) > 3 else [])])
    return [
        f"no input within the bounds breaks {len(held)} requirements ({few}), but a proof counts only if the same "
        "requirement also passed testing: add --lens scenarios, or leave --lens out"
    ]


def bounds(proofs: Iterable[Proved]) -> str:
    """The bounds of some proofs in the order of the battery, those in one setting together."""
    settings: dict[str, list[Bounds]] = {}
    for proof in sorted(proofs, key=lambda proof: list(BY_NAME).index(proof.shape)):
        settings.setdefault(proof.setting, []).append(BY_NAME[proof.shape].bounds)
    told = {setting: "; ".join(listed(some)) for setting, some in settings.items()}
    return "; ".join(f"{setting}: {some}" if setting else some for setting, some in told.items())


LENS: Final = Lens(
    "proofs",
    _units,
    _run,
    goals="searched",
    plays=False,
    vouches=Vouching("proved", evidence, beside_a_pass=True, alone=alone),
)
