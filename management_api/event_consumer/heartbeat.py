"""Heartbeats while batches are stored, however long that takes: to the other consumers, and into a file for probes.

A consumer with a stuck worker sends none, so that others claim its entries and it is restarted.
"""

import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import orjson
import structlog
from redis.exceptions import RedisError

from management_api.event_consumer.metrics import ConsumerState
from management_api.event_consumer.stream_worker import StreamWorker

log = structlog.stdlib.get_logger(__name__)

#: Every statement, and every wait for Redis or PostgreSQL, is over long before this; a batch that is bisected
#: because of timeouts may take so long.
STUCK_SECONDS = 300.0


class Heartbeat:
    """Sends heartbeats in a thread of its own, for the length of a `with` block."""

    def __init__(
        self,
        workers: Sequence[StreamWorker],
        state: Callable[[], ConsumerState],
        *,
        every_seconds: float,
        file: Path | None,
    ) -> None:
        self._workers = workers
        self._state = state
        self._every_seconds = every_seconds
        self._file = file
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="heartbeat")

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._stopped.set()
        self._thread.join()
        if self._file is not None:
            self._file.unlink(missing_ok=True)

    def _run(self) -> None:
        while True:
            steps = [worker.metrics.last_step_at for worker in self._workers]
            if min(steps) > time.monotonic() - STUCK_SECONDS:
                try:
                    self._send()
                except Exception:
                    # Without this thread other consumers would claim the entries at hand.
                    log.exception("consumer.no_heartbeat")
            if self._stopped.wait(self._every_seconds):
                return

    def _send(self) -> None:
        for worker in self._workers:
            try:
                worker.stream.send_heartbeat()
            except RedisError:
                # The worker meets the same error and reports it.
                continue
        if self._file is not None:
            try:
                _replace(self._file, orjson.dumps(self._state()))
            except OSError as error:
                log.warning("consumer.file_not_written", error=type(error).__name__)


def _replace(file: Path, content: bytes) -> None:
    """Replace a file atomically: a reader sees the old content or the new."""
    draft = file.with_name(f"{file.name}.new")
    draft.write_bytes(content)
    draft.replace(file)
