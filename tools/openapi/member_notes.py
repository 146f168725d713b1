"""What members of answers mean, where names and types do not say it (contract, section 3, Statistics, defined)."""

from collections.abc import Mapping
from typing import Any, Final

from management_api.db.models.flows import ScreenType
from tools.openapi.components import Json

_FRACTION: Json = {"minimum": 0, "maximum": 1}
_COUNT: Json = {"minimum": 0}
_STARTED: Json = {**_COUNT, "description": "Users with a flow_started of the flow; a user is a distinct device id."}
_COMPLETED: Json = {**_COUNT, "description": "Users with a flow_completed of the flow."}
_SCREEN_TYPE: Json = {"enum": [kind.value for kind in ScreenType]}

#: By the name of the member alone, or of its schema and it. The more exact one wins.
MEMBER_NOTES: Final[Mapping[str, Json]] = {
    "avg_completion_time": {
        **_COUNT,
        "description": "Seconds from a device's first start of a flow to its first completion after that, on average.",
    },
    "completion_rate": {**_FRACTION, "description": "Users who completed per user who started; 0 when nobody started."},
    "completions": {**_COUNT, "description": "Users who completed a flow on that day."},
    "last_used_at": {
        "description": "The time of the last use of the key, at most a minute behind; null before the first. "
        "Every public request that a secret key opens is a use."
    },
    "new_users": {**_COUNT, "description": "Users who were first seen inside the period."},
    "order": {**_COUNT, "description": "The place in its flow: 0..n-1 without gaps."},
    "users": {**_COUNT, "description": "Distinct device ids."},
    "OverviewView.total_users": {**_COUNT, "description": "Users with any event or exposure in the period."},
    "DayView.date": {"description": "A UTC day. The days ascend, zeros included; events count on their own day."},
    "FlowPerformanceView.users": {
        **_COUNT,
        "description": "Users of the flow in the period, by which the list descends.",
    },
    "FunnelView.started": _STARTED,
    "FunnelView.completed": _COMPLETED,
    "FunnelScreenView.reached": {
        **_COUNT,
        "description": "Users with a screen_viewed or screen_completed of the screen.",
    },
    "FunnelScreenView.completed": {**_COUNT, "description": "Users with a screen_completed of the screen."},
    "FunnelScreenView.drop_off": {**_COUNT, "description": "Users who reached and did not complete it."},
    "FunnelScreenView.drop_off_rate": {**_FRACTION, "description": "The same per user who reached it."},
    "FunnelScreenView.median_seconds": {"description": "From first view to first completion; null when there is none."},
}


def with_notes(schemas: Mapping[str, Json]) -> dict[str, Json]:
    """Give the schemas of answers with the notes in them. Raises ValueError for a note that is about nothing."""
    used: set[str] = set()
    noted = {name: _noted(name, schema, used) for name, schema in schemas.items()}
    idle = MEMBER_NOTES.keys() - used
    if idle:
        raise ValueError(f"tools/openapi/member_notes.py: no answer has {', '.join(sorted(idle))}")
    return noted


def _noted(name: str, schema: Json, used: set[str]) -> Json:
    properties: dict[str, Any] = {}
    for member, described in schema.get("properties", {}).items():
        keys = [key for key in (f"{name}.{member}", member) if key in MEMBER_NOTES]
        used.update(keys)
        properties[member] = {**MEMBER_NOTES[keys[0]], **described} if keys else described
    return {**schema, "properties": properties} if properties else schema
