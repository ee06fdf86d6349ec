"""The commands of ``basebound bench``: each measures something of the suite and prints it."""

from __future__ import annotations

import json
import os
import shlex
import statistics
from pathlib import Path

import click

from basebound.lenses.efforts import AMOUNTS, EFFORTS
from basebound_catalogue import FAULTS
from basebound_catalogue.bench import kills as matrix
from basebound_catalogue.bench import plugin as plugged
from basebound_catalogue.bench import proofs as proving
from basebound_catalogue.bench import yardstick
from basebound_catalogue.bench.history import growth, recorder_ratio
from basebound_catalogue.bench.overhead import overhead as measured
from basebound_catalogue.bench.wire import throughput
from basebound_catalogue.mutants.pure import PURE_FAULTS


@click.group()
def bench() -> None:
    """Measure the suite itself."""


@bench.command()
@click.option("--effort", type=click.Choice(EFFORTS), default="default", show_default=True)
@click.option("--seeds", type=click.IntRange(1), default=3, show_default=True, help="How many seeds, from 0.")
@click.option("--jobs", type=click.IntRange(1), default=None, help="Processes at once; default: the cores there are.")
@click.option(
    "--json", "path", type=click.Path(dir_okay=False, path_type=Path), help="Write the matrix to this file as well."
)
@click.option("--fault", "only", multiple=True, help="Only this fault; repeatable.")
def kills(effort: str, seeds: int, jobs: int | None, path: Path | None, only: tuple[str, ...]) -> int:
    """The kill matrix: each fault against the requirement it names, correct engines, and engines that do no work."""
    workers = jobs or os.cpu_count() or 1
    chosen = [fault for fault in FAULTS if not only or fault.id in only]
    found = matrix.kills(effort, range(seeds), workers, _show_escape, chosen)
    data = matrix.summary(found)
    for row in data["faults"]:
        steps = "-" if row["steps"] is None else str(row["steps"])
        caught = f"{row['caught']}/{row['seeds']}"
        click.echo(f"{row['fault']:44} {row['requirement']:28} {caught} {steps:>7}  {','.join(row['lens'])}")
    click.echo(
        f"{data['caught']} of {data['of']} faults caught with every seed by the requirement they name; "
        f"steps to kill: median {data['median_steps']}, worst {data['worst_steps']}"
    )
    clean = data["caught"] == data["of"]
    if not only:
        _naive(data, effort, workers)
        clean &= _others(data, effort, seeds, workers)
    if path is not None:
        path.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    return 0 if clean else 1


@bench.command()
@click.argument("target", default="basebound_catalogue.plain:PlainEngine")
@click.option("--rounds", type=click.IntRange(1), default=5, show_default=True)
@click.option("--runs", type=click.IntRange(1), default=60, show_default=True, help="Histories of each a round.")
def overhead(target: str, rounds: int, runs: int) -> int:
    """Time a step of the search beside a step of a naive Hypothesis machine, on TARGET, in one run."""
    found = measured(target, rounds, runs)
    for ours, naive in zip(found.ours, found.naive, strict=True):
        click.echo(f"search {ours:7.1f} us a step, naive {naive:7.1f} us a step, ratio {ours / naive:.2f}")
    click.echo(f"median ratio {found.ratio:.2f}")
    return 0


@bench.command()
@click.argument("target", default="reference")
@click.option("--effort", type=click.Choice(EFFORTS), default="quick", show_default=True)
@click.option("--rounds", type=click.IntRange(1), default=3, show_default=True)
@click.option("--jobs", type=click.IntRange(1), default=None, help="Processes at once; default: the cores there are.")
def plugin(target: str, effort: str, rounds: int, jobs: int | None) -> int:
    """Time pytest --basebound TARGET beside basebound check TARGET, the same work, in one run."""
    found = plugged.cost(target, effort, rounds, jobs or os.cpu_count() or 1)
    for ours, theirs in zip(found.check, found.pytest, strict=True):
        click.echo(
            f"check {ours.clock:6.2f} s ({ours.processor:6.2f} s of processor), "
            f"pytest {theirs.clock:6.2f} s ({theirs.processor:6.2f} s), ratio {theirs.clock / ours.clock:.3f}"
        )
    click.echo(f"median ratio {found.clock_ratio:.3f} on the clock, {found.processor_ratio:.3f} of processor time")
    return 0


