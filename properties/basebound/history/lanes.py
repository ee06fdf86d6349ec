"""A history drawn as lanes over time, one lane a client, in plain text.

Time is told by order only: each start and each end has its own column, as far apart as its number needs.

    ada  [1======]        [4------]
    bob      [2------]
    cyd           [3==============>

``[1==]`` is a culprit, ``[2--]`` another operation, ``[3==>`` one that was never answered.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from basebound.history.operations import CallHistory, Operation, lines_text, operation_outcome_text, step_text
from basebound.history.order_verdict import NO_ORDER, Illegal

_NAME = 16


def draw(verdict: Illegal, most: int = 12) -> str:
    """A verdict: its culprits and, of the operations beside them, up to ``most``."""
    return draw_history(verdict.within, verdict.culprits, _sentence(verdict), most)


def draw_history(history: CallHistory, culprits: Sequence[Operation], sentence: str, most: int = 12) -> str:
    """Lanes, then a line for each operation, then what is wrong."""
    shown = _shown(history, culprits, most)
    numbers = {id(operation): n for n, operation in enumerate(shown, start=1)}
    marked = {id(operation) for operation in culprits}
    lanes = _lanes(shown, numbers, marked)
    rows = [_row(operation, numbers[id(operation)], id(operation) in marked) for operation in shown]
    left_out = len(history.operations) - len(shown)
    note = [f"({left_out} more operations of this part are not drawn)"] if left_out else []
    return "\n".join([f"start: {_start(history)}", "", *lanes, "", *rows, *note, "", f"* {sentence}"])


def _sentence(verdict: Illegal) -> str:
    return verdict.why if verdict.law == NO_ORDER else f"{verdict.law}: {verdict.why}"


def _start(history: CallHistory) -> str:
    return lines_text(history.lines) + ("" if history.revision is None else f" at revision {history.revision}")


def _shown(history: CallHistory, culprits: Sequence[Operation], most: int) -> list[Operation]:
    """The culprits, and those of the others that overlap or neighbour them, the nearest first."""
    marked = {id(operation) for operation in culprits}
    begin = min((operation.t0 for operation in culprits), default=0)
    end = max((_end(op) if _end(op) < inf else op.t0 for op in culprits), default=0)

    def away(operation: Operation) -> float:
        return max(0, begin - _end(operation), operation.t0 - end)

    others = [operation for operation in history.operations if id(operation) not in marked]
    near = sorted(others, key=away)[:most]
    return sorted([*culprits, *near], key=lambda operation: (operation.t0, _end(operation)))


def _end(operation: Operation) -> float:
    return inf if operation.t1 is None or operation.outcome is None else operation.t1


def _lanes(shown: Sequence[Operation], numbers: dict[int, int], marked: set[int]) -> list[str]:
    columns = _columns(shown)
    right = max(columns.values()) + 4
    clients = list(dict.fromkeys(operation.client for operation in shown))
    width = min(_NAME, max(map(len, clients)))
    rows: list[str] = []
    for client in clients:
        own = [operation for operation in shown if operation.client == client]
        for n, lane in enumerate(_without_overlap(own)):
            text = [" "] * (right + 1)
            for operation in lane:
                _put(text, operation, numbers[id(operation)], id(operation) in marked, columns)
            name = client if len(client) <= width else client[: width - 1] + "~"
            rows.append(f"{name if n == 0 else '':<{width}}  {''.join(text).rstrip()}")
    return rows


def _columns(shown: Sequence[Operation]) -> dict[float, int]:
    """A column for each instant; after a start there is room for the operation's number."""
    starts = {float(operation.t0) for operation in shown}
    instants = sorted(starts | {_end(operation) for operation in shown if _end(operation) < inf})
    columns: dict[float, int] = {}
    at = 0
    for instant in instants:
        columns[instant] = at
        at += 2 + len(str(len(shown))) if instant in starts else 2
    columns[inf] = at + 2
    return columns


def _without_overlap(operations: Sequence[Operation]) -> list[list[Operation]]:
    """One lane, or more where a client's operations overlap."""
    lanes: list[list[Operation]] = []
    for operation in operations:
        free = next((lane for lane in lanes if _end(lane[-1]) < operation.t0), None)
        if free is None:
            lanes.append([operation])
        else:
            free.append(operation)
    return lanes


def _put(text: list[str], operation: Operation, number: int, culprit: bool, columns: dict[float, int]) -> None:
    begin, end = columns[float(operation.t0)], columns[_end(operation)]
    end = max(end, begin + len(str(number)) + 1)
    body = f"[{number}".ljust(end - begin, "=" if culprit else "-")
    text[begin : end + 1] = list(body + (">" if _end(operation) == inf else "]"))


def _row(operation: Operation, number: int, culprit: bool) -> str:
    mark = "*" if culprit else " "
    return f"{mark}{number:>3} {operation.client}: {step_text(operation.step)} -> {operation_outcome_text(operation)}"
