"""Work on a disk that may hang, in threads of its own: a job that takes too long costs its thread, and no request."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class DiskThreads:
    """A few threads for one folder. While jobs hang in all of them, no further job begins."""

    def __init__(self, name: str, threads: int, seconds: float) -> None:
        self._executor = ThreadPoolExecutor(threads, name)
        self._threads = threads
        self._seconds = seconds
        self._hanging: set[asyncio.Future[Any]] = set()

    async def run(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Return the result of a job. Raises its errors, and OSError when it hangs or cannot begin."""
        if len(self._hanging) >= self._threads:
            raise OSError("the disk does not respond")
        job = asyncio.get_running_loop().run_in_executor(self._executor, lambda: work(*args, **kwargs))
        done, _ = await asyncio.wait((job,), timeout=self._seconds)
        if not done:
            self._hanging.add(job)
            job.add_done_callback(self._hanging.discard)
            raise OSError("the disk does not respond")
        return job.result()
