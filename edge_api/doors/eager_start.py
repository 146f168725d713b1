"""An ASGI application's first step at once, without a task: most of our answers need no second one.

To make a task, to wait for the loop to come to it, and to clear it away costs a fifth of such an answer.
"""

import asyncio
import types
from collections.abc import Coroutine, Generator
from typing import Any


def start(running: Coroutine[Any, Any, None], loop: asyncio.AbstractEventLoop, tasks: set[asyncio.Task[Any]]) -> None:
    """Run a coroutine until it first waits, and what is left of it as a task, which is among `tasks` until it ends.

    During the first step there is no current task, so it is not for applications that want one (`asyncio.timeout`,
    and what runs on anyio). The coroutine must not raise.
    """
    try:
        awaited = running.send(None)
    except StopIteration:
        return
    task = loop.create_task(_go_on(running, awaited))
    task.add_done_callback(tasks.discard)
    tasks.add(task)


async def _go_on(running: Coroutine[Any, Any, None], awaited: object) -> None:
    await _rest(running, awaited)


@types.coroutine
def _rest(running: Coroutine[Any, Any, None], awaited: object) -> Generator[Any, Any, None]:
    """Wait for what the coroutine waits for, as if it had been a task's from the beginning."""
    try:
        while True:
            try:
                value = yield awaited
            except BaseException as error:  # noqa: BLE001 - a cancellation too is the coroutine's to hear
                awaited = running.throw(error)
            else:
                awaited = running.send(value)
    except StopIteration:
        return
