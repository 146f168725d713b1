"""The snapshots of one worker in an event loop of the test, without HTTP."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager

from edge_api.background_tasks import BackgroundTasks
from edge_api.redis_clients import snapshot_client, subscriber_client
from edge_api.settings import EdgeSettings
from edge_api.snapshots.worker_snapshots import WorkerSnapshots

_TICK_SECONDS = 0.005


@asynccontextmanager
async def running_snapshots(settings: EdgeSettings) -> AsyncIterator[WorkerSnapshots]:
    """Run the snapshots of a worker for the length of the block."""
    url = settings.redis_url.get_secret_value()
    async with snapshot_client(url) as client, subscriber_client(url) as subscriber:
        snapshots = WorkerSnapshots(settings, client, subscriber)
        tasks = BackgroundTasks()
        await snapshots.open()
        snapshots.start(tasks)
        try:
            yield snapshots
        finally:
            await snapshots.finish()
            await tasks.stop()
            await snapshots.close()


async def eventually(check: Callable[[], object], *, within: float = 20.0) -> None:
    """Poll until the check is true, without blocking the event loop."""
    deadline = time.monotonic() + within
    while not check():
        assert time.monotonic() < deadline, f"still false after {within} s"
        await asyncio.sleep(0.02)


class LoopLoad:
    """`longest` is the most processor time in seconds that the loop's thread took between two ticks of a timer.

    Processor time, not time on the clock: other processes of the machine do not count.
    """

    def __init__(self) -> None:
        self.longest = 0.0

    async def measure(self) -> None:
        """Measure until cancelled."""
        before = time.thread_time()
        while True:
            await asyncio.sleep(_TICK_SECONDS)
            now = time.thread_time()
            self.longest = max(self.longest, now - before)
            before = now


@contextmanager
def measured_loop() -> Iterator[LoopLoad]:
    """Measure the running loop for the length of the block."""
    load = LoopLoad()
    task = asyncio.get_running_loop().create_task(load.measure())
    try:
        yield load
    finally:
        task.cancel()
