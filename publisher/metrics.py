"""The counters of the publisher's loop."""

from common.telemetry.catalogue import publisher as catalogue
from common.telemetry.samples import Histogram, SampleSet


class PublisherMetrics:
    """Counters that only the thread of the loop updates."""

    def __init__(self) -> None:
        self.published = 0
        self.failed = 0
        self.outages = 0
        #: Whether the last attempt reached both PostgreSQL and Redis, and Redis belongs to the database.
        self.is_well = True
        #: Whether pages can be compiled.
        self.has_page_assets = False
        self.batches = Histogram(catalogue.BATCH_SECONDS.bounds)
        #: From the newest change of a project that was waiting to its snapshot in Redis.
        self.delays = Histogram(catalogue.PUBLISH_SECONDS.bounds)

    def collect(self, samples: SampleSet) -> None:
        """Add the counters."""
        samples.add(catalogue.PUBLISHED, self.published, "published")
        samples.add(catalogue.PUBLISHED, self.failed, "failed")
        samples.add_histograms(catalogue.PUBLISH_SECONDS, [self.delays])
        samples.add_histograms(catalogue.BATCH_SECONDS, [self.batches])
        samples.add(catalogue.OUTAGES, self.outages)
        samples.add(catalogue.IS_WELL, self.is_well)
        samples.add(catalogue.PAGE_ASSETS_BUILT, self.has_page_assets)
