"""Stores one batch in one transaction: the raw rows that are new, and the rollups of exactly those."""

from collections.abc import Iterable, Sequence

import psycopg
from psycopg import errors
from sqlalchemy.orm import Session

from common.errors import OnboardingError
from management_api.database.transactions import Database
from management_api.event_consumer import statements
from management_api.event_consumer.dead_letters import settle_letters, still_wanted, store_letter
from management_api.event_consumer.decoding import DecodedBatch, Row, decode_batch
from management_api.event_consumer.stream_entry import StreamEntry

#: How often a transaction is begun again after it lost against another one; it waits for nothing in between, because
#: the other one is done by then.
MAX_ATTEMPTS = 5

#: Classes of SQLSTATE that say that the data cannot be stored: cardinality, data, integrity, a limit of the program
#: (a key too long for an index, nesting too deep). All others are the server's own and pass.
DATA_FAULTS = frozenset({"21", "22", "23", "54"})

Cursor = psycopg.Cursor[tuple[str]]


class BatchRefusedError(OnboardingError):
    """PostgreSQL cannot store something in this batch, now or later."""


class BatchStore:
    """Writes batches of stream entries to PostgreSQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def store(self, entries: Sequence[StreamEntry]) -> None:
        """Store the entries; what is there already, or of a project that is gone, is left out.

        Raises BatchRefusedError when the data is at fault, and an error of the database when the server is; nothing
        is stored then.
        """
        batch = decode_batch(entries)
        for attempts_left in reversed(range(MAX_ATTEMPTS)):
            try:
                self._store_once(entries, batch)
            except (errors.DeadlockDetected, errors.SerializationFailure):
                if not attempts_left:
                    raise
            except psycopg.Error as error:
                if _is_fault_of_data(error):
                    raise BatchRefusedError(f"{type(error).__name__}: {error}") from error
                raise
            else:
                return

    def store_dead_letter(self, entry: StreamEntry, reason: str) -> None:
        """Keep an entry that cannot be stored."""
        with self._database.transaction() as session:
            store_letter(_cursor(session), entry, reason)

    def _store_once(self, entries: Sequence[StreamEntry], batch: DecodedBatch) -> None:
        with self._database.transaction() as session, _cursor(session) as cursor:
            cursor.execute(statements.CREATE_BATCH_TABLES, prepare=False)
            cursor.execute(statements.LOCK_PROJECTS, [batch.project_ids()])
            alive = [project_id for (project_id,) in cursor]
            # Behind the projects, as a deletion locks them too.
            wanted = still_wanted(cursor, entries)
            if len(wanted) < len(entries):
                batch = decode_batch(wanted)
            _copy(cursor, statements.COPY_EVENTS, (batch.events.get(project_id, ()) for project_id in alive))
            _copy(cursor, statements.COPY_EXPOSURES, (batch.exposures.get(project_id, ()) for project_id in alive))
            cursor.execute(statements.STORE_EVENTS)
            cursor.execute(statements.STORE_EXPOSURES)
            cursor.execute(statements.COUNT_DEVICES)
            cursor.execute(statements.COUNT_DAILY_ACTIVITY)
            cursor.execute(statements.COUNT_FLOW_JOURNEYS)
            unreadable = {each.entry: each.reason for each in batch.unreadable}
            settle_letters(cursor, wanted, unreadable)
            for entry, reason in unreadable.items():
                store_letter(cursor, entry, reason)
            # Last, because many batches want the same few rows and should hold them for a moment only.
            cursor.execute(statements.NOTE_USED_KEYS)


def _cursor(session: Session) -> Cursor:
    """Give a cursor of the driver, inside the session's transaction: COPY is beyond SQLAlchemy."""
    connection = session.connection().connection.driver_connection
    if not isinstance(connection, psycopg.Connection):
        raise TypeError("the database is reached through another driver than psycopg")
    return connection.cursor()


def _copy(cursor: Cursor, statement: str, groups: Iterable[Iterable[Row]]) -> None:
    with cursor.copy(statement) as copy:
        for rows in groups:
            for row in rows:
                copy.write_row(row)


def _is_fault_of_data(error: psycopg.Error) -> bool:
    """Tell whether it will fail again; an error without SQLSTATE comes from the driver, or from a lost connection."""
    if error.sqlstate is None:
        return isinstance(error, psycopg.DataError)
    return error.sqlstate[:2] in DATA_FAULTS
