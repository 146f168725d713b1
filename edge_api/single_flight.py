"""One load of a key at a time, whose result all requests that wait for the key share."""

import asyncio
from collections.abc import Callable, Coroutine, Iterable
from typing import Any, Generic, TypeVar

Result = TypeVar("Result")


class SingleFlight(Generic[Result]):
    """The running loads of a cache by key, at most `limit` of them."""

    def __init__(self, load: Callable[[str], Coroutine[Any, Any, Result]], *, limit: int) -> None:
        self._load = load
        self._limit = limit
        self._running: dict[str, asyncio.Task[Result]] = {}

    def may_load(self, key: str) -> bool:
        """Return whether the key is being loaded, or a further load may begin."""
        return key in self._running or len(self._running) < self._limit

    def __contains__(self, key: str) -> bool:
        """Return whether the key is being loaded."""
        return key in self._running

    async def load(self, key: str) -> Result:
        """Wait for the running load of the key, or for a new one. Raises the error of the load."""
        task = self._running.get(key)
        if task is None:
            task = self._running[key] = asyncio.create_task(self._load(key))
            task.add_done_callback(lambda done: self._finish(key, done))
        # The cancellation of one request must not cancel the load for the others.
        return await asyncio.shield(task)

    async def wait(self, keys: Iterable[str] | None = None) -> None:
        """Wait until the loads that run now, of these keys or of all, have ended."""
        chosen = self._running if keys is None else keys
        tasks = [task for key in chosen if (task := self._running.get(key)) is not None]
        if tasks:
            await asyncio.wait(tasks)

    def _finish(self, key: str, task: asyncio.Task[Result]) -> None:
        del self._running[key]
        if not task.cancelled():
            # The waiting requests got the exception; asyncio would log one that was never retrieved.
            task.exception()
