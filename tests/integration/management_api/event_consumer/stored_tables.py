"""The tables of analytics as plain rows, and the rollups as they follow from the raw tables."""

from collections import defaultdict

from sqlalchemy import TextClause, text
from sqlalchemy.orm import Session

from management_api.db.psycopg_connection import driver_cursor
from management_api.rollups.rollup import Rollup, RollupKey, combine
from management_api.rollups.storage import day_of, read_day

DAY_MS = 86_400_000

#: A table's rows, sorted.
Rows = list[tuple[object, ...]]

RAW = {
    # But for the order in which they were stored.
    "events": text("SELECT to_jsonb(events) - 'stored_no' FROM events ORDER BY project_id, event_id"),
    "exposures": text("SELECT * FROM exposures ORDER BY 1, 2, 3, 4, 5"),
}

#: A rollup: its key, the events, and each device with its first time, if it keeps times.
PlainRollup = tuple[str, int, dict[str, int | None]]


def rollups_of(session: Session) -> list[PlainRollup]:
    """Return the rollups of all projects, sorted, with the ids of the devices instead of their numbers."""
    devices: dict[tuple[str, int], str] = {}
    for project_id, device_id, number in session.execute(text("SELECT project_id, device_id, number FROM devices")):
        devices[project_id, number] = device_id
    deltas: defaultdict[tuple[str, RollupKey], list[Rollup]] = defaultdict(list)
    for project_id, day in session.execute(text("SELECT DISTINCT project_id, day FROM activity_cells")):
        for _, key, rollup in read_day(driver_cursor(session), project_id, None if day is None else day_of(day)):
            deltas[project_id, key].append(rollup)
    rows = []
    for (project_id, key), parts in deltas.items():
        rollup = combine(parts)
        times = [None] * len(rollup.devices) if rollup.times is None else map(int, rollup.times)
        # The id of a device may have been deleted for its age.
        ids = [devices.get((project_id, number), f"number {number}") for number in rollup.devices]
        named = dict(zip(ids, times, strict=True))
        rows.append((str((project_id, key.breakdown.value, *key[1:])), rollup.events, named))
    return sorted(rows, key=lambda row: row[0])


def expected_rollups(session: Session) -> list[PlainRollup]:
    """Return the rollups that follow from the raw tables, one definition after the other."""
    found: dict[tuple[object, ...], tuple[list[str], dict[str, int]]] = {}

    def note(key: tuple[object, ...], device_id: str, moment: int) -> None:
        devices, firsts = found.setdefault(key, ([], {}))
        devices.append(device_id)
        firsts[device_id] = min(moment, firsts.get(device_id, moment))

    for event in session.execute(text("SELECT * FROM events")).mappings():
        moment = round(event["occurred_at"].timestamp() * 1000)
        place = (event["project_id"], moment // DAY_MS, moment % DAY_MS)
        kind, flow, screen = event["event_type"], event["flow_id"], event["screen_id"]
        experiment, variant, platform = event["experiment_id"], event["variant"], event["platform"]
        keys: dict[str, tuple[str | None, ...]] = {
            "all": (None,) * 6,
            "flow": (kind, flow, None, None, None, None),
            "screen": (kind, None, screen, None, None, None),
            "variant": (None, None, None, experiment, variant, None),
            "platform": (None, None, None, None, None, platform),
            "full": (kind, flow, screen, experiment, variant, platform),
        }
        keys = {breakdown: (*columns, None, None, None) for breakdown, columns in keys.items()}
        properties = event["properties"]
        if screen and kind == "screen_viewed" and "from_screen_id" in properties and not properties.get("is_back"):
            link = (properties["from_screen_id"] or "", properties.get("rule"))
            if link[0] != screen:
                keys["link"] = (None, None, screen, experiment, variant, None, *link, None)
        keys["locale"] = (kind, flow, *(None,) * 6, event["locale"])
        for breakdown, columns in keys.items():
            note((place[0], breakdown, place[1], *columns), event["device_id"], place[2])
        note((place[0], "type", place[1], kind, *(None,) * 8), event["device_id"], DAY_MS - 1 - place[2])
        if flow and kind in {"flow_started", "flow_completed"}:
            note((place[0], "ever", None, *keys["flow"]), event["device_id"], place[2])
    for exposure in session.execute(text("SELECT * FROM exposures")).mappings():
        day = round(exposure["exposed_at"].timestamp() * 1000) // DAY_MS
        key = (exposure["project_id"], "exposure", day, None, exposure["flow_id"], *(None,) * 7)
        note(key, exposure["device_id"], 0)
    return sorted(
        (
            (
                str(key),
                len(devices),
                {device: firsts[device] if _keeps_times(key) else None for device in firsts},
            )
            for key, (devices, firsts) in found.items()
        ),
        key=lambda row: row[0],
    )


def _keeps_times(key: tuple[object, ...]) -> bool:
    _, breakdown, _, kind, flow, screen, experiment, *_ = key
    is_visit = screen is not None and kind in {"screen_viewed", "screen_completed"}
    return (
        (breakdown == "flow" and flow is not None and kind in {"flow_started", "flow_completed"})
        or (breakdown == "screen" and is_visit)
        or (breakdown == "full" and is_visit and experiment is not None)
        or breakdown in {"type", "link"}
    )


def rows_of(session: Session, queries: dict[str, TextClause]) -> dict[str, Rows]:
    return {name: [tuple(row) for row in session.execute(query)] for name, query in queries.items()}


def count(session: Session, table: str) -> int:
    return int(session.scalar(text(f"SELECT count(*) FROM {table}")) or 0)  # noqa: S608 - a table's name is ours
