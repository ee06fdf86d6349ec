"""The engines that compare a whole content, a version or a tag keep every requirement of ``base``.

Random histories against a list: what was read, what was written, what is live. No engine's hash is used.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from contract_model import fits, splice
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from basebound.model import Config, Hunk, Patch, Reason, Receipt, Rejected, Snapshot

CONFORMING = ["git-update-ref", "hash-edit", "obstore", "jsonpatch-document"]

LINE = st.sampled_from(["", "a", "a", "b", "a\nb", "a ", "A", "é", "e\u0301", "- a", "1:ab|a", "\r", "\\n"])
LINES = st.lists(LINE, max_size=4).map(tuple)
HUNK = st.builds(Hunk, st.integers(-1, 7), st.integers(-1, 7), LINES)


class History:
    """An engine beside the list it should hold and the snapshots its authors still have."""

    def __init__(self, engine: Any, lines: tuple[str, ...]) -> None:
        self.engine, self.live = engine, lines
        self.reads: list[Snapshot] = []
        self.read()

    def read(self) -> Snapshot:
        now: Snapshot = self.engine.snapshot()
        assert now.lines == self.live
        for earlier in self.reads:
            assert (earlier.base != now.base) or (earlier.lines == now.lines)
            assert (earlier.revision < now.revision) or (earlier.lines == now.lines)
            assert (earlier.base, earlier.lines) == (now.base, now.lines) or earlier.revision != now.revision
        self.reads.append(now)
        return now

    def write(self, at: int | None, lines: tuple[str, ...]) -> None:
        if at is None:
            self.engine.append(lines)
            self.live += lines
        else:
            at = min(at, len(self.live))
            self.engine.insert(at, lines)
            self.live = self.live[:at] + lines + self.live[at:]

    def submit(self, authored: Snapshot, hunks: tuple[Hunk, ...]) -> None:
        before = self.read()
        # The same content under another base is stale too: then the base covers the revision.
        fresh = authored.base == before.base
        if fresh and fits(len(authored.lines), hunks):
            receipt: Receipt = self.engine.apply(Patch(authored, hunks))
            self.live = splice(authored.lines, hunks)
            now = self.read()
            assert (receipt.base, receipt.revision) == (now.base, now.revision)
        else:
            with pytest.raises(Rejected) as refused:
                self.engine.apply(Patch(authored, hunks))
            assert refused.value.reason is (Reason.BAD_HUNK if fresh else Reason.STALE_BASE)
            assert self.engine.snapshot() == before


@pytest.mark.parametrize("name", CONFORMING)
def test_any_history_is_the_one_the_contract_allows(name: str, factory_of: Callable[[str], Any]) -> None:
    factory = factory_of(name)
    steps = st.lists(
        st.one_of(
            st.tuples(st.just("read")),
            st.tuples(st.just("write"), st.none() | st.integers(0, 6), LINES),
            st.tuples(st.just("fresh"), st.lists(HUNK, max_size=3).map(tuple)),
            st.tuples(st.just("submit"), st.integers(0, 9), st.lists(HUNK, max_size=3).map(tuple)),
        ),
        max_size=10,
    )

    @settings(max_examples=40, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(LINES, steps)
    def history(initial: tuple[str, ...], steps: list[tuple[Any, ...]]) -> None:
        engine = factory(Config(lines=initial))
        try:
            told = History(engine, initial)
            for step, *values in steps:
                if step == "read":
                    told.read()
                elif step == "write":
                    told.write(*values)
                elif step == "fresh":
                    told.submit(told.read(), *values)
                else:
                    told.submit(told.reads[values[0] % len(told.reads)], values[1])
        finally:
            getattr(engine, "close", lambda: None)()

    history()


@pytest.mark.parametrize("name", CONFORMING)
def test_a_stale_patch_with_a_bad_hunk_is_refused_as_stale(name: str, start: Callable[..., Any]) -> None:
    engine = start(name, ("a", "b"))
    read = engine.snapshot()
    engine.append(("c",))
    for bad in ((Hunk(0, 3),), (Hunk(-1, 0),), (Hunk(2, 1),), (Hunk(0, 2), Hunk(1, 2))):
        with pytest.raises(Rejected) as refused:
            engine.apply(Patch(read, bad))
        assert refused.value.reason is Reason.STALE_BASE


@pytest.mark.parametrize("name", CONFORMING)
def test_a_stale_patch_without_an_effect_is_refused(name: str, start: Callable[..., Any]) -> None:
    engine = start(name, ("a",))
    read = engine.snapshot()
    engine.append(("b",))
    for idle in ((), (Hunk(0, 0),), (Hunk(0, 1, ("a",)),)):
        with pytest.raises(Rejected) as refused:
            engine.apply(Patch(read, idle))
        assert refused.value.reason is Reason.STALE_BASE


@pytest.mark.parametrize("name", CONFORMING)
def test_a_committed_patch_is_refused_when_it_comes_again(name: str, start: Callable[..., Any]) -> None:
    engine = start(name, ("a", "a"))
    patch = Patch(engine.snapshot(), (Hunk(0, 1),))
    engine.apply(patch)
    with pytest.raises(Rejected) as refused:
        engine.apply(patch)
    assert refused.value.reason is Reason.STALE_BASE
    assert engine.snapshot().lines == ("a",)


@pytest.mark.parametrize("name", CONFORMING)
def test_a_stale_refusal_names_both_bases_and_says_what_to_do(name: str, start: Callable[..., Any]) -> None:
    engine = start(name, ("a",))
    read = engine.snapshot()
    engine.append(("b",))
    with pytest.raises(Rejected) as refused:
        engine.apply(Patch(read, (Hunk(0, 1),)))
    for part in (read.base[:8], engine.snapshot().base[:8], "re-author"):
        assert part in refused.value.message
