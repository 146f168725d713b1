"""The metrics of the publisher."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import psycopg
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from common.errors import UnavailableError
from common.telemetry.catalogue import publisher as catalogue
from common.telemetry.exporter import serve_process_metrics
from common.telemetry.reporting import PollingCollector
from common.telemetry.samples import Histogram, SampleSet
from management_api.database.pool_metrics import PoolMetrics
from management_api.database.transactions import Database
from publisher.settings import PublisherSettings

#: Reads only the partial index of waiting publications.
_WAITING = text("""
    SELECT count(*), coalesce(extract(epoch FROM clock_timestamp() - min(updated_at)), 0)
    FROM publications WHERE published_revision < wanted_revision
""")


class PublishingMetrics:
    """Counters of the publisher's loop, which alone updates them."""

    def __init__(self) -> None:
        self.published = 0
        self.failed = 0
        self.outages = 0
        #: Whether the last attempt reached both PostgreSQL and Redis.
        self.is_well = True
        self.batches = Histogram(catalogue.BATCH_SECONDS.bounds)
        self._delays = Histogram(catalogue.PUBLISH_SECONDS.bounds)

    def count_published(self, projects: int, delays: Iterable[float]) -> None:
        """Count published projects, with the seconds since the newest change of each project that was waiting."""
        self.published += projects
        for seconds in delays:
            self._delays.observe(seconds)

    def collect(self, samples: SampleSet) -> None:
        """Add the counters."""
        samples.add(catalogue.PUBLISHED, self.published, "published")
        samples.add(catalogue.PUBLISHED, self.failed, "failed")
        samples.add_histograms(catalogue.PUBLISH_SECONDS, [self._delays])
        samples.add_histograms(catalogue.BATCH_SECONDS, [self.batches])
        samples.add(catalogue.OUTAGES, self.outages)
        samples.add(catalogue.IS_WELL, self.is_well)


@contextmanager
def serve_publisher_metrics(
    settings: PublisherSettings, database: Database, metrics: PublishingMetrics
) -> Iterator[None]:
    """Serve the metrics for the length of the block."""

    def poll_outbox(samples: SampleSet) -> None:
        with database.reading_objects() as session:
            waiting, oldest_seconds = session.execute(_WAITING).one()
        samples.add(catalogue.BACKLOG, waiting)
        samples.add(catalogue.BACKLOG_OLDEST, max(0.0, float(oldest_seconds)))

    outbox = PollingCollector(poll_outbox, (UnavailableError, SQLAlchemyError, psycopg.Error))
    collectors = (metrics.collect, outbox.collect, PoolMetrics("publisher", database).collect)
    with (
        outbox,
        serve_process_metrics("publisher", settings, port=settings.publisher_metrics_port, collectors=collectors),
    ):
        yield
