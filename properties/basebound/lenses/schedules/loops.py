"""Runs coroutines on a loop of their own, and never waits for what an engine left behind."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")

_GRACE_S = 0.1


def run_on_loop(main: Coroutine[Any, Any, T]) -> T:
    """The result of ``main`` on a fresh loop, which is closed afterwards with whatever is pending on it."""
    loop = asyncio.new_event_loop()
    loop.set_exception_handler(lambda loop, context: None)
    try:
        return loop.run_until_complete(main)
    finally:
        left = asyncio.all_tasks(loop)
        for task in left:
            task.cancel()
        if left:
            loop.run_until_complete(asyncio.wait(left, timeout=_GRACE_S))
        loop.close()
