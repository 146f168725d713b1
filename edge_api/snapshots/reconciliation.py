"""Compares the snapshots held with Redis every few seconds: the net under the change stream."""

import asyncio
import time

import structlog
from redis.exceptions import RedisError

from edge_api.snapshots.snapshot_store import SnapshotStore

_LOG = structlog.stdlib.get_logger(__name__)

#: What came from disk is compared sooner than the rest: it may be as old as the last stop.
_CONFIRM_SECONDS = 0.5


async def reconcile_forever(store: SnapshotStore, every_seconds: float) -> None:
    """Reconcile, wait, again; while Redis is away there is nothing to compare with."""
    due_at = time.monotonic() + every_seconds
    while True:
        await asyncio.sleep(min(_CONFIRM_SECONDS, every_seconds))
        try:
            if time.monotonic() < due_at:
                await store.confirm()
            else:
                await store.reconcile()
                due_at = time.monotonic() + every_seconds
        except (RedisError, OSError) as error:
            _LOG.debug("not_reconciled", reason=type(error).__name__)
