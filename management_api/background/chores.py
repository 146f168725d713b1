"""The chores of the event consumers: partitions and retention, erasures, deleted projects, counts, expired rows.

A new chore is a function and a row of CONSUMER_CHORES. The functions may be interrupted at any point and repeated.
"""

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial

import structlog
from redis import Redis
from sqlalchemy import delete, select, tuple_

from common.media_store import MediaStore
from common.timestamps import utc_now
from management_api.background.key_use import store_key_use
from management_api.background.projects import FailedProjectsError, for_each_project
from management_api.background.quotas import publish_used_quotas
from management_api.background.runner import Chore
from management_api.db.engine import Database, allow_long_statements
from management_api.db.models.audit_log import AuditEntry, InstallationEntry
from management_api.db.models.flow_history import PreviewLink
from management_api.db.models.users import IdempotencyKey
from management_api.db.project_locks import share_project
from management_api.db.psycopg_connection import driver_connection, driver_cursor
from management_api.media.cleanup import remove_unneeded_media
from management_api.rollups.aggregator import ROUND_SECONDS, Aggregator
from management_api.rollups.aging import age_project, projects_to_age
from management_api.rollups.checkpoints import due_checkpoints, make_checkpoint
from management_api.rollups.compaction import compact_day, ended_days
from management_api.rollups.device_digests import DeviceDigests, delete_old_digests, key_digests
from management_api.rollups.erasure import complete_erasures, projects_with_erasures
from management_api.rollups.experiment_users import store_counts, uncounted_experiments
from management_api.rollups.partitions import EVENT_IDS, drop_id_partitions, drop_partitions, make_partitions
from management_api.rollups.purge import purge_orphans, purge_project, unpurged_projects
from management_api.rollups.storage import day_of
from management_api.rollups.totals import refresh_totals, stale_projects
from management_api.rollups.usage import Usage

log = structlog.stdlib.get_logger(__name__)

#: Days that are searched for at once.
DAYS_AT_ONCE = 1000
#: Expired idempotency keys that one transaction deletes.
KEYS_AT_ONCE = 1000
#: Entries of the audit log that one transaction deletes, and the days that they are kept by default.
ENTRIES_AT_ONCE, AUDIT_RETENTION_DAYS = 1000, 1095
_KEY_COLUMNS = (IdempotencyKey.user_id, IdempotencyKey.key)
COMPACTION_MINUTES = TOTALS_MINUTES = 10


@dataclass(frozen=True, slots=True)
class ChoreContext:
    """The services and settings of the chores of a consumer. If `stop` is set, they leave out remaining projects."""

    database: Database
    redis: Redis
    event_retention_days: int
    rollup_max_keys: int
    quotas: Usage
    audit_retention_days: int = AUDIT_RETENTION_DAYS
    media_store: MediaStore | None = None
    digests: DeviceDigests = field(default_factory=DeviceDigests)
    now: Callable[[], datetime] = utc_now
    stop: threading.Event = field(default_factory=threading.Event)


def renew_id_partitions(context: ChoreContext) -> None:
    """Make the next partitions of event ids, and drop old ones."""
    with context.database.transaction() as session:
        made = make_partitions(driver_connection(session), context.now(), EVENT_IDS)
    with context.database.transaction() as session:
        dropped = drop_id_partitions(driver_connection(session), context.now())
    if made or dropped:
        log.info("maintenance.partitions", made=made, dropped=dropped)


def make_event_partitions(context: ChoreContext) -> None:
    """Make the next partitions of events."""
    with context.database.transaction() as session:
        made = make_partitions(driver_connection(session), context.now())
    if made:
        log.info("maintenance.partitions", made=made)


def drop_old_events(context: ChoreContext) -> None:
    """Drop partitions of events whose retention has ended."""
    with context.database.transaction() as session:
        dropped = drop_partitions(driver_connection(session), context.now(), keep_days=context.event_retention_days)
    if dropped:
        log.info("maintenance.partitions", dropped=dropped)


