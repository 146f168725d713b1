"""The background tasks of a worker: started together, restarted after an error, stopped together."""

import asyncio
from collections.abc import Callable, Coroutine

import structlog

_LOG = structlog.stdlib.get_logger(__name__)

_RESTART_SECONDS = 1.0
_CANCEL_AGAIN_SECONDS = 0.1

Work = Callable[[], Coroutine[None, None, None]]


class BackgroundTasks:
    """A task that raises an error is logged and started again; without it, the worker would serve ever older data."""

    def __init__(self, restart_seconds: float = _RESTART_SECONDS) -> None:
        self._restart_seconds = restart_seconds
        self._tasks: list[asyncio.Task[None]] = []

    def start(self, name: str, work: Work) -> asyncio.Task[None]:
        """Run the work until it returns or :meth:`stop`."""
        task = asyncio.create_task(_keep_running(name, work, self._restart_seconds), name=name)
        self._tasks.append(task)
        return task

    async def stop(self) -> None:
        """Cancel all tasks until they have ended.

        Once is not enough: on Python 3.11 `asyncio.wait_for`, which redis-py sends through, loses a cancellation that
        arrives just as what it waits for is done, and the task would go on for ever.
        """
        running = set(self._tasks)
        while running:
            for task in running:
                task.cancel()
            _, running = await asyncio.wait(running, timeout=_CANCEL_AGAIN_SECONDS)
        self._tasks.clear()


async def _keep_running(name: str, work: Work, restart_seconds: float) -> None:
    while True:
        try:
            await work()
        except Exception:  # noqa: BLE001 - any defect, see the class
            _LOG.exception("background_task_failed", task=name)
            await asyncio.sleep(restart_seconds)
        else:
            return