@bench.command()
@click.option("--wire", required=True, metavar="CMD", help="The command of a sound engine.")
@click.option("--rounds", type=click.IntRange(1), default=5, show_default=True)
@click.option("--least", type=float, default=0.7, show_default=True, help="The ratio below which the exit code is 1.")
def wire(wire: str, rounds: int, least: float) -> int:
    """Time steps over the wire beside a bare exchange of the same messages with the same engine, in one run."""
    found = throughput(f"wire:{shlex.quote(wire)}", rounds)
    for parts in found.rounds:
        messages = sum(part.messages for part in parts)
        driven, judged, bare = (
            messages / sum(getattr(part, kind) for part in parts) for kind in ("driven", "judged", "bare")
        )
        click.echo(
            f"{messages:,} messages: driven {driven:,.0f} a second (judged as well {judged:,.0f}), bare {bare:,.0f}"
        )
    click.echo(f"ratio {found.ratio:.2f}, driven against bare, the median over {sum(map(len, found.rounds))} parts")
    return 0 if found.ratio >= least else 1


def _show_escape(kill: matrix.Kill) -> None:
    if not kill.caught:
        seen = ", ".join(kill.broken) or "nothing"
        click.echo(
            f"not caught: {kill.fault.id} (seed {kill.seed}), {kill.fault.requirement}; reported instead: {seen}",
            err=True,
        )


def _naive(data: dict[str, object], effort: str, jobs: int) -> None:
    """The same faults before the machine that most people would write."""
    amount = AMOUNTS[effort]
    found = yardstick.walks(amount.runs, amount.steps, jobs)
    noticed = [walk for walk in found if walk.found]
    steps = [walk.steps for walk in noticed if walk.steps is not None]
    median = statistics.median(steps) if steps else None
    click.echo(
        f"a naive machine, {amount.runs} runs of {amount.steps} moves: notices {len(noticed)} of the {len(found)} "
        f"faults of {' and '.join(yardstick.PROFILES)} in plain engines, after {median} steps in the median of those"
    )
    missed = [walk.fault.id for walk in found if not walk.found]
    data["naive"] = {"noticed": len(noticed), "of": len(found), "median_steps": median, "missed": missed}


def _others(data: dict[str, object], effort: str, seeds: int, jobs: int) -> bool:
    correct = matrix.false_positive_controls(effort, range(seeds), jobs)
    vacuous = matrix.vacuous_engines("quick", jobs)
    for one in correct:
        if one.accused or one.open:
            click.echo(
                f"correct engine {one.id} (seed {one.seed}): accused of {list(one.accused)}, open {list(one.open)}"
            )
    alarms = sum(bool(one.accused) for one in correct)
    click.echo(f"{alarms} false alarms on {len(correct)} runs of {len({one.id for one in correct})} correct engines")
    for engine in vacuous:
        click.echo(f"{engine.id} passes {len(engine.passed)} MUST requirements {', '.join(engine.passed)}".rstrip())
    data["correct"] = [one.__dict__ for one in correct]
    data["idle"] = [engine.__dict__ for engine in vacuous]
    return not alarms and not any(one.open for one in correct) and not any(engine.passed for engine in vacuous)


