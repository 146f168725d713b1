"""What a publisher has done since it started, for metrics."""

from collections.abc import Iterable

from common.telemetry.catalogue import publisher as catalogue
from common.telemetry.histogram import Histogram
from common.telemetry.samples import SampleSet


class PublishingFigures:
    """Counted by the publisher's loop alone."""

    def __init__(self) -> None:
        self.published = 0
        self.failed = 0
        self.outages = 0
        #: Whether PostgreSQL and Redis answered at the last try.
        self.is_well = True
        #: How long each batch took.
        self.batches = Histogram(catalogue.BATCH_SECONDS.bounds)
        self._delays = Histogram(catalogue.PUBLISH_SECONDS.bounds)

    def count_published(self, projects: int, delays: Iterable[float]) -> None:
        """Count projects that are out, with the seconds since the newest change of those that were waiting."""
        self.published += projects
        for seconds in delays:
            self._delays.count(seconds)

    def collect(self, readings: SampleSet) -> None:
        """Read them off."""
        readings.add(catalogue.PUBLISHED, self.published, "published")
        readings.add(catalogue.PUBLISHED, self.failed, "failed")
        readings.add_durations(catalogue.PUBLISH_SECONDS, [self._delays])
        readings.add_durations(catalogue.BATCH_SECONDS, [self.batches])
        readings.add(catalogue.OUTAGES, self.outages)
        readings.add(catalogue.IS_WELL, self.is_well)
