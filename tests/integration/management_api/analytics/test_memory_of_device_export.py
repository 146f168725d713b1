"""A page of the export of a device takes little memory, for any number of events.

`SOAK_EXPORTED_EVENTS=1000000` measures the figure of docs/internals/storage.md; `-s` prints it.
"""

from collections.abc import Iterator
from datetime import UTC, datetime

import numpy as np
import pytest
from sqlalchemy import insert, text

from management_api.analytics.device_export import export_device
from management_api.analytics.schemas import DeviceDataView
from management_api.db.engine import Database, allow_long_statements
from management_api.db.models.analytics import Device
from management_api.db.psycopg_connection import driver_cursor
from management_api.http.responses import envelope
from management_api.rollups.rollup import Breakdown, Rollup, RollupKey, set_of
from management_api.rollups.storage import day_of, write_rollups
from tests.support.data.rows import add_project
from tests.support.peak_memory import peak_growth
from tests.support.soak import report, soak_setting

EVENTS = soak_setting("EXPORTED_EVENTS", 21_000, 1_000_000)
DAY = datetime(2026, 3, 1, tzinfo=UTC)
#: Every second event is of the device. The properties have 300 bytes.
_INSERT = text("""
    INSERT INTO events (project_id, event_id, event_type, device_id, occurred_at, received_at, properties)
    SELECT :project_id, 'evt_' || number, 'opened', 'd' || number % 2, at, at,
        jsonb_build_object('text', repeat('x', 200), 'numbers', jsonb_build_array(number, number), 'is_set', true)
    FROM generate_series(1, 2 * CAST(:events AS int)) AS number,
        LATERAL (SELECT CAST(:day AS timestamptz) + number * interval '20 milliseconds' AS at) AS moment
""")


@pytest.fixture
def project_id(database: Database) -> str:
    """Return a project with the events of two devices on one day."""
    with database.transaction() as session:
        project_id = add_project(session).id
        allow_long_statements(session, minutes=5)
        session.execute(_INSERT, {"project_id": project_id, "events": EVENTS, "day": DAY})
        for number in (0, 1):
            session.execute(insert(Device).values(project_id=project_id, device_id=f"d{number}", number=number))
        rollup = Rollup(2 * EVENTS, set_of(np.arange(2)))
        write_rollups(driver_cursor(session), [(project_id, RollupKey(Breakdown.ALL, day_of(DAY.date())), rollup)])
        return project_id


def pages(database: Database, project_id: str) -> Iterator[DeviceDataView]:
    cursor = None
    while True:
        with database.repeatable_read() as session:
            page = export_device(session, project_id, "d1", cursor)
        yield page
        cursor = page.next
        if cursor is None:
            return


def test_export_of_a_device_takes_little_memory(database: Database, project_id: str) -> None:
    counts: list[int] = []

    def export() -> None:
        counts.extend(len(page.events) for page in pages(database, project_id) if envelope(page))

    grown = peak_growth(export)
    report("export of a device", {"events": sum(counts), "pages": len(counts), "MiB": f"{grown / 2**20:.1f}"})
    assert sum(counts) == EVENTS
    assert grown < 64 * 2**20
