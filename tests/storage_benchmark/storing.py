"""How fast the event consumer stores batches, beside a bare COPY of the same rows, by turns on one server."""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

import orjson
import psycopg
from psycopg.types.json import set_json_dumps

from common.redis_keys import event_stream
from common.stream_records import EventRecord, encode_record
from management_api.database.driver import driver_connection
from management_api.database.transactions import Database
from management_api.event_consumer.batch_store import BatchStore
from management_api.event_consumer.event_rows import COPY_EVENTS
from management_api.event_consumer.stream_entry import StreamEntry

#: With the columns and the index of the events, but without partitions, digests, devices and cells.
MAKE_BARE = "CREATE TABLE bare_events (LIKE events INCLUDING ALL)"
COPY_BARE = COPY_EVENTS.replace("COPY events", "COPY bare_events").replace("(FORMAT binary)", "")

#: Batches that warm up both, and are not counted.
WARM_UP = 5


@dataclass(slots=True)
class Storing:
    """Seconds of one way to store, batch by batch, by the clock and of this process's processor time."""

    name: str
    rows: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)

    @property
    def rate(self) -> float:
        """Rows a second, over all batches but the first ones."""
        return sum(self.rows[WARM_UP:]) / sum(self.seconds[WARM_UP:])

    @property
    def processor_us(self) -> float:
        """Microseconds of this process a row; what PostgreSQL uses comes on top."""
        return sum(self.processor[WARM_UP:]) / sum(self.rows[WARM_UP:]) * 1e6

    def take(self, rows: int, store: Callable[[], object]) -> None:
        """Store a batch."""
        start, used = time.perf_counter(), time.process_time()
        store()
        self.seconds.append(time.perf_counter() - start)
        self.processor.append(time.process_time() - used)
        self.rows.append(rows)


def compare_storing(database: Database, batches: Iterable[Sequence[EventRecord]]) -> tuple[Storing, Storing]:
    """Store each batch both ways: as the consumer does, from the bytes of the entries; and by COPY, from the values."""
    consumer, bare = Storing("the event consumer"), Storing("a bare COPY")
    store = BatchStore(database)
    set_json_dumps(orjson.dumps)
    with database.transaction() as session:
        driver_connection(session).execute(MAKE_BARE)
    for number, batch in enumerate(batches):
        entries = [
            StreamEntry(event_stream(0), f"{number}-{place}", encode_record(record))
            for place, record in enumerate(batch)
        ]
        rows = [_values(record) for record in batch]
        turns = (
            (consumer, lambda entries=entries: store.store(entries)),
            (bare, lambda rows=rows: _copy(database, rows)),
        )
        # Who comes second finds the processor warm and the disk busy.
        for side, way in turns if number % 2 else reversed(turns):
            side.take(len(batch), way)
    with database.transaction() as session:
        driver_connection(session).execute("DROP TABLE bare_events")
    return consumer, bare


def _copy(database: Database, rows: Iterable[tuple[object, ...]]) -> None:
    with (
        database.transaction() as session,
        driver_connection(session).cursor() as cursor,
        cursor.copy(COPY_BARE.encode()) as copy,
    ):
        for row in rows:
            copy.write_row(row)


def _values(record: EventRecord) -> tuple[object, ...]:
    return (
        record.project_id, record.event_type, record.flow_id, record.screen_id, record.experiment_id, record.variant,
        record.platform, record.app_version, record.device_id, record.session_id, record.event_id,
        _moment(record.occurred_at_ms), _moment(record.received_at_ms), psycopg.types.json.Jsonb(record.properties),
    )  # fmt: skip


def _moment(milliseconds: int) -> datetime:
    return datetime.fromtimestamp(milliseconds / 1000, UTC)
