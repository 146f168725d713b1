"""The publisher's metrics, from the parts that know them to the page."""

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from sqlalchemy.exc import SQLAlchemyError

from common.errors import UnavailableError
from common.telemetry.exporter import serve_process_metrics
from common.telemetry.reporting import PollingCollector
from management_api.database.pool_figures import PoolFigures
from management_api.database.transactions import Database
from publisher.figures.outbox_figures import OutboxFigures
from publisher.figures.publishing_figures import PublishingFigures
from publisher.settings import PublisherSettings


@contextmanager
def publisher_shown(settings: PublisherSettings, database: Database, figures: PublishingFigures) -> Iterator[None]:
    """Show them for the length of the block."""
    outages = (UnavailableError, SQLAlchemyError, psycopg.Error)
    outbox = PollingCollector(OutboxFigures(database).ask, outages)
    collectors = (figures.collect, outbox.collect, PoolFigures("publisher", database).collect)
    with (
        outbox,
        serve_process_metrics("publisher", settings, port=settings.publisher_metrics_port, collectors=collectors),
    ):
        yield
