"""The publication of a project in Redis and in the database."""

from typing import Any

import redis
from sqlalchemy import select

from common.wire.redis_keys import CHANGE_STREAM, snapshot_key
from common.wire.snapshot import Snapshot, decode_snapshot
from management_api.db.engine import Database
from management_api.db.models.outbox import Publication


def stored_body(client: redis.Redis, project_id: str) -> bytes | None:
    """Return the bytes of the snapshot that Redis holds."""
    body: Any = client.hget(snapshot_key(project_id), "body")
    return bytes(body) if body is not None else None


def stored_snapshot(client: redis.Redis, project_id: str) -> Snapshot:
    """Return the snapshot that Redis holds, whose revision must be that of its hash."""
    fields: Any = client.hmget(snapshot_key(project_id), "revision", "body")
    revision, body = fields
    assert revision is not None
    snapshot = decode_snapshot(body)
    assert snapshot.revision == int(revision)
    return snapshot


def announcements(client: redis.Redis) -> list[tuple[str, int, str]]:
    """Return the entries of the change stream: project, revision, deleted."""
    entries: Any = client.xrange(CHANGE_STREAM)
    return [
        (fields[b"project"].decode(), int(fields[b"revision"]), fields[b"deleted"].decode()) for _, fields in entries
    ]


def revisions(database: Database, project_id: str) -> tuple[int, int]:
    """Return the wanted and the published revision."""
    with database.transaction() as session:
        row = session.execute(
            select(Publication.wanted_revision, Publication.published_revision).where(
                Publication.project_id == project_id
            )
        ).one()
        return row.wanted_revision, row.published_revision