def delete_expired_preview_links(context: ChoreContext) -> None:
    """Delete preview links after their end."""
    with context.database.transaction() as session:
        session.execute(delete(PreviewLink).where(~PreviewLink.is_valid()))


def delete_expired_idempotency_keys(context: ChoreContext) -> None:
    """Delete stored responses of POSTs after their end, in portions."""
    # Locked rows are skipped: a request may be claiming an expired key again.
    expired = select(*_KEY_COLUMNS).where(IdempotencyKey.is_expired()).limit(KEYS_AT_ONCE)
    portion = expired.with_for_update(skip_locked=True)
    deleted = KEYS_AT_ONCE
    while deleted == KEYS_AT_ONCE:
        with context.database.transaction() as session:
            statement = delete(IdempotencyKey).where(tuple_(*_KEY_COLUMNS).in_(portion))
            deleted = len(session.execute(statement.returning(IdempotencyKey.key)).all())


def delete_old_audit_entries(context: ChoreContext) -> None:
    """Delete entries of the audit logs whose retention has ended, in portions."""
    end = context.now() - timedelta(days=context.audit_retention_days)
    for log_of in (AuditEntry, InstallationEntry):
        portion = select(log_of.id).where(log_of.at < end).order_by(log_of.at).limit(ENTRIES_AT_ONCE)
        deleted = ENTRIES_AT_ONCE
        while deleted == ENTRIES_AT_ONCE:
            with context.database.transaction() as session:
                statement = delete(log_of).where(log_of.id.in_(portion.scalar_subquery()))
                deleted = len(session.execute(statement.returning(log_of.id)).all())


def renew_digests(context: ChoreContext) -> None:
    """Key the digests of erased devices, and delete old ones."""
    delete_old_digests(context.database, context.event_retention_days)
    key_digests(context.database, context.digests)


def store_used_keys(context: ChoreContext) -> None:
    """Store when secret keys were last used."""
    store_key_use(context.redis, context.database)


def publish_quotas(context: ChoreContext) -> None:
    """Write the projects that are above a quota of the day to Redis, where edges read them."""
    publish_used_quotas(context.redis, context.database, context.quotas)


def count_new_records(context: ChoreContext) -> None:
    """Count the events and exposures that no rollup counts yet. Raises FailedProjectsError."""
    failed = Aggregator(context.database, max_keys=context.rollup_max_keys).count_all()
    if failed:
        raise FailedProjectsError(failed)


def store_results(context: ChoreContext) -> None:
    """Store the counts of completed experiments."""
    experiments = uncounted_experiments(context.database)
    work = partial(_store_counts, context.database)
    for_each_project("results", experiments, work, stop=context.stop)


def _store_counts(database: Database, _project_id: str, experiment_id: str) -> None:
    store_counts(database, experiment_id)


def compact_ended_days(context: ChoreContext) -> None:
    """Compact days that have ended. Until then each count of new events may merge deltas of its days."""
    work = partial(_compact_day, context.database)
    for_each_project("compaction", _ended_days(context), work, stop=context.stop)


def _ended_days(context: ChoreContext) -> Iterator[tuple[str, int]]:
    """Yield each project and day once, also those that keep deltas because they fail."""
    today = day_of(context.now().date())
    yielded: set[tuple[str, int]] = set()
    while True:
        with context.database.transaction() as session:
            found = ended_days(driver_cursor(session), today, DAYS_AT_ONCE + len(yielded))
        days = [day for day in found if day not in yielded]
        if not days:
            return
        yield from days
        yielded.update(days)


def _compact_day(database: Database, project_id: str, day: int) -> None:
    with database.transaction() as session:
        allow_long_statements(session, minutes=COMPACTION_MINUTES)
        cursor = driver_cursor(session)
        # Rollups that were written after the project's own rows are gone would stay.
        if share_project(cursor, project_id):
            compact_day(cursor, project_id, day)


