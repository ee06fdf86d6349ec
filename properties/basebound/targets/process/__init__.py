"""Child processes: one supervisor starts them, bounds them, keeps their last words and says how they ended.

Whatever may hang, exit or flood runs in a child: the target, CrossHair, mypy, an engine on a wire. These rules hold
for every :class:`Child`:

- It leads a session and a process group of its own. What it starts is of that group, unless it leaves it.
- *It does not outlive us.* :meth:`Child.end` kills the group. Should we end without that, even by SIGKILL, its *leash*
  does: a shell that waits for the end of a pipe that only we can write to.
- It is not reaped before its group is killed, so that the group's number cannot be another's by then.
- A Python child finds the modules we find (``PYTHONPATH``). An engine of somebody else gets the environment the user
  gave us (:mod:`~basebound.targets.process.environment`).
- How it ended is an :class:`Ending`, a value. Who decides looks at ``ending.how``; who tells a person takes the words
  from ``Ending`` as well, and nobody reads them back.
- What it prints and nobody parses is its :class:`Tail`: the last 4 KiB, and how many bytes there were.

Four conversations are held over it:

========== ======================= =================================================== ===============================
child      started by              says what, on which descriptor                      is ended
========== ======================= =================================================== ===============================
worker     ``run.pool``            orders and events, pickled, on a socket; what the   when it is no longer needed,
                                   target prints, on stdout and stderr, to its tail    late, or floods: see below
claims     ``targets.claims``      its answer, into a file, whole or not at all        when it exits, or is late
mypy       ``lenses.types``        its answer, into a file                             when it exits, or is late
CrossHair  ``lenses.proofs``       one line of JSON an order on stdin, one line an     when an answer is late; by
                                   answer on stdout; its log on stderr, to its tail    itself at the end of stdin
engine     ``targets.wire``        WIRE.md on stdin and stdout; its log to its tail    after a fault, or ``shutdown``
========== ======================= =================================================== ===============================

An engine and CrossHair's child are :class:`Lines`: who waits for a line has a deadline, and is told by an exception
that it is over, that the output is, or that a line has no end. An MCP server is the one child that is not ours to
start: the SDK does, and ``targets.mcp.bound_to_parent`` ties it to us.

**The worker's conversation.** The pool sends one order at a time. The worker sends ``Described`` or ``Unusable`` once
it has loaded the target, then for each order any number of events and one that ends it (``Finished``, ``Explained``,
``Replayed``, ``Hunted``). Beside that a thread of the worker sends ``Alive`` every quarter of a second.

- A call of the target that takes longer than the bound is noticed by that thread. It sends ``Stuck``, with the
  history that led to it, and the worker exits: *hung*.
- No event at all for the bound and a grace means that the target lets no other thread run, and the pool ends the
  worker: *held the interpreter*. A heartbeat says that the worker lives, and nothing about the target.
- More than ``FLOOD`` bytes printed, and the pool ends the worker: *flooded*.
- The end of the socket means that the worker's process has ended, and its status says how: *exited*, *signalled*.
  What led to it stands in the worker's journal, which is written before each step is taken.
- A worker that cannot send its heartbeat has lost its pool, and exits; so does one whose socket has ended.

After any of these ends the pool reports ``Died`` for the order under way and starts a new worker for the next one.
To reduce a history that ends the process, the worker forks itself for each candidate (``run.deaths``); a fork sends
nothing, is of the worker's group, and is killed by the worker when it is late.
"""

from basebound.targets.process.child import Child, Tail, python
from basebound.targets.process.ending import Ending, How
from basebound.targets.process.environment import ours, theirs
from basebound.targets.process.lines import Closed, Lines, TooLate, TooLong

__all__ = [
    "Child",
    "Closed",
    "Ending",
    "How",
    "Lines",
    "Tail",
    "TooLate",
    "TooLong",
    "ours",
    "python",
    "theirs",
]
