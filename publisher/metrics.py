"""The counters of the publisher's loop, and the heartbeat file for probes."""

import time
from pathlib import Path

import structlog

from common.telemetry.catalogue import publisher as catalogue
from common.telemetry.samples import Histogram, SampleSet

log = structlog.stdlib.get_logger(__name__)

#: The file is touched at most so often.
_TOUCH_SECONDS = 1.0


class PublisherMetrics:
    """Counters that only the thread of the loop updates."""

    def __init__(self, heartbeat_file: Path | None = None) -> None:
        self._heartbeat_file = heartbeat_file
        self._touched_at = float("-inf")
        self.last_step_at = time.monotonic()
        self.published = 0
        self.failed = 0
        self.outages = 0
        #: Whether the last attempt reached both PostgreSQL and Redis, and Redis belongs to the database.
        self.is_healthy = True
        #: Whether pages can be compiled.
        self.has_page_assets = False
        self.batches = Histogram(catalogue.BATCH_SECONDS.bounds)
        #: From the newest change of a project that was waiting to its snapshot in Redis.
        self.delays = Histogram(catalogue.PUBLISH_SECONDS.bounds)

    def note_step(self) -> None:
        """Note that the loop goes on, for the metric and in the heartbeat file."""
        self.last_step_at = time.monotonic()
        if self._heartbeat_file is None or self.last_step_at < self._touched_at + _TOUCH_SECONDS:
            return
        self._touched_at = self.last_step_at
        try:
            self._heartbeat_file.touch()
        except OSError as error:
            log.warning("publisher.file_not_written", error=type(error).__name__)

    def collect(self, samples: SampleSet) -> None:
        """Add the counters."""
        samples.add(catalogue.PUBLISHED, self.published, "published")
        samples.add(catalogue.PUBLISHED, self.failed, "failed")
        samples.add_histograms(catalogue.PUBLISH_SECONDS, [self.delays])
        samples.add_histograms(catalogue.BATCH_SECONDS, [self.batches])
        samples.add(catalogue.OUTAGES, self.outages)
        samples.add(catalogue.HEALTHY, self.is_healthy)
        samples.add(catalogue.LAST_STEP, time.monotonic() - self.last_step_at)
        samples.add(catalogue.PAGE_ASSETS_BUILT, self.has_page_assets)
