"""Correct engines of many unlike styles: whatever a check says against one of them is a false alarm."""

from __future__ import annotations

from basebound_catalogue.budgeted import BudgetedPlain
from basebound_catalogue.correct import nodes, quirks, shared, stored, values
from basebound_catalogue.kinds import Correct
from basebound_catalogue.plain import PlainEngine

CORRECT: tuple[Correct, ...] = (
    Correct("plain", "The plain engine that the faults of base and protected change.", PlainEngine),
    Correct("budgeted-plain", "The plain engine that the faults of budget change.", BudgetedPlain),
    Correct("eager-tuple", "One tuple, hashed at every write.", values.EagerTuple),
    Correct("operation-log", "Lazy: writes are noted and replayed at a read; no insert.", values.OperationLog),
    Correct("event-sourced", "The present is a fold over immutable events.", values.EventSourced),
    Correct("content-addressed", "A store of contents by address, and a head; no cost.", values.ContentAddressed),
    Correct("big-string", "All lines in one string, with a table of lengths.", values.BigString),
    Correct("compressed", "Lines are kept compressed, and each text once.", values.Compressed),
    Correct("json-base", "The base is all of the content as JSON; revisions below zero.", values.JsonBase),
    Correct("closures", "No class: functions over a local list, made by a partial; huge revisions.", values.far_apart),
    Correct("versioned-lines", "Copy-on-write: removed lines stay, marked with a revision.", nodes.VersionedLines),
    Correct("piece-table", "An editor's table of pieces over two buffers.", nodes.PieceTable),
    Correct("linked-list", "Nodes and pointers; the base is a number, drawn anew by each change.", nodes.LinkedList),
    Correct("optimistic", "Compare-and-set in a loop, judged without a lock.", shared.Optimistic),
    Correct("monitor", "One lock around all; the base covers the revision.", shared.Monitor),
    Correct("actor", "A daemon thread owns the state and takes letters.", shared.Actor),
    Correct("async-lock", "Coroutines that give way under an asyncio.Lock.", shared.AsyncLock),
    Correct("async-worker", "A task owns the content; async close.", shared.AsyncWorker),
    Correct("mixed", "Plain methods and coroutines side by side.", shared.Mixed),
    Correct("sqlite", "Rows of a database in memory, a transaction for each change.", stored.Sqlite),
    Correct("one-hunk", "At most one hunk a patch.", quirks.OneHunk),
    Correct("base-only", "Claims base alone, in a property that gives a list; no insert.", quirks.BaseOnly),
    Correct("counts-every-write", "The revision rises on writes that change nothing too.", quirks.CountsEveryWrite),
    Correct("clock-revision", "Revisions are the time of the last change.", quirks.ClockRevision),
    Correct("traffic", "Keeps no revision, states no profiles: revisions are lines moved; no cost.", quirks.Traffic),
    Correct("drawn-base", "Every change draws a UUID for its base.", quirks.DrawnBase),
    Correct("cached-meter", "The meter is asked once for each text.", quirks.CachedMeter),
    Correct("other-order", "Judges the budget first and the ranges last.", quirks.OtherOrder),
    Correct("own-refusals", "Refuses with subclasses of Rejected.", quirks.OwnRefusals),
    Correct("strict-input", "Checks the type of all it is given.", quirks.StrictInput),
    Correct("proxy", "Slots and __getattr__ before another engine.", quirks.Proxy),
)

__all__ = ["CORRECT"]
