"""Reads a lane's next batch and prepares it, in another thread, while PostgreSQL stores the one before."""

from collections.abc import Callable
from concurrent.futures import Executor, Future, wait

from management_api.event_consumer.preparation import PreparedBatch


class ReadAhead:
    """One batch at most. Whatever is dropped was read and not acknowledged: Redis keeps it, and gives it out again."""

    def __init__(self, executor: Executor, read: Callable[[], PreparedBatch]) -> None:
        self._executor = executor
        self._read = read
        self._reading: Future[PreparedBatch] | None = None

    @property
    def is_begun(self) -> bool:
        """Whether there is a batch to take."""
        return self._reading is not None

    def begin(self) -> None:
        """Have the next batch read; the one before has been taken."""
        self._reading = self._executor.submit(self._read)

    def take(self) -> PreparedBatch:
        """Give the batch, waiting for it if need be. Raises what reading it has raised."""
        reading, self._reading = self._reading, None
        if reading is None:
            raise RuntimeError("no batch was begun")
        return reading.result()

    def drop(self) -> None:
        """Forget the batch, if there is one, once nothing is being read any more."""
        reading, self._reading = self._reading, None
        if reading is not None and not reading.cancel():
            wait([reading])
