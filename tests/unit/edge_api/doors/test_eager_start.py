"""A coroutine's first step is run at once, and the rest as a task, as if it had been one from the beginning."""

import asyncio
from typing import Any

from edge_api.doors.eager_start import start


def test_what_never_waits_is_done_at_once_and_needs_no_task() -> None:
    async def scenario() -> tuple[list[str], int]:
        done: list[str] = []
        tasks: set[asyncio.Task[Any]] = set()

        async def work() -> None:
            done.append("all")

        start(work(), asyncio.get_running_loop(), tasks)
        return done, len(tasks)

    assert asyncio.run(scenario()) == (["all"], 0)


def test_what_waits_goes_on_with_what_it_has_waited_for() -> None:
    async def scenario() -> tuple[list[object], int]:
        heard: list[object] = []
        tasks: set[asyncio.Task[Any]] = set()
        loop = asyncio.get_running_loop()
        first, second = loop.create_future(), loop.create_future()

        async def work() -> None:
            heard.append(await first)
            await asyncio.sleep(0)
            try:
                await second
            except OSError as error:
                heard.append(error)

        start(work(), loop, tasks)
        first.set_result("word")
        second.set_exception(lost := OSError())
        await asyncio.wait(tasks)
        heard.remove(lost)
        return heard, len(tasks)

    assert asyncio.run(scenario()) == (["word"], 0)


def test_a_cancellation_is_heard_inside() -> None:
    async def scenario() -> list[str]:
        heard: list[str] = []
        tasks: set[asyncio.Task[Any]] = set()

        async def work() -> None:
            try:
                await asyncio.get_running_loop().create_future()
            except asyncio.CancelledError:
                heard.append("cancelled")
                raise

        start(work(), asyncio.get_running_loop(), tasks)
        (task,) = tasks
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait({task})
        return [*heard, str(task.cancelled())]

    assert asyncio.run(scenario()) == ["cancelled", "True"]
