"""Bounds the rollups of a project, because anyone with its public key can send invented names.

A project counts the first event types by name, and always the built-in ones and those of experiments. A breakdown of a
day has a maximum number of keys. Everything beyond counts as `(other)`, which stands for all names of a column, so
that the sums of a breakdown stay right. A key that has a row keeps it, and where `(other)` has a row, all other names
count there. So counting, erasure and rebuild agree on the key of an event.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import psycopg

from management_api.rollups.rollup import (
    FLOW_TYPES,
    KEY_COLUMNS,
    OTHER,
    SCREEN_TYPES,
    Breakdown,
    EventKey,
    Rollup,
    RollupKey,
    combine,
)
from management_api.rollups.storage import ACTIVITY_ROLLUPS, LINK_ROLLUPS, LOCALE_ROLLUPS, SELECT_KEY, date_of

#: The event types that a project counts by name (contract, Quotas of a project).
MAX_EVENT_TYPES = 200
#: The event types that a project counts by name beside these.
BUILT_IN_TYPES = (
    FLOW_TYPES
    | SCREEN_TYPES
    | {"flow_skipped", "question_answered", "permission_granted", "permission_denied", "purchase", "trial_started"}
)

#: The breakdowns with names that devices choose, and the columns of these names.
_NAMES: Mapping[Breakdown, Collection[str]] = {
    Breakdown.FLOW: {"flow_id"},
    Breakdown.SCREEN: {"screen_id"},
    Breakdown.VARIANT: {"experiment_id", "variant"},
    Breakdown.PLATFORM: {"platform"},
    Breakdown.FULL: {"flow_id", "screen_id", "experiment_id", "variant", "platform"},
    Breakdown.EXPOSURE: {"flow_id"},
    Breakdown.LOCALE: {"flow_id", "locale"},
    Breakdown.LINK: {"screen_id", "experiment_id", "variant", "from_screen_id", "rule"},
}

#: The tables of these breakdowns.
_TABLES = (ACTIVITY_ROLLUPS, LINK_ROLLUPS, LOCALE_ROLLUPS)

COUNT_ROWS = " UNION ALL ".join(
    f"""
    SELECT breakdown, day - date '1970-01-01', count(*) FROM {table}
    WHERE project_id = %(project)s AND breakdown = ANY(%(breakdowns)s) AND day = ANY(%(days)s) GROUP BY 1, 2
"""  # noqa: S608 - constants
    for table in _TABLES
)
READ_KEYS = " UNION ALL ".join(
    f"""
    SELECT DISTINCT breakdown, {SELECT_KEY[table]} FROM {table}
    WHERE project_id = %(project)s AND breakdown = ANY(%(breakdowns)s) AND day = %(day)s
"""  # noqa: S608 - constants
    for table in _TABLES
)

READ_EVENT_TYPES = "SELECT project_id, event_type FROM event_types WHERE project_id = ANY(%s)"
#: Experiments compare their variants by these.
READ_PRIMARY_EVENTS = "SELECT DISTINCT project_id, primary_event FROM experiments WHERE project_id = ANY(%s)"
#: For projects of the time before this table. Names that fit are those of the first days.
FIND_FORMER_EVENT_TYPES = """
    SELECT event_type FROM activity_cells WHERE project_id = %s AND breakdown = 'flow' AND event_type <> %s
    GROUP BY event_type ORDER BY min(day), event_type LIMIT %s
"""
ADD_EVENT_TYPES = """
    INSERT INTO event_types (project_id, event_type)
    SELECT given.project_id, event_type FROM unnest(%s::text[], %s::text[]) AS given (project_id, event_type)
    JOIN projects ON projects.id = given.project_id
    ON CONFLICT DO NOTHING
