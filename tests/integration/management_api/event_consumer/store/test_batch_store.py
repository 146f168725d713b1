"""Storing a batch: each event is counted once."""

from datetime import UTC, datetime

import pytest
from sqlalchemy import select, text

from management_api.db.engine import Database
from management_api.db.models.analytics import DeadLetter, Device, Event, Exposure, ProjectTotal
from management_api.event_consumer.metrics import EventCounts
from management_api.event_consumer.store import BatchRefusedError, BatchStore
from tests.integration.management_api.event_consumer.stored_tables import count
from tests.integration.management_api.event_consumer.stream_records import (
    DAY_MS,
    NOON_MS,
    an_entry,
    an_event,
    an_exposure,
    entries_of,
)
from tests.support.data.rows import add_project

NOON = datetime.fromtimestamp(NOON_MS / 1000, UTC)


@pytest.fixture
def deleted_id(database: Database) -> str:
    """Return a project that was deleted, of which the publication stays."""
    with database.transaction() as session:
        project = add_project(session)
        session.delete(project)
        return project.id


def test_event_is_stored_with_all_its_fields(database: Database, store: BatchStore, project_id: str) -> None:
    record = an_event(
        project_id,
        event_id="evt_1",
        event_type="custom.one",
        occurred_at_ms=NOON_MS - 1,
        received_at_ms=NOON_MS,
        screen_id="screen_1",
        experiment_id="exp_1",
        variant="b",
        session_id="session",
        platform="ios",
        app_version="1.2.3",
        properties={"text": 'quote " backslash \\ tab \t \N{PARTY POPPER}', "list": [1, None, 2.5]},
    )
    store.store(entries_of([record]))
    with database.transaction() as session:
        event = session.scalars(select(Event)).one()
        assert (event.event_id, event.event_type, event.device_id) == ("evt_1", "custom.one", "device")
        assert (event.flow_id, event.screen_id, event.experiment_id) == ("flow_1", "screen_1", "exp_1")
        assert (event.variant, event.session_id) == ("b", "session")
        assert (event.platform, event.app_version) == ("ios", "1.2.3")
        assert event.properties == record.properties
        assert event.occurred_at == datetime(2026, 6, 1, 11, 59, 59, 999_000, tzinfo=UTC)
        assert event.received_at == NOON


def test_events_are_counted_as_new_repeated_dropped_or_of_unknown_projects(
    store: BatchStore, project_id: str, deleted_id: str
) -> None:
    store.store(entries_of([an_event(project_id, event_id="one"), an_event(deleted_id), an_event("proj_unknown")]))
    store.store(entries_of([an_event(project_id, event_id="one"), an_event(project_id, event_id="two")]))
    store.store(entries_of([an_event("proj_unknown"), an_exposure("proj_unknown")]))
    assert store.event_counter.counts == EventCounts(new=2, repeated=1, dropped=1, unknown=2)


def test_devices_of_a_project_are_numbered_one_after_the_other(
    database: Database, store: BatchStore, project_id: str
) -> None:
    store.store(entries_of(an_event(project_id, device_id=f"d{number}") for number in (1, 2, 1)))
    store.store(entries_of([an_exposure(project_id, device_id="d3"), an_event(project_id, device_id="d2")]))
    with database.transaction() as session:
        numbers = session.execute(select(Device.device_id, Device.number).order_by(Device.number)).all()
        assert [tuple(row) for row in numbers] == [("d1", 0), ("d2", 1), ("d3", 2)]
        assert session.scalars(select(ProjectTotal.devices)).all() == [3]


