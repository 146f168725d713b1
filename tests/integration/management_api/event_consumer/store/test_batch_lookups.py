"""The rows that a batch reads do not grow with the tables, also without statistics of PostgreSQL."""

import pytest
from sqlalchemy import text
from sqlalchemy.orm import Session

from common.wire.stream_records import StreamRecord
from management_api.db.engine import Database
from management_api.event_consumer.store import BatchStore
from tests.integration.management_api.event_consumer.read_rows import rows_read
from tests.integration.management_api.event_consumer.stream_records import an_event, an_exposure, entries_of
from tests.support.data.rows import add_project, add_secret_key

pytestmark = pytest.mark.slow

#: Enough that PostgreSQL could scan the tables without statistics.
MANY = 20_000

#: Adds copies of a row with something else in its key.
MULTIPLY = """
    INSERT INTO {table} SELECT (jsonb_populate_record(one, jsonb_build_object({changes}))).*
    FROM {table} AS one, generate_series(1, :many) AS nth WHERE one.ctid = (SELECT min(ctid) FROM {table})
"""


def multiply(session: Session, table: str, changes: str) -> None:
    session.execute(text(MULTIPLY.format(table=table, changes=changes)), {"many": MANY})


@pytest.mark.parametrize("times", [1, 2])
def test_a_batch_reads_a_few_rows_of_each_table(
    database: Database, store: BatchStore, master_key: str, times: int
) -> None:
    with database.transaction() as session:
        project = add_project(session)
        key_id = add_secret_key(session, project, master_key)[0].id
        project_id = project.id
    records: list[StreamRecord] = [
        *(an_event(project_id, device_id=f"device_{number}", secret_key_id=key_id) for number in range(10)),
        *(an_exposure(project_id, device_id=f"device_{number}") for number in range(5, 15)),
    ]
    for _ in range(times - 1):
        store.store(entries_of(records))
    store.store(entries_of([an_event(project_id, device_id="another"), an_exposure(project_id, device_id="another")]))
    with database.transaction() as session:
        multiply(session, "projects", "'id', one.id || nth")
        multiply(session, "project_totals", "'project_id', one.project_id || nth")
        multiply(session, "secret_keys", "'id', one.id || nth, 'digest', sha256(nth::text::bytea)")
        multiply(session, "devices", "'device_id', one.device_id || '-' || nth, 'number', 1000 + nth")
        multiply(session, "exposures", "'device_id', one.device_id || '-' || nth")
    # A new connection has no cached plans from when the tables had a few rows.
    database.engine.dispose()
    with rows_read(database) as read:
        store.store(entries_of(records))
    # A look-up in an index and its table counts twice, and three statements may look up the same row.
    assert {table: rows for table, rows in read.items() if rows > 6 * len(records)} == {}
    assert read["projects"] > 0