def refresh_stale_totals(context: ChoreContext) -> None:
    """Count the totals of large projects whose rollups were changed without them."""
    with context.database.transaction() as session:
        projects = stale_projects(driver_cursor(session))
    for_each_project("totals", projects, partial(_refresh_totals, context.database), stop=context.stop)


def _refresh_totals(database: Database, project_id: str) -> None:
    with database.transaction() as session:
        allow_long_statements(session, minutes=TOTALS_MINUTES)
        cursor = driver_cursor(session)
        if share_project(cursor, project_id):
            refresh_totals(cursor, [project_id])


def make_checkpoints(context: ChoreContext) -> None:
    """Make the checkpoints of the last months, and delete those of former months."""
    due = due_checkpoints(context.database, context.now())
    for_each_project("checkpoints", due, partial(make_checkpoint, context.database), stop=context.stop)


def complete_waiting_erasures(context: ChoreContext) -> None:
    """Remove the stored data of erased devices."""
    projects = projects_with_erasures(context.database)
    for_each_project("erasures", projects, partial(complete_erasures, context.database), stop=context.stop)


def age_out_devices(context: ChoreContext) -> None:
    """Delete the ids of devices that were not seen for the retention time of events."""
    work = partial(age_project, context.database, stop=context.stop)
    for_each_project("devices", projects_to_age(context.database), work, stop=context.stop)


def purge_deleted_projects(context: ChoreContext) -> None:
    """Remove rows of deleted projects, for a few seconds of each project."""
    projects = unpurged_projects(context.database)
    for_each_project("deletions", projects, partial(purge_project, context.database), stop=context.stop)


def delete_orphans(context: ChoreContext) -> None:
    """Delete rollups of projects that release 0.2.0 has deleted beside a compaction."""
    purge_orphans(context.database)


def clean_up_media(context: ChoreContext) -> None:
    """Delete media files and objects that nothing needs."""
    if context.media_store is not None:
        remove_unneeded_media(context.database, context.media_store, context.now())


CONSUMER_CHORES = (
    Chore("event_ids", renew_id_partitions, every_seconds=600),
    Chore("partitions", make_event_partitions, every_seconds=600),
    Chore("retention", drop_old_events, every_seconds=600),
    Chore("preview_links", delete_expired_preview_links, every_seconds=600),
    Chore("idempotency_keys", delete_expired_idempotency_keys, every_seconds=600),
    Chore("audit_log", delete_old_audit_entries, every_seconds=600),
    Chore("digests", renew_digests, every_seconds=600),
    Chore("key_use", store_used_keys, every_seconds=15, retry_seconds=15),
    Chore("quotas", publish_quotas, every_seconds=2, retry_seconds=2),
    # Each consumer counts. At a stop it counts what it has stored.
    Chore(
        "counting",
        count_new_records,
        every_seconds=ROUND_SECONDS,
        retry_seconds=ROUND_SECONDS,
        lane="counting",
        is_exclusive=False,
        runs_at_stop=True,
    ),
    Chore("erasures", complete_waiting_erasures, every_seconds=5, lane="erasures"),
    Chore("deletions", purge_deleted_projects, every_seconds=5, lane="deletions"),
    Chore("orphans", delete_orphans, every_seconds=1200, lane="deletions"),
    Chore("media", clean_up_media, every_seconds=1200, lane="deletions"),
    Chore("compaction", compact_ended_days, every_seconds=60, lane="compaction"),
    Chore("results", store_results, every_seconds=60, lane="results"),
    Chore("totals", refresh_stale_totals, every_seconds=600, lane="results"),
    Chore("checkpoints", make_checkpoints, every_seconds=1200, lane="ageing"),
    Chore("devices", age_out_devices, every_seconds=600, lane="ageing"),
)