def test_exposure_is_stored_once_for_each_flow_and_variant(
    database: Database, store: BatchStore, project_id: str
) -> None:
    records = [
        an_exposure(project_id, exposed_at_ms=NOON_MS + DAY_MS),
        an_exposure(project_id),
        an_exposure(project_id, experiment_id="exp_1", variant="a"),
        an_exposure(project_id, experiment_id="exp_1", variant="b"),
    ]
    store.store(entries_of(records))
    store.store(entries_of(records))
    store.store(entries_of([an_exposure(project_id, exposed_at_ms=NOON_MS - DAY_MS)]))
    with database.transaction() as session:
        assert session.scalars(select(Exposure.exposed_at)).all() == [NOON] * 3
        assert session.scalars(text("SELECT sum(events) FROM activity_cells WHERE breakdown = 'exposure'")).one() == 3


def test_records_of_deleted_projects_are_dropped(
    database: Database, store: BatchStore, project_id: str, deleted_id: str
) -> None:
    store.store(entries_of([an_event(deleted_id), an_exposure(deleted_id), an_event(project_id)]))
    with database.transaction() as session:
        assert session.scalars(select(Event.project_id)).all() == [project_id]
        assert (count(session, "exposures"), count(session, "dead_letters")) == (0, 0)


def test_records_of_projects_that_never_existed_become_dead_letters(
    database: Database, store: BatchStore, project_id: str, deleted_id: str
) -> None:
    unknown = entries_of([an_event("proj_unknown"), an_exposure("proj_unknown")])
    batch = [*unknown, *entries_of([an_event(project_id), an_event(deleted_id)])]
    store.store(batch)
    # Redis delivers entries again whose acknowledgement was lost.
    store.store(batch)
    with database.transaction() as session:
        assert session.scalars(select(Event.project_id)).all() == [project_id]
        letters = session.scalars(select(DeadLetter).order_by(DeadLetter.id)).all()
        assert [(letter.stream, letter.entry_id, letter.body) for letter in letters] == [
            (entry.stream, entry.entry_id, entry.body) for entry in unknown
        ]
        assert {letter.reason for letter in letters} == {"UnknownProject: proj_unknown was never in this database"}
        assert {letter.project_id for letter in letters} == {None}


@pytest.mark.parametrize(
    "body", [b"", b"\xc1", b"\x92\xa5event\xa1x", b"\x81\xa1a\x01"], ids=["empty", "invalid", "short", "other shape"]
)
def test_entry_that_is_no_record_becomes_a_dead_letter(database: Database, store: BatchStore, body: bytes) -> None:
    entry = an_entry(body)
    store.store([entry])
    store.store([entry])
    with database.transaction() as session:
        letter = session.scalars(select(DeadLetter)).one()
        assert (letter.stream, letter.entry_id, letter.body) == (entry.stream, entry.entry_id, body)
        assert letter.reason


@pytest.mark.parametrize(
    "fields",
    [
        {"device_id": "nul \0"},
        {"properties": {"text": "nul \0"}},
        {"occurred_at_ms": 2**62},
        {"occurred_at_ms": 2**63},
        {"device_id": "".join(chr(0x4E00 + number) for number in range(10_000))},
    ],
    ids=["nul", "nul in json", "no such day", "no such number", "too long for an index"],
)
def test_record_that_cannot_be_stored_is_refused_and_leaves_nothing(
    database: Database, store: BatchStore, project_id: str, fields: dict[str, object]
) -> None:
    with pytest.raises(BatchRefusedError):
        store.store(entries_of([an_event(project_id), an_event(project_id, **fields)]))
    with database.transaction() as session:
        assert [count(session, table) for table in ("events", "devices", "activity_cells")] == [0, 0, 0]


@pytest.mark.parametrize("properties", [{"bytes": b"x"}, {"map": {1: 2}}, {"moment": {"a": {"b": b""}}}])
def test_properties_that_json_does_not_have_make_a_dead_letter(
    database: Database, store: BatchStore, project_id: str, properties: dict[str, object]
) -> None:
    store.store(entries_of([an_event(project_id, properties=properties), an_event(project_id)]))
    with database.transaction() as session:
        assert (count(session, "dead_letters"), count(session, "events")) == (1, 1)
