"""Compares the snapshots held with Redis every few seconds: the net under the change stream."""

import asyncio

import structlog
from redis.exceptions import RedisError

from edge_api.snapshots.snapshot_store import SnapshotStore

_LOG = structlog.stdlib.get_logger(__name__)


async def reconcile_forever(store: SnapshotStore, every_seconds: float) -> None:
    """Reconcile, wait, again; while Redis is away there is nothing to compare with."""
    while True:
        await asyncio.sleep(every_seconds)
        try:
            await store.reconcile()
        except (RedisError, OSError) as error:
            _LOG.debug("not_reconciled", reason=type(error).__name__)
