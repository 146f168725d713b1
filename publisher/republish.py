"""Rebuilds the snapshot of every project, for instance after Redis has lost them."""

from collections.abc import Callable

from sqlalchemy import ColumnElement, func, or_, select

from common.key_vault import KeyVault
from common.settings import PublisherSettings
from management_api.database.publications import Publication
from management_api.database.transactions import Database
from publisher.project_publisher import ProjectPublisher
from publisher.snapshot_writer import TOMBSTONE_SECONDS, SnapshotWriter, connect


def republish_all(settings: PublisherSettings, on_progress: Callable[[int, int], None]) -> int:
    """Publish every project as it is now and give how many were; those that cannot be compiled are logged.

    `on_progress` is told (done, total) after each batch. Publishers may run meanwhile. Raises UnavailableError
    without PostgreSQL and RedisError without Redis.
    """
    database = Database(settings)
    redis = connect(settings.redis_url.get_secret_value())
    projects = ProjectPublisher(database, SnapshotWriter(redis), KeyVault(settings.master_key))
    try:
        with database.transaction() as session:
            total = session.scalar(select(func.count()).select_from(Publication).where(_worth_publishing())) or 0
        done = failed = 0
        last_id = ""
        while batch := _batch_after(database, last_id, settings.publisher_batch_size):
            failed += len(projects.publish(batch))
            done += len(batch)
            last_id = batch[-1]
            on_progress(done, max(done, total))
        return done - failed
    finally:
        redis.close()
        database.close()


def _batch_after(database: Database, last_id: str, size: int) -> list[str]:
    with database.transaction() as session:
        return list(
            session.scalars(
                select(Publication.project_id)
                .where(Publication.project_id > last_id, _worth_publishing())
                .order_by(Publication.project_id)
                .limit(size)
            )
        )


def _worth_publishing() -> ColumnElement[bool]:
    """Leave out projects that were deleted before a tombstone's life: nobody remembers them."""
    recent = Publication.updated_at > func.now() - func.make_interval(0, 0, 0, 0, 0, 0, TOMBSTONE_SECONDS)
    return or_(Publication.deleted.is_(False), recent)
