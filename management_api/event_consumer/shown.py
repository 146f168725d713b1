"""The event consumer's metrics, from the parts that know them to the page."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from redis import Redis

from common.telemetry.catalogue import consumer as catalogue
from common.telemetry.exporter import serve_process_metrics
from common.telemetry.reporting import PollingCollector
from common.telemetry.samples import SampleSet
from management_api.database.pool_figures import PoolFigures
from management_api.database.transactions import Database
from management_api.event_consumer.event_tally import EventTally
from management_api.event_consumer.installation_figures import (
    DATABASE_OUTAGES,
    REDIS_OUTAGES,
    DeadLetterFigures,
    RedisFigures,
)
from management_api.event_consumer.settings import ConsumerSettings
from management_api.event_consumer.tally import Tally


class LaneFigures:
    """What all lanes of a consumer have done together."""

    def __init__(self, lanes: Sequence[Tally], events: EventTally) -> None:
        self._lanes = lanes
        self._events = events

    def collect(self, samples: SampleSet) -> None:
        """Read them off; each lane's thread writes its own."""
        lanes, events = self._lanes, self._events.counts
        samples.add(catalogue.ENTRIES, sum(lane.stored for lane in lanes), "stored")
        samples.add(catalogue.ENTRIES, sum(lane.dead_letters for lane in lanes), "dead_letter")
        samples.add(catalogue.ENTRIES, sum(lane.held_back for lane in lanes), "held_back")
        samples.add(catalogue.EVENTS, events.new, "new")
        samples.add(catalogue.EVENTS, events.repeated, "repeated")
        samples.add(catalogue.EVENTS, events.dropped, "dropped")
        samples.add_histograms(catalogue.BATCH_SECONDS, [lane.durations for lane in lanes])
        samples.add(catalogue.TAKEN_OVER, sum(lane.taken_over for lane in lanes))
        samples.add(catalogue.OUTAGES, sum(lane.outages for lane in lanes))
        samples.add(catalogue.IS_WELL, all(lane.is_well for lane in lanes))
        samples.add(catalogue.LAST_STEP, time.monotonic() - min(lane.last_step_at for lane in lanes))


@contextmanager
def consumer_shown(
    settings: ConsumerSettings, lanes: Sequence[Tally], events: EventTally, database: Database, redis: Redis
) -> Iterator[None]:
    """Show them for the length of the block."""
    streams = PollingCollector(RedisFigures(redis).ask, REDIS_OUTAGES)
    letters = PollingCollector(DeadLetterFigures(database).ask, DATABASE_OUTAGES)
    collectors = (
        LaneFigures(lanes, events).collect,
        streams.collect,
        letters.collect,
        PoolFigures("consumer", database).collect,
    )
    with (
        streams,
        letters,
        serve_process_metrics("consumer", settings, port=settings.consumer_metrics_port, collectors=collectors),
    ):
        yield
