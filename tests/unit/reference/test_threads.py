"""Under the same lock: many threads, exact accounts."""

from __future__ import annotations

import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator

import pytest

from basebound_reference import ContextBuffer, Hunk, RewritePatch, StaleRewriteBaseError, digest

JOIN_S = 30


@pytest.fixture(autouse=True)
def _threads_switch_often() -> Iterator[None]:
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(usual)


def run_together(*bodies: Callable[[], None]) -> None:
    """Starts the bodies at one barrier; a body that raises or does not end fails the test."""
    barrier, failures = threading.Barrier(len(bodies)), list[BaseException]()

    def started(body: Callable[[], None]) -> None:
        try:
            barrier.wait(JOIN_S)
            body()
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=started, args=(body,), daemon=True) for body in bodies]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(JOIN_S)
        assert not thread.is_alive(), "a thread is stuck"
    assert not failures, failures


def test_no_append_is_lost_and_every_line_is_removed_once() -> None:
    buffer = ContextBuffer(count_tokens=len)
    removed: list[str] = []  # list.append is atomic
    writers, rewriters, each = 4, 4, 40

    def write(name: int) -> None:
        for n in range(each):
            buffer.append([f"{name}.{n}", "|"])

    def rewrite() -> None:
        done = 0
        while done < 20:
            seen = buffer.snapshot()
            targets = [at for at, line in enumerate(seen.lines) if line != "|"]
            if not targets:
                continue
            at = targets[len(targets) // 2]
            try:
                buffer.apply(RewritePatch(seen.base, (Hunk(at, at + 1),), seen.revision))
            except StaleRewriteBaseError:
                continue
            removed.append(seen.lines[at])
            done += 1

    run_together(*[lambda name=name: write(name) for name in range(writers)], *[rewrite] * rewriters)
    now = buffer.snapshot()
    written = Counter(f"{name}.{n}" for name in range(writers) for n in range(each)) + Counter({"|": writers * each})
    assert len(removed) == rewriters * 20
    assert Counter(now.lines) + Counter(removed) == written
    assert now.revision == writers * each + len(removed)
    for name in range(writers):
        mine = [int(line.split(".")[1]) for line in now.lines if line.startswith(f"{name}.")]
        assert mine == sorted(mine)


def test_of_many_patches_on_one_base_exactly_one_commits() -> None:
    for _ in range(20):
        buffer = ContextBuffer(["x" * 99])
        seen = buffer.snapshot()
        outcomes: list[str] = []

        def author(name: str, buffer=buffer, seen=seen, outcomes=outcomes) -> None:  # type: ignore[no-untyped-def]
            try:
                buffer.apply(RewritePatch(seen.base, (Hunk(0, 1, (name,)),), seen.revision))
            except StaleRewriteBaseError:
                outcomes.append("stale")
            else:
                outcomes.append(name)

        run_together(*[lambda name=name: author(name) for name in "abcdef"])
        (winner,) = [outcome for outcome in outcomes if outcome != "stale"]
        assert len(outcomes) == 6
        assert buffer.snapshot().lines == (winner,)


def test_a_snapshot_never_shows_half_a_write() -> None:
    buffer = ContextBuffer(count_tokens=len)
    stop = threading.Event()

    def write() -> None:
        for n in range(150):
            buffer.append(["left", "right"])
            seen = buffer.snapshot()
            if n % 3 == 0:
                try:
                    buffer.apply(RewritePatch(seen.base, (Hunk(0, 2),), seen.revision))
                except StaleRewriteBaseError:
                    continue
        stop.set()

    def read() -> None:
        last = -1
        while not stop.is_set():
            seen = buffer.snapshot()
            assert seen.lines == ("left", "right") * (len(seen.lines) // 2)
            assert seen.base == digest(seen.lines)
            assert seen.revision >= last
            last = seen.revision

    run_together(write, read, read)


@pytest.mark.parametrize("rival_op", ["append", "emit", "end_turn", "snapshot", "insert"])
def test_a_rival_that_starts_while_the_meter_runs_waits_and_comes_after_the_commit(rival_op: str) -> None:
    rivals: list[threading.Thread] = []
    seen_by_rival: list[tuple[str, ...]] = []
    armed = False

    def rival() -> None:
        match rival_op:
            case "append":
                buffer.append(["rival"])
            case "emit":
                buffer.emit("error", ["rival"])
            case "insert":
                buffer.insert(0, ["rival"])
            case "end_turn":
                buffer.end_turn()
        seen_by_rival.append(buffer.snapshot().lines)

    def meter(text: str) -> int:
        nonlocal armed
        if armed:
            armed = False
            rivals.append(threading.Thread(target=rival, daemon=True))
            rivals[0].start()
            rivals[0].join(0.05)
        return len(text)

    buffer = ContextBuffer(["long line", "short"], count_tokens=meter)
    seen = buffer.snapshot()
    armed = True
    buffer.apply(RewritePatch(seen.base, (Hunk(0, 1, ("x",)),), seen.revision))
    rivals[0].join(JOIN_S)
    assert not rivals[0].is_alive(), "the rival is stuck"
    after = {"append": ("x", "short", "rival"), "emit": ("x", "short", "rival"), "insert": ("rival", "x", "short")}
    assert seen_by_rival == [after.get(rival_op, ("x", "short"))]
