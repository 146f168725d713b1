"""What a publisher has done since it started, for metrics."""

from collections.abc import Iterable

from common.telemetry.catalogue import publisher as catalogue
from common.telemetry.samples import Histogram, SampleSet


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
            self._delays.observe(seconds)

    def collect(self, samples: SampleSet) -> None:
        """Read them off."""
        samples.add(catalogue.PUBLISHED, self.published, "published")
        samples.add(catalogue.PUBLISHED, self.failed, "failed")
        samples.add_histograms(catalogue.PUBLISH_SECONDS, [self._delays])
        samples.add_histograms(catalogue.BATCH_SECONDS, [self.batches])
        samples.add(catalogue.OUTAGES, self.outages)
        samples.add(catalogue.IS_WELL, self.is_well)