"""

Cursor = psycopg.Cursor[Any]


class EventTypes:
    """The event types that projects count by name."""

    def __init__(self, cursor: Cursor, project_ids: Sequence[str]) -> None:
        """Read the types of projects."""
        self._cursor = cursor
        self._known: defaultdict[str, set[str]] = defaultdict(set)
        self._new: list[tuple[str, str]] = []
        cursor.execute(READ_EVENT_TYPES, [list(project_ids)])
        for project_id, event_type in cursor:
            self._known[project_id].add(event_type)
        for project_id in project_ids:
            if project_id not in self._known:
                cursor.execute(FIND_FORMER_EVENT_TYPES, [project_id, OTHER, MAX_EVENT_TYPES])
                for (event_type,) in cursor.fetchall():
                    self._add(project_id, event_type)
        cursor.execute(READ_PRIMARY_EVENTS, [list(project_ids)])
        for project_id, event_type in cursor.fetchall():
            if event_type not in self._known[project_id]:
                self._add(project_id, event_type)

    def counted(self, project_id: str, key: EventKey) -> EventKey:
        """Return the key with the event type by which the project counts it."""
        event_type = key[0]
        known = self._known[project_id]
        if event_type in known or event_type in BUILT_IN_TYPES:
            return key
        if len(known) < MAX_EVENT_TYPES:
            self._add(project_id, event_type)
            return key
        return (OTHER, *key[1:])

    def store(self) -> None:
        """Store the types that are new."""
        if self._new:
            self._cursor.execute(ADD_EVENT_TYPES, [list(column) for column in zip(*self._new, strict=True)])
            self._new = []

    def _add(self, project_id: str, event_type: str) -> None:
        self._known[project_id].add(event_type)
        self._new.append((project_id, event_type))


def limit_keys(
    cursor: Cursor, project_id: str, rollups: Mapping[RollupKey, Rollup], max_keys: int | None = None
) -> dict[RollupKey, Rollup]:
    """Return rollups by day with the keys by which the project counts them.

    `max_keys` is the limit for new keys of one breakdown on one day; None adds keys while no name is beyond the limit.
    With `max_keys` the stored keys of a day are read only when the day may have more.
    """
    by_place: defaultdict[tuple[Breakdown, int], list[RollupKey]] = defaultdict(list)
    for key in rollups:
        if key.breakdown in _NAMES and key.day is not None:
            by_place[key.breakdown, key.day].append(key)
    rows = {} if max_keys is None else _count_rows(cursor, project_id, by_place)
    # One statement for a day: a rebuild comes here for each day of a project.
    by_day: defaultdict[int, list[Breakdown]] = defaultdict(list)
    for (breakdown, day), keys in by_place.items():
        if max_keys is None or rows[breakdown, day] + len(keys) > max_keys:
            by_day[day].append(breakdown)
    renamed: dict[RollupKey, RollupKey] = {}
    for day, breakdowns in by_day.items():
        stored_keys = _read_keys(cursor, project_id, breakdowns, day)
        for breakdown in breakdowns:
            stored, keys = stored_keys[breakdown], by_place[breakdown, day]
            new = sorted((key for key in keys if key not in stored), key=str)
            if any(map(has_limited_names, stored)):
                free = 0
            else:
                free = len(new) if max_keys is None else max(max_keys - len(stored), 0)
            renamed |= {key: other_key(key) for key in new[free:]}
    if not renamed:
        return dict(rollups)
    parts: defaultdict[RollupKey, list[Rollup]] = defaultdict(list)
    for key, rollup in rollups.items():
        counted_as = renamed.get(key, key)
        parts[counted_as].append(rollup if counted_as.keeps_times else Rollup(rollup.events, rollup.devices))
    return {key: combine(of_key) for key, of_key in parts.items()}


def other_key(key: RollupKey) -> RollupKey:
    """Return the key that stands for all names that devices choose."""
    names = _NAMES[key.breakdown]
    columns = (OTHER if name in names else value for name, value in zip(KEY_COLUMNS, key[2:], strict=True))
    return RollupKey(key.breakdown, key.day, *columns)


def has_limited_names(key: RollupKey) -> bool:
    """Return whether the key stands for all names beyond the limit."""
    return key.breakdown in _NAMES and key == other_key(key)


def _count_rows(
    cursor: Cursor, project_id: str, places: Iterable[tuple[Breakdown, int]]
) -> defaultdict[tuple[Breakdown, int], int]:
    days = sorted({day for _, day in places})
    found: defaultdict[tuple[Breakdown, int], int] = defaultdict(int)
    if days:
        breakdowns = [breakdown.value for breakdown in _NAMES]
        values = {"project": project_id, "breakdowns": breakdowns, "days": [date_of(day) for day in days]}
        cursor.execute(COUNT_ROWS, values)
        found.update({(Breakdown(breakdown), day): count for breakdown, day, count in cursor})
    return found


def _read_keys(
    cursor: Cursor, project_id: str, breakdowns: Iterable[Breakdown], day: int
) -> defaultdict[Breakdown, set[RollupKey]]:
    names = [breakdown.value for breakdown in breakdowns]
    cursor.execute(READ_KEYS, {"project": project_id, "breakdowns": names, "day": date_of(day)})
    found: defaultdict[Breakdown, set[RollupKey]] = defaultdict(set)
    for name, *columns in cursor:
        breakdown = Breakdown(name)
        found[breakdown].add(RollupKey(breakdown, day, *columns))
    return found
