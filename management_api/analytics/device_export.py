"""All stored data of one device of a project, page by page, for access requests (contract, section 3, Devices).

Events come first, in the order of their own time, then the dead letters. Data that waits for its erasure is left out.
A request reads at most MAX_READ events of the project, so a page may have few events of the device, or none.
"""

from collections.abc import Generator
from contextlib import closing
from datetime import datetime, timedelta
from typing import NamedTuple

import msgspec
import orjson
from sqlalchemy import exists, func, literal, or_, select, tuple_
from sqlalchemy.orm import Session

from common.wire.public_bodies import EARLIEST_EVENT
from common.wire.stream_records import StreamRecord, StreamRecordError, decode_record
from management_api.analytics.dates import midnight
from management_api.analytics.erasure import may_be_stored
from management_api.analytics.events import AHEAD, EVENT_COLUMNS, MAX_READ, Position
from management_api.analytics.named_devices import places_that_name
from management_api.analytics.schemas import FIRST_CURSOR, DeadLetterView, DeviceDataView, EventView, ExposureView
from management_api.db.audit import AUDITED_EVERY, record_change
from management_api.db.models.analytics import DeadLetter, Event, Exposure, PendingErasure
from management_api.db.models.audit_log import AuditEntry
from management_api.db.models.event_ids import EventStorage
from management_api.db.models.projects import QaDevice
from management_api.db.psycopg_connection import driver_connection
from management_api.rollups.device_days import days_of_device
from management_api.rollups.erasure import pseudonym_of
from management_api.rollups.partitions import first_kept_day

#: Of a page: its events and dead letters, and the bytes of their properties and records.
MAX_ITEMS, MAX_BYTES = 10_000, 4 * 1024 * 1024
#: The dead letters that one request reads. They have no index by device either.
MAX_LETTERS_READ = 10_000
#: The rows that PostgreSQL sends at once.
_PORTION = 200
_ONE_DAY = timedelta(days=1)
#: A larger number is no id of a dead letter.
_MAX_ID_DIGITS = 18
#: These members of a record are about the request that sent it, not about the device.
_INTERNAL_MEMBERS = frozenset({"secret_key_id", "traceparent", "request_id"})
_EXPORTED = ("device", "export")


def record_device_export(session: Session, project_id: str, device_id: str, user_id: str) -> None:
    """Write the entry of an export, once in AUDITED_EVERY for each user and device. The session has the actor."""
    entity, verb = _EXPORTED
    entity_id = pseudonym_of(project_id, device_id)
    is_recent = (
        AuditEntry.project_id == project_id,
        AuditEntry.entity_type == entity,
        AuditEntry.entity_id == entity_id,
        AuditEntry.action == f"{entity}.{verb}",
        AuditEntry.user_id == user_id,
        AuditEntry.at > func.clock_timestamp() - AUDITED_EVERY,
    )
    if may_be_stored(device_id) and not session.scalar(select(exists().where(*is_recent))):
        record_change(session, project_id, entity=entity, verb=verb, entity_id=entity_id)


def export_device(session: Session, project_id: str, device_id: str, cursor: str | None) -> DeviceDataView:
    """Return a page of the data of a device. The first page has everything but later events and dead letters.

    The session has a repeatable-read transaction. Raises InvalidRequestError for a cursor of another list.
    """
    place = _place_of(cursor)
    if not may_be_stored(device_id):
        return DeviceDataView(project_id=project_id, device_id=device_id)
    page = _Page(session, project_id, device_id)
    following = page.read_letters(place) if isinstance(place, int) else page.read_events(place)
    is_first = place is None
    return DeviceDataView(
        project_id=project_id,
        device_id=device_id,
        qa_flow_id=page.qa_flow() if is_first else None,
        exposures=page.exposures() if is_first else [],
        named_in=list(places_that_name(session, project_id, device_id)) if is_first else [],
        events=page.events,
        dead_letters=page.letters,
        next=following,
    )


def _place_of(cursor: str | None) -> Position | int | None:
    """Return the event behind which a page begins, or the id of a dead letter; None for the first page."""
    if cursor is None or cursor == FIRST_CURSOR:
        return None
    is_id = cursor.isdecimal() and len(cursor) <= _MAX_ID_DIGITS
    return int(cursor) if is_id else Position.from_cursor(cursor)


class _Span(NamedTuple):
    """A time with events of the device, and the number of all events of the project in it."""

    start: datetime
    end: datetime
    events: int


