"""The outbox: publications in PostgreSQL that wait for their snapshot in Redis, and the notification of new ones."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import psycopg
from sqlalchemy import ColumnElement, func, or_, select, text

from common.process import CHECK_SECONDS, ShutdownSignal
from management_api.db.engine import Database
from management_api.db.models.outbox import NOTIFY_CHANNEL, Publication
from publisher.snapshot_store import TOMBSTONE_SECONDS

#: Before every change.
LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)

#: Publications in one transaction that requests all.
_PAGE = 500

#: Claims the publications that have waited longest and that no other publisher is claiming at this moment.
CLAIM_WAITING = text("""
    WITH waiting AS (
        SELECT project_id FROM publications
        WHERE published_revision < wanted_revision
          AND (claimed_until IS NULL OR claimed_until < clock_timestamp())
          AND updated_at > :since
        ORDER BY updated_at
        LIMIT :batch_size
        FOR NO KEY UPDATE SKIP LOCKED
    )
    UPDATE publications SET claimed_until = clock_timestamp() + :claim
    FROM waiting WHERE publications.project_id = waiting.project_id
    RETURNING publications.project_id
""")

#: Marks revisions as published and ends the claims, in the order of ids so that two publishers cannot deadlock.
#: Redis has a newer revision than the wanted one only if the database was restored from a backup. Then a revision
#: above it is requested, because edges take no older one.
MARK_PUBLISHED = text("""
    WITH done AS (
        SELECT project_id, outcome.revision, outcome.stored, published_revision AS was, wanted_revision AS wanted
        FROM publications JOIN unnest(
            CAST(:project_ids AS text[]), CAST(:revisions AS bigint[]), CAST(:stored AS bigint[])
        ) AS outcome (project_id, revision, stored) USING (project_id)
        ORDER BY project_id
        FOR NO KEY UPDATE OF publications
    )
    UPDATE publications
    SET published_revision = greatest(published_revision, done.revision),
        wanted_revision = CASE WHEN done.stored > wanted_revision THEN done.stored + 1 ELSE wanted_revision END,
        claimed_until = NULL
    FROM done WHERE publications.project_id = done.project_id
    RETURNING CASE WHEN done.was < done.wanted AND done.wanted <= done.revision
        THEN extract(epoch FROM clock_timestamp() - updated_at) END
""")

#: Keeps all publishers from publications that failed until their next attempts. The ids are in order, as in
#: MARK_PUBLISHED.
DEFER = text("""
    UPDATE publications SET claimed_until = clock_timestamp() + make_interval(secs => deferred.seconds)
    FROM unnest(CAST(:project_ids AS text[]), CAST(:seconds AS double precision[])) AS deferred (project_id, seconds)
    WHERE publications.project_id = deferred.project_id
""")

#: Makes publications wait again whose revision Redis does not have. The ids are in order, as in MARK_PUBLISHED.
REQUEUE = text("""
    UPDATE publications SET published_revision = found.revision
    FROM unnest(CAST(:project_ids AS text[]), CAST(:revisions AS bigint[])) AS found (project_id, revision)
    WHERE publications.project_id = found.project_id AND published_revision > found.revision
""")

#: Makes every project wait for a new revision, in the order of ids, as in MARK_PUBLISHED.
REQUEST_ALL = text("""
    WITH page AS (
        SELECT project_id FROM publications
        WHERE project_id > :last_id AND NOT deleted
        ORDER BY project_id LIMIT :size
        FOR NO KEY UPDATE
    )
    UPDATE publications SET wanted_revision = wanted_revision + 1, updated_at = clock_timestamp()
    FROM page WHERE publications.project_id = page.project_id
    RETURNING publications.project_id
""")

#: Reads only the partial index of waiting publications.
BACKLOG = text("""
    SELECT count(*), coalesce(extract(epoch FROM clock_timestamp() - min(updated_at)), 0)
    FROM publications WHERE published_revision < wanted_revision
""")


@dataclass(frozen=True, slots=True)
class Published:
    """A project's revision that was sent to Redis, and the revision that Redis has since then."""

    project_id: str
    revision: int
    stored: int


def claim_waiting(database: Database, *, batch_size: int, seconds: float, since: datetime = LONG_AGO) -> list[str]:
    """Claim waiting publications, changed after `since`, for that long and return their project ids.

    The claim is committed.
    """
    values = {"batch_size": batch_size, "claim": timedelta(seconds=seconds), "since": since}
    with database.transaction() as session:
        return list(session.scalars(CLAIM_WAITING, values))


def database_time(database: Database) -> datetime:
    """Return the time of PostgreSQL, which is also the time of changes."""
    with database.transaction() as session:
        now: datetime = session.scalars(select(func.clock_timestamp())).one()
        return now


