"""Tells the events of a batch that were never stored from those that are repeated."""

from collections.abc import Iterable
from typing import Any

import psycopg

from management_api.database.recent_event_ids import event_id_digest, project_key
from management_api.event_consumer.event_rows import EventRow

#: Whose turn it is; the turn does not change before the transaction ends.
READ_TURN = "SELECT turn FROM event_storage FOR SHARE"

#: Puts digests into the table whose turn it is, unless the other has them, and gives those that were there already, in
#: either; where all are new, which is usual, nothing is compared. In the order of the key, so that two consumers wait
#: for each other and do not deadlock.
_REMEMBER = """
    WITH given AS (
        SELECT * FROM unnest(%s::bigint[], %s::uuid[]) AS given (project, digest) ORDER BY 1, 2
    ), stored AS (
        INSERT INTO {current} (project, digest)
        SELECT project, digest FROM given
        WHERE NOT EXISTS (
            SELECT FROM {other} AS other WHERE other.project = given.project AND other.digest = given.digest
        )
        ON CONFLICT DO NOTHING
        RETURNING project, digest
    )
    SELECT digest::text FROM given WHERE (SELECT count(*) FROM stored) < %s
    EXCEPT SELECT digest::text FROM stored WHERE (SELECT count(*) FROM stored) < %s
"""
_EVEN, _ODD = "recent_event_ids_even", "recent_event_ids_odd"
_STATEMENTS = (_REMEMBER.format(current=_EVEN, other=_ODD), _REMEMBER.format(current=_ODD, other=_EVEN))


def new_events(cursor: psycopg.Cursor[Any], rows: Iterable[EventRow]) -> list[EventRow]:
    """Remember the ids of the events, and give the events whose ids were not known, each once."""
    # Of events with one id the first stays, as it would in two batches.
    by_digest: dict[str, EventRow] = {}
    for row in rows:
        record = row.record
        by_digest.setdefault(event_id_digest(record.project_id, record.event_id), row)
    if not by_digest:
        return []
    cursor.execute(READ_TURN)
    [(turn,)] = cursor.fetchall()
    keys = _Keys()
    projects = f"{{{','.join([keys[row.record.project_id] for row in by_digest.values()])}}}"
    count = len(by_digest)
    cursor.execute(_STATEMENTS[turn % 2], [projects, f"{{{','.join(by_digest)}}}", count, count])
    for (digest,) in cursor:
        del by_digest[digest.replace("-", "")]
    return list(by_digest.values())


class _Keys(dict[str, str]):
    """The keys of projects, as text."""

    def __missing__(self, project_id: str) -> str:
        self[project_id] = key = str(project_key(project_id))
        return key
