"""Signs of life while batches are stored, however long that takes: to the other consumers, and to an operator's probe.

A consumer whose lanes make no step for long gives none, so that a hanging one is taken over and restarted.
"""

import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import orjson
import structlog
from redis.exceptions import RedisError

from management_api.event_consumer.figures import ConsumerFigures
from management_api.event_consumer.lane import Lane

log = structlog.stdlib.get_logger(__name__)

#: Every statement, and every wait for Redis or PostgreSQL, is over long before this; a batch that is cut into pieces
#: because of timeouts may take so long.
STUCK_SECONDS = 300.0


class SignsOfLife:
    """Gives them in a thread of its own, for the length of a `with` block."""

    def __init__(
        self, lanes: Sequence[Lane], figures: Callable[[], ConsumerFigures], *, every_seconds: float, file: Path | None
    ) -> None:
        self._lanes = lanes
        self._figures = figures
        self._every_seconds = every_seconds
        self._file = file
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._show_until_over, name="signs of life")

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()
        if self._file is not None:
            self._file.unlink(missing_ok=True)

    def _show_until_over(self) -> None:
        while True:
            steps = [lane.tally.last_step_at for lane in self._lanes]
            if min(steps) > time.monotonic() - STUCK_SECONDS:
                try:
                    self._show()
                except Exception:
                    # Without this thread other consumers would take over the entries at hand.
                    log.exception("consumer.no_sign_of_life")
            if self._over.wait(self._every_seconds):
                return

    def _show(self) -> None:
        for lane in self._lanes:
            try:
                lane.group.show_life()
            except RedisError:
                # The lane meets the same error and tells of it.
                continue
        if self._file is not None:
            try:
                _replace(self._file, orjson.dumps(self._figures()))
            except OSError as error:
                log.warning("consumer.file_not_written", error=type(error).__name__)


def _replace(file: Path, content: bytes) -> None:
    """Write it so that a reader sees the old content or the new."""
    draft = file.with_name(f"{file.name}.new")
    draft.write_bytes(content)
    draft.replace(file)
