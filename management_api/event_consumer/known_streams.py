"""The event streams that have had a consumer group, in PostgreSQL, so that a lost stream is told from a new one."""

from datetime import timedelta

from sqlalchemy import func, update
from sqlalchemy.dialects.postgresql import insert

from management_api.db.engine import Database
from management_api.db.models.installation import KnownEventStream

#: Of two consumers that start at once, one may store a stream before the other one has stored that it made the group.
_START = timedelta(minutes=1)


class KnownStreams:
    """The table of known streams. The methods raise UnavailableError without PostgreSQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, stream: str) -> None:
        """Store that the stream has its group."""
        with self._database.transaction() as session:
            session.execute(insert(KnownEventStream).values(stream=stream).on_conflict_do_nothing())

    def record_loss(self, stream: str, *, made_seconds_ago: float) -> bool:
        """Store a loss if the stream had a group before the one that was made so long ago; return whether it had."""
        made_at = func.clock_timestamp() - timedelta(seconds=made_seconds_ago) - _START
        with self._database.transaction() as session:
            lost = session.execute(
                update(KnownEventStream)
                .where(KnownEventStream.stream == stream, KnownEventStream.added_at < made_at)
                .values(lost_at=func.clock_timestamp())
                .returning(KnownEventStream.stream)
            )
            return lost.first() is not None
