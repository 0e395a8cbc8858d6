"""Work that takes long, in threads of its own: however much of it waits, pages are answered meanwhile."""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


class SlowWork:
    """A queue, and the threads that work it off in the order in which it came."""

    def __init__(self, name: str, threads: int) -> None:
        self.pool = ThreadPoolExecutor(threads, name)
        self.length = 0  # of the queue, with what is being done
        self.lock = threading.Lock()

    async def do(self, work: Callable[..., T], *given: Any) -> T:
        """Wait for one's turn, and for the work; who stops waiting does not stop the work."""
        return await asyncio.shield(asyncio.wrap_future(self.begin(work, *given)))

    def begin(self, work: Callable[..., T], *given: Any) -> "Future[T]":
        """Put work at the end of the queue."""
        with self.lock:
            self.length += 1
        future = self.pool.submit(work, *given)
        future.add_done_callback(self._count_done)
        return future

    def _count_done(self, _: object) -> None:
        with self.lock:
            self.length -= 1

    def end(self) -> None:
        """Begin nothing more; what is being done is not waited for."""
        self.pool.shutdown(wait=False, cancel_futures=True)
