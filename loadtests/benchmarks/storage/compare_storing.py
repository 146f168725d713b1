"""Compare the event consumer with a bare COPY of the same rows, in turns on one server.

The consumer does what a stream worker does in a backlog: batch after batch from the bytes of the entries, each in a
transaction of its own on one connection. The bare COPY stores the same rows in the same transactions, on one connection
too, from values that were made before the clock starts; it sends rows while PostgreSQL takes them in.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import islice

import orjson
import psycopg
from psycopg.types.json import set_json_dumps

from common.wire.redis_keys import event_stream
from common.wire.stream_records import EventRecord, encode_record
from management_api.db.engine import Database
from management_api.db.models.event_ids import project_key
from management_api.db.psycopg_connection import driver_connection
from management_api.event_consumer.bisecting import BisectingStore
from management_api.event_consumer.store import COPY_EVENTS, BatchStore
from management_api.event_consumer.stream import StreamEntry

#: With the columns and the index of the events, but without partitions, digests, devices and rollups.
MAKE_BARE = "CREATE TABLE bare_events (LIKE events INCLUDING ALL)"
COPY_BARE = COPY_EVENTS.replace("COPY events", "COPY bare_events").replace("(FORMAT binary)", "")

#: How many batches one side stores before it is the other's turn.
RUN_BATCHES = 20
#: So many ids a project has of the week before: a million in seven days are 50 million a year.
IDS_OF_WEEK_BEFORE = 1_000_000
IDS_AT_ONCE = 50_000
FILL_WEEK_BEFORE = """
    INSERT INTO event_ids (project, digest, week)
    SELECT %s, uuid_send(gen_random_uuid()), date_trunc('week', now() AT TIME ZONE 'UTC')::date - 7
    FROM generate_series(1, %s)
"""
#: Runs that warm up both, and are not counted.
WARM_UP = 1


@dataclass(slots=True)
class Storing:
    """Seconds of one way to store, run by run, by the clock and of this process's processor time."""

    name: str
    rows: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)

    @property
    def rate(self) -> float:
        """Rows a second, over all runs but the first."""
        return sum(self.rows[WARM_UP:]) / sum(self.seconds[WARM_UP:])

    @property
    def processor_us(self) -> float:
        """Microseconds of this process a row; what PostgreSQL uses comes on top."""
        return sum(self.processor[WARM_UP:]) / sum(self.rows[WARM_UP:]) * 1e6

    def take(self, rows: int, store: Callable[[], object]) -> None:
        """Store the batches of a run."""
        start, used = time.perf_counter(), time.process_time()
        store()
        self.seconds.append(time.perf_counter() - start)
        self.processor.append(time.process_time() - used)
        self.rows.append(rows)


def compare_storing(database: Database, batches: Iterable[Sequence[EventRecord]]) -> tuple[Storing, Storing]:
    """Store each batch both ways: as the consumer does, from the bytes of the entries; and by COPY, from the values."""
    consumer, bare = Storing("the event consumer"), Storing("a bare COPY")
    store = BisectingStore(BatchStore(database))
    set_json_dumps(orjson.dumps)
    with database.transaction() as session:
        driver_connection(session).execute(MAKE_BARE)
    rest = iter(batches)
    for number, run in enumerate(iter(lambda: list(islice(rest, RUN_BATCHES)), [])):
        entries = [list(_entries(number, batch)) for batch in run]
        rows = [[_values(record) for record in batch] for batch in run]
        turns = (
            (consumer, lambda entries=entries: _consume(store, entries)),
            (bare, lambda rows=rows: _copy(database, rows)),
        )
        # Who comes second finds the processor warm and the disk busy.
        for side, way in turns if number % 2 else reversed(turns):
            side.take(sum(map(len, run)), way)
    with database.transaction() as session:
        driver_connection(session).execute("DROP TABLE bare_events")
    return consumer, bare


def fill_week_before(database: Database, project_id: str) -> None:
    """Make a project older than a week, so that new ids are also looked up among those of that week."""
    for _ in range(IDS_OF_WEEK_BEFORE // IDS_AT_ONCE):
        with database.transaction() as session:
            driver_connection(session).execute(FILL_WEEK_BEFORE, [project_key(project_id), IDS_AT_ONCE])


def _consume(store: BisectingStore, batches: Iterable[Sequence[StreamEntry]]) -> None:
    for batch in batches:
        store.store(batch)


def _copy(database: Database, batches: Iterable[Iterable[tuple[object, ...]]]) -> None:
    for rows in batches:
        with (
            database.transaction() as session,
            driver_connection(session).cursor() as cursor,
            cursor.copy(COPY_BARE.encode()) as copy,
        ):
            for row in rows:
                copy.write_row(row)


def _entries(run: int, batch: Iterable[EventRecord]) -> Iterator[StreamEntry]:
    for place, record in enumerate(batch):
        yield StreamEntry(event_stream(0), f"{run}-{place}", encode_record(record))


def _values(record: EventRecord) -> tuple[object, ...]:
    return (
        record.project_id, record.event_id, record.event_type, record.device_id, _moment(record.occurred_at_ms),
        _moment(record.received_at_ms), record.flow_id, record.screen_id, record.experiment_id, record.variant,
        record.session_id, record.platform, record.app_version, psycopg.types.json.Jsonb(record.properties),
    )  # fmt: skip


def _moment(milliseconds: int) -> datetime:
    return datetime.fromtimestamp(milliseconds / 1000, UTC)
