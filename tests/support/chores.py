"""The chores of the consumers, run once by a test."""

from collections.abc import Callable
from datetime import datetime

from redis import Redis

from common.timestamps import utc_now
from management_api.background.chores import AUDIT_RETENTION_DAYS, CONSUMER_CHORES, ChoreContext
from management_api.background.health import MAX_FAILING_SECONDS
from management_api.background.runner import ChoreRunner
from management_api.db.engine import Database
from management_api.rollups.usage import Usage

#: All chores that need no Redis.
DATABASE_CHORES = tuple(chore for chore in CONSUMER_CHORES if chore.name not in {"key_use", "quotas"})


def chore_runner(
    database: Database,
    *,
    keep_days: int = 400,
    keep_audit_days: int = AUDIT_RETENTION_DAYS,
    now: Callable[[], datetime] = utc_now,
    max_failing_seconds: float = MAX_FAILING_SECONDS,
) -> ChoreRunner[ChoreContext]:
    """Return a runner of all chores that need no Redis."""
    context = ChoreContext(
        database,
        Redis(),
        keep_days,
        rollup_max_keys=5000,
        quotas=Usage(1, 1, 1),
        audit_retention_days=keep_audit_days,
        now=now,
    )
    return ChoreRunner(database, DATABASE_CHORES, context, context.stop, max_failing_seconds=max_failing_seconds)


def run_chores(database: Database, *, keep_days: int = 400, now: Callable[[], datetime] = utc_now) -> None:
    """Run each chore once."""
    chore_runner(database, keep_days=keep_days, now=now).run_all()
