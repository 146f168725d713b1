"""Locks of projects: events are stored under shared ones, erasures, late events and deletions own a project.

The lock is the project's row: FOR KEY SHARE and FOR UPDATE, as releases before 0.3 take it. Row locks do not queue: a
new FOR KEY SHARE passes a waiting FOR UPDATE, so overlapping batches would keep an owner out for ever. Each owner
therefore closes the gate of the project first, an advisory lock, behind which owners and waiting sharers queue.
A batch of many projects never waits: it leaves out the projects whose gate is closed or whose row is locked.

The gate comes before the row. A transaction that has the row already, as each edit has, must not wait for the gate.
"""

from collections.abc import Collection
from typing import Any, NamedTuple

import psycopg

from management_api.db.models.event_ids import project_key

#: Separates the gates from the other advisory locks by project.
_GATE = 0x6761_7465

#: Passes each gate without keeping it. Many gates would fill the lock table of PostgreSQL, which all databases share.
#: The gate is a lock of the session between two functions of one expression, which no cancellation interrupts.
_FIND_OPEN = """
    SELECT id, CASE WHEN pg_try_advisory_lock_shared(gate) THEN pg_advisory_unlock_shared(gate) ELSE false END
    FROM unnest(%s::text[], %s::bigint[]) AS given (id, gate) JOIN projects USING (id)
    WHERE NOT EXISTS (SELECT FROM deleted_projects WHERE project_id = given.id)
"""
_SHARE_FREE = "SELECT id FROM projects WHERE id = ANY(%s) ORDER BY id FOR KEY SHARE SKIP LOCKED"
_OWN_FREE = "SELECT id FROM projects WHERE id = ANY(%s) ORDER BY id FOR UPDATE SKIP LOCKED"
_SHARE_GATE, _OWN_GATE = b"SELECT pg_advisory_xact_lock_shared(%s)", b"SELECT pg_advisory_xact_lock(%s)"
_IS_KEPT = "NOT EXISTS (SELECT FROM deleted_projects WHERE project_id = projects.id)"
_SHARE_ROW = f"SELECT FROM projects WHERE id = %s AND {_IS_KEPT} FOR KEY SHARE OF projects".encode()
_OWN_ROW = f"SELECT FROM projects WHERE id = %s AND {_IS_KEPT} FOR UPDATE OF projects".encode()
_OWN_DELETED_ROW = b"SELECT FROM projects WHERE id = %s FOR UPDATE"

Cursor = psycopg.Cursor[Any]


class LockedProjects(NamedTuple):
    """The projects that a transaction has locked, and those that another transaction keeps from it."""

    held: set[str]
    busy: set[str]


def lock_free_projects(cursor: Cursor, shared: Collection[str], owned: Collection[str] = ()) -> LockedProjects:
    """Lock projects until the transaction ends, without waiting.

    Projects that do not exist, or are deleted and not purged yet, are in neither set.
    """
    project_ids = sorted({*shared, *owned})
    cursor.execute(_FIND_OPEN, [project_ids, [_gate_of(project_id) for project_id in project_ids]])
    gates = dict(cursor.fetchall())
    held: set[str] = set()
    for statement, wanted in ((_OWN_FREE, set(owned)), (_SHARE_FREE, set(shared) - set(owned))):
        free = [project_id for project_id in wanted if gates.get(project_id)]
        if free:
            cursor.execute(statement, [free])
            held.update(project_id for (project_id,) in cursor)
    return LockedProjects(held, gates.keys() - held)


def share_project(cursor: Cursor, project_id: str) -> bool:
    """Lock a project against its owners until the transaction ends; return whether it exists.

    Waits its turn behind owners, each of which waits for the sharers before it.
    """
    return _lock(cursor, _SHARE_GATE, _SHARE_ROW, project_id)


def own_project(cursor: Cursor, project_id: str) -> bool:
    """Lock a project against sharers, owners and edits until the transaction ends; return whether it exists.

    Waits for the sharers and owners before it; batches that begin meanwhile leave the project out. The transaction
    should be short, because events and edits of the project wait for it.
    """
    return _lock(cursor, _OWN_GATE, _OWN_ROW, project_id)


def own_deleted_project(cursor: Cursor, project_id: str) -> None:
    """Lock a deleted project like `own_project`, to purge it."""
    _lock(cursor, _OWN_GATE, _OWN_DELETED_ROW, project_id)


def _lock(cursor: Cursor, gate: bytes, row: bytes, project_id: str) -> bool:
    cursor.execute(gate, [_gate_of(project_id)])
    cursor.execute(row, [project_id])
    return cursor.rowcount > 0


def _gate_of(project_id: str) -> int:
    return project_key(project_id) ^ _GATE
