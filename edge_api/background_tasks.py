"""The tasks that run beside the requests of a worker: started together, kept alive, stopped together."""

import asyncio
from collections.abc import Callable, Coroutine

import structlog

_LOG = structlog.stdlib.get_logger(__name__)

_RESTART_SECONDS = 1.0

Work = Callable[[], Coroutine[None, None, None]]


class BackgroundTasks:
    """A task that fails by a defect of ours is logged and started again: a worker without it decays in silence."""

    def __init__(self) -> None:
        self._tasks: list[asyncio.Task[None]] = []

    def start(self, name: str, work: Work) -> asyncio.Task[None]:
        """Run the work until it returns or :meth:`stop`."""
        task = asyncio.create_task(_keep_running(name, work), name=name)
        self._tasks.append(task)
        return task

    async def stop(self) -> None:
        """Cancel all tasks and wait until they have ended."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks.clear()


async def _keep_running(name: str, work: Work) -> None:
    while True:
        try:
            await work()
        except Exception:  # noqa: BLE001 - whatever the defect is, see the class
            _LOG.exception("background_task_failed", task=name)
            await asyncio.sleep(_RESTART_SECONDS)
        else:
            return
