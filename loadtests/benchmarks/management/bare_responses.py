"""Rows as the JSON of responses, in the form of the management service."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from psycopg.rows import DictRow
from pyroaring import BitMap


def format_time(at: datetime) -> str:
    """Return a time in ISO 8601, UTC, with milliseconds."""
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def project_members(row: DictRow) -> dict[str, Any]:
    """Return the members that every response about a project has."""
    return {
        "id": row["id"],
        "name": row["name"],
        "description": row["description"],
        "created_at": format_time(row["created_at"]),
        "updated_at": format_time(row["updated_at"]),
    }


_SETTINGS = (
    *("platforms", "default_flow_id", "analytics_enabled", "custom_domain"),
    *("direct_writes", "required_approvals", "record_answers"),
)


def project_item(row: DictRow) -> dict[str, Any]:
    """Return a project of a list."""
    stats = {name: row[name] for name in ("total_flows", "active_flows", "total_users")}
    settings = {"platforms": row["platforms"], "default_flow_id": row["default_flow_id"]}
    return {**project_members(row), "settings": settings, "stats": stats}


def settings_of(row: DictRow) -> dict[str, Any]:
    """Return the settings of a project."""
    return {name: row[name] for name in _SETTINGS}


def flow_members(row: DictRow) -> dict[str, Any]:
    """Return a flow with its screens and statistics."""
    started = union(row["started"])
    rate = len(started & union(row["completed"])) / len(started) if started else 0.0
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
        "created_at": format_time(row["created_at"]),
        "updated_at": format_time(row["updated_at"]),
    }


def union(sets: list[bytes]) -> BitMap:
    """Return the union of serialized sets of devices."""
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
