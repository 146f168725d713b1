"""Tells the events of a batch that were never stored from those that are repeated.

Nearly all are new. So what is known is looked up, which costs less than to insert without minding conflicts, and the
rest is copied. Only an event that another consumer has stored in between makes the copy fail, which is undone and tried
again: by then the other one's ids can be seen.
"""

import struct
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import accumulate, chain
from typing import Any

import psycopg
from psycopg import errors

from management_api.database.binary_copy import HEADER, TRAILER
from management_api.database.recent_event_ids import DIGEST_BYTES, event_id_digest, project_key
from management_api.database.uuid_arrays import UuidArray, let_take_uuid_arrays
from management_api.event_consumer.event_rows import EventRow

#: Whose turn it is; it does not change before the transaction ends. The condition is there for the index to be used.
READ_TURN = "SELECT turn FROM event_storage WHERE turn >= 0 FOR SHARE"

#: Gives those digests of each project (a run of all) that are in either table; only indexes are read for the others.
FIND_KNOWN = """
    SELECT given.project, found.digest
    FROM (
        SELECT project, (%b::uuid[])[first:last] AS digests
        FROM unnest(%b::bigint[], %b::integer[], %b::integer[]) AS listed (project, first, last)
        OFFSET 0
    ) AS given
    CROSS JOIN LATERAL (
        SELECT digest FROM recent_event_ids_even AS even
        WHERE even.project = given.project AND even.digest = ANY(given.digests)
        UNION ALL
        SELECT digest FROM recent_event_ids_odd AS odd
        WHERE odd.project = given.project AND odd.digest = ANY(given.digests)
    ) AS found
"""

#: Puts digests into the table whose turn it is.
_COPY_IDS = tuple(
    f"COPY recent_event_ids_{name} (project, digest) FROM STDIN (FORMAT binary)".encode() for name in ("even", "odd")
)
#: What stands before the digest in a row: two columns, the project's key, and the length of the digest.
_before_digest = struct.Struct(">hiqi").pack

#: By the key of their project, and their digest.
_Found = dict[int, dict[bytes, EventRow]]
#: The keys of projects and the digests of each, both in order, so that two consumers wait for each other and do not
#: deadlock. To look them up in order is quicker as well.
_Ordered = dict[int, list[bytes]]


def new_events(cursor: psycopg.Cursor[Any], rows: Iterable[EventRow]) -> list[EventRow]:
    """Remember the ids of the events, and give the events whose ids were not known, each once."""
    found = _by_digest(rows)
    if not found:
        return []
    cursor.execute(READ_TURN)
    [(turn,)] = cursor.fetchall()
    is_remembered = False
    while not is_remembered:
        _forget_known(cursor, found, _ordered(found))
        is_remembered = _remember(cursor, _COPY_IDS[turn % 2], _ordered(found))
    return [row for of_project in found.values() for row in of_project.values()]


def _by_digest(rows: Iterable[EventRow]) -> _Found:
    found: defaultdict[str, dict[bytes, EventRow]] = defaultdict(dict)
    for row in rows:
        record = row.record
        # Of events with one id the first stays, as it would in two batches.
        found[record.project_id].setdefault(event_id_digest(record.project_id, record.event_id), row)
    return {project_key(project_id): of_project for project_id, of_project in found.items()}


def _ordered(found: _Found) -> _Ordered:
    return {project: sorted(found[project]) for project in sorted(found)}


def _forget_known(cursor: psycopg.Cursor[Any], found: _Found, ordered: _Ordered) -> None:
    """Leave out the events whose ids can be seen in the tables."""
    last = list(accumulate(map(len, ordered.values())))
    first = [end - len(of_project) + 1 for end, of_project in zip(last, ordered.values(), strict=True)]
    let_take_uuid_arrays(cursor)
    cursor.execute(FIND_KNOWN, [UuidArray([*chain(*ordered.values())]), list(ordered), first, last])
    for project, digest in cursor:
        found[project].pop(digest.bytes, None)


def _remember(cursor: psycopg.Cursor[Any], statement: bytes, ordered: _Ordered) -> bool:
    """Store the ids; False, and nothing is stored, when another consumer has stored one of them meanwhile."""
    try:
        with cursor.connection.transaction(), cursor.copy(statement) as copy:
            copy.write(b"".join(_encoded(ordered)))
    except errors.UniqueViolation:
        return False
    return True


def _encoded(ordered: _Ordered) -> Iterator[bytes]:
    """Give the bytes of a COPY."""
    yield HEADER
    for project, digests in ordered.items():
        before = _before_digest(2, 8, project, DIGEST_BYTES)
        yield before if digests else b""
        yield before.join(digests)
    yield TRAILER
