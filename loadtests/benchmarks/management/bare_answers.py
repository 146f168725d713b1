"""What the bare service shows of rows, in the form of the management service."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from psycopg.rows import DictRow
from pyroaring import BitMap


def moment(at: datetime) -> str:
    """Write a moment."""
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def shown_project(row: DictRow) -> dict[str, Any]:
    """Show what every answer about a project has."""
    return {
        "id": row["id"],
        "name": row["name"],
        "description": row["description"],
        "created_at": moment(row["created_at"]),
        "updated_at": moment(row["updated_at"]),
    }


_SETTINGS = (
    *("platforms", "default_flow_id", "analytics_enabled", "custom_domain"),
    *("direct_writes", "required_approvals", "record_answers"),
)


def listed_project(row: DictRow) -> dict[str, Any]:
    """Show a project in a list."""
    stats = {name: row[name] for name in ("total_flows", "active_flows", "total_users")}
    settings = {"platforms": row["platforms"], "default_flow_id": row["default_flow_id"]}
    return {**shown_project(row), "settings": settings, "stats": stats}


def settings_of(row: DictRow) -> dict[str, Any]:
    """Show the settings of a project."""
    return {name: row[name] for name in _SETTINGS}


def shown_flow(row: DictRow) -> dict[str, Any]:
    """Return a flow with its screens and statistics as JSON."""
    started = united(row["started"])
    rate = len(started & united(row["completed"])) / len(started) if started else 0.0
    whole, rest = divmod(row["rollout_buckets"], 100)
    return {
        "id": row["id"],
        "project_id": row["project_id"],
        "name": row["name"],
        "description": row["description"],
        "status": row["status"],
        "is_default": row["is_default"],
        "theme_id": row["theme_id"],
        "priority": row["priority"],
        "targeting": {"percentage": row["rollout_buckets"] / 100 if rest else whole, "conditions": row["conditions"]},
        "screens": row["screens"] or [],
        "stats": {"total_views": row["views"], "completion_rate": rate},
        "created_at": moment(row["created_at"]),
        "updated_at": moment(row["updated_at"]),
    }


def united(sets: list[bytes]) -> BitMap:
    """Return the devices that are in any of the sets."""
    return BitMap.union(*map(BitMap.deserialize, sets)) if sets else BitMap()


def completion_rate(rollups: Iterable[tuple[str, str, bytes]]) -> float:
    """Return the completion rate of all flows from rows of (flow, event, devices)."""
    flows: dict[str, dict[str, BitMap]] = {}
    for flow_id, event_type, devices in rollups:
        sets = flows.setdefault(flow_id, {"flow_started": BitMap(), "flow_completed": BitMap()})
        sets[event_type] |= BitMap.deserialize(devices)
    started, completed = BitMap(), BitMap()
    for sets in flows.values():
        started |= sets["flow_started"]
        completed |= sets["flow_started"] & sets["flow_completed"]
    return len(completed) / len(started) if started else 0.0