class _Page:
    """The events and dead letters of one page."""

    def __init__(self, session: Session, project_id: str, device_id: str) -> None:
        self.events: list[EventView] = []
        self.letters: list[DeadLetterView] = []
        self._session = session
        self._project_id = project_id
        self._device_id = device_id
        self._bytes = 0
        marks = select(func.max(PendingErasure.last_stored_no), func.max(PendingErasure.last_dead_letter_id)).where(
            PendingErasure.project_id == project_id, PendingErasure.device_id == device_id
        )
        self._first_stored_no, self._last_erased_letter = session.execute(marks).one()

    def qa_flow(self) -> str | None:
        """Return the flow that QA has given the device."""
        of_device = (QaDevice.project_id == self._project_id, QaDevice.device_id == self._device_id)
        return self._session.scalar(select(QaDevice.flow_id).where(*of_device))

    def exposures(self) -> list[ExposureView]:
        """Return the exposures. An erasure deletes them at once."""
        of_device = (Exposure.project_id == self._project_id, Exposure.device_id == self._device_id)
        columns = (Exposure.flow_id, Exposure.experiment_id, Exposure.variant, Exposure.exposed_at, Exposure.platform)
        rows = self._session.execute(select(*columns).where(*of_device).order_by(Exposure.exposed_at, Exposure.flow_id))
        return [ExposureView.model_validate(row) for row in rows]

    def read_events(self, after: Position | None) -> str | None:
        """Read the events behind a place, and the dead letters if the page has room; return the next cursor."""
        readable = MAX_READ
        with closing(self._spans(EARLIEST_EVENT if after is None else after.occurred_at)) as spans:
            for span in spans:
                if readable < min(span.events, MAX_READ):
                    return Position(span.start, "").to_cursor()
                following = self._read_span(span, after)
                if following is not None:
                    return following.to_cursor()
                readable -= span.events
        return self.read_letters(0)

    def _spans(self, since: datetime) -> Generator[_Span]:
        """Yield the days of the device, and before them the time of which events were dropped for their age.

        A late event of that time may be left when the number of its device is deleted, so all its events are read.
        """
        complete_from = self._session.scalar(select(EventStorage.complete_from))
        first = EARLIEST_EVENT if complete_from is None else midnight(first_kept_day(complete_from))
        if since < first:
            before = (Event.project_id == self._project_id, Event.occurred_at >= since, Event.occurred_at < first)
            counted = select(literal(1)).where(*before).limit(MAX_READ + 1).subquery()
            events = self._session.scalar(select(func.count()).select_from(counted)) or 0
            yield _Span(since, first, events)
        connection = driver_connection(self._session)
        for day, events in days_of_device(connection, self._project_id, self._device_id, max(since, first).date()):
            yield _Span(midnight(day), midnight(day) + _ONE_DAY, events)

    def _read_span(self, span: _Span, after: Position | None) -> Position | None:
        """Read the events of a time, at most MAX_READ of the project; return where reading had to stop."""
        place = tuple_(Event.occurred_at, Event.event_id)
        scanned = (
            select(*EVENT_COLUMNS, Event.stored_no)
            .where(
                Event.project_id == self._project_id,
                Event.occurred_at >= span.start,
                Event.occurred_at < span.end,
                Event.received_at >= span.start - AHEAD,
                *([] if after is None else [place > tuple_(literal(after.occurred_at), literal(after.event_id))]),
            )
            .order_by(Event.occurred_at, Event.event_id)
            .limit(MAX_READ)
            .subquery()
        )
        order = (scanned.c.timestamp, scanned.c.event_id)
        of_device = select(*(column for column in scanned.c if column.name != "stored_no")).where(
            scanned.c.device_id == self._device_id,
            *([] if self._first_stored_no is None else [scanned.c.stored_no >= self._first_stored_no]),
        )
        rows = self._session.execute(of_device.order_by(*order), execution_options={"yield_per": _PORTION})
        with closing(rows):
            for row in rows:
                self.events.append(EventView.model_validate(row))
                if self._is_full_with(row.properties):
                    return Position(row.timestamp, row.event_id)
        if span.events <= MAX_READ:
            return None
        last = select(*order).order_by(*order).limit(1).offset(MAX_READ - 1)
        stopped = self._session.execute(last).one_or_none()
        return None if stopped is None else Position(*stopped)

    def read_letters(self, after: int) -> str | None:
        """Read the dead letters behind an id; return the next cursor."""
        letters = (
            select(DeadLetter.id, DeadLetter.body, DeadLetter.reason, DeadLetter.created_at)
            .where(
                DeadLetter.id > max(after, self._last_erased_letter or 0),
                or_(DeadLetter.project_id == self._project_id, DeadLetter.project_id.is_(None)),
            )
            .order_by(DeadLetter.id)
            .limit(MAX_LETTERS_READ)
        )
        last, read = after, 0
        with closing(self._session.execute(letters, execution_options={"yield_per": _PORTION})) as rows:
            for row in rows:
                last, read = row.id, read + 1
                record = self._record_of_device(row.body)
                if record is None:
                    continue
                members = {
                    name: value
                    for name, value in msgspec.structs.asdict(record).items()
                    if name not in _INTERNAL_MEMBERS
                }
                self.letters.append(DeadLetterView(created_at=row.created_at, reason=row.reason, record=members))
                if self._is_full_with(members):
                    return str(last)
        return str(last) if read == MAX_LETTERS_READ else None

    def _record_of_device(self, body: bytes) -> StreamRecord | None:
        """Return the record if it is of the device. A body that cannot be decoded is of no device."""
        try:
            record = decode_record(body)
        except StreamRecordError:
            return None
        is_of_device = (record.project_id, record.device_id) == (self._project_id, self._device_id)
        return record if is_of_device else None

    def _is_full_with(self, content: object) -> bool:
        """Count an item with its free content, and return whether the page is full."""
        self._bytes += len(orjson.dumps(content))
        return len(self.events) + len(self.letters) >= MAX_ITEMS or self._bytes >= MAX_BYTES
