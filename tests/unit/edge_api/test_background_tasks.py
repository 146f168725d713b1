"""Background tasks always end at a stop, and start again after an error."""

import asyncio
import contextlib

from edge_api.background_tasks import BackgroundTasks


async def test_task_that_loses_a_cancellation_is_stopped() -> None:
    forever = asyncio.Event()
    started = asyncio.Event()

    async def stubborn() -> None:
        started.set()
        with contextlib.suppress(asyncio.CancelledError):
            await forever.wait()
        await forever.wait()

    tasks = BackgroundTasks()
    task = tasks.start("stubborn", stubborn)
    await started.wait()
    await tasks.stop()
    assert task.cancelled()


async def test_stop_accepts_tasks_that_returned_or_never_ran() -> None:
    async def short() -> None: ...

    tasks = BackgroundTasks()
    await tasks.start("short", short)
    tasks.start("never ran", short)
    await tasks.stop()
    await tasks.stop()


async def test_task_that_fails_is_started_again() -> None:
    starts = 0

    async def fails_once() -> None:
        nonlocal starts
        starts += 1
        if starts == 1:
            raise RuntimeError

    tasks = BackgroundTasks(restart_seconds=0)
    await tasks.start("fails once", fails_once)
    assert starts == 2
