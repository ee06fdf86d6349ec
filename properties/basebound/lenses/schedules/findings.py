"""What a run shows against an engine: requirements, each with its sentence, and the verdict behind them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from basebound.history.blame import Blame, blame
from basebound.history.judge import judge
from basebound.history.lanes import draw, draw_history
from basebound.history.operations import CallHistory, operation_outcome_text, step_text
from basebound.history.order_verdict import Illegal, Legal, OrderVerdict, Undecided
from basebound.lenses.schedules import ledgers
from basebound.lenses.schedules.harness import Run, Trouble
from basebound.results.outcome import Malformed, Raised

PROGRESS = "ATOMIC-PROGRESS"
INTERRUPTED_WHOLE = "ATOMIC-INTERRUPTED-WHOLE"
INTERRUPTED_USABLE = "ATOMIC-INTERRUPTED-USABLE"

_BUDGET = 200_000


@dataclass(frozen=True)
class ConcurrentFinding:
    """A violation: the run, each broken requirement with its sentence, and the history's verdict where it has one."""

    run: Run
    broken: tuple[Blame, ...]
    verdict: Illegal | None = None

    def drawn(self) -> str:
        """The history as lanes over time, in plain text, and where the clients were held or wait."""
        if self.verdict is not None:
            text = draw(self.verdict)
        else:
            culprits = [op for op in self.run.history.operations if not op.answered]
            text = draw_history(self.run.history, culprits, self.broken[0].sentence)
        return f"{text}\n* {self.run.where}" if self.run.where and self.verdict is not None else text


def finding(run: Run) -> ConcurrentFinding | Undecided | None:
    """What is wrong with a run: ``None`` if nothing, :class:`Undecided` if its history could not be judged."""
    if run.trouble is not None:
        waits = "operations wait forever"
        sentence = run.where if run.trouble is Trouble.LOST else f"{waits}: {run.where}" if run.where else waits
        return ConcurrentFinding(run, (Blame(INTERRUPTED_USABLE if run.interrupted else PROGRESS, sentence),))
    failed = next((op for op in run.history.operations if isinstance(op.outcome, (Raised, Malformed))), None)
    if failed is not None:
        sentence = f"{step_text(failed.step)} by {failed.client} ended as it must not: {operation_outcome_text(failed)}"
        return ConcurrentFinding(run, (Blame(INTERRUPTED_USABLE if run.interrupted else PROGRESS, sentence),))
    verdict, blamed = ruling(run.history)
    if isinstance(verdict, Legal):
        return None
    if isinstance(verdict, Undecided):
        return verdict
    if run.interrupted is not None:
        sentence = (
            f"{step_text(run.interrupted.step)} was interrupted, and left neither the state before it nor the one after"
        )
        return ConcurrentFinding(run, (Blame(INTERRUPTED_WHOLE, sentence),), verdict)
    return ConcurrentFinding(run, blamed(verdict), verdict)


def ruling(history: CallHistory) -> tuple[OrderVerdict, Callable[[Illegal], tuple[Blame, ...]]]:
    """What is to be said of the contents, or, where they have an order, of the books; and whom it blames."""
    verdict = judge(history, _BUDGET)
    if isinstance(verdict, Legal) and ledgers.concerns(history):
        return ledgers.judge(history), ledgers.blame
    return verdict, blame
