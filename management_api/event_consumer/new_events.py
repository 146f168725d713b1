"""Tells the events of a batch that were never stored from those that are repeated.

Nearly all are new. So all ids are stored at once, and only when one of them turns out to be known, those are looked
up and the rest is stored. In the table of the turn before only those are looked up at all that it may have, by what is
remembered of it (`former_ids`). An event that another consumer is storing is waited for. If one is stored elsewhere
between the look-up and the second try, that fails, and the transaction is begun again.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Self

import psycopg

from management_api.activity.steps import Steps
from management_api.database.recent_event_ids import project_key
from management_api.database.uuid_arrays import let_take_uuid_arrays
from management_api.event_consumer.event_rows import EventRow
from management_api.event_consumer.listed_ids import ListedIds, Suspects, suspect_all

#: Tells whether all ids are new, and if so stores them (migration 0014). What may be of the turn before is listed too,
#: and the turn for which that holds.
STORE_IF_NEW = b"""
    SELECT store_event_ids_unless_known(
        %b::uuid[], %b::bigint[], %b::integer[], %b::integer[],
        %b::timestamptz, %b::uuid[], %b::bigint[], %b::integer[], %b::integer[]
    )
"""

#: Whose turn it is; it does not change before the transaction ends. The condition is there for the index to be used.
READ_TURN = "SELECT turn FROM event_storage WHERE turn >= 0 FOR SHARE"

#: The digests of each project: a run of all that there are.
_GIVEN = """
    WITH given AS (
        SELECT project, (%b::uuid[])[first:last] AS digests
        FROM unnest(%b::bigint[], %b::integer[], %b::integer[]) AS listed (project, first, last)
        OFFSET 0
    )
"""
#: Gives those that are in either table; only indexes are read for the others.
FIND_KNOWN = f"""
    {_GIVEN}
    SELECT given.project, found.digest FROM given CROSS JOIN LATERAL (
        SELECT digest FROM recent_event_ids_even AS even
        WHERE even.project = given.project AND even.digest = ANY(given.digests)
        UNION ALL
        SELECT digest FROM recent_event_ids_odd AS odd
        WHERE odd.project = given.project AND odd.digest = ANY(given.digests)
    ) AS found
""".encode()  # noqa: S608 - constants # nosec B608 # as said
#: Stores them in the table whose turn it is.
STORE = tuple(
    f"""
    {_GIVEN}
    INSERT INTO recent_event_ids_{name} (project, digest)
    SELECT project, digest FROM given CROSS JOIN LATERAL unnest(given.digests) AS digest
    """.encode()  # noqa: S608 - constants # nosec B608 # as said
    for name in ("even", "odd")
)
#: So many events are looked at in one step.
_STEP_EVENTS = 256

#: By the key of their project, and their digest.
_Found = dict[int, dict[bytes, EventRow]]


class EventIds:
    """The ids of events as digests, ready to be looked up and to be stored.

    In the order of projects and digests, so that two consumers wait for each other and do not deadlock. To look them
    up in order is quicker as well.
    """

    __slots__ = ("_found", "events", "listed")

    def __init__(self, found: _Found) -> None:
        self._found = found
        #: The events, each id once.
        self.events = [event for of_project in found.values() for event in of_project.values()]
        #: The parameters of all statements that take ids.
        self.listed = ListedIds.of({project: sorted(found[project]) for project in sorted(found)})

    @classmethod
    def making(cls, events: Sequence[EventRow]) -> Steps[Self]:
        """Take the ids of events; of those with one id the first stays, as it would in two batches."""
        found: defaultdict[str, dict[bytes, EventRow]] = defaultdict(dict)
        for start in range(0, len(events), _STEP_EVENTS):
            for event in events[start : start + _STEP_EVENTS]:
                found[event.record.project_id].setdefault(event.digest, event)
            yield
        return cls({project_key(project_id): of_project for project_id, of_project in found.items()})

    def without(self, known: Iterable[tuple[int, bytes]]) -> "EventIds":
        """Leave out ids, given the keys of their projects and their digests."""
        found = {project: of_project.copy() for project, of_project in self._found.items()}
        for project, digest in known:
            found[project].pop(digest, None)
        return EventIds({project: of_project for project, of_project in found.items() if of_project})


def remember(
    cursor: psycopg.Cursor[Any], ids: EventIds, suspects_among: Callable[[ListedIds], Suspects] = suspect_all
) -> EventIds:
    """Store the ids, and give those that were not known: the same object, if none of them was.

    `suspects_among` says which of them the turn before may have.

    Raises UniqueViolation when another consumer stores one of them after the look-up; the next transaction sees it.
    """
    if not ids.events:
        return ids
    let_take_uuid_arrays(cursor)
    suspects = suspects_among(ids.listed)
    cursor.execute(STORE_IF_NEW, [*ids.listed, suspects.since, *suspects.listed])
    [(are_all_new,)] = cursor.fetchall()
    if are_all_new:
        return ids
    cursor.execute(READ_TURN)
    [(turn,)] = cursor.fetchall()
    cursor.execute(FIND_KNOWN, ids.listed)
    ids = ids.without((project, digest.bytes) for project, digest in cursor)
    if ids.events:
        cursor.execute(STORE[turn % 2], ids.listed)
    return ids