@bench.command()
@click.option("--effort", type=click.Choice(EFFORTS), default="default", show_default=True)
@click.option("--jobs", type=click.IntRange(1), default=None, help="Processes at once; default: the cores there are.")
@click.option("--only", multiple=True, help="Only this function, or this engine; repeatable.")
@click.option("--engines", is_flag=True, help="Look at the engines of the kill matrix instead.")
def proofs(effort: str, jobs: int | None, only: tuple[str, ...], engines: bool) -> int:
    """Search, box and proofs for each faulty pure function; or proofs for every synchronous engine."""
    workers = jobs or os.cpu_count() or 1
    return _engines(effort, workers, only) if engines else _functions(effort, workers, only)


def _functions(effort: str, jobs: int, only: tuple[str, ...]) -> int:
    def show(look: proving.Look) -> None:
        search = "missed" if look.search is None else f"{look.search} steps"
        proved = "missed" if look.proofs is None else f"{look.proofs:.1f} s, {look.shape}"
        hidden = "hidden" if look.fault.hidden else ""
        found = "found" if look.box else "missed"
        click.echo(f"{look.fault.id:24} {look.fault.requirement:24} {hidden:7} {search:>12}  {found:7} {proved}")

    click.echo(f"{'variant':24} {'requirement':24} {'':7} {'search':>12}  {'box':7} proofs")
    found = proving.looks(effort, jobs, [one for one in PURE_FAULTS if not only or one.id in only], show)
    refuted, missed = sum(look.proofs is not None for look in found), sum(look.search is None for look in found)
    false = [look.fault.id for look in found if look.proved]
    click.echo(
        f"{refuted} of {len(found)} refuted by proofs and run again, {missed} of them missed by search; "
        f"{len(false)} wrongly proved {' '.join(false)}".rstrip()
    )
    return 0 if refuted == len(found) and not false else 1


def _engines(effort: str, jobs: int, only: tuple[str, ...]) -> int:
    found = []
    for one in proving.engines(effort, jobs, only):
        found.append(one)
        told = f"refuted: {','.join(one.refuted)}" if one.refuted else f"proved: {len(one.proved)} requirements"
        aside = "" if not one.requirement or proving.provable(one.requirement) else " (no shape)"
        why = "" if one.refuted or not one.why else f"; open: {one.why}"
        shapes = "" if one.refuted else f", {one.decided} of {one.shapes} shapes"
        click.echo(f"{one.name:44} {one.requirement + aside:38} {told}{shapes}, {one.seconds:.1f} s{why}")
    faulty, correct = [one for one in found if one.requirement], [one for one in found if not one.requirement]
    for kind, some in (("faulty", faulty), ("correct", correct)):
        hits, whole = sum(bool(one.refuted) for one in some), sum(one.whole for one in some)
        click.echo(
            f"{kind}: of {len(some)}, {hits} refuted, {whole} proved on every shape, {len(some) - hits - whole} open"
        )
    in_reach = [one for one in faulty if proving.provable(one.requirement)]
    hits = sum(bool(one.refuted) for one in in_reach)
    click.echo(f"of the {len(in_reach)} faulty ones whose requirement has a shape, {hits} are refuted")
    beyond = [one.name for one in faulty if one.requirement in one.proved]
    click.echo(f"faulty in longer histories or larger contents than any shape has: {' '.join(beyond) or 'none'}")
    wrong = [one.name for one in correct if one.refuted]
    click.echo(f"wrongly refuted: {' '.join(wrong) or 'none'}")
    return 1 if wrong else 0


@bench.command()
@click.option("--million", is_flag=True, help="Judge a history of 1,000,000 calls as well; it takes 2 GB of memory.")
def history(million: bool) -> int:
    """Time the history checker on longer and longer histories, and a recorder beside the bare engine."""
    for judged in growth([1_000, 10_000, 100_000, *([1_000_000] if million else [])]):
        verdict = "legal, as it is" if judged.legal else "not found legal"
        click.echo(f"{judged.operations:>9,} calls  {judged.seconds:8.3f} s of CPU  {verdict}")
    click.echo(f"recorder: {recorder_ratio(5, 500):.2f} times the bare engine")
    return 0
