"""Rebuilds the snapshot of every project, for instance after Redis has lost them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from sqlalchemy import func, select

from common.process import tune_gc
from management_api.database.key_vault import KeyVault
from management_api.database.publications import Publication
from management_api.database.transactions import Database
from publisher.claims import worth_publishing
from publisher.project_publisher import ProjectPublisher
from publisher.settings import PublisherSettings
from publisher.snapshot_writer import SnapshotWriter, connect


@dataclass(frozen=True, slots=True)
class Progress:
    """How many projects have been tried, of how many, and how many of them could not be compiled."""

    done: int
    total: int
    failed: int


def republish(database: Database, projects: ProjectPublisher, *, batch_size: int) -> Iterator[Progress]:
    """Publish every project as it is now, batch by batch; those that cannot be compiled are logged.

    Snapshots of projects that were never in the database are replaced by tombstones first. Publishers may run
    meanwhile. Raises UnavailableError without PostgreSQL and RedisError without Redis.
    """
    projects.delete_orphans()
    with database.transaction() as session:
        total = session.scalar(select(func.count()).select_from(Publication).where(worth_publishing())) or 0
    done = failed = 0
    last_id = ""
    while batch := _batch_after(database, last_id, batch_size):
        failed += len(projects.publish(batch))
        done += len(batch)
        last_id = batch[-1]
        yield Progress(done, max(done, total), failed)


def republish_all(settings: PublisherSettings, on_progress: Callable[[int, int], None]) -> int:
    """Republish with connections of its own and give how many projects are out; `on_progress` is told (done, total)."""
    database = Database(settings)
    redis = connect(settings.redis_url.get_secret_value())
    projects = ProjectPublisher(database, SnapshotWriter(redis), KeyVault(settings.master_key))
    published = 0
    tune_gc()
    try:
        projects.note_begun_in_this_format()
        for progress in republish(database, projects, batch_size=settings.publisher_batch_size):
            published = progress.done - progress.failed
            on_progress(progress.done, progress.total)
        projects.note_all_in_this_format()
        return published
    finally:
        redis.close()
        database.close()


def _batch_after(database: Database, last_id: str, size: int) -> list[str]:
    with database.transaction() as session:
        return list(
            session.scalars(
                select(Publication.project_id)
                .where(Publication.project_id > last_id, worth_publishing())
                .order_by(Publication.project_id)
                .limit(size)
            )
        )
