"""Tells the events of a batch that were never stored from those that are repeated.

Nearly all are new. So what is known is looked up, which costs less than to insert without minding conflicts, and the
rest is copied. Only an event that another consumer has stored in between makes the copy fail, and the transaction is
begun again: by then the other one's ids can be seen.
"""

import struct
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate, chain
from typing import Any

import psycopg

from management_api.database.binary_copy import HEADER, TRAILER
from management_api.database.recent_event_ids import DIGEST_BYTES, project_key
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


class EventIds:
    """The ids of events as digests, ready to be looked up and to be stored.

    In the order of projects and digests, so that two consumers wait for each other and do not deadlock. To look them
    up in order is quicker as well.
    """

    __slots__ = ("_found", "copied", "events", "looked_up")

    def __init__(self, found: _Found) -> None:
        self._found = found
        #: The events, each id once.
        self.events = [event for of_project in found.values() for event in of_project.values()]
        ordered = {project: sorted(found[project]) for project in sorted(found)}
        last = list(accumulate(map(len, ordered.values())))
        first = [end - len(of_project) + 1 for end, of_project in zip(last, ordered.values(), strict=True)]
        #: The parameters of `FIND_KNOWN`.
        self.looked_up = (UuidArray([*chain(*ordered.values())]), list(ordered), first, last)
        #: The bytes of a COPY.
        self.copied = b"".join(_encoded(ordered))

    @classmethod
    def of(cls, events: Iterable[EventRow]) -> "EventIds":
        """Take the ids of events; of those with one id the first stays, as it would in two batches."""
        found: defaultdict[str, dict[bytes, EventRow]] = defaultdict(dict)
        for event in events:
            found[event.record.project_id].setdefault(event.digest, event)
        return cls({project_key(project_id): of_project for project_id, of_project in found.items()})

    def without(self, known: Iterable[tuple[int, bytes]]) -> "EventIds":
        """Leave out ids, given the keys of their projects and their digests."""
        found = {project: of_project.copy() for project, of_project in self._found.items()}
        for project, digest in known:
            found[project].pop(digest, None)
        return EventIds({project: of_project for project, of_project in found.items() if of_project})


def remember(cursor: psycopg.Cursor[Any], ids: EventIds) -> EventIds:
    """Store the ids, and give those that were not known: the same object, if none of them was.

    Raises UniqueViolation when another consumer has stored one of them meanwhile; the next transaction sees it.
    """
    if not ids.events:
        return ids
    cursor.execute(READ_TURN)
    [(turn,)] = cursor.fetchall()
    let_take_uuid_arrays(cursor)
    cursor.execute(FIND_KNOWN, ids.looked_up)
    known = [(project, digest.bytes) for project, digest in cursor]
    if known:
        ids = ids.without(known)
    if ids.events:
        with cursor.copy(_COPY_IDS[turn % 2]) as copy:
            copy.write(ids.copied)
    return ids


def _encoded(ordered: Mapping[int, list[bytes]]) -> Iterator[bytes]:
    yield HEADER
    for project, digests in ordered.items():
        before = _before_digest(2, 8, project, DIGEST_BYTES)
        yield before if digests else b""
        yield before.join(digests)
    yield TRAILER