def mark_published(database: Database, outcomes: Sequence[Published]) -> list[float]:
    """Mark revisions as published. A publication whose project has changed since then goes on waiting.

    Return the seconds since the newest change of each project that was waiting and waits no longer.
    """
    with database.transaction() as session:
        delays = session.scalars(
            MARK_PUBLISHED,
            {
                "project_ids": [outcome.project_id for outcome in outcomes],
                "revisions": [outcome.revision for outcome in outcomes],
                "stored": [outcome.stored for outcome in outcomes],
            },
        )
        return [max(0.0, float(seconds)) for seconds in delays if seconds is not None]


def defer(database: Database, waits: Mapping[str, float]) -> None:
    """Make publications wait for so many seconds; 0 ends the wait."""
    project_ids = sorted(waits)
    with database.transaction() as session:
        session.execute(
            DEFER, {"project_ids": project_ids, "seconds": [waits[project_id] for project_id in project_ids]}
        )


def requeue(database: Database, revisions: dict[str, int]) -> None:
    """Make publications wait again, given the revisions that Redis has, in the order of ids."""
    with database.transaction() as session:
        session.execute(REQUEUE, {"project_ids": list(revisions), "revisions": list(revisions.values())})


def request_all(database: Database) -> None:
    """Request a new revision of every project. Edges take a snapshot with another content at a higher revision only."""
    last_id: str | None = ""
    while last_id is not None:
        with database.transaction() as session:
            requested = session.scalars(REQUEST_ALL, {"last_id": last_id, "size": _PAGE})
            last_id = max(requested, default=None)


def read_backlog(database: Database) -> tuple[int, float]:
    """Return the number of waiting publications, and the age in seconds of the oldest change among them."""
    with database.transaction() as session:
        waiting, oldest_seconds = session.execute(BACKLOG).one()
        return waiting, max(0.0, float(oldest_seconds))


def publications_after(database: Database, last_id: str, size: int) -> list[tuple[str, int]]:
    """Return the next publications by project id, each with its published revision."""
    query = (
        select(Publication.project_id, Publication.published_revision)
        .where(Publication.project_id > last_id, _is_current())
        .order_by(Publication.project_id)
        .limit(size)
    )
    with database.transaction() as session:
        return [(project_id, revision) for project_id, revision in session.execute(query)]


def count_publications(database: Database) -> int:
    """Return the number of publications that `publications_after` pages through."""
    with database.transaction() as session:
        return session.scalar(select(func.count()).select_from(Publication).where(_is_current())) or 0


def has_publications(database: Database) -> bool:
    """Return whether the database has any publication, deleted projects included."""
    with database.transaction() as session:
        return session.scalar(select(Publication.project_id).limit(1)) is not None


def with_publication(database: Database, project_ids: Sequence[str]) -> set[str]:
    """Return those of the projects that have a publication, deleted ones included."""
    with database.transaction() as session:
        query = select(Publication.project_id).where(Publication.project_id.in_(project_ids))
        return set(session.scalars(query))


def _is_current() -> ColumnElement[bool]:
    """Leave out projects that were deleted so long ago that their tombstones have expired."""
    recent = Publication.updated_at > func.now() - func.make_interval(0, 0, 0, 0, 0, 0, TOMBSTONE_SECONDS)
    return or_(Publication.deleted.is_(False), recent)


class NotifyListener:
    """Listens for notifications on a connection of its own. A missed notification costs one poll."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._connection: psycopg.Connection | None = None

    def listen(self) -> None:
        """Start to listen, unless it does already. Raises an error of the database."""
        if self._connection is None:
            self._connection = self._connect()
            self._connection.execute(f"LISTEN {NOTIFY_CHANNEL}")

    def wait(self, seconds: float, stop: ShutdownSignal) -> None:
        """Wait that long, until a notification or `stop`. Raises psycopg.Error when the connection is lost."""
        deadline = time.monotonic() + seconds
        while self._connection is not None and not stop.is_set() and (left := deadline - time.monotonic()) > 0:
            # The wait of psycopg goes on after a signal.
            if list(self._connection.notifies(timeout=min(left, CHECK_SECONDS), stop_after=1)):
                return

    def close(self) -> None:
        """Stop to listen; `listen` starts again."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _connect(self) -> psycopg.Connection:
        pooled = self._database.engine.raw_connection()
        connection = pooled.driver_connection
        # The connection does not count in the pool and is never returned to it.
        pooled.detach()
        if not isinstance(connection, psycopg.Connection):
            raise TypeError("the database is reached through another driver than psycopg")
        connection.autocommit = True
        return connection
